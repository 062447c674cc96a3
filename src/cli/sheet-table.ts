/** A sheet of a spreadsheet (XLSX) as the table of a tape. */
import type { Cell } from '../market/import/table.ts';
import type { TapeTable } from '../tape/read-tape.ts';
import { UnreadableTape } from './unreadable-tape.ts';

/** @param sheet name; the first one where it is absent @throws UnreadableTape */
export async function sheetTable(path: string, bytes: Buffer, sheet?: string): Promise<TapeTable> {
  const { default: readSheets } = await import('read-excel-file/node');
  let sheets: Awaited<ReturnType<typeof readSheets>>;
  try {
    sheets = await readSheets(bytes);
  } catch (error) {
    throw new UnreadableTape(`${path}: the spreadsheet cannot be read: ${(error as Error).message}`);
  }
  const found = sheet === undefined ? sheets[0] : sheets.find(each => each.sheet === sheet);
  if (found === undefined)
    throw new UnreadableTape(
      `${path}: there is no sheet ${sheet}; there are ${sheets.map(each => each.sheet).join(', ')}.`,
    );
  const rows = found.data.map(row => row.map(cellOf));
  const first = rows.findIndex(row => row.some(cell => cell !== null && cell !== ''));
  if (first < 0) throw new UnreadableTape(`${path}: the sheet ${found.sheet} is empty.`);
  return {
    header: rows[first].map(cell => String(cell ?? '')),
    rows: rows.slice(first + 1),
    lineOf: row => first + row + 2,
  };
}

/** Dates as text: a day alone where it is midnight. */
function cellOf(value: unknown): Cell {
  if (value instanceof Date) {
    const text = value.toISOString();
    return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
  }
  if (typeof value === 'number' || typeof value === 'string') return value;
  return value === null || value === undefined ? null : String(value);
}
