/** Moments in the forms of exchanges and tools, in UTC. */
import { MS_PER_DAY, MS_PER_HOUR, parseIsoDate } from './calendar-date.ts';
import type { Cell } from './numbers.ts';

/** A moment, and whether its text was a day without a time. */
export interface Moment {
  readonly ms: number;
  readonly dayOnly: boolean;
}

/** 2001-09-09 in seconds; smaller numbers cannot be dates of a coin. */
const FIRST_SECONDS = 1e9;
const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;

/** Orders of the parts of a date that is not written year first. */
export const DATE_ORDERS = ['dmy', 'mdy'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** The number of a month by the beginning of its English name; 0 for another word. */
export const monthNumber = (name: string): number =>
  1 + MONTHS.findIndex(each => each.startsWith(name.toLowerCase()));

/** Dates whose order is clear, because the year comes first or the month has a name; the places of year, month and day. */
const CLEAR_DATES: readonly (readonly [RegExp, readonly [year: number, month: number, day: number]])[] = [
  [/^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?!\d)/, [1, 2, 3]],
  [/^(\d{4})[ .-]([a-z]{3,9})[ .-](\d{1,2})(?!\d)/i, [1, 2, 3]],
  [/^(\d{1,2})(?:st|nd|rd|th)?[ .-]*([a-z]{3,9})\.?[ ,-]*(\d{4})(?!\d)/i, [3, 2, 1]],
  [/^([a-z]{3,9})\.?[ -]*(\d{1,2})(?:st|nd|rd|th)?,?[ -]+(\d{4})(?!\d)/i, [3, 1, 2]],
  [/^([a-z]{3,9})\.? *(\d{1,2})(?:st|nd|rd|th)?, *(\d{4})(?!\d)/i, [3, 1, 2]],
];

/** `2024-01-31` of its parts, and what follows it. A year of two digits is one of this century: no price and no loan of a coin is older. */
export function isoDate(year: string, month: string, day: string, rest: string): string {
  const digits = [Number(month) || monthNumber(month), Number(day)].map(each =>
    String(each).padStart(2, '0'),
  );
  return `${year.length === 2 ? `20${year}` : year}-${digits.join('-')}${rest}`;
}

/** A text that begins with a clear date as one that begins with `2024-01-31`; undefined where it does not. */
export function clearDate(text: string): string | undefined {
  for (const [form, [year, month, day]] of CLEAR_DATES) {
    const parts = form.exec(text);
    if (parts !== null) return isoDate(parts[year], parts[month], parts[day], text.slice(parts[0].length));
  }
  return undefined;
}

/** The number of a day from 1982 to 2119 in a spreadsheet, perhaps with a time. */
export const isSpreadsheetDay = (text: string): boolean => /^[3-7]\d{4}([.,]\d+)?$/.test(text);

/** Milliseconds since 1970 of a number of seconds, milliseconds, microseconds or nanoseconds, by its size; undefined outside. */
function epoch(value: number): number | undefined {
  for (const [unit, limit] of [
    [1000, 1e11],
    [1, 1e14],
    [1e-3, 1e17],
    [1e-6, 1e20],
  ]) {
    if (value >= FIRST_SECONDS && value < limit) return Math.round(value * unit);
  }
  return undefined;
}

/** The moment of a cell; undefined where it has none, as dates that do not begin with the year. */
export function readMoment(cell: Cell): Moment | undefined {
  if (typeof cell === 'number' || typeof cell === 'bigint') {
    const ms = epoch(Number(cell));
    return ms === undefined ? undefined : { ms, dayOnly: false };
  }
  const text = cell?.trim() ?? '';
  if (/^\d{9,}(\.\d+)?$/.test(text)) return readMoment(Number(text));
  const parts = ISO.exec(text);
  if (parts === null) return undefined;
  const [, date, hour, minute, second = '0', zone = 'Z'] = parts;
  const day = parseIsoDate(date);
  if (day === undefined) return undefined;
  if (hour === undefined) return { ms: day * MS_PER_DAY, dayOnly: true };
  const [h, m, s] = [hour, minute, second].map(Number);
  if (h > 23 || m > 59 || s > 59) return undefined;
  const offset = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  const minutes =
    offset === null ? 0 : Number(`${offset[1]}1`) * (60 * Number(offset[2]) + Number(offset[3]));
  return { ms: day * MS_PER_DAY + h * MS_PER_HOUR + (m - minutes) * 60_000 + s * 1000, dayOnly: false };
}

export const TIME_FORMS =
  'seconds, milliseconds or microseconds since 1970, 2024-01-31, or 2024-01-31T23:00:00Z (UTC)';
