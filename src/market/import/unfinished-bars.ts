/** Bars that had not ended when their file was written. */
import { MS_PER_HOUR } from '../../text/calendar-date.ts';
import { type SeriesKey, TIMEFRAME_HOURS } from '../store/series-key.ts';
import { readTime } from './dates.ts';
import type { Reading, TimedRow } from './reading.ts';
import type { Table } from './table.ts';

/** Binance stamps the end of a bar one millisecond early. */
export const CLOSE_TOLERANCE_MS = 1000;

const OPEN_BAR = /^(0|false|no|n|open)$/i;

/**
 * The rows whose bar had not ended when the file was written: those that it marks as such, and a newest one that ends after the
 * moment at which it was written, which is that of a row off the grid, of a column of moments, or of Kraken's last closed bar.
 */
export function unfinishedRows(
  { columns: { roles }, table, stamp, dates }: Reading,
  key: SeriesKey,
  timed: readonly TimedRow[],
): (row: Table['rows'][number], ms: number) => boolean {
  if (stamp !== 'open' || key.kind !== 'price') return () => false;
  const step = TIMEFRAME_HOURS[key.timeframe] * MS_PER_HOUR;
  const newest = Math.max(
    ...timed.slice(-2).map(({ moment }) => moment.ms),
    ...timed.slice(0, 2).map(({ moment }) => moment.ms),
  );
  const written = newest % step === 0 || timed.length < 2 ? undefined : newest;
  const marks = (['end', 'moment'] as const)
    .flatMap(role => roles.get(role) ?? [])
    .filter(field => field !== roles.get('time'));
  const endsLater = (row: Table['rows'][number], ms: number, field: number): boolean => {
    const at = readTime(row[field], dates);
    return at !== undefined && at.ms < ms + step - CLOSE_TOLERANCE_MS;
  };
  const telling = marks.filter(
    field =>
      timed.length > 1 &&
      timed.every(
        ({ index, moment }) => moment.ms === newest || !endsLater(table.rows[index], moment.ms, field),
      ),
  );
  const closed = roles.get('closed');
  const { lastClosed } = table.says;
  return (row, ms) =>
    (closed !== undefined && OPEN_BAR.test(String(row[closed] ?? ''))) ||
    (lastClosed !== undefined && ms > lastClosed * 1000) ||
    (written !== undefined && ms + step > written) ||
    (ms === newest && telling.some(field => endsLater(row, ms, field)));
}
