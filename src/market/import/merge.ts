/**
 * Observations into the store: what is new is added, what differs is replaced, what is there stays.
 *
 * Works within the caller's transaction. Must not know: files, CSV.
 */
import { type DuckDBConnection, DuckDBTimestampValue } from '@duckdb/node-api';
import type { SeriesKey } from '../store/directory.ts';
import { TARGETS } from './layout.ts';
import type { FileContent } from './read-file.ts';

/** What an import did to rows. */
export interface RowCounts {
  readonly added: number;
  /** Held already with other numbers, and replaced. */
  readonly replaced: number;
  readonly unchanged: number;
}

const COLUMNS = TARGETS.join(', ');
const DIFFERS = TARGETS.map(column => `held.${column} IS DISTINCT FROM incoming.${column}`).join(' OR ');
const JOIN = 'held.series = incoming.series AND held.final_at = incoming.final_at';

/** Makes the temporary table that `mergeContent` uses. */
export async function prepareMerge(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE incoming AS SELECT series, final_at, ${COLUMNS} FROM observation LIMIT 0`,
  );
}

/** Merges the content of one file, whose rows are different from each other in series or time. */
export async function mergeContent(connection: DuckDBConnection, content: FileContent): Promise<RowCounts> {
  const ids: number[] = [];
  for (const key of content.layout.series) ids.push(await seriesId(connection, key));
  await append(connection, content, ids);
  const counted = await connection.runAndReadAll(`
    SELECT (count(*) FILTER (held.series IS NULL))::INTEGER,
      (count(*) FILTER (held.series IS NOT NULL AND (${DIFFERS})))::INTEGER, count(*)::INTEGER
    FROM incoming LEFT JOIN observation AS held ON ${JOIN}`);
  const [added, replaced, all] = counted.getRows()[0] as [number, number, number];
  if (replaced > 0) {
    await connection.run(`
      UPDATE observation AS held SET ${TARGETS.map(column => `${column} = incoming.${column}`).join(', ')}
      FROM incoming WHERE ${JOIN} AND (${DIFFERS})`);
  }
  if (added > 0) {
    await connection.run(`
      INSERT INTO observation (series, final_at, ${COLUMNS})
      SELECT incoming.* FROM incoming ANTI JOIN observation AS held ON ${JOIN}`);
  }
  await connection.run('TRUNCATE incoming');
  return { added, replaced, unchanged: all - added - replaced };
}

/** The number of a series, given when it is first seen. */
async function seriesId(connection: DuckDBConnection, key: SeriesKey): Promise<number> {
  const names = [key.source, key.symbol, key.quote, key.exchange];
  const found = await connection.runAndReadAll(
    'SELECT id FROM series WHERE source = $1 AND symbol = $2 AND quote = $3 AND exchange = $4',
    names,
  );
  if (found.currentRowCount > 0) return found.getRows()[0][0] as number;
  const inserted = await connection.runAndReadAll(
    'INSERT INTO series SELECT coalesce(max(id), 0) + 1, $1, $2, $3, $4 FROM series RETURNING id',
    names,
  );
  return inserted.getRows()[0][0] as number;
}

async function append(
  connection: DuckDBConnection,
  { observations }: FileContent,
  ids: readonly number[],
): Promise<void> {
  const appender = await connection.createAppender('incoming', null, 'temp');
  const { series, finalAt, numbers } = observations;
  for (let row = 0; row < series.length; row++) {
    appender.appendInteger(ids[series[row]]);
    appender.appendTimestamp(new DuckDBTimestampValue(BigInt(finalAt[row]) * 1000n));
    for (const column of numbers) {
      if (Number.isNaN(column[row])) appender.appendNull();
      else appender.appendDouble(column[row]);
    }
    appender.endRow();
  }
  appender.flushSync();
  appender.closeSync();
}
