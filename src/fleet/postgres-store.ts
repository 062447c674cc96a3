/** A fleet's store in PostgreSQL: one table, of which rows past their time count as gone and are swept now and then. */
import pg from 'pg';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../log.ts';
import { isOutage } from './postgres-outage.ts';
import type { FleetStore } from './store.ts';

const SWEEP_MS = 60_000;
const RETRY_MS = 500;
/** A query that the server has not answered by then is given up, and asked again. */
const QUERY_MS = 10_000;

/**
 * Opens the store, and makes its table where there is none.
 * @param schema in which the table stands: letters, digits and underscores
 */
export async function openPostgresStore(
  connectionString: string,
  schema: string,
  clock: Clock,
  log: Logger,
): Promise<FleetStore> {
  const pool = new pg.Pool({
    connectionString,
    max: 4,
    connectionTimeoutMillis: QUERY_MS,
    query_timeout: QUERY_MS,
  });
  pool.on('error', error => log.warn({ err: error }, 'the store of the fleet does not answer'));
  const table = `"${schema}".kept`;
  let closed = false;
  /** Waits for a server that is away, however long that takes; callers have deadlines of their own. */
  const query = async (text: string, values: readonly unknown[] = []) => {
    for (;;) {
      try {
        return await pool.query(text, [...values]);
      } catch (error) {
        if (closed || !isOutage(error)) throw error;
        log.warn({ err: error }, 'the store of the fleet does not answer');
        await new Promise<void>(resolve => clock.after(RETRY_MS, resolve));
      }
    }
  };
  const upsert = (condition: string) =>
    `INSERT INTO ${table} (name, list, bytes, expires) VALUES ($1, $2, $3, now() + $4 * interval '1 second')
     ON CONFLICT (name) DO UPDATE SET list = excluded.list, bytes = excluded.bytes, expires = excluded.expires ${condition}`;
  const bytes = (value: Uint8Array) => Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  // Two processes that begin at once would both find no schema: the lock lets one go first.
  await query(`DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('${schema}'));
    CREATE SCHEMA IF NOT EXISTS "${schema}";
    CREATE TABLE IF NOT EXISTS ${table} (
      name text PRIMARY KEY, list text, bytes bytea NOT NULL, expires timestamptz NOT NULL);
    CREATE INDEX IF NOT EXISTS kept_by_list ON ${table} (list) WHERE list IS NOT NULL;
    CREATE INDEX IF NOT EXISTS kept_by_expiry ON ${table} (expires);
  END $$`);
  const endSweep = clock.every(SWEEP_MS, () => {
    pool.query(`DELETE FROM ${table} WHERE expires <= now()`).catch(() => {});
  });
  return {
    async put(name, value, seconds) {
      await query(upsert(''), [name, null, bytes(value), seconds]);
    },
    async putNew(name, value, seconds) {
      const { rowCount } = await query(upsert(`WHERE ${table}.expires <= now()`), [
        name,
        null,
        bytes(value),
        seconds,
      ]);
      return rowCount === 1;
    },
    async get(names) {
      if (names.length === 0) return [];
      const { rows } = await query(
        `SELECT name, bytes FROM ${table} WHERE name = ANY($1) AND expires > now()`,
        [names],
      );
      const found = new Map(rows.map(row => [row.name as string, row.bytes as Buffer]));
      return names.map(name => found.get(name));
    },
    async touch(name, seconds) {
      const { rowCount } = await query(
        `UPDATE ${table} SET expires = now() + $2 * interval '1 second' WHERE name = $1 AND expires > now()`,
        [name, seconds],
      );
      return rowCount === 1;
    },
    async forget(names) {
      if (names.length > 0) await query(`DELETE FROM ${table} WHERE name = ANY($1)`, [names]);
    },
    async list(list) {
      const { rows } = await query(`SELECT name FROM ${table} WHERE list = $1 AND expires > now()`, [list]);
      return rows.map(row => row.name as string);
    },
    async putListed(list, name, value, seconds) {
      await query(upsert(''), [name, list, bytes(value), seconds]);
    },
    async close() {
      closed = true;
      endSweep();
      await pool.end();
    },
  };
}
