/** A spreadsheet that would take more memory than its reader has. */
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { refuseTooLarge } from '#src/tape/spreadsheet.js';

const MOST = 2 ** 22;
const SHEET = strToU8('<worksheet/>');
/** A spreadsheet that unpacks to so many bytes. */
const archive = (bytes: number) =>
  zipSync({
    'xl/worksheets/sheet1.xml': SHEET,
    'xl/styles.xml': new Uint8Array(bytes - SHEET.length),
  });

describe('A spreadsheet', () => {
  it('that unpacks to as many bytes as its bound is taken', () => {
    expect(() => refuseTooLarge(archive(MOST), MOST)).not.toThrow();
  });

  it.each([undefined, 1])('that unpacks to one more is refused, and says that it has %s', said => {
    const sent = Buffer.from(archive(MOST + 1));
    // The size of its second part, before the bytes of it and in the list.
    for (const [mark, at] of [
      ['PK\u0003\u0004', 22],
      ['PK\u0001\u0002', 24],
    ] as const)
      if (said !== undefined) sent.writeUInt32LE(said, sent.lastIndexOf(mark) + at);
    expect(() => refuseTooLarge(sent, MOST)).toThrow('it unpacks to more than 4194304 bytes');
  });
});
