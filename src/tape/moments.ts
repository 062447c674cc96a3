/** The moment of a cell of a loan tape, or its fault with what would be right for it. */
import type { Cell } from '../market/import/numbers.ts';
import { type DateOrder, isLocalDate, type Moment, readMoment } from '../market/import/times.ts';
import { show } from '../request/message.ts';
import { formatIsoDate, MS_PER_DAY, parseIsoDate } from '../text/calendar-date.ts';
import type { CellFault } from './columns.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** Dates whose order is clear, because the year comes first or the month has a name; the places of year, month and day. */
const CLEAR_DATES = [
  [/^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?!\d)/, [1, 2, 3]],
  [/^(\d{4})[ .-]([a-z]{3,9})[ .-](\d{1,2})(?!\d)/i, [1, 2, 3]],
  [/^(\d{1,2})[ .-]*([a-z]{3,9})\.?[ ,-]*(\d{4})(?!\d)/i, [3, 2, 1]],
  [/^([a-z]{3,9})\.? *(\d{1,2}),? +(\d{4})(?!\d)/i, [3, 1, 2]],
] as const;

/** `2024-12-31` of `2024/12/31`, `31-Dec-2024` and `December 31, 2024`, with what stands behind; another text as it is. */
function withIsoDate(text: string): string {
  for (const [form, [year, month, day]] of CLEAR_DATES) {
    const parts = form.exec(text);
    if (parts === null) continue;
    const number = Number(parts[month]) || 1 + MONTHS.findIndex(name => name.startsWith(lower(parts[month])));
    const digits = [number, Number(parts[day])].map(each => String(each).padStart(2, '0'));
    return `${[parts[year], ...digits].join('-')}${text.slice(parts[0].length)}`;
  }
  return text;
}

const lower = (text: string) => text.toLowerCase();

export const momentOf = (cell: Cell, dates: DateOrder | undefined): Moment | undefined =>
  readMoment(typeof cell === 'string' ? withIsoDate(cell.trim()) : cell, dates);

/** The day 0 of spreadsheets that count from 1900. */
const FIRST_SERIAL = parseIsoDate('1899-12-30') as number;

/** The fault of a cell without a moment. */
export function momentFault(cell: Cell, dates: DateOrder | undefined): CellFault {
  const text = String(cell).trim();
  const shown = show(typeof cell === 'bigint' ? Number(cell) : cell);
  if (dates === undefined && isLocalDate(cell))
    return {
      message: `${shown} does not say which part is the day and which the month`,
      remedy: 'Say it: --dates dmy (31.01.2026) or --dates mdy (01/31/2026).',
    };
  // Days of spreadsheets from 1982 to 2119, perhaps with a time.
  if (/^[3-7]\d{4}([.,]\d+)?$/.test(text))
    return {
      message: `${shown} is not a date, but looks like the number of a day in a spreadsheet`,
      remedy: `Show the column as dates, and save the file again; or write ${formatIsoDate(FIRST_SERIAL + Number(text.slice(0, 5)))} if its days count from 1900.`,
    };
  const century = text.replace(/(\D)(\d\d)$/, (_, before: string, year: string) => `${before}20${year}`);
  const inFull = [century, text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')]
    .filter(each => each !== text)
    .map(each => momentOf(each, dates))
    .find(each => each?.dayOnly === true);
  return {
    message: `${shown} is not a date`,
    remedy:
      inFull !== undefined
        ? `Write ${formatIsoDate(inFull.ms / MS_PER_DAY)} if that is meant.`
        : century !== text && isLocalDate(century)
          ? 'Write the year with four digits, such as 2026-01-31.'
          : 'Write 2026-01-31, or 2026-01-31T15:00Z (UTC).',
  };
}
