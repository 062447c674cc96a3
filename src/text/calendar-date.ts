/**
 * Calendar days and hours as whole numbers, and their texts.
 *
 * Takes and gives: `MM-DD-YYYY` of the interface, ISO `YYYY-MM-DD` and `YYYY-MM-DDThh:00Z`, `Day`, and `Hour`.
 * Must not know: market data, time zones other than UTC, what "today" is.
 */

/** Days since 1970-01-01, UTC. A whole number; negative before that day. */
export type Day = number;

/** Milliseconds of a day; UTC has no days of another length. */
export const MS_PER_DAY = 86_400_000;

/** The day with these parts; undefined where the calendar has none. Years 1 to 9999. */
function dayFromParts(year: number, month: number, date: number): Day | undefined {
  if (year < 1 || month < 1 || month > 12 || date < 1) return undefined;
  // setUTCFullYear, because Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, date);
  // An impossible date rolls over into the next month instead of failing.
  return moment.getUTCMonth() === month - 1 && moment.getUTCDate() === date ? dayOf(moment) : undefined;
}

/**
 * The day of a date `MM-DD-YYYY`; undefined for another form, or a date that is not in the calendar (`02-30-2026`). Months and
 * dates have two digits, years four.
 */
export function parseCalendarDate(text: string): Day | undefined {
  const parts = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text);
  return parts === null ? undefined : dayFromParts(Number(parts[3]), Number(parts[1]), Number(parts[2]));
}

/** The day of a date `YYYY-MM-DD`; undefined for another form, or a date that is not in the calendar. */
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

/** The UTC day of a moment. */
export function dayOf(date: Date): Day {
  return Math.floor(date.getTime() / MS_PER_DAY);
}

/** A full hour: hours since 1970-01-01T00:00Z. The close of an hourly bar belongs to the hour at which the bar ends. */
export type Hour = number;

export const MS_PER_HOUR = 3_600_000;

/** The hour of a moment `2020-03-12T00:00Z`; undefined for another form, or a moment that is not in the calendar. */
export function parseHour(text: string): Hour | undefined {
  const parts = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):00(:00)?Z$/.exec(text);
  const day = parts === null ? undefined : parseIsoDate(parts[1]);
  return parts === null || day === undefined ? undefined : 24 * day + Number(parts[2]);
}

/** `2020-03-12T00:00Z` of an hour of the years 1 to 9999; the inverse of `parseHour`. */
export const formatHour = (hour: Hour): string => formatMinute(hour * MS_PER_HOUR);

/** `2020-03-12T00:10Z` of milliseconds since 1970, its seconds left out. */
export const formatMinute = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}Z`;
