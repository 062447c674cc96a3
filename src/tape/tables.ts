/** The text or a sheet of a file as the table of a tape. */
import { delimitedRecords, NoTable } from '../text/delimited.ts';
import type { Cell } from '../text/numbers.ts';

/** A table of any file. */
export interface TapeTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** 1-based line of a row. */
  lineOf(row: number): number;
}

/** A tape needs more columns than a title has cells. */
const LEAST_NAMES = 4;
/** Rows among which the header is. */
const HEADER_WITHIN = 20;

/** The first row that may be the header; rows above it are titles, such as `Loans of 10 March`. 0 where no row has enough cells. */
function headerRow(filledCells: readonly number[]): number {
  return Math.max(
    0,
    filledCells.slice(0, HEADER_WITHIN).findIndex(cells => cells >= LEAST_NAMES),
  );
}

/** Cells of a line that are not empty, by the mark between fields that gives most of them. */
const filledCellsOf = (line: string): number =>
  Math.max(...[',', ';', '\t'].map(mark => line.split(mark).filter(cell => cell.trim() !== '').length));

/**
 * Comma, semicolon or tab between fields; skips lines that begin with #, the line `sep=;` of spreadsheets, and titles, before the header.
 * @throws NoTable on an empty text or an open quote
 */
export function textTable(text: string): TapeTable {
  let body = text.replace(/^\ufeff/, '');
  let skipped = 0;
  while (/^[ \t]*(#[^\n]*|"?sep=[,;\t]"?[ \t\r]*)?\n/i.test(body)) {
    body = body.slice(body.indexOf('\n') + 1);
    skipped += 1;
  }
  for (let titles = headerRow(body.split('\n', HEADER_WITHIN).map(filledCellsOf)); titles > 0; titles--) {
    body = body.slice(body.indexOf('\n') + 1);
    skipped += 1;
  }
  const { records, lines } = delimitedRecords(body, skipped);
  const [header, ...rows] = records;
  if (header === undefined) throw new NoTable('The tape is empty.');
  return { header, rows, lineOf: row => lines[row + 1] ?? 0 };
}

/** A sheet: rows of texts, numbers, dates and empty cells. */
export interface Sheet {
  readonly sheet: string;
  readonly data: readonly (readonly unknown[])[];
}

/** @param name of the sheet; default: the first @throws NoTable */
export function sheetTable(sheets: readonly Sheet[], name?: string): TapeTable {
  const found = name === undefined ? sheets[0] : sheets.find(each => each.sheet === name);
  if (found === undefined)
    throw new NoTable(`there is no sheet ${name}; there are ${sheets.map(each => each.sheet).join(', ')}.`);
  const rows = found.data.map(row => row.map(cellOf));
  const filled = rows.map(row => row.filter(cell => cell !== null && cell !== '').length);
  const begin = filled.findIndex(cells => cells > 0);
  const first = begin < 0 ? begin : begin + headerRow(filled.slice(begin));
  if (first < 0) throw new NoTable(`the sheet ${found.sheet} is empty.`);
  return {
    header: rows[first].map(cell => String(cell ?? '')),
    rows: rows.slice(first + 1),
    lineOf: row => first + row + 2,
  };
}

/** A date becomes text: at midnight the day alone. A spreadsheet stores parts of a day, which are milliseconds off a second. */
function cellOf(value: unknown): Cell {
  if (value instanceof Date) {
    const text = new Date(1000 * Math.round(value.getTime() / 1000)).toISOString();
    return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
  }
  if (typeof value === 'number' || typeof value === 'string') return value;
  return value === null || value === undefined ? null : String(value);
}
