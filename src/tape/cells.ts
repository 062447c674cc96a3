/** The value of one cell of a loan tape, or its fault with what would be right for it. An ambiguous cell is a fault. */

import { formatIsoDate, MS_PER_DAY, parseIsoDate } from '../text/calendar-date.ts';
import { show } from '../text/message.ts';
import { type Cell, type DecimalMark, readNumber } from '../text/numbers.ts';
import { type DateOrder, isLocalDate, type Moment, readMoment } from '../text/times.ts';
import { type CellFault, TAPE_COLUMNS, type TapeColumn } from './columns.ts';
import { type Remedy, remedy } from './remedies.ts';

/** The format of the cells of a tape. */
export interface CellForms {
  /** Order of dates that have the year last. */
  readonly dates?: DateOrder | undefined;
  /** Default: `point`. */
  readonly decimal?: DecimalMark | undefined;
  /** Columns whose numbers are per cent. */
  readonly percent: ReadonlySet<TapeColumn>;
}

/** Text, a number (a fraction, hours, an amount), or milliseconds since 1970. */
export type CellValue = string | number;

/** Text of an empty cell. */
const EMPTY = /^(|null|nan|none|n\/?a|-+|–|—)$/i;

export const isEmptyCell = (cell: Cell): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && EMPTY.test(cell.trim()));

/** LTVs are below this number, other fractions at most 1: a larger number looks like per cent. */
const LTV_END = 1.5;
const isLtv = (column: TapeColumn) => column.endsWith('_ltv');

/** Reads a cell that is not empty. */
export function readCell(
  column: TapeColumn,
  cell: Cell,
  forms: CellForms,
): { readonly value: CellValue } | CellFault {
  switch (TAPE_COLUMNS[column].kind) {
    case 'text':
      return { value: String(cell).trim() };
    case 'symbol':
      return { value: String(cell).trim().toUpperCase() };
    case 'moment':
      return moment(column, cell, forms.dates);
    case 'fraction':
      return fraction(column, cell, forms);
    default:
      return plainNumber(column, cell, forms.decimal);
  }
}

function plainNumber(
  column: TapeColumn,
  cell: Cell,
  decimal: DecimalMark | undefined,
): { readonly value: number } | CellFault {
  const value = readNumber(cell, decimal);
  return Number.isFinite(value) ? { value } : numberFault(column, cell, decimal);
}

const numberFault = (column: TapeColumn, cell: Cell, decimal: DecimalMark | undefined): CellFault => ({
  code: 'malformed',
  message: `${show(shown(cell))} is not a number`,
  remedy: numberRemedy(column, String(cell), decimal),
});

function fraction(
  column: TapeColumn,
  cell: Cell,
  { decimal, percent }: CellForms,
): { readonly value: number } | CellFault {
  const text = typeof cell === 'string' ? cell.trim() : undefined;
  const signed = text?.endsWith('%') === true;
  const read = plainNumber(column, signed ? text?.slice(0, -1).trimEnd() : cell, decimal);
  if ('message' in read) return numberFault(column, cell, decimal);
  if (!signed && percent.has(column) && isLtv(column) && read.value > 0 && read.value < LTV_END)
    return {
      code: 'out_of_range',
      message: `${show(shown(cell))} in a column of per cent is an LTV of ${read.value} %; is it a fraction?`,
      remedy: remedy('fractions', column, hundredfold(read.value)),
    };
  if (signed || percent.has(column)) return { value: hundredth(read.value) };
  if (isLtv(column) ? read.value < LTV_END : read.value <= 1) return read;
  return {
    code: 'out_of_range',
    message: `${show(shown(cell))} is no fraction; is it ${read.value} per cent?`,
    remedy: remedy('percent', column, read.value, hundredth(read.value)),
  };
}

/** 82.5 to 0.825 in decimal digits: 0.07 and not 0.07000000000000001. */
const hundredth = (value: number): number => Number(`${value}e-2`) || value / 100;

/** 0.825 to 82.5 in decimal digits. */
const hundredfold = (value: number): number => Number(`${value}e2`) || 100 * value;

function moment(
  column: TapeColumn,
  cell: Cell,
  dates: DateOrder | undefined,
): { readonly value: number } | CellFault {
  const found = momentOf(cell, dates);
  // A loan is due at the end of its day, and called from the start of it.
  return found === undefined
    ? momentFault(cell, dates)
    : { value: found.ms + (found.dayOnly && column === 'maturity' ? MS_PER_DAY : 0) };
}

const shown = (cell: Cell) => (typeof cell === 'bigint' ? Number(cell) : cell);

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

/** `2024-12-31` for `2024/12/31`, `31-Dec-2024` and `December 31, 2024`, followed by the rest of the text; other texts unchanged. */
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

const momentOf = (cell: Cell, dates: DateOrder | undefined): Moment | undefined =>
  readMoment(typeof cell === 'string' ? withIsoDate(cell.trim()) : cell, dates);

/** The day 0 of spreadsheets that count from 1900. */
const FIRST_SERIAL = parseIsoDate('1899-12-30') as number;

/** The fault of a cell without a moment. */
function momentFault(cell: Cell, dates: DateOrder | undefined): CellFault {
  const text = String(cell).trim();
  if (dates === undefined && isLocalDate(cell))
    return {
      code: 'malformed',
      message: `${show(shown(cell))} does not say which part is the day and which the month`,
      remedy: remedy('dates'),
    };
  // Days of spreadsheets from 1982 to 2119, perhaps with a time.
  if (/^[3-7]\d{4}([.,]\d+)?$/.test(text))
    return {
      code: 'malformed',
      message: `${show(shown(cell))} is not a date, but looks like the number of a day in a spreadsheet`,
      remedy: `Show the column as dates, and save the file again; or write ${formatIsoDate(FIRST_SERIAL + Number(text.slice(0, 5)))} if its days count from 1900.`,
    };
  const century = text.replace(/(\D)(\d\d)$/, (_, before: string, year: string) => `${before}20${year}`);
  const inFull = [century, text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')]
    .filter(each => each !== text)
    .map(each => momentOf(each, dates))
    .find(each => each?.dayOnly === true);
  return {
    code: 'malformed',
    message: `${show(shown(cell))} is not a date`,
    remedy:
      inFull !== undefined
        ? `Write ${formatIsoDate(inFull.ms / MS_PER_DAY)} if that is meant.`
        : century !== text && isLocalDate(century)
          ? 'Write the year with four digits, such as 2026-01-31.'
          : 'Write 2026-01-31, or 2026-01-31T15:00Z (UTC).',
  };
}

/** What people write before and behind a number. */
const BEFORE = /^(?<open>\()? ?(?<sign>[-+\u2212])? ?(?<before>[^().,+-]*?) ?(?<own>[-+])?$/;
const BEHIND = /^(?<behind>[^()+-]*?) ?(?<end>[-)])?$/;
/** `15.000.000`: points between thousands. */
const POINTS = /^[+-]?\d{1,3}(\.\d{3}){2,}$/;
const THOUSANDS = /^[+-]?\d{1,3}(,\d{3})+$/;

/** Largest cell that is examined, characters. */
const LONGEST = 80;

/** A number with its sign, and what is around it; undefined for another text. */
function dressedNumber(text: string) {
  if (text.length > LONGEST) return undefined;
  const parts = /^(\D*?)([.,]?\d(?:.*\d)?)(\D*)$/.exec(text.trim().replace(/\s+/g, ' '));
  const before = BEFORE.exec(parts?.[1] ?? '');
  const behind = BEHIND.exec(parts?.[3]?.trim() ?? '');
  if (parts === null || !/^[\d.,'\u2019 ]+$/.test(parts[2]) || before === null || behind === null)
    return undefined;
  return { ...before.groups, ...behind.groups, digits: `${before.groups?.own ?? ''}${parts[2]}` };
}

/** Units by the first word behind a number. */
const UNITS: readonly (readonly [words: RegExp, factor: number])[] = [
  [/^(k|thousand|thd)\b/i, 1e3],
  [/^(m|mm|mn|mio|mln|million)\b/i, 1e6],
  [/^(b|bn|billion)\b/i, 1e9],
];
const DOLLARS = /^(us)?\s*\$|\$$|usd/i;

function numberRemedy(column: TapeColumn, text: string, decimal: DecimalMark | undefined): Remedy {
  const parts: Partial<Record<string, string>> | undefined = dressedNumber(text);
  const { open, sign, before = '', digits, behind = '', end } = parts ?? {};
  if (digits === undefined) return 'Write a number alone, without a unit or a name of a currency.';
  const value = readNumber(digits, decimal);
  if (Number.isNaN(value)) return markRemedy(digits, decimal);
  const isNegative = open !== undefined || end !== undefined || (sign ?? '+') !== '+' || value < 0;
  const [, factor = 1] = UNITS.find(([words]) => words.test(behind)) ?? [];
  const size = Number((factor * Math.abs(value)).toPrecision(15));
  const words = `${before} ${behind}`.trim();
  const { kind } = TAPE_COLUMNS[column];
  if (kind === 'hours') {
    const hours = /^d(ays?)?\b/i.test(behind) ? 24 * size : size;
    return `Write ${hours}: ${column} is a number of hours.`;
  }
  if (kind === 'fraction') {
    const signed = isNegative ? -size : size;
    if (/^(bps?|basis)\b/i.test(behind)) return `Write ${Number((signed / 100).toPrecision(15))} %.`;
    return `Write ${signed}${/%|pct|per\s?cent/i.test(words) ? ' %' : ''}, without other words.`;
  }
  if (isNegative) return negativeRemedy(column, size);
  const isDollars = DOLLARS.test(words);
  if (column === 'collateral_value')
    return isDollars || words === ''
      ? `Write ${size}: ${column} is in USD.`
      : `Write the value in USD, and ${size} if it is in USD.`;
  if (column === 'loan_amount') return `Write ${size}: ${column} is in units of loan_asset.`;
  return isDollars
    ? `Write ${size} in collateral_value, which is in USD: ${column} is in units of collateral_asset.`
    : `Write ${size}: ${column} is in units of collateral_asset.`;
}

/** Parentheses and a minus sign mark what is owed in the tapes of accountants. */
export const negativeRemedy = (column: TapeColumn, size: number): string =>
  `Write ${size} if the sign marks a debt or a credit: ${column} is above 0.`;

/** A mark that may stand between thousands or before a fraction. */
function markRemedy(digits: string, decimal: DecimalMark | undefined): Remedy {
  const plain = (mark: RegExp) => Number(digits.replace(mark, ''));
  if (decimal === 'comma' || !/[.,]/.test(digits))
    return 'Write the number without marks between its digits.';
  if (POINTS.test(digits)) return remedy('points', plain(/\./g));
  return THOUSANDS.test(digits) ? remedy('commas', plain(/,/g)) : remedy('mark');
}
