/** Whether a store takes writes, at the limit of the memory of a Redis. */
import { Redis } from 'ioredis';
import { afterEach, expect, it } from 'vitest';
import { openRedisStore } from '#src/fleet/redis-store.js';
import { WriteTrial } from '#src/fleet/write-trial.js';
import { createLogger } from '#src/host/log.js';
import { hasRedisServer, startRedis } from '../support/own-stores.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

it.skipIf(!hasRedisServer)('A Redis that is full after the first trial fails the next', async () => {
  const server = await startRedis();
  closing.push(() => server.close());
  const url = server.urlAt(server.port);
  const store = await openRedisStore(url, 'f', () => {});
  closing.push(() => store.close());
  const admin = new Redis(url);
  closing.push(async () => admin.disconnect());
  const trial = new WriteTrial(store, createLogger('silent'), () => {});
  const passedAt = async (maxmemory: string) => {
    await admin.config('SET', 'maxmemory', maxmemory);
    await trial.run();
    return trial.passed;
  };
  expect(await passedAt('0')).toBe(true);
  expect(await passedAt('1')).toBe(false);
  expect(await passedAt('0')).toBe(true);
});
