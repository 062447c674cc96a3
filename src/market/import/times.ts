/**
 * A moment in any of the forms that exchanges and tools write. UTC throughout.
 */
import { parseIsoDate } from '../../calendar-date.ts';
import type { Cell } from './table.ts';

/** A moment, and whether it was written as a day alone. */
export interface Moment {
  readonly ms: number;
  readonly dayOnly: boolean;
}

/** 2001-09-09 in seconds; a smaller number is no date of any coin. */
const FIRST_SECONDS = 1e9;
const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;
const MS_PER_DAY = 86_400_000;

/** Seconds, milliseconds, microseconds or nanoseconds since 1970, by size; undefined for what is none. */
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

/** The moment that a cell states; undefined where it states none. */
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
  return { ms: day * MS_PER_DAY + h * 3_600_000 + (m - minutes) * 60_000 + s * 1000, dayOnly: false };
}

export const TIME_FORMS =
  'seconds, milliseconds or microseconds since 1970, 2024-01-31, or 2024-01-31T23:00:00Z (UTC)';
