/**
 * Dates in the cells of a tape: the year first, the name of a month, or the year last in an order that the column or the caller decides.
 *
 * Must not know: columns, rows.
 */
import { formatIsoDate, parseIsoDate } from '../text/calendar-date.ts';
import { show } from '../text/message.ts';
import type { Cell } from '../text/numbers.ts';
import {
  clearDate,
  type DateOrder,
  isoDate,
  isSpreadsheetDay,
  type Moment,
  readMoment,
} from '../text/times.ts';
import type { CellFault } from './columns.ts';
import { remedy } from './remedies.ts';

/** How the dates of a column are written, as far as it is known. */
export interface DateForms {
  /** Order of dates that have the year last. */
  readonly dates?: DateOrder | undefined;
  /** Whether a year of two digits comes last. */
  readonly shortYears?: boolean | undefined;
}

/** A day, the name of a month, and a year of two digits, as spreadsheets show dates: `14-Jul-26`. */
const SHORT_NAMED = /^(\d{1,2})[ .-]*([a-z]{3,9})\.?[ ,'-]*(\d{2})(?!\d)/i;
const NAMED_LONG = /^(\d{1,2})(?:st|nd|rd|th)?[ .-]*([a-z]{3,9})\.?[ ,-]*(\d{4})(?!\d)/i;
/** Parts of numbers with the year last: `31.01.2024`, `31/01/24`. */
const NUMBERS = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;

/** The text with its date as `2024-12-31`, followed by the rest; other texts unchanged. */
function withIsoDate(text: string, { dates, shortYears }: DateForms): string {
  const clear = clearDate(text);
  if (clear !== undefined) return clear;
  const named = SHORT_NAMED.exec(text);
  if (named !== null && (shortYears || dates !== undefined))
    return isoDate(named[3], named[2], named[1], text.slice(named[0].length));
  const numbers = NUMBERS.exec(text);
  if (numbers === null || dates === undefined) return text;
  const [day, month] = dates === 'dmy' ? [numbers[1], numbers[3]] : [numbers[3], numbers[1]];
  const rest = text
    .slice(numbers[0].length)
    .replace(/^, */, ' ')
    .replace(/^([ T])(?=\d:)/, '$10');
  return isoDate(numbers[4], month, day, rest);
}

export const readDate = (cell: Cell, forms: DateForms): Moment | undefined =>
  readMoment(typeof cell === 'string' ? withIsoDate(cell.trim(), forms) : cell);

/** Whether the order of day and month, or the place of the year, is not said by the cell alone. */
export const isOpenDate = (text: string): boolean =>
  clearDate(text) === undefined && (NUMBERS.test(text) || SHORT_NAMED.test(text));

/** What the dates of one or more columns show. */
export interface DateEvidence {
  /** Order that some cells have, because a part is above 12; `both` where they contradict each other. */
  readonly order?: DateOrder | 'both';
  readonly shortYears: boolean;
}

/** Fewest cells that show where a year of two digits stands. */
const MIN_CELLS = 3;

export function dateEvidence(texts: readonly string[]): DateEvidence {
  const orders = new Set<DateOrder>();
  const [first, last] = [new Set<string>(), new Set<string>()];
  let short = 0;
  let isNamedLong = false;
  for (const text of texts) {
    isNamedLong ||= NAMED_LONG.test(text);
    const named = SHORT_NAMED.exec(text);
    const numbers = NUMBERS.exec(text);
    if (named !== null && !NAMED_LONG.test(text)) {
      first.add(named[1]);
      last.add(named[3]);
      short += 1;
    }
    if (numbers === null) continue;
    const [, a, , b, year] = numbers;
    if (year.length === 2) {
      first.add(a);
      last.add(year);
      short += 1;
    }
    if (Number(a) > 12 && Number(b) <= 12 && (year.length === 4 || Number(a) <= 31)) orders.add('dmy');
    if (Number(b) > 12 && Number(a) <= 12) orders.add('mdy');
  }
  // Loans end within a few years, and on any day of a month.
  const isSpread = short >= MIN_CELLS && last.size < first.size && last.size <= 6;
  const order = orders.size === 2 ? 'both' : [...orders][0];
  return { ...(order !== undefined && { order }), shortYears: isNamedLong || isSpread };
}

/** The day 0 of spreadsheets that count from 1900. */
const FIRST_SERIAL = parseIsoDate('1899-12-30') as number;

const shown = (cell: Cell) => (typeof cell === 'bigint' ? Number(cell) : cell);

/** The fault of a cell without a moment. */
export function dateFault(cell: Cell, forms: DateForms): CellFault {
  const text = String(cell).trim();
  if (forms.dates === undefined && isOpenDate(text) && typeof cell === 'string')
    return {
      code: 'malformed',
      message: NUMBERS.test(text)
        ? `${show(text)} does not say which part is the day and which the month`
        : `${show(text)} does not say which part is the day and which the year`,
      remedy: remedy(NUMBERS.test(text) ? 'dates' : 'dayFirst'),
    };
  if (isSpreadsheetDay(text))
    return {
      code: 'malformed',
      message: `${show(shown(cell))} is not a date, but looks like the number of a day in a spreadsheet`,
      remedy: `Show the column as dates, and save the file again; or write ${formatIsoDate(FIRST_SERIAL + Number(text.slice(0, 5)))} if its days count from 1900.`,
    };
  const whole = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  const day = whole === null ? undefined : parseIsoDate(whole.slice(1).join('-'));
  return {
    code: 'malformed',
    message: `${show(shown(cell))} is not a date`,
    remedy:
      day === undefined
        ? 'Write 2026-01-31, or 2026-01-31T15:00Z (UTC).'
        : `Write ${formatIsoDate(day)} if that is meant.`,
  };
}
