/** A sheet of a spreadsheet as the table of a tape. */
import { NoTable } from '../market/import/delimited.ts';
import type { Cell } from '../market/import/table.ts';
import type { TapeTable } from './read-tape.ts';

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
