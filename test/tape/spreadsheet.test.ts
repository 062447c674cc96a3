/** A spreadsheet that would take more memory than its reader has. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { boundedSpreadsheet } from '#src/tape/spreadsheet.js';

const SHEET = 'xl/worksheets/sheet1.xml';
const archive = (rows: string, more: Readonly<Record<string, Uint8Array>> = {}) =>
  zipSync({ [SHEET]: strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`), ...more });
const bounded = (rows: string) => () => boundedSpreadsheet(archive(rows));
const value = (address: string) => `<c r="${address}"><v>1</v></c>`;
const TABLE = `<row r="1">${value('A1')}${value('M1')}</row><row r="100000">${value('A100000')}</row>`;

describe('A spreadsheet', () => {
  it('keeps its parts, but for pictures and other files', () => {
    const sent = archive(TABLE, {
      'xl/media/image1.png': strToU8('x'),
      'xl/_rels/workbook.xml.rels': strToU8('y'),
    });
    const parts = unzipSync(boundedSpreadsheet(sent));
    expect(Object.keys(parts)).toEqual([SHEET, 'xl/_rels/workbook.xml.rels']);
    expect(strFromU8(parts[SHEET])).toContain(TABLE);
  });

  it.each([
    [
      'a value in its last cell',
      `<row r="1">${value('A1')}</row><row r="1048576">${value('XFD1048576')}</row>`,
    ],
    ['a value in its last column, below many rows', `${TABLE}<row r="100001">${value('XFD100001')}</row>`],
    ['the same in another namespace', `<x:row r="1048576"><x:c r='XFD1048576'><x:v>1</x:v></x:c></x:row>`],
    ['rows that are numbered apart from their cells', `<row r="1048576">${value('XFD1')}</row>`],
  ])('with %s is refused', (_, rows) => {
    expect(bounded(rows)).toThrow(/^its sheets span more than 10000000 cells, empty ones included\./);
  });

  it('with many sheets that end in their last row is refused', () => {
    const last = strToU8('<row r="1048576"/>');
    const more = Object.fromEntries(Array.from({ length: 10 }, (_, k) => [`xl/worksheets/s${k}.xml`, last]));
    expect(() => boundedSpreadsheet(archive('', more))).toThrow(/^its sheets span/);
  });

  it('may have formats in cells far from its values', () => {
    expect(bounded(`${TABLE}<row r="1048576" ht="15"><c r="XFD1048576" s="1"/></row>`)).not.toThrow();
  });

  it.each([
    ['a row beyond the last one', '<row r="1e9"/>'],
    ['a row of eight digits', '<row r="10000000"/>'],
    ['a cell without an address', '<row r="1"><c><v>1</v></c></row>'],
    ['an address in escapes', '<row r="&#49;"/>'],
    ['an address behind a sign in quotes', `<row spans=">" r="1000000000">${value('A1')}</row>`],
    ['an address behind a quote in quotes', `<row spans='">' r="1000000000">${value('A1')}</row>`],
    ['an address in small letters', '<c r="a1"><v>1</v></c>'],
  ])('with %s is refused', (_, rows) => {
    expect(bounded(rows)).toThrow(/^one of its cells has no address of the usual form/);
  });

  it('that unpacks to more than 256 MiB is refused before it is unpacked', () => {
    const sent = archive(TABLE, { 'xl/styles.xml': new Uint8Array(2 ** 20) });
    // The size of the part in the list of the archive.
    const listed = Buffer.from(sent).indexOf(
      'PK\u0001\u0002',
      Buffer.from(sent).indexOf('PK\u0001\u0002') + 1,
    );
    Buffer.from(sent.buffer).writeUInt32LE(2 ** 28 + 1, listed + 24);
    expect(() => boundedSpreadsheet(sent)).toThrow('it unpacks to more than 268435456 bytes');
  });
});
