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

  it.each([
    ['53100', 'could not extend file "base/5/1": No space left on device', 'has no room left on its disk'],
    ['53200', 'out of memory', 'has no memory left'],
  ])('refuses at once what it has no room for, by the code %s', async (code, message, words) => {
    const name = newFleetName();
    closing.push(() => dropFleet(service, name));
    const { store } = await join(service.url, name);
    closing.push(() => store.close());
    const other = new pg.Client({ connectionString: service.url });
    await other.connect();
    closing.push(() => other.end());
    await other.query(`CREATE FUNCTION "${name}".no_room() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = '${code}'; END $$`);
    await other.query(
      `CREATE TRIGGER no_room BEFORE INSERT ON "${name}".kept EXECUTE FUNCTION "${name}".no_room()`,
    );
    const entry = { name: 'entry', bytes: Uint8Array.of(1), seconds: 60 };
    const refusal = {
      reason: 'engine-unavailable',
      message: `The store of the fleet ${words}; try again later.`,
      retryAfterSeconds: 5,
    };
    await expect(store.put(entry)).rejects.toMatchObject(refusal);
    await expect(store.change({ put: [entry] })).rejects.toMatchObject(refusal);
    await expect(store.change({ held: entry })).rejects.toMatchObject(refusal);
    await other.query(`DROP TRIGGER no_room ON "${name}".kept`);
    expect(await store.change({ held: entry })).toBe('done');
  });
});
