/** A fleet's store in Redis: a key for every name, which Redis itself forgets in time, and a set for every list. */
import { Redis } from 'ioredis';
import type { Logger } from '../log.ts';
import type { FleetStore } from './store.ts';

/** @param prefix of every key */
export function openRedisStore(url: string, prefix: string, log: Logger): FleetStore {
  // Commands wait for a server that is away, however long that takes; callers have deadlines of their own.
  const redis = new Redis(url, { maxRetriesPerRequest: null, keyPrefix: `${prefix}:` });
  redis.on('error', error => log.warn({ err: error }, 'the store of the fleet does not answer'));
  const bytes = (value: Uint8Array) => Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const milliseconds = (seconds: number) => Math.max(1, Math.round(seconds * 1000));
  const setOf = (list: string) => `list:${list}`;
  return {
    async put(name, value, seconds) {
      await redis.set(name, bytes(value), 'PX', milliseconds(seconds));
    },
    async putNew(name, value, seconds) {
      return (await redis.set(name, bytes(value), 'PX', milliseconds(seconds), 'NX')) === 'OK';
    },
    async get(names) {
      if (names.length === 0) return [];
      return (await redis.mgetBuffer(...names)).map(value => value ?? undefined);
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
      if (gone.length > 0) await redis.srem(setOf(list), ...gone);
      return names.filter((_, i) => alive[i] === 1);
    },
    async putListed(list, name, value, seconds) {
      await redis.set(name, bytes(value), 'PX', milliseconds(seconds));
      await redis.sadd(setOf(list), name);
    },
    async close() {
      redis.disconnect();
    },
  };
}
