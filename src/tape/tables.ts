/** The text or a sheet of a file as rows of cells, with titles and footnotes. */
import { delimitedRecords, NoTable } from '../text/delimited.ts';
import type { Cell } from '../text/numbers.ts';
import { namedColumns } from './find-columns.ts';

/** The rows of any file. */
export interface TapeTable {
  readonly rows: readonly (readonly Cell[])[];
  /** 1-based line of a row; 0 for a row that the table does not have. */
  lineOf(row: number): number;
}

/** Marks between fields. */
const MARKS = [',', ';', '\t', '|'];
/** Rows that decide on the mark. */
const LOOKED_AT = 40;

/** How well a mark cuts a text into a table: columns that a row names, then cells in rows of the usual width. */
function fitOf(text: string, mark: string): readonly [named: number, cells: number] {
  const begin = text
    .split('\n', LOOKED_AT + 1)
    .slice(0, LOOKED_AT)
    .join('\n');
  let records: readonly (readonly string[])[];
  try {
    records = delimitedRecords(begin, 0, mark).records;
  } catch {
    return [0, 0];
  }
  const widths = new Map<number, number>();
  for (const { length } of records) widths.set(length, (widths.get(length) ?? 0) + 1);
  const cells = Math.max(0, ...[...widths].map(([width, rows]) => (width > 1 ? width * rows : 0)));
  return [Math.max(0, ...records.map(record => namedColumns(record, {}))), cells];
}

/** The mark that fits best; the first of several. */
function markOf(text: string): string {
  const fits = MARKS.map(mark => ({ mark, fit: fitOf(text, mark) }));
  const best = fits.reduce((a, b) =>
    b.fit[0] > a.fit[0] || (b.fit[0] === a.fit[0] && b.fit[1] > a.fit[1]) ? b : a,
  );
  return best.mark;
}

/**
 * Comma, semicolon, tab or bar between fields; skips lines that begin with # and the line `sep=;` of spreadsheets above the table.
 * @throws NoTable on an empty text or an open quote
 */
export function textTable(text: string): TapeTable {
  let body = text.replace(/^\ufeff/, '');
  let skipped = 0;
  let said: string | undefined;
  for (;;) {
    const line = /^[ \t]*(?:#[^\n]*|"?sep=([,;\t|])"?[ \t\r]*|\r?)?\n/i.exec(body);
    if (line === null) break;
    said = line[1] ?? said;
    body = body.slice(line[0].length);
    skipped += 1;
  }
  const { records, lines } = delimitedRecords(body, skipped, said ?? markOf(body));
  if (records.length === 0) throw new NoTable('The tape is empty.');
  return { rows: records, lineOf: row => lines[row] ?? 0 };
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
  if (rows.every(row => row.every(cell => cell === null || cell === '')))
    throw new NoTable(`the sheet ${found.sheet} is empty.`);
  return { rows, lineOf: row => (row < rows.length ? row + 1 : 0) };
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
