/** How the stores of a fleet connect, and when PostgreSQL deletes what has expired. */
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openPostgresStore } from '#src/fleet/postgres-store.js';
import { openRedisStore } from '#src/fleet/redis-store.js';
import { dropFleet, newFleetName, SERVICES } from '../support/fleet.ts';
import { ManualClock } from '../support/manual-clock.ts';

const [redis, postgres] = SERVICES;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

describe.skipIf(!redis.present)('A store in Redis', () => {
  it('waits for its server without a limit, and warns of its errors', async () => {
    const on = vi.spyOn(Redis.prototype, 'on');
    const warnings: object[] = [];
    const name = newFleetName();
    const store = await openRedisStore(redis.url, name, (details, meaning) =>
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
    const store = await openRedisStore(redis.url, newFleetName(), () => {});
    closing.push(() => store.close());
    expect(await store.get([])).toEqual([]);
    await store.forget([]);
    expect(await store.list('none')).toEqual([]);
  });
});

describe.skipIf(!postgres.present)('A store in PostgreSQL', () => {
  async function opened() {
    const on = vi.spyOn(pg.Pool.prototype, 'on');
    const clock = new ManualClock();
    const warnings: object[] = [];
    const name = newFleetName();
    closing.push(() => dropFleet(postgres, name));
    const store = await openPostgresStore(postgres.url, name, clock, (details, meaning) =>
      warnings.push({ ...details, meaning }),
    );
    return { clock, warnings, name, store, pool: on.mock.contexts[0] as pg.Pool };
  }

  it('has four connections, which wait ten seconds, and warns of their errors', async () => {
    const { warnings, store, pool } = await opened();
    closing.push(() => store.close());
    expect(pool.options).toMatchObject({
      ...{ connectionString: postgres.url, max: 4 },
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
    });
    pool.emit('error', new Error('gone'), {} as pg.PoolClient);
    expect(warnings).toEqual([{ err: new Error('gone'), meaning: 'the store of the fleet does not answer' }]);
  });

  it('deletes what has expired once a minute until it closes', async () => {
    const { clock, name, store, pool } = await opened();
    const query = vi.spyOn(pool, 'query');
    clock.advance(59_999);
    expect(query).not.toHaveBeenCalled();
    clock.advance(1);
    expect(query.mock.calls).toEqual([[`DELETE FROM "${name}".kept WHERE expires <= now()`]]);
    await store.put({ name: 'old', bytes: Uint8Array.of(1), seconds: -1 });
    await store.put({ name: 'new', bytes: Uint8Array.of(1), seconds: 60 });
    clock.advance(60_000);
    await query.mock.results.at(-1)?.value;
    const { rows } = await pool.query(`SELECT name FROM "${name}".kept`);
    expect(rows).toEqual([{ name: 'new' }]);
    await store.close();
    expect(clock.pending).toBe(0);
  });
});
