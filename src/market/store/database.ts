/**
 * Opening the store's file, and the shape of its two tables.
 *
 * Takes: a path. Gives: a DuckDB connection to a store of this version, or a `MarketStoreError` whose message an
 * operator can act on. Must not know: what is read or written.
 *
 * A server holds the file open for reading as long as it runs: several may, and nobody can write meanwhile.
 */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** Changed with every change of the tables below; a store of another version is refused, never converted. */
export const SCHEMA_VERSION = 1;

/** A store that cannot be opened; a matter for the operator, at start-up or on the command line. */
export class MarketStoreError extends Error {
  override readonly name = 'MarketStoreError';
}

/**
 * `series` says what is held; `observation` holds the numbers. `final_at` is the moment (UTC) from which a number is
 * known: the end of a bar's day or hour, the instant of a snapshot or settlement. So no query up to a moment can look
 * beyond it. A price, an index level and a funding rate stand in `close`; columns that a source lacks are NULL.
 */
const CREATE_TABLES = `
  CREATE TABLE IF NOT EXISTS market_store (version INTEGER NOT NULL);
  INSERT INTO market_store SELECT ${SCHEMA_VERSION} WHERE NOT EXISTS (FROM market_store);
  CREATE TABLE IF NOT EXISTS series (
    id INTEGER PRIMARY KEY,
    source VARCHAR NOT NULL,
    symbol VARCHAR NOT NULL,
    quote VARCHAR NOT NULL,
    exchange VARCHAR NOT NULL,
    UNIQUE (source, symbol, quote, exchange)
  );
  CREATE TABLE IF NOT EXISTS observation (
    series INTEGER NOT NULL,
    final_at TIMESTAMP NOT NULL,
    open DOUBLE,
    high DOUBLE,
    low DOUBLE,
    close DOUBLE,
    volume DOUBLE,
    PRIMARY KEY (series, final_at)
  );`;

/** Makes the tables where there are none; within the caller's transaction. */
export async function createTables(connection: DuckDBConnection): Promise<void> {
  await connection.run(CREATE_TABLES);
}

/** A connection, and how to let go of the file. */
export interface StoreFile {
  readonly connection: DuckDBConnection;
  close(): void;
}

/**
 * Opens the file at `path`: to read a store that is there, or to write one that may still have to be made.
 * @throws MarketStoreError if it is in use by another process, no store, or a store of another version
 */
export async function openStoreFile(path: string, access: 'read' | 'write'): Promise<StoreFile> {
  const instance = await DuckDBInstance.create(path, {
    access_mode: access === 'read' ? 'READ_ONLY' : 'READ_WRITE',
  }).catch((error: unknown) => {
    throw openingError(path, access, error);
  });
  try {
    const connection = await instance.connect();
    await checkVersion(connection, path, access);
    return {
      connection,
      close: () => {
        connection.closeSync();
        instance.closeSync();
      },
    };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

async function checkVersion(
  connection: DuckDBConnection,
  path: string,
  access: 'read' | 'write',
): Promise<void> {
  const tables = await connection.runAndReadAll(
    "SELECT count(*)::INTEGER, (count(*) FILTER (table_name = 'market_store'))::INTEGER FROM duckdb_tables()",
  );
  const [count, ours] = tables.getRows()[0] as [number, number];
  if (count === 0 && access === 'write') return;
  const versions =
    ours === 1 ? (await connection.runAndReadAll('SELECT version FROM market_store')).getRows() : [];
  if (versions.length !== 1) throw new MarketStoreError(`${path} is a database, but not a market store.`);
  if (versions[0][0] !== SCHEMA_VERSION) {
    throw new MarketStoreError(
      `${path} is a market store of version ${versions[0][0]}; this program uses version ${SCHEMA_VERSION}. ` +
        'Import the market data again into a new file.',
    );
  }
}

function openingError(path: string, access: 'read' | 'write', cause: unknown): MarketStoreError {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (/could not set lock/i.test(text)) {
    return new MarketStoreError(
      access === 'write'
        ? `${path} is in use by another process. Stop the server that reads it, or import into another file.`
        : `${path} is being written by another process. Wait until the import is done.`,
      { cause },
    );
  }
  if (/not a valid DuckDB database/i.test(text)) {
    return new MarketStoreError(`${path} is not a market store.`, { cause });
  }
  return new MarketStoreError(`${path} cannot be opened: ${text}`, { cause });
}
