/** The text or a sheet of a file as the table of a tape. */
import { delimitedRecords, NoTable } from '../market/import/delimited.ts';
import type { Cell } from '../market/import/table.ts';

/** A table of any file. */
export interface TapeTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** 1-based line of a row. */
  lineOf(row: number): number;
}

/**
 * Comma, semicolon or tab between fields; skips lines that begin with #, and the line `sep=;` of spreadsheets, before the header.
 * @throws NoTable on an empty text or an open quote
 */
export function textTable(text: string): TapeTable {
  let body = text.replace(/^\ufeff/, '');
  let skipped = 0;
  while (/^[ \t]*(#[^\n]*|"?sep=[,;\t]"?[ \t\r]*)?\n/i.test(body)) {
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

/** @param name of the sheet; the first one where absent @throws NoTable */
export function sheetTable(sheets: readonly Sheet[], name?: string): TapeTable {
  const found = name === undefined ? sheets[0] : sheets.find(each => each.sheet === name);
  if (found === undefined)
    throw new NoTable(`there is no sheet ${name}; there are ${sheets.map(each => each.sheet).join(', ')}.`);
  const rows = found.data.map(row => row.map(cellOf));
  const first = rows.findIndex(row => row.some(cell => cell !== null && cell !== ''));
  if (first < 0) throw new NoTable(`the sheet ${found.sheet} is empty.`);
  return {
    header: rows[first].map(cell => String(cell ?? '')),
    rows: rows.slice(first + 1),
    lineOf: row => first + row + 2,
  };
}

/** A date becomes text: at midnight the day alone. */
function cellOf(value: unknown): Cell {
  if (value instanceof Date) {
    const text = value.toISOString();
    return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
  }
  if (typeof value === 'number' || typeof value === 'string') return value;
  return value === null || value === undefined ? null : String(value);
}
