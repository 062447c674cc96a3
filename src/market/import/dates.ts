/**
 * The times of market data in every form that files have: those of `readMoment`, names of months, half days, the year last.
 *
 * Must not know: columns.
 */
import type { Cell } from '../../text/numbers.ts';
import { clearDate, type DateOrder, isoDate, type Moment, readMoment } from '../../text/times.ts';

/** `31.01.2024`, `01/31/2024` or `31.01.24`, perhaps with a time. */
const LOCAL = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?=$|[,T ])/;

/** The order that one date with the year last decides: that in which the calendar has it, where it has no other. */
function dateOrderOf(cell: Cell): DateOrder | undefined {
  const parts = typeof cell === 'string' ? LOCAL.exec(cell.trim()) : null;
  if (parts === null) return undefined;
  const [first, second] = [Number(parts[1]), Number(parts[2])];
  if (first > 12 && second <= 12) return 'dmy';
  return second > 12 && first <= 12 ? 'mdy' : undefined;
}

/** Whether a cell is a date with the year last, of two digits or four. */
export const isYearLast = (cell: Cell): boolean => typeof cell === 'string' && LOCAL.test(cell.trim());

/** Without marks, and with a year of two digits behind the name of a month. */
const COMPACT = /^(20\d\d)([01]\d)([0-3]\d)(?=$|[T ,])/;
const SHORT_NAMED = /^(\d{1,2})[ .-]*([a-z]{3,9})\.?[ ,-]*(\d{2})(?![\d:])/i;

/** A text with the year first; unchanged where it is not a date in another form. */
function yearFirst(text: string, order: DateOrder | undefined): string {
  const local = order === undefined ? null : LOCAL.exec(text);
  if (local !== null) {
    const [day, month] = order === 'dmy' ? [local[1], local[2]] : [local[2], local[1]];
    return isoDate(local[3], month, day, text.slice(local[0].length));
  }
  const compact = COMPACT.exec(text);
  if (compact !== null) return isoDate(compact[1], compact[2], compact[3], text.slice(compact[0].length));
  const clear = clearDate(text);
  if (clear !== undefined) return clear;
  const named = SHORT_NAMED.exec(text);
  return named === null ? text : isoDate(named[3], named[2], named[1], text.slice(named[0].length));
}

/** ` 9:05 PM`, ` 11-PM` and `, 9:05` as ` 21:05`, ` 23:00` and ` 09:05`; the day alone stays as it is. */
function plainTime(text: string): string {
  const parts =
    /^(\d{4}-\d{2}-\d{2})(?:,|[,T]? +|T)(\d{1,2})(:\d{2}(?::\d{2})?(?:[.,]\d+)?)?(?:[ -]*([AP])\.?M\.?)?(.*)$/i.exec(
      text,
    );
  if (parts === null) return text;
  const [, date, hour, minutes, half, rest] = parts;
  if (minutes === undefined && half === undefined) return text;
  const h = Number(hour);
  // An hour of a half day is 1 to 12.
  if (half !== undefined && (h < 1 || h > 12)) return '';
  const full = half === undefined ? h : (h % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
  return `${date} ${String(full).padStart(2, '0')}${minutes ?? ':00'}${rest}`;
}

/** The moment of a cell; undefined where it has none. @param order of dates with the year last, which have no moment without it */
export function readTime(cell: Cell, order?: DateOrder): Moment | undefined {
  // 20240131 is a day.
  if (typeof cell === 'number' && /^20\d{6}$/.test(String(cell))) return readTime(String(cell));
  if (typeof cell !== 'string') return readMoment(cell);
  const text = cell.trim();
  return /^\d{9,}(\.\d+)?$/.test(text) ? readMoment(text) : readMoment(plainTime(yearFirst(text, order)));
}

/** The order of dates with the year last that the cells of a column decide; undefined where they do not, or contradict each other. */
export function dateOrderOfColumn(cells: Iterable<Cell>): DateOrder | undefined {
  const found = new Set<DateOrder>();
  for (const cell of cells) {
    const order = dateOrderOf(cell);
    if (order !== undefined) found.add(order);
  }
  const [order] = found;
  return found.size === 1 ? order : undefined;
}
