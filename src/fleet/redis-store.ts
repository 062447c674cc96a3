/** A fleet's store in Redis: a key for every name, which Redis expires, and a set for every list. */
import { Redis, ReplyError } from 'ioredis';
import type { Warn } from '../host/repeated-warnings.ts';
import { WORKERS } from './names.ts';
import { CHANGE_SCRIPT, milliseconds, scriptCall } from './redis-change.ts';
import { type Changed, type FleetStore, SILENT_CONNECTION_MS } from './store.ts';
import { isCertificateFault, isDatabaseFault, StoreRefused } from './store-errors.ts';

/**
 * Opens the store, and waits for its first answer.
 *
 * @param prefix of every key
 * @throws StoreRefused where it refuses the user or has no such database, or the certificate of one side is refused
 */
export async function openRedisStore(url: string, prefix: string, warn: Warn): Promise<FleetStore> {
  // Commands wait for an unavailable server without a limit; callers have their own deadlines.
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    keyPrefix: `${prefix}:`,
    socketTimeout: SILENT_CONNECTION_MS,
  });
  let refuse: ((error: Error) => void) | undefined;
  const refused = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  redis.on('error', error => {
    // A client of Redis that is refused goes on to connect: later a new certificate may be accepted.
    if (refuse !== undefined && (isCertificateFault(error) || isDatabaseFault(error)))
      refuse(new StoreRefused(error));
    else warn({ err: error }, 'the store of the fleet does not answer');
  });
  const bytes = (value: Uint8Array) => Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  redis.defineCommand('change', { lua: CHANGE_SCRIPT });
  const change: (keys: number, ...values: readonly (string | Uint8Array)[]) => Promise<Changed> = Reflect.get(
    redis,
    'change',
  ).bind(redis);
  const setOf = (list: string) => `list:${list}`;
  const store: FleetStore = {
    async put(entry) {
      await store.change({ put: [entry] });
    },
    async change(asked) {
      const { keys, values } = scriptCall(asked, `${prefix}:`, setOf);
      const sent = values.map(value => (typeof value === 'string' ? value : bytes(value)));
      return change(keys.length, ...keys, ...sent);
    },
    async get(names) {
      if (names.length === 0) return [];
      const found = await redis.mgetBuffer(...names);
      return found.map(value => value ?? undefined);
    },
    async touch(name, seconds) {
      return (await redis.pexpire(name, milliseconds(seconds))) === 1;
    },
    async forget(names) {
      if (names.length > 0) await redis.unlink(...names);
    },
    async list(list) {
      const names = await redis.smembers(setOf(list));
      if (names.length === 0) return [];
      const alive = await Promise.all(names.map(name => redis.exists(name)));
      const gone = names.filter((_, i) => alive[i] === 0);
      // A Redis that refuses writes can still be read.
      if (gone.length > 0) await redis.srem(setOf(list), ...gone).catch(() => {});
      return names.filter((_, i) => alive[i] === 1);
    },
    async close() {
      redis.disconnect();
    },
  };
  const opened = refusing(store);
  try {
    await Promise.race([opened.list(WORKERS), refused]);
  } catch (error) {
    await opened.close();
    throw error;
  }
  refuse = undefined;
  return opened;
}

/** The same store; a refusal by Redis is a `StoreRefused`. */
function refusing(store: FleetStore): FleetStore {
  const translated = Object.entries(store).map(([name, call]) => [
    name,
    (...values: readonly never[]) =>
      (call as (...all: readonly never[]) => Promise<unknown>)(...values).catch((error: unknown) => {
        throw error instanceof ReplyError ? new StoreRefused(error) : error;
      }),
  ]);
  return Object.fromEntries(translated) as FleetStore;
}
