/** The value of one cell of a loan tape, or its fault with what would be right for it. An ambiguous cell is a fault. */

import { MS_PER_DAY } from '../text/calendar-date.ts';
import { show } from '../text/message.ts';
import { type Cell, type DecimalMark, readNumber } from '../text/numbers.ts';
import { type CellFault, TAPE_COLUMNS, type TapeColumn } from './columns.ts';
import { type DateForms, dateFault, readDate } from './dates.ts';
import { type Dressed, dressed } from './money.ts';
import { type Remedy, remedy } from './remedies.ts';

/** The format of the cells of a column. */
export interface CellForms extends DateForms {
  /** Without it a comma before three digits is ambiguous. */
  readonly decimal?: DecimalMark | undefined;
  /** Columns whose numbers are per cent. */
  readonly percent: ReadonlySet<TapeColumn>;
  /** Columns whose numbers are basis points. */
  readonly basisPoints?: ReadonlySet<TapeColumn> | undefined;
  /** Columns of collateral over loan: they are read as 1 / x. */
  readonly ratios?: ReadonlySet<TapeColumn> | undefined;
  /** What one unit of an amount stands for, by the heading of its column. */
  readonly scale?: number | undefined;
  /** Whether a minus sign or parentheses mark what is owed. */
  readonly signMarksDebt?: boolean | undefined;
}

/** Text, a number (a fraction, hours, an amount), or milliseconds since 1970. */
export type CellValue = string | number;

export interface ReadCell {
  readonly value: CellValue;
  /** Symbol of the currency in the cell of an amount. */
  readonly currency?: string;
}

/** LTVs are below this number, other fractions at most 1: a larger number looks like per cent. */
const LTV_END = 1.5;
export const isLtv = (column: TapeColumn) => column.endsWith('ltv');

/** Cells of a column of days that say that there is none. */
const OPEN_TERM = /^(open([ -]?(term|ended))?|perpetual|evergreen|on[ -]demand|callable)$/i;
export const saysNone = (column: TapeColumn, cell: Cell): boolean =>
  column === 'maturity' && typeof cell === 'string' && OPEN_TERM.test(cell.trim());

/** Reads a cell that is not empty. */
export function readCell(column: TapeColumn, cell: Cell, forms: CellForms): ReadCell | CellFault {
  switch (TAPE_COLUMNS[column].kind) {
    case 'text':
      return { value: String(cell).trim() };
    case 'symbol':
      return { value: String(cell).trim().toUpperCase() };
    case 'moment':
      return moment(column, cell, forms);
    case 'fraction':
      return fraction(column, cell, forms);
    case 'hours':
      return hours(column, cell, forms.decimal);
    case 'number':
      return plainNumber(column, cell, forms.decimal);
    default:
      return amount(column, cell, forms);
  }
}

const shown = (cell: Cell) => (typeof cell === 'bigint' ? Number(cell) : cell);

const numberFault = (column: TapeColumn, cell: Cell, decimal: DecimalMark | undefined): CellFault => ({
  code: 'malformed',
  message: `${show(shown(cell))} is not a number`,
  remedy: numberRemedy(column, String(cell), decimal),
});

/** The number of what stands between the words of a cell; NaN where it is ambiguous. */
function numberOf({ digits, isNegative, factor }: Dressed, decimal: DecimalMark | undefined): number {
  const size = readNumber(digits, decimal);
  const value = factor === 1 ? size : Number((factor * size).toPrecision(15));
  return isNegative ? -value : value;
}

/** Units of an asset, or money with a currency: `12.5`, `$1,235,818.06`, `(500)`, `1.5mm USDC`. */
function amount(column: TapeColumn, cell: Cell, forms: CellForms): ReadCell | CellFault {
  const { decimal, signMarksDebt, scale = 1 } = forms;
  const plain = readNumber(cell, decimal);
  const parts = Number.isFinite(plain) || typeof cell !== 'string' ? undefined : dressed(cell);
  if (!Number.isFinite(plain) && (parts === undefined || parts.rest.length > 0))
    return numberFault(column, cell, decimal);
  const written = parts === undefined ? plain : numberOf(parts, decimal);
  if (!Number.isFinite(written)) return numberFault(column, cell, decimal);
  // `1.25m` below `(USD m)` says it twice.
  const value = hasFactor(cell) ? written : Number((scale * written).toPrecision(15));
  return {
    value: signMarksDebt ? Math.abs(value) : value,
    ...(parts?.currency !== undefined && { currency: parts.currency }),
  };
}

const hasFactor = (cell: Cell): boolean => typeof cell === 'string' && (dressed(cell)?.factor ?? 1) !== 1;

/** `36`, `24h`, `2 days`. */
function hours(column: TapeColumn, cell: Cell, decimal: DecimalMark | undefined): ReadCell | CellFault {
  const unit = column === 'grace_days' ? 24 : 1;
  const plain = readNumber(cell, decimal);
  if (Number.isFinite(plain)) return { value: unit * plain };
  const parts = typeof cell === 'string' ? dressed(cell) : undefined;
  const value = parts === undefined ? Number.NaN : readNumber(parts.digits, decimal);
  const words = parts?.words ?? '';
  if (parts?.isNegative !== false || !Number.isFinite(value)) return numberFault(column, cell, decimal);
  if (/^(h|hrs?|hours?)\.?$/i.test(words)) return { value };
  if (/^(d|days?)\.?$/i.test(words)) return { value: 24 * value };
  return numberFault(column, cell, decimal);
}

/** `3`, `45 days`. */
function plainNumber(column: TapeColumn, cell: Cell, decimal: DecimalMark | undefined): ReadCell | CellFault {
  const text =
    typeof cell === 'string'
      ? cell
          .trim()
          .replace(/d(?:ays?)?$/i, '')
          .trim()
      : cell;
  const value = readNumber(text, decimal);
  return Number.isFinite(value) ? { value } : numberFault(column, cell, decimal);
}

/** The sign of per cent or of basis points at the end of a text; null without one. */
export const signOf = (text: string): RegExpExecArray | null => /(%|pct|per ?cent|bps?)$/i.exec(text);

/** Words behind a rate that change nothing. */
const PER_YEAR = /(?<![a-z])(p\.? ?a\.?|per annum|per year|apr|ltv)(?![a-z])/gi;

function fraction(column: TapeColumn, cell: Cell, forms: CellForms): ReadCell | CellFault {
  const { decimal, percent, ratios } = forms;
  const text = typeof cell === 'string' ? cell.trim().replace(PER_YEAR, '').trim() : undefined;
  const sign = text === undefined ? undefined : signOf(text);
  const number = sign == null ? (text ?? cell) : text?.slice(0, sign.index).trimEnd();
  const read = readNumber(number, decimal);
  if (!Number.isFinite(read)) return numberFault(column, cell, decimal);
  const unit =
    sign == null
      ? forms.basisPoints?.has(column)
        ? 'bps'
        : percent.has(column)
          ? 'percent'
          : undefined
      : /^bps?$/i.test(sign[0])
        ? 'bps'
        : 'percent';
  if (ratios?.has(column)) {
    const ratio = unit === 'percent' ? hundredth(read) : read;
    return ratio > 0 ? { value: Number((1 / ratio).toPrecision(12)) } : numberFault(column, cell, decimal);
  }
  if (unit === 'bps') return { value: hundredth(hundredth(read)) };
  if (sign == null && unit === 'percent' && isLtv(column) && read > 0 && read < LTV_END)
    return {
      code: 'out_of_range',
      message: `${show(shown(cell))} in a column of per cent is an LTV of ${read} %; is it a fraction?`,
      remedy: remedy('fractions', column, hundredfold(read)),
    };
  if (unit === 'percent') return { value: hundredth(read) };
  if (isLtv(column) ? read < LTV_END : read <= 1) return { value: read };
  return {
    code: 'out_of_range',
    message: `${show(shown(cell))} is no fraction; is it ${read} per cent?`,
    remedy: remedy('percent', column, read, hundredth(read)),
  };
}

/** 82.5 to 0.825 in decimal digits: 0.07 and not 0.07000000000000001. */
const hundredth = (value: number): number => Number(`${value}e-2`) || value / 100;

/** 0.825 to 82.5 in decimal digits. */
const hundredfold = (value: number): number => Number(`${value}e2`) || 100 * value;

function moment(column: TapeColumn, cell: Cell, forms: DateForms): ReadCell | CellFault {
  const found = readDate(cell, forms);
  // A loan is due at the end of its day, and called from the start of it.
  return found === undefined
    ? dateFault(cell, forms)
    : { value: found.ms + (found.dayOnly && column === 'maturity' ? MS_PER_DAY : 0) };
}

/** `15.000.000`: points between thousands. */
const POINTS = /^[+-]?\d{1,3}(\.\d{3}){2,}$/;
const THOUSANDS = /^[+-]?\d{1,3}(,\d{3})+$/;

function numberRemedy(column: TapeColumn, text: string, decimal: DecimalMark | undefined): Remedy {
  const parts = dressed(text);
  if (parts === undefined) return 'Write a number alone, without a unit or a name of a currency.';
  const { digits, words, factor, isNegative } = parts;
  const value = readNumber(digits, decimal);
  if (Number.isNaN(value)) return markRemedy(digits, decimal);
  const size = Number((factor * value).toPrecision(15));
  const { kind } = TAPE_COLUMNS[column];
  if (kind === 'hours') return hoursRemedy(column, value, words);
  if (kind === 'number') return `Write ${size}, without other words.`;
  if (kind === 'fraction') {
    const signed = isNegative ? -size : size;
    return `Write ${signed}${/%|pct|per\s?cent/i.test(words) ? ' %' : ''}, without other words.`;
  }
  if (isNegative) return negativeRemedy(column, size);
  if (column === 'collateral_value' || column === 'loan_value') return `Write ${size} if it is in USD.`;
  return `Write ${size}: ${column} is in units of ${column === 'collateral_amount' ? 'collateral_asset' : 'loan_asset'}.`;
}

/** Hours of the units in which people state a time. */
const UNIT_HOURS: readonly (readonly [words: RegExp, hours: number])[] = [
  [/\b(w|wks?|weeks?)\b/i, 168],
  [/\b(d|days?)\b/i, 24],
  [/\b(mins?|minutes?)\b/i, 1 / 60],
  [/\b(h|hrs?|hours?)\b/i, 1],
];

function hoursRemedy(column: TapeColumn, size: number, words: string): string {
  const [own, name] = column === 'grace_days' ? ([24, 'days'] as const) : ([1, 'hours'] as const);
  const unit = UNIT_HOURS.find(([each]) => each.test(words))?.[1];
  if (unit === undefined) return `Write the number of ${name} alone.`;
  return `Write ${Number(((size * unit) / own).toPrecision(12))}: ${column} is a number of ${name}.`;
}

/** Parentheses and a minus sign mark what is owed in the tapes of accountants. */
export const negativeRemedy = (column: TapeColumn, size: number): string =>
  `Write ${size} if the sign marks a debt or a credit: ${column} is above 0.`;

/** A mark that may stand between thousands or before a fraction. */
function markRemedy(digits: string, decimal: DecimalMark | undefined): Remedy {
  if (decimal !== undefined || !/[.,]/.test(digits))
    return 'Write the number without marks between its digits.';
  if (POINTS.test(digits)) return remedy('points', Number(digits.replace(/\./g, '')));
  return THOUSANDS.test(digits) ? remedy('commas', Number(digits.replace(/,/g, ''))) : remedy('mark');
}
