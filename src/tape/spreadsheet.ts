/**
 * A spreadsheet within bounds: a file of some kilobytes can unpack to gigabytes, or have two cells so far apart that its reader fills
 * the space between them.
 *
 * Takes and gives: the bytes of an XLSX file. Must not know: who reads it.
 */
import { strFromU8, unzipSync, zipSync } from 'fflate';

const MAX_BYTES = 256 * 2 ** 20;
const MAX_CELLS = 10_000_000;
const MAX_ROWS = 2 ** 20;

/** The start of a row or cell, with or without a namespace. */
const TAG = /<(?:[^\s<>/:]*:)?(c|row)(?=[\s/>])([^<>]*)/g;
const ATTRIBUTE = /\s+([^\s=<>"'&]+)\s*=\s*(?:"([^"&]*)"|'([^'&]*)')/gy;

/**
 * The parts of a spreadsheet that are read, in an archive without compression: what was counted here is what is read.
 *
 * @throws Error where it is no ZIP archive, is too large, or has a cell without a plain address
 */
export function boundedSpreadsheet(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  let unpacked = 0;
  const parts = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!/\.(xml|rels)$/.test(name)) return false;
      unpacked += originalSize;
      if (unpacked > MAX_BYTES) throw new Error(`it unpacks to more than ${MAX_BYTES} bytes`);
      return true;
    },
  });
  let cells = 0;
  for (const part of Object.values(parts)) {
    cells += spanOf(strFromU8(part));
    if (cells > MAX_CELLS)
      throw new Error(
        `its sheets span more than ${MAX_CELLS} cells, empty ones included. Remove what lies far from the table.`,
      );
  }
  return zipSync(parts, { level: 0 });
}

/** The cells of the smallest area from the first one that holds every value, or the number of the last row where that is more. */
function spanOf(xml: string): number {
  let [lastRow, rows, columns, row] = [0, 0, 0, 0];
  for (const { 1: tag, 2: text } of xml.matchAll(TAG)) {
    const attributes = attributesOf(text);
    const address = attributes.get('r') ?? '';
    if (tag === 'row') row = address === '' ? 0 : rowOf(address);
    else {
      const letters = /^[A-Z]{1,3}/.exec(address)?.[0] ?? '';
      const ofCell = rowOf(address.slice(letters.length));
      if (letters === '') throw unusual();
      row = Math.max(row, ofCell);
      // A cell without content has a format only.
      if (!text.endsWith('/')) {
        rows = Math.max(rows, row);
        columns = Math.max(columns, columnOf(letters));
      }
    }
    lastRow = Math.max(lastRow, row);
  }
  return Math.max(lastRow, rows * columns);
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const found = [...text.matchAll(ATTRIBUTE)];
  const length = found.reduce((sum, [{ length: own }]) => sum + own, 0);
  // Anything else may hide an address.
  if (!/^\s*\/?$/.test(text.slice(length))) throw unusual();
  return new Map(found.map(([, name, double, single]) => [name, double ?? single]));
}

function rowOf(digits: string): number {
  if (!/^\d{1,7}$/.test(digits) || Number(digits) > MAX_ROWS) throw unusual();
  return Number(digits);
}

const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0);

const unusual = () =>
  new Error('one of its cells has no address of the usual form. Save it again as XLSX, or as "CSV UTF-8".');
