/** The text or a sheet of a file as a table, with the line of each row. */
import { describe, expect, it } from 'vitest';
import { sheetTable, type TapeTable, textTable } from '#src/tape/tables.js';
import { NoTable } from '#src/text/delimited.js';

/** A table as values: its header, its rows, and their lines. */
const shown = ({ header, rows, lineOf }: TapeTable) => ({
  header,
  rows,
  lines: rows.map((_, row) => lineOf(row)),
});

describe('The table of a text', () => {
  it.each<[string, string, readonly number[]]>([
    ['a header on the first line', 'x,y\n1,2\n3,4\n', [2, 3]],
    ['one comment above the header', '# a\nx,y\n1,2\n3,4\n', [3, 4]],
    ['comments and blank lines above the header', '# a\n\n \t# b\nx,y\n1,2\n3,4', [5, 6]],
    ['a byte order mark before a comment', '\ufeff#\nx,y\n1,2\n3,4\n', [3, 4]],
    ['an empty line between rows', 'x,y\n1,2\n\n3,4\n', [2, 4]],
  ])('has its rows at their lines with %s', (_, text, lines) => {
    expect(shown(textTable(text))).toEqual({
      header: ['x', 'y'],
      rows: [
        ['1', '2'],
        ['3', '4'],
      ],
      lines,
    });
  });

  it('has the header below titles, which have fewer than four cells', () => {
    const text = 'Loans of 10 March, all desks\n\nin USD;;;;;\na;b;c;d\n1;2;3;4\n';
    expect(shown(textTable(text))).toEqual({
      header: ['a', 'b', 'c', 'd'],
      rows: [['1', '2', '3', '4']],
      lines: [5],
    });
    const below = `${'\n'.repeat(20)}a;b;c;d\n1;2;3;4\n`;
    expect(textTable(`Title${below}`).header).toEqual(['Title']);
    expect(textTable(`Title${below.slice(1)}`).header).toEqual(['a', 'b', 'c', 'd']);
  });

  it('gives line 0 for a row that it does not have', () => {
    expect(textTable('x,y\n1,2\n').lineOf(1)).toBe(0);
  });

  it.each(['', '\n', '# only a comment\n'])('is refused without a header: %j', text => {
    expect(() => textTable(text)).toThrow(new NoTable('The tape is empty.'));
  });
});

describe('The table of a sheet', () => {
  const sheets = [
    {
      sheet: 'Loans',
      data: [
        [null, ''],
        [null, 'id', 'when'],
        [undefined, 'a', new Date(Date.UTC(2026, 0, 31))],
        [true, 7, new Date(Date.UTC(2026, 0, 31, 15))],
      ],
    },
    { sheet: 'Other', data: [['x'], [1]] },
    { sheet: 'Empty', data: [[null], ['']] },
  ];

  it('has times at the second that parts of a day stand for', () => {
    const at = (...time: [hours: number, minutes: number, seconds: number, milliseconds: number]) =>
      new Date(Date.UTC(2026, 2, 10, ...time));
    const data = [['a'], [at(5, 29, 59, 999)], [at(5, 30, 0, 1)], [at(23, 59, 59, 999)], [at(0, 0, 0, 1)]];
    expect(sheetTable([{ sheet: 'x', data }]).rows.flat()).toEqual([
      '2026-03-10T05:30:00.000Z',
      '2026-03-10T05:30:00.000Z',
      '2026-03-11',
      '2026-03-10',
    ]);
  });

  it('has the header below titles, which have fewer than four cells', () => {
    const data = [[null], ['Loans', null, 10, 'March'], [null], ['a', 'b', 'c', 'd'], [1, 2, 3, 4]];
    expect(shown(sheetTable([{ sheet: 'x', data }]))).toEqual({
      header: ['a', 'b', 'c', 'd'],
      rows: [[1, 2, 3, 4]],
      lines: [5],
    });
    expect(sheetTable([{ sheet: 'x', data: data.slice(1) }]).header).toEqual(['a', 'b', 'c', 'd']);
  });

  it('begins at the first row with a cell that is not empty, and has text for dates', () => {
    expect(shown(sheetTable(sheets))).toEqual({
      header: ['', 'id', 'when'],
      rows: [
        [null, 'a', '2026-01-31'],
        ['true', 7, '2026-01-31T15:00:00.000Z'],
      ],
      lines: [3, 4],
    });
  });

  it('is that of the named sheet', () => {
    expect(shown(sheetTable(sheets, 'Other'))).toEqual({ header: ['x'], rows: [[1]], lines: [2] });
  });

  it('is refused where the sheet is unknown or empty', () => {
    expect(() => sheetTable(sheets, 'Loan')).toThrow(
      'there is no sheet Loan; there are Loans, Other, Empty.',
    );
    expect(() => sheetTable(sheets, 'Empty')).toThrow('the sheet Empty is empty.');
  });
});
