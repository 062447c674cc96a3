/** The store of a fleet in PostgreSQL, whose connections are lost. */
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { openProxy } from '../support/cut-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { dropFleet, join, newFleetName, SERVICES } from '../support/fleet.ts';

const [, service] = SERVICES;

describe.skipIf(!service.present)('A store on PostgreSQL', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  it('repeats a change whose connection is lost during its transaction', async () => {
    const name = newFleetName();
    closing.push(() => dropFleet(service, name));
    const { port } = new URL(service.url);
    const proxy = await openProxy(Number(port));
    closing.push(() => proxy.close());
    const { store } = await join(service.url.replace(port, String(proxy.port)), name);
    closing.push(() => store.close());
    const other = new pg.Client({ connectionString: service.url });
    await other.connect();
    closing.push(() => other.end());
    // The transaction waits for this lock.
    const lock = [`${name} list`];
    await other.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', lock);
    const bytes = Uint8Array.of(1);
    const changed = store.change({
      room: { list: 'list', most: 1 },
      put: [{ name: 'entry', bytes, seconds: 60, list: 'list' }],
    });
    const waits = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND query LIKE '%hashtextextended%'`;
    await eventually(async () => (await other.query(waits)).rowCount !== 0);
    await proxy.cut(0);
    await other.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', lock);
    expect(await changed).toBe('done');
    expect(await store.list('list')).toEqual(['entry']);
  });
});
