/** A spreadsheet (XLSX) of a file as the table of a tape. */
import { NoTable } from '../market/import/delimited.ts';
import type { TapeTable } from '../tape/read-tape.ts';
import { type Sheet, sheetTable } from '../tape/sheet-table.ts';
import { UnreadableTape } from './unreadable-tape.ts';

/** @param sheet name; the first one where it is absent @throws UnreadableTape */
export async function spreadsheetTable(path: string, bytes: Buffer, sheet?: string): Promise<TapeTable> {
  const { default: readSheets } = await import('read-excel-file/node');
  let sheets: readonly Sheet[];
  try {
    sheets = await readSheets(bytes);
  } catch (error) {
    throw new UnreadableTape(`${path}: the spreadsheet cannot be read: ${(error as Error).message}`);
  }
  try {
    return sheetTable(sheets, sheet);
  } catch (error) {
    if (error instanceof NoTable) throw new UnreadableTape(`${path}: ${error.message}`);
    throw error;
  }
}
