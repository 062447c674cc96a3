/**
 * The rows of one series in memory: columns of equal length, in order of time, each row with its source.
 *
 * Must not know: files, Parquet.
 */
import { createHash } from 'node:crypto';
import { settlementGaps } from '../settlement-intervals.ts';
import { type SeriesKey, seriesId, TIMEFRAME_HOURS } from './series-key.ts';

/** Columns of numbers; NaN where the source gives none. */
export const NUMBER_COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const;
export type NumberColumn = (typeof NUMBER_COLUMNS)[number];

/** The rows of a series, `hours` rising strictly. */
export interface Rows {
  /** Hours since 1970-01-01 UTC of the moment from which a row is known: the end of its bar. */
  readonly hours: Int32Array;
  readonly numbers: Readonly<Record<NumberColumn, Float64Array>>;
  /** Number of the import that wrote the row, from 1. */
  readonly imports: Int32Array;
  /** Number of the file within that import, from 0. */
  readonly files: Int32Array;
}

/** The effect of a merge on rows. */
export interface RowCounts {
  readonly added: number;
  /** Stored before with other numbers. */
  readonly replaced: number;
  readonly unchanged: number;
}

export const NO_ROWS: Rows = makeRows(0);

/** Rows to be filled in, numbers NaN. */
export function makeRows(count: number): Rows {
  const numbers = Object.fromEntries(
    NUMBER_COLUMNS.map(column => [column, new Float64Array(count).fill(Number.NaN)]),
  ) as Record<NumberColumn, Float64Array>;
  return {
    hours: new Int32Array(count),
    numbers,
    imports: new Int32Array(count),
    files: new Int32Array(count),
  };
}

/** Copies row `from` of `source` to row `to` of `target`. */
export function copyRow(source: Rows, from: number, target: Rows, to: number): void {
  target.hours[to] = source.hours[from];
  for (const column of NUMBER_COLUMNS) target.numbers[column][to] = source.numbers[column][from];
  target.imports[to] = source.imports[from];
  target.files[to] = source.files[from];
}

/**
 * The rows of both; where both have an hour with different numbers, `incoming` counts. A row with unchanged numbers retains
 * the import that wrote it first.
 */
export function mergeRows(held: Rows, incoming: Rows): { readonly rows: Rows; readonly counts: RowCounts } {
  const merged = makeRows(held.hours.length + incoming.hours.length);
  let [h, i, count, added, replaced, unchanged] = [0, 0, 0, 0, 0, 0];
  while (h < held.hours.length || i < incoming.hours.length) {
    const heldHour = h < held.hours.length ? held.hours[h] : Number.POSITIVE_INFINITY;
    const incomingHour = i < incoming.hours.length ? incoming.hours[i] : Number.POSITIVE_INFINITY;
    if (heldHour < incomingHour) copyRow(held, h++, merged, count++);
    else if (heldHour > incomingHour) {
      copyRow(incoming, i++, merged, count++);
      added++;
    } else {
      const same = sameNumbers(held, h, incoming, i);
      if (same) copyRow(held, h, merged, count++);
      else copyRow(incoming, i, merged, count++);
      if (same) unchanged++;
      else replaced++;
      h++;
      i++;
    }
  }
  return { rows: firstRows(merged, count), counts: { added, replaced, unchanged } };
}

/** Whether two rows have the same numbers; two missing numbers are equal. */
export function sameNumbers(a: Rows, i: number, b: Rows, j: number): boolean {
  return NUMBER_COLUMNS.every(column => Object.is(a.numbers[column][i], b.numbers[column][j]));
}

/** The first `count` rows. */
export function firstRows(rows: Rows, count: number): Rows {
  const numbers = Object.fromEntries(
    NUMBER_COLUMNS.map(column => [column, rows.numbers[column].slice(0, count)]),
  ) as Record<NumberColumn, Float64Array>;
  return {
    hours: rows.hours.slice(0, count),
    numbers,
    imports: rows.imports.slice(0, count),
    files: rows.files.slice(0, count),
  };
}

/** Grid points without a row between the first and the last one. */
export function gapsOf({ kind, timeframe }: SeriesKey, { hours }: Rows): number {
  if (hours.length === 0) return 0;
  if (kind === 'funding')
    return settlementGaps(hours, TIMEFRAME_HOURS[timeframe]).reduce((sum, { rows }) => sum + rows, 0);
  return (hours[hours.length - 1] - hours[0]) / TIMEFRAME_HOURS[timeframe] + 1 - hours.length;
}

/** SHA-256 of the name, times and numbers of a series, without the sources of its rows. */
export function contentHash(key: SeriesKey, { hours, numbers }: Rows): string {
  const hash = createHash('sha256').update(`${seriesId(key)}\n`);
  for (const column of [hours, ...NUMBER_COLUMNS.map(name => numbers[name])]) {
    hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  }
  return hash.digest('hex');
}
