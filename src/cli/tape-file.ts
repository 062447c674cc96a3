/** The table of a file with a loan tape: of a CSV file, or of the first or the named sheet of a spreadsheet. */
import { createHash } from 'node:crypto';
import { MAX_TEXT_BYTES } from '../market/import/table.ts';
import { mergedOptions, readColumnsFile } from '../tape/columns-file.ts';
import type { TapeTable } from '../tape/tables.ts';
import { type Sheet, sheetTable, textTable } from '../tape/tables.ts';
import { NoTable } from '../text/delimited.ts';
import { bytesOf, UnreadableInput } from './input.ts';
import type { TapeRunOptions } from './tape-options.ts';

export interface TapeFile {
  readonly table: TapeTable;
  /** Of the bytes of the file, in hexadecimal. */
  readonly sha256: string;
}

/** The options with those of the columns file. @throws UnreadableInput */
export function withColumnsFile<T extends Pick<TapeRunOptions, 'tape' | 'columnsFile'>>(options: T): T {
  const { columnsFile, tape } = options;
  if (columnsFile === undefined) return options;
  const read = readColumnsFile(bytesOf(columnsFile).toString('utf8'));
  if ('faults' in read)
    throw new UnreadableInput(read.faults.map(fault => `${columnsFile}: ${fault}`).join('\n'));
  return { ...options, tape: mergedOptions(read.options, tape) };
}

/** @param sheet of a spreadsheet; the first one where absent @throws UnreadableInput */
export async function readTapeFile(path: string, sheet?: string): Promise<TapeFile> {
  const bytes = bytesOf(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (bytes.length > MAX_TEXT_BYTES)
    throw new UnreadableInput(
      `${path}: the file has ${bytes.length} bytes, and at most ${MAX_TEXT_BYTES} are read.`,
    );
  try {
    if (isSpreadsheet(bytes)) return { table: sheetTable(await sheetsOf(path, bytes), sheet), sha256 };
    if (sheet !== undefined) throw new UnreadableInput(`${path}: only a spreadsheet has a sheet ${sheet}.`);
    return { table: textTable(textOf(path, bytes)), sha256 };
  } catch (error) {
    if (error instanceof NoTable) throw new UnreadableInput(`${path}: ${error.message}`);
    throw error;
  }
}

/** XLSX is a ZIP archive. */
const isSpreadsheet = (bytes: Buffer) => bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'));

async function sheetsOf(path: string, bytes: Buffer): Promise<readonly Sheet[]> {
  const { default: readSheets } = await import('read-excel-file/node');
  const { refuseTooLarge } = await import('../tape/spreadsheet.ts');
  try {
    refuseTooLarge(bytes);
    return await readSheets(bytes);
  } catch (error) {
    throw new UnreadableInput(`${path}: the spreadsheet cannot be read: ${(error as Error).message}`);
  }
}

function textOf(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableInput(
      `${path}: the file is no UTF-8 text and no XLSX. Save it as "CSV UTF-8" or XLSX.`,
    );
  }
}
