/** The text or a sheet of a file as rows, with the line of each, and the header among them. */
import { describe, expect, it } from 'vitest';
import { headedTable } from '#src/tape/header.js';
import { sheetTable, type TapeTable, textTable } from '#src/tape/tables.js';
import { NoTable } from '#src/text/delimited.js';

/** A table as values: its rows, and their lines. */
const shown = ({ rows, lineOf }: TapeTable) => ({ rows, lines: rows.map((_, row) => lineOf(row)) });
/** The header of a table, and the lines below it. */
function headed(table: TapeTable, headerRow?: number) {
  const { header, rows, lineOf, line, faults } = headedTable(table, {}, headerRow);
  return { header, line, lines: rows.map((_, row) => lineOf(row)), faults };
}

const NAMES = 'loan_id,collateral_asset,loan_amount,note';

describe('The table of a text', () => {
  it.each<[string, string, readonly number[]]>([
    ['a header on the first line', 'x,y\n1,2\n3,4\n', [1, 2, 3]],
    ['one comment above the header', '# a\nx,y\n1,2\n3,4\n', [2, 3, 4]],
    ['comments and blank lines above the header', '# a\n\n \t# b\nx,y\n1,2\n3,4', [4, 5, 6]],
    ['a byte order mark before a comment', '\ufeff#\nx,y\n1,2\n3,4\n', [2, 3, 4]],
    ['an empty line between rows', 'x,y\n1,2\n\n3,4\n', [1, 2, 4]],
  ])('has its rows at their lines with %s', (_, text, lines) => {
    expect(shown(textTable(text))).toEqual({
      rows: [
        ['x', 'y'],
        ['1', '2'],
        ['3', '4'],
      ],
      lines,
    });
  });

  it('gives line 0 for a row that it does not have', () => {
    expect(textTable('x,y\n1,2\n').lineOf(2)).toBe(0);
  });

  it.each([',', ';', '\t', '|'])('has the mark %j between fields, whatever stands in its titles', mark => {
    const text = `Loans, of March; of all | desks\n${NAMES.replaceAll(',', mark)}\na${mark}BTC${mark}1${mark}"x, y; z"\n`;
    expect(textTable(text).rows.slice(1)).toEqual([NAMES.split(','), ['a', 'BTC', '1', 'x, y; z']]);
  });

  it('has the mark that the line sep= says', () => {
    expect(textTable('sep=;\na,b;c,d\n1,2;3,4\n').rows[0]).toEqual(['a,b', 'c,d']);
  });

  it.each(['', '\n', '# only a comment\n'])('is refused without a row: %j', text => {
    expect(() => textTable(text)).toThrow(new NoTable('The tape is empty.'));
  });
});

describe('The header of a table', () => {
  it.each<[string, string, number]>([
    [
      'below titles and blank rows',
      `Loans of March,,,\n\nPrepared by, desk, of, loans\n${NAMES}\na,BTC,1,x\n`,
      4,
    ],
    ['below a row of groups', `Loan,,Debt,\n${NAMES}\na,BTC,1,x\n`, 2],
    ['above rows that have words of headings', `${NAMES}\nloan,collateral,1,x\n`, 1],
  ])('is the row that names most columns: %s', (_, text, line) => {
    expect(headed(textTable(text))).toMatchObject({ header: NAMES.split(','), line, faults: [] });
  });

  it('is two rows where they name more columns together', () => {
    const text = 'Loan,,Collateral,,Loan,\nID,Borrower,Asset,Amount,Ccy,Balance\na,Ann,BTC,1,USD,5\n';
    const { header, line, lines } = headed(textTable(text));
    expect(header).toEqual(['ID', 'Borrower', 'Collateral Asset', 'Collateral Amount', 'Ccy', 'Balance']);
    expect([line, lines]).toEqual([2, [3]]);
    const split = 'Loan,Collateral,Margin Call,Liquidation\nID,Asset,LTV,LTV\na,BTC,1,2\n';
    expect(headed(textTable(split)).header).toEqual([
      'ID',
      'Collateral Asset',
      'Margin Call LTV',
      'Liquidation LTV',
    ]);
  });

  it('is the first row with four cells where no name is known', () => {
    expect(headed(textTable('Title\nNr;Pfand;Menge;Betrag\na;b;c;d\n'))).toMatchObject({
      header: ['Nr', 'Pfand', 'Menge', 'Betrag'],
      line: 2,
    });
    expect(headed(textTable('x,y\n1,2\n')).header).toEqual(['x', 'y']);
  });

  it('is the line that the caller names', () => {
    const table = textTable(`${NAMES}\n\nNr,Pfand,Betrag,x\na,BTC,1,x\n`);
    expect(headed(table, 3)).toEqual({
      header: ['Nr', 'Pfand', 'Betrag', 'x'],
      line: 3,
      lines: [4],
      faults: [],
    });
    expect(headed(table, 2)).toMatchObject({ lines: [], faults: [{ message: 'line 2 has no header' }] });
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
      'a',
      '2026-03-10T05:30:00.000Z',
      '2026-03-10T05:30:00.000Z',
      '2026-03-11',
      '2026-03-10',
    ]);
  });

  it('has text for dates, and the lines of the sheet', () => {
    expect(shown(sheetTable(sheets))).toEqual({
      rows: [
        [null, ''],
        [null, 'id', 'when'],
        [null, 'a', '2026-01-31'],
        ['true', 7, '2026-01-31T15:00:00.000Z'],
      ],
      lines: [1, 2, 3, 4],
    });
  });

  it('is that of the named sheet', () => {
    expect(shown(sheetTable(sheets, 'Other'))).toEqual({ rows: [['x'], [1]], lines: [1, 2] });
  });

  it('is refused where the sheet is unknown or empty', () => {
    expect(() => sheetTable(sheets, 'Loan')).toThrow(
      'there is no sheet Loan; there are Loans, Other, Empty.',
    );
    expect(() => sheetTable(sheets, 'Empty')).toThrow('the sheet Empty is empty.');
  });
});
