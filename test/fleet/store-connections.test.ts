/** How the store of a fleet connects. */
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openRedisStore } from '#src/fleet/redis-store.js';
import { newFleetName, REDIS } from '../support/fleet.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

describe.skipIf(!REDIS.present)('A store in Redis', () => {
  it('waits for its server without a limit, and warns of its errors', async () => {
    const on = vi.spyOn(Redis.prototype, 'on');
    const warnings: object[] = [];
    const name = newFleetName();
    const store = await openRedisStore(REDIS.url, name, (details, meaning) =>
      warnings.push({ ...details, meaning }),
    );
    closing.push(() => store.close());
    const client = on.mock.contexts[0] as Redis;
    expect(client.options).toMatchObject({
      ...{ maxRetriesPerRequest: null, keyPrefix: `${name}:`, socketTimeout: 30_000 },
    });
    client.emit('error', new Error('gone'));
    expect(warnings).toEqual([{ err: new Error('gone'), meaning: 'the store of the fleet does not answer' }]);
  });

  it('asks nothing about no names', async () => {
    const store = await openRedisStore(REDIS.url, newFleetName(), () => {});
    closing.push(() => store.close());
    expect(await store.get([])).toEqual([]);
    await store.forget([]);
    expect(await store.list('none')).toEqual([]);
  });
});
