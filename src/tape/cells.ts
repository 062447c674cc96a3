/** The value of one cell of a loan tape, or its fault. An ambiguous cell is a fault. */
import type { Cell } from '../market/import/numbers.ts';
import { type DecimalMark, readNumber } from '../market/import/numbers.ts';
import type { DateOrder } from '../market/import/times.ts';
import { show } from '../request/message.ts';
import { MS_PER_DAY } from '../text/calendar-date.ts';
import { type CellFault, TAPE_COLUMNS, type TapeColumn } from './columns.ts';
import { momentFault, momentOf } from './moments.ts';
import { numberRemedy } from './number-remedy.ts';

/** The format of the cells of a tape. */
export interface CellForms {
  /** Order of dates that have the year last. */
  readonly dates?: DateOrder | undefined;
  /** `point` where absent. */
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
      message: `${show(shown(cell))} in a column of per cent is an LTV of ${read.value} %; is it a fraction?`,
      remedy: `Write ${hundredfold(read.value)}, or say --fractions ${column} if the column has fractions.`,
    };
  if (signed || percent.has(column)) return { value: hundredth(read.value) };
  if (isLtv(column) ? read.value < LTV_END : read.value <= 1) return read;
  return {
    message: `${show(shown(cell))} is no fraction; is it ${read.value} per cent?`,
    remedy: `Say --percent ${column} if the column is in per cent; else write the cell as "${read.value} %" or ${hundredth(read.value)}.`,
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
