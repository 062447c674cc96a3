/**
 * The bounds of a spreadsheet: a file of some kilobytes can unpack to gigabytes, and one cell far from the table makes its reader fill
 * the space between them.
 *
 * Takes: the bytes of an XLSX file. Must not know: who reads it.
 */
import { strFromU8, Unzip, UnzipInflate, unzipSync } from 'fflate';

/** 256 MiB. */
const MAX_BYTES = 2 ** 28;
/** Cells between the first one and the farthest row and column, empty ones included. */
const MAX_CELLS = 10_000_000;
/** Bytes that are unpacked at once; they unpack to at most a thousand times as many. */
const PIECE_BYTES = 2 ** 16;

/** Counts the bytes that the file unpacks to, and the cells of its sheets. @throws Error where they are more than `most`, or too many */
export function refuseTooLarge(bytes: Uint8Array, most = MAX_BYTES): void {
  let unpacked = 0;
  const archive = new Unzip(part => {
    part.ondata = (error, piece) => {
      if (error) throw error;
      unpacked += piece.length;
      if (unpacked > most) throw new Error(`it unpacks to more than ${most} bytes`);
    };
    part.start();
  });
  archive.register(UnzipInflate);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    archive.push(bytes.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= bytes.length);
  const sheets = unzipSync(bytes, { filter: ({ name }) => /worksheets\/[^/]*\.xml$/.test(name) });
  if (Object.values(sheets).some(sheet => spanOf(strFromU8(sheet)) > MAX_CELLS))
    throw new Error(
      `its sheets span more than ${MAX_CELLS} cells, empty ones included. Remove what lies far from the table.`,
    );
}

/** The cells from the first one to the last row and the last column that are addressed. */
function spanOf(sheet: string): number {
  let [rows, columns] = [0, 0];
  for (const [, letters, digits] of sheet.matchAll(/<(?:\w+:)?c [^<>]*?\br="([A-Z]{1,3})(\d{1,7})"/g)) {
    rows = Math.max(rows, Number(digits));
    columns = Math.max(
      columns,
      [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0),
    );
  }
  return rows * columns;
}
