/** The value of one cell of a loan tape, or its fault. An ambiguous cell is a fault. */
import { MS_PER_DAY } from '../calendar-date.ts';
import { type DecimalMark, readNumber } from '../market/import/numbers.ts';
import type { Cell } from '../market/import/table.ts';
import { type DateOrder, isLocalDate, readMoment } from '../market/import/times.ts';
import { show } from '../request/message.ts';
import { TAPE_COLUMNS, type TapeColumn } from './columns.ts';
import type { CellFault } from './tape.ts';

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
      return plainNumber(cell, forms.decimal);
  }
}

/** `15.000.000`: points that are of no fraction. */
const POINTS = /^\s*[+-]?\d{1,3}(\.\d{3}){2,}\s*$/;

function plainNumber(cell: Cell, decimal: DecimalMark | undefined): { readonly value: number } | CellFault {
  const value = readNumber(cell, decimal);
  if (Number.isFinite(value)) return { value };
  const isLocal = typeof cell === 'string' && decimal !== 'comma';
  return {
    message: `${show(shown(cell))} is not a number`,
    remedy:
      isLocal && POINTS.test(cell)
        ? 'Say --decimal comma if the points stand between thousands.'
        : isLocal && cell.includes(',')
          ? 'Say --decimal comma if the comma stands before the fraction; else write numbers without a mark between thousands.'
          : 'Write a number alone, without a unit or a name of a currency.',
  };
}

function fraction(
  column: TapeColumn,
  cell: Cell,
  { decimal, percent }: CellForms,
): { readonly value: number } | CellFault {
  const text = typeof cell === 'string' ? cell.trim() : undefined;
  const signed = text?.endsWith('%') === true;
  const read = plainNumber(signed ? text?.slice(0, -1).trimEnd() : cell, decimal);
  if ('message' in read) return { ...read, message: `${show(shown(cell))} is not a number` };
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

/** Days of spreadsheets from 1982 to 2119, perhaps with a time. */
const SERIAL = /^[3-7]\d{4}([.,]\d+)?$/;

/** `2026/1/31` as `2026-01-31`: the year comes first, so the order is clear. */
const withDashes = (text: string): string =>
  text.replace(
    /^(\s*\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)/,
    (_, year: string, month: string, day: string) =>
      `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );

function moment(
  column: TapeColumn,
  cell: Cell,
  dates: DateOrder | undefined,
): { readonly value: number } | CellFault {
  const found = readMoment(typeof cell === 'string' ? withDashes(cell) : cell, dates);
  if (found !== undefined)
    // A loan is due at the end of its day, and called from the start of it.
    return { value: found.ms + (found.dayOnly && column === 'maturity' ? MS_PER_DAY : 0) };
  if (dates === undefined && isLocalDate(cell))
    return {
      message: `${show(shown(cell))} does not say which part is the day and which the month`,
      remedy: 'Say it: --dates dmy (31.01.2026) or --dates mdy (01/31/2026).',
    };
  if (SERIAL.test(String(cell).trim()))
    return {
      message: `${show(shown(cell))} is not a date, but looks like the number of a day in a spreadsheet`,
      remedy: 'Show the column as dates, and save the file again.',
    };
  return {
    message: `${show(shown(cell))} is not a date`,
    remedy: 'Write 2026-01-31, or 2026-01-31T15:00Z (UTC).',
  };
}

const shown = (cell: Cell) => (typeof cell === 'bigint' ? Number(cell) : cell);
