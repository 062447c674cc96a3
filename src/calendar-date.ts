/**
 * Calendar days as whole numbers, and the two ways they are written.
 *
 * Takes and gives: `MM-DD-YYYY` of the interface, ISO `YYYY-MM-DD`, and `Day`.
 * Must not know: market data, time zones other than UTC, what "today" is.
 */

/** Days since 1970-01-01, UTC. A whole number; negative before that day. */
export type Day = number;

/** Milliseconds of a day; UTC has no days of another length. */
export const MS_PER_DAY = 86_400_000;

/** The day with these parts, or `undefined` where the calendar has none. Years 1 to 9999. */
function dayFromParts(year: number, month: number, date: number): Day | undefined {
  if (year < 1 || month < 1 || month > 12 || date < 1) return undefined;
  // setUTCFullYear, because Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, date);
  // An impossible date rolls over into the next month instead of failing.
  return moment.getUTCMonth() === month - 1 && moment.getUTCDate() === date ? dayOf(moment) : undefined;
}

/**
 * The day of a date written `MM-DD-YYYY`, or `undefined` if it is not written so or not in the calendar
 * (`02-30-2026`). Months and dates have two digits, years four.
 */
export function parseCalendarDate(text: string): Day | undefined {
  const parts = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text);
  return parts === null ? undefined : dayFromParts(Number(parts[3]), Number(parts[1]), Number(parts[2]));
}

/** The day of a date written `YYYY-MM-DD`, or `undefined` if it is not written so or not in the calendar. */
export function parseIsoDate(text: string): Day | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return parts === null ? undefined : dayFromParts(Number(parts[1]), Number(parts[2]), Number(parts[3]));
}

/** `YYYY-MM-DD` of a day of the years 1 to 9999. */
export function formatIsoDate(day: Day): string {
  const text = new Date(day * MS_PER_DAY).toISOString();
  return text.slice(0, text.indexOf('T'));
}

/** `MM-DD-YYYY` of a day of the years 1 to 9999; the inverse of `parseCalendarDate`. */
export function formatCalendarDate(day: Day): string {
  const [year, month, date] = formatIsoDate(day).split('-');
  return `${month}-${date}-${year}`;
}

/** The UTC day that a moment lies in. */
export function dayOf(date: Date): Day {
  return Math.floor(date.getTime() / MS_PER_DAY);
}
