/** A file with a loan tape to its table: CSV by its text, a spreadsheet by its first sheet or the one that is named. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { NoTable } from '../market/import/delimited.ts';
import { MAX_TEXT_BYTES } from '../market/import/table.ts';
import type { TapeTable } from '../tape/read-tape.ts';
import { textTable } from '../tape/text-table.ts';
import { UnreadableTape } from './unreadable-tape.ts';

export interface TapeFile {
  readonly table: TapeTable;
  /** Of the bytes of the file, in hexadecimal. */
  readonly sha256: string;
}

/** @throws UnreadableTape */
export async function readTapeFile(path: string, sheet?: string): Promise<TapeFile> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new UnreadableTape(`${path}: ${(error as Error).message}`);
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (bytes.length > MAX_TEXT_BYTES)
    throw new UnreadableTape(
      `${path}: the file has ${bytes.length} bytes, and at most ${MAX_TEXT_BYTES} are read.`,
    );
  if (isSpreadsheet(bytes)) {
    const { spreadsheetTable } = await import('./sheet-table.ts');
    return { table: await spreadsheetTable(path, bytes, sheet), sha256 };
  }
  if (sheet !== undefined) throw new UnreadableTape(`${path}: only a spreadsheet has a sheet ${sheet}.`);
  try {
    return { table: textTable(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), sha256 };
  } catch (error) {
    if (error instanceof NoTable) throw new UnreadableTape(`${path}: ${error.message}`);
    if (error instanceof TypeError)
      throw new UnreadableTape(
        `${path}: the file is no UTF-8 text and no XLSX. Save it as "CSV UTF-8" or XLSX.`,
      );
    throw error;
  }
}

/** XLSX is a ZIP archive. */
const isSpreadsheet = (bytes: Buffer) => bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'));
