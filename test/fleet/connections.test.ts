/**
 * PostgreSQL without a free connection: what needs one waits, lets everything else go on, and works when there is one.
 *
 * @module-tag slow
 */
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { processClock } from '#src/core/clock.js';
import { fleetAddress } from '#src/fleet/address.js';
import { connectQueues } from '#src/fleet/queues.js';
import { eventually } from '../support/eventually.ts';
import { newFleetName, SERVICES } from '../support/fleet.ts';
import { collectLog } from '../support/log-lines.ts';

const postgres = SERVICES.find(({ name }) => name === 'PostgreSQL');
if (postgres === undefined) throw new Error('PostgreSQL is no service of the tests');

describe.skipIf(!postgres.present)('A queue on PostgreSQL', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  it('waits where no connection is free, and then delivers its jobs', async () => {
    const admin = new pg.Client(postgres.url);
    await admin.connect();
    closing.push(() => admin.end());
    const name = newFleetName();
    const role = `${name}_role`;
    // A role of its own, so that the limit is not that of others.
    await admin.query(`CREATE ROLE ${role} LOGIN CONNECTION LIMIT 0`);
    const url = new URL(postgres.url);
    const database = url.pathname.slice(1);
    await admin.query(`GRANT CREATE ON DATABASE "${database}" TO ${role}`);
    closing.push(async () => {
      await admin.query(`DROP SCHEMA IF EXISTS "${name}_queue" CASCADE`);
      await admin.query(`DROP OWNED BY ${role}`);
      await admin.query(`DROP ROLE ${role}`);
    });
    url.username = role;
    const { log, lines } = collectLog();
    const address = fleetAddress(url.href);
    if (address === undefined) throw new Error(`${url.protocol} is no store of a fleet`);
    const queues = connectQueues(address, name, processClock, (details, meaning) =>
      log.warn(details, meaning),
    );
    const taken: string[] = [];
    const taker = queues.take('parts', 1, async ({ id }) => void taken.push(id));
    const queue = queues.open('parts', () => {});
    // One attempt after another fails, and the process goes on.
    const refusals = () => lines.filter(line => JSON.stringify(line).includes('too many connections'));
    await eventually(() => refusals().length > 3);
    await admin.query(`ALTER ROLE ${role} CONNECTION LIMIT 50`);
    await queue.add([{ id: 'part', data: { plan: 'p' } }]);
    await eventually(() => taken.length > 0);
    expect(taken).toEqual(['part']);
    await Promise.all([taker.close(), queue.close()]);
  });
});
