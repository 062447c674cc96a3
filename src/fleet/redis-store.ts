/**
 * A fleet's store in Redis: a key for every name, which Redis expires, and a set for every list. A long value is written in pieces under a
 * key of its own, and moved from there by the change that it belongs to.
 */
import { randomUUID } from 'node:crypto';
import { Redis, ReplyError } from 'ioredis';
import { bytePieces, isLong, lengthOfBytes, PIECE_BYTES, readInPieces } from '../host/long-bytes.ts';
import type { Warn } from '../host/repeated-warnings.ts';
import { WORKERS } from './names.ts';
import {
  CHANGE_SCRIPT,
  FIRST_PIECES_SCRIPT,
  milliseconds,
  STAGE_SCRIPT,
  scriptCall,
} from './redis-change.ts';
import { type Change, type Changed, type Entry, type FleetStore, SILENT_CONNECTION_MS } from './store.ts';
import { isCertificateFault, isDatabaseFault, StoreRefused } from './store-errors.ts';

/** Longest time between two pieces of a value. */
const STAGED_MS = 60_000;

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
  const script = <T>(name: string, lua: string, form = name) => {
    redis.defineCommand(name, { lua });
    return Reflect.get(redis, form).bind(redis) as (
      keys: number,
      ...values: readonly (string | number | Uint8Array)[]
    ) => Promise<T>;
  };
  const change = script<Changed | 'unstaged'>('change', CHANGE_SCRIPT);
  const stagePiece = script<null>('stagePiece', STAGE_SCRIPT);
  const firstPieces = script<(Buffer | null)[]>('firstPieces', FIRST_PIECES_SCRIPT, 'firstPiecesBuffer');
  const setOf = (list: string) => `list:${list}`;
  /** Writes the long values of a change. @returns their keys */
  const stage = async ({ held, put = [] }: Change): Promise<ReadonlyMap<Entry, string>> => {
    const staged = new Map<Entry, string>();
    for (const entry of put.filter(each => isLong(each.bytes))) {
      const key = `staged:${randomUUID()}`;
      staged.set(entry, key);
      let from = lengthOfBytes(entry.bytes);
      // From the end on: so Redis takes the memory of the whole value once.
      for (const piece of bytePieces(entry.bytes).reverse()) {
        from -= piece.byteLength;
        await stagePiece(1, key, from, bytes(piece), STAGED_MS, held === undefined ? '' : 'held');
      }
    }
    return staged;
  };
  const store: FleetStore = {
    async put(entry) {
      await store.change({ put: [entry] });
    },
    async change(asked) {
      const staged = await stage(asked);
      const { keys, values } = scriptCall(asked, `${prefix}:`, setOf, staged);
      const sent = values.map(value => (typeof value === 'string' ? value : bytes(value)));
      const changed = await change(keys.length, ...keys, ...sent);
      if (changed !== 'done' && staged.size > 0) await redis.unlink(...staged.values());
      // It has expired, or the store was emptied.
      if (changed === 'unstaged') throw new StoreRefused(new Error('a value was lost while it was written'));
      return changed;
    },
    async get(names) {
      if (names.length === 0) return [];
      const firsts = await firstPieces(names.length, ...names, PIECE_BYTES - 1);
      const found: (Uint8Array | undefined)[] = [];
      for (const [i, first] of firsts.entries())
        found.push(
          first === null
            ? undefined
            : await readInPieces(first, from => redis.getrangeBuffer(names[i], from, from + PIECE_BYTES - 1)),
        );
      return found;
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
