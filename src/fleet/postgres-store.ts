/**
 * A fleet's store in PostgreSQL: one table. Expired rows are ignored, and deleted periodically. A long value is sent as rows of pieces, which
 * the transaction joins, and is read in pieces.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Clock, settlesWithin } from '../core/clock.ts';
import { bytePieces, isLong, PIECE_BYTES, readInPieces } from '../host/long-bytes.ts';
import type { Warn } from '../host/repeated-warnings.ts';
import { type Change, type Changed, CLOSE_MS, type Entry, type FleetStore } from './store.ts';
import { isFull, isOutage, StoreRefused } from './store-errors.ts';

const SWEEP_MS = 60_000;
const RETRY_MS = 500;
const QUERY_MS = 10_000;
/** A connection on which a query has no answer after this time is closed, and the query retried. */
export const PATIENCE = { connectionTimeoutMillis: QUERY_MS, query_timeout: QUERY_MS };

/**
 * Opens the store, and creates its table if it is missing.
 * @param schema of the table: letters, digits and underscores
 */
export async function openPostgresStore(
  connectionString: string,
  schema: string,
  clock: Clock,
  warn: Warn,
): Promise<FleetStore> {
  const pool = new pg.Pool({ connectionString, max: 4, ...PATIENCE });
  pool.on('error', error => warn({ err: error }, 'the store of the fleet does not answer'));
  // The running query reports the error, too. Without a listener the event of a connection in use would end the process.
  pool.on('connect', client => client.on('error', () => {}));
  const table = `"${schema}".kept`;
  let closed = false;
  /** Waits for an unavailable server without a limit; callers have their own deadlines. */
  const withRetry = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (closed) throw error;
        if (!isOutage(error) || isFull(error)) throw new StoreRefused(error);
        warn({ err: error }, 'the store of the fleet does not answer');
        await new Promise<void>(resolve => clock.after(RETRY_MS, resolve));
      }
    }
  };
  const query = (text: string, values: readonly unknown[] = []) =>
    withRetry(() => pool.query(text, [...values]));
  const upsert = (condition: string) =>
    `INSERT INTO ${table} (name, list, bytes, expires) VALUES ($1, $2, $3, now() + $4 * interval '1 second')
     ON CONFLICT (name) DO UPDATE SET list = excluded.list, bytes = excluded.bytes, expires = excluded.expires ${condition}`;
  const [always, ifFree, ifHeld] = [
    upsert(''),
    upsert(`WHERE ${table}.expires <= now()`),
    upsert(`WHERE ${table}.expires <= now() OR ${table}.bytes = excluded.bytes`),
  ];
  const join = `UPDATE ${table} SET bytes =
    (SELECT string_agg(piece.bytes, '' ORDER BY piece.name) FROM ${table} piece WHERE piece.list = $2) WHERE name = $1`;
  const bytes = (value: Uint8Array) => Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const valuesOf = ({ name, list, bytes: value, seconds }: Entry) => [
    name,
    list ?? null,
    bytes(value as Uint8Array),
    seconds,
  ];
  /** Writes the pieces of long values. @returns the lists of the pieces */
  const stage = async (client: pg.PoolClient, entries: readonly Entry[]): Promise<Map<Entry, string>> => {
    const staged = new Map<Entry, string>();
    for (const entry of entries.filter(each => isLong(each.bytes))) {
      const list = `staged ${randomUUID()}`;
      staged.set(entry, list);
      for (const [i, piece] of bytePieces(entry.bytes).entries()) {
        const name = `${list} ${String(i).padStart(6, '0')}`;
        await client.query(always, valuesOf({ name, list, bytes: piece, seconds: entry.seconds }));
      }
    }
    return staged;
  };
  /** The whole change, in one transaction. */
  const changeWith = async (client: pg.PoolClient, change: Change): Promise<Changed> => {
    const { free = [], room, held, put = [], forget = [] } = change;
    // Before any lock.
    const staged = await stage(client, put);
    if (room !== undefined) {
      // Transactions that count the same list run one after another.
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${schema} ${room.list}`]);
    }
    if (free.length > 0) {
      const text = `SELECT 1 FROM ${table} WHERE name = ANY($1) AND expires > now()`;
      if ((await client.query(text, [free])).rowCount !== 0) return 'taken';
    }
    if (room !== undefined) {
      const text = `SELECT count(*)::int AS entries FROM ${table} WHERE list = $1 AND expires > now()`;
      if ((await client.query(text, [room.list])).rows[0].entries >= room.most) return 'full';
    }
    // The row is locked until the end of the transaction: another transaction waits, and then finds the lease taken.
    if (held !== undefined && (await client.query(ifHeld, valuesOf(held))).rowCount === 0) return 'lost';
    for (const entry of put) {
      const from = staged.get(entry);
      const values = valuesOf(from === undefined ? entry : { ...entry, bytes: new Uint8Array() });
      const { rowCount } = await client.query(free.includes(entry.name) ? ifFree : always, values);
      if (rowCount === 0) return 'taken';
      if (from !== undefined) await client.query(join, [entry.name, from]);
    }
    if (staged.size > 0)
      await client.query(`DELETE FROM ${table} WHERE list = ANY($1)`, [[...staged.values()]]);
    if (forget.length > 0) await client.query(`DELETE FROM ${table} WHERE name = ANY($1)`, [forget]);
    return 'done';
  };
  const transaction = async (change: Change): Promise<Changed> => {
    const client = await pool.connect();
    let failure: Error | undefined;
    try {
      await client.query('BEGIN');
      const changed = await changeWith(client, change);
      await client.query(changed === 'done' ? 'COMMIT' : 'ROLLBACK');
      return changed;
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      // A connection whose transaction failed is not used again.
      client.release(failure);
    }
  };
  // Two processes that start at the same time would both find no schema: the lock makes one wait.
  await query(`DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('${schema}'));
    CREATE SCHEMA IF NOT EXISTS "${schema}";
    CREATE TABLE IF NOT EXISTS ${table} (
      name text PRIMARY KEY, list text, bytes bytea NOT NULL, expires timestamptz NOT NULL);
    -- Without compression a piece is read without those before it.
    IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attname = 'bytes' AND attstorage <> 'e')
    THEN ALTER TABLE ${table} ALTER bytes SET STORAGE EXTERNAL; END IF;
    CREATE INDEX IF NOT EXISTS kept_by_list ON ${table} (list) WHERE list IS NOT NULL;
    CREATE INDEX IF NOT EXISTS kept_by_expiry ON ${table} (expires);
  END $$`);
  const pieceOf = async (name: string, from: number): Promise<Buffer> => {
    const text = `SELECT substring(bytes FROM $2 FOR ${PIECE_BYTES}) AS bytes FROM ${table} WHERE name = $1`;
    return (await query(text, [name, from + 1])).rows[0]?.bytes ?? Buffer.alloc(0);
  };
  const endSweep = clock.every(SWEEP_MS, () => {
    pool.query(`DELETE FROM ${table} WHERE expires <= now()`).catch(() => {});
  });
  return {
    async put(entry) {
      if (isLong(entry.bytes)) await withRetry(() => transaction({ put: [entry] }));
      else await query(always, valuesOf(entry));
    },
    async change(asked) {
      const { held, ...others } = asked;
      if (held === undefined || Object.keys(others).length > 0) return withRetry(() => transaction(asked));
      // A single statement is a transaction.
      return (await query(ifHeld, valuesOf(held))).rowCount === 0 ? 'lost' : 'done';
    },
    async get(names) {
      if (names.length === 0) return [];
      const { rows } = await query(
        `SELECT name, substring(bytes FOR ${PIECE_BYTES}) AS bytes FROM ${table} WHERE name = ANY($1) AND expires > now()`,
        [names],
      );
      const found = new Map<string, Uint8Array>();
      for (const { name, bytes: first } of rows)
        found.set(name, await readInPieces(first, from => pieceOf(name, from)));
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
    async close() {
      closed = true;
      endSweep();
      await settlesWithin(clock, CLOSE_MS, pool.end());
    },
  };
}
