/** Loans of a tape from its rows, and every fault of every row. */
import { describe, expect, it } from 'vitest';
import { bookRows } from '#src/tape/book-rows.js';
import { readTape, type TapeOptions } from '#src/tape/read-tape.js';
import { textTable } from '#src/tape/tables.js';
import { loanValueOf } from '#src/tape/valuation.js';
import { resolverOf } from '#src/text/symbols.js';

const HEADER =
  'loan_id,borrower,collateral_asset,collateral_amount,loan_asset,loan_amount,margin_call_ltv,liquidation_ltv,grace_hours,maturity';
const GOOD = 'a,Ann,BTC,1.5,USD,50000,0.75,0.85,24,2026-06-30';

const tape = (rows: readonly string[], options: TapeOptions = {}) =>
  readTape(textTable([HEADER, ...rows, ''].join('\n')), options);

describe('A tape', () => {
  it('gives a loan for each id, with the collateral of all its rows', () => {
    const { loans, faults, rows } = tape([GOOD, 'b,,ETH,10,USDC,12000,0.75,0.85,24,', 'a,,ETH,3,,,,,,']);
    expect(faults).toEqual([]);
    expect(rows).toBe(3);
    expect(loans).toEqual([
      {
        id: 'a',
        borrower: 'Ann',
        lines: [2, 4],
        collateral: [
          { asset: 'BTC', amount: 1.5 },
          { asset: 'ETH', amount: 3 },
        ],
        loanAsset: 'USD',
        loanAmount: 50000,
        terms: {
          margin_call_ltv: 0.75,
          liquidation_ltv: 0.85,
          grace_hours: 24,
          maturity: Date.UTC(2026, 6, 1),
        },
      },
      expect.objectContaining({ id: 'b', lines: [3], collateral: [{ asset: 'ETH', amount: 10 }] }),
    ]);
  });

  it('has a threshold for each asset where the rows of a loan differ in liquidation_ltv', () => {
    const { loans, faults, remarks } = tape([GOOD, 'a,,ETH,10,,,,0.7,,']);
    expect(faults).toEqual([]);
    expect(loans[0].collateral).toEqual([
      { asset: 'BTC', amount: 1.5, liquidationLtv: 0.85 },
      { asset: 'ETH', amount: 10, liquidationLtv: 0.7 },
    ]);
    expect(remarks.join(' ')).toMatch(/1 loan \(a\) has a liquidation_ltv for each collateral asset/);
    const prices = new Map([
      ['BTC', 50_000],
      ['ETH', 2500],
      ['USD', 1],
    ]);
    // (75,000 x 0.85 + 25,000 x 0.7) / 100,000.
    expect(loanValueOf(loans[0], prices).liquidationLtv).toBeCloseTo(0.8125, 12);
    const { rows } = bookRows(loans, { asOfMs: Date.UTC(2026, 0, 1), horizonDays: 30 }, prices);
    expect(rows[0]).toMatchObject({ margin_call_ltv: 0.75, liquidation_ltv: { BTC: 0.85, ETH: 0.7 } });
    expect(tape([GOOD, 'a,,ETH,10,,,,0.7,,', 'a,,SOL,100,,,,,,']).faults).toMatchObject([
      {
        line: 4,
        column: 'liquidation_ltv',
        message: 'liquidation_ltv of "SOL" is missing, and the loan has one for each asset',
      },
    ]);
  });

  it('is read with semicolons, tabs, a byte order mark, and a line sep= and comments above the header', () => {
    for (const mark of [';', '\t']) {
      const text = `\ufeffsep=${mark}\r\n# positions of today\r\n${HEADER.replaceAll(',', mark)}\r\n${GOOD.replaceAll(',', mark)}\r\n`;
      const { loans } = readTape(textTable(text), {});
      expect(loans).toEqual([expect.objectContaining({ id: 'a', lines: [4] })]);
    }
  });

  it('needs no grace of loans that are liquidated where they would be called', () => {
    const without = (row: string) => row.split(',').toSpliced(8, 1).join(',');
    const chain = GOOD.replace('0.75', '0.85');
    const read = (...rows: string[]) => readTape(textTable([HEADER, ...rows].map(without).join('\n')), {});
    expect(read(chain).faults).toEqual([]);
    expect(read(chain, GOOD.replace('a,', 'b,')).faults).toMatchObject([
      { message: expect.stringContaining('grace_hours') },
    ]);
    // A column with an empty cell.
    const empty = (row: string) => row.replace(',24,', ',,');
    expect(tape([GOOD.replace('a,', 'b,'), empty(chain)]).faults).toEqual([]);
    expect(tape([empty(GOOD)]).faults).toMatchObject([{ column: 'grace_hours' }]);
  });

  it('leaves out a loan that owes nothing, and says so', () => {
    for (const nothing of ['0', '-', '$ -', '0.00']) {
      const { loans, faults, remarks } = tape([GOOD, GOOD.replace('a,', 'b,').replace('50000', nothing)]);
      expect(loans.map(({ id }) => id)).toEqual(['a']);
      expect(faults).toEqual([]);
      expect(remarks).toEqual(['1 loan (b) owes nothing, and is not computed.']);
    }
    expect(tape([GOOD, GOOD.replace('a,', 'b,').replace('50000', '')]).faults).toMatchObject([
      { id: 'b', column: 'loan_amount', message: 'loan_amount is missing' },
    ]);
  });

  it('reports all faults at once, each with line, id, column and remedy', () => {
    const { loans, faults } = tape([
      GOOD,
      'b,,ETH,ten,USD,12000,75,0.85,24,30.06.2026',
      ',,ETH,10,USD,12000,0.75,0.85,24,',
      'c,,ETH,,USD,,0.75,0.85,24,',
      'd,,ETH,10,USD',
    ]);
    expect(loans.map(({ id }) => id)).toEqual(['a']);
    expect(faults.map(({ line, id, column }) => [line, id, column])).toEqual([
      [3, 'b', 'collateral_amount'],
      [3, 'b', 'margin_call_ltv'],
      [4, undefined, 'loan_id'],
      [5, 'c', 'collateral_amount'],
      [5, 'c', 'loan_amount'],
      [6, 'd', undefined],
    ]);
    expect(faults.every(({ remedy }) => typeof remedy === 'object' || remedy.length > 0)).toBe(true);
  });

  it('leaves out a loan as a whole where one of its rows has a fault', () => {
    const { loans, faults } = tape([GOOD, 'a,,ETH,some,,,,,,']);
    expect(loans).toEqual([]);
    expect(faults).toMatchObject([
      expect.objectContaining({ line: 3, id: 'a', column: 'collateral_amount' }),
    ]);
  });

  it('refuses a loan with two values of one term, or with a repeated collateral asset', () => {
    const { faults } = tape([GOOD, 'a,Bob,BTC,1,,60000,,,,']);
    expect(faults.map(({ message }) => message)).toEqual([
      '60000 differs from 50000 in line 2 of the same loan',
      '"Bob" differs from "Ann" in line 2 of the same loan',
      '"BTC" is collateral of this loan in line 2, too',
    ]);
  });

  it('fills empty cells, and only these, with defaults', () => {
    const { loans } = tape(['a,,BTC,1,,50000,,0.85,12,', 'b,,BTC,1,USDC,50000,0.7,0.85,,'], {
      defaults: { loan_asset: 'usd', margin_call_ltv: '80 %', grace_hours: '24' },
    });
    expect(
      loans.map(({ loanAsset, terms }) => [loanAsset, terms.margin_call_ltv, terms.grace_hours]),
    ).toEqual([
      ['USD', 0.8, 12],
      ['USDC', 0.7, 24],
    ]);
  });

  it('resolves its symbols to assets', () => {
    const { loans } = tape([GOOD.replace('BTC', 'xbt')], {
      resolve: symbol => (symbol === 'XBT' ? 'BTC' : symbol),
    });
    expect(loans[0].collateral).toEqual([{ asset: 'BTC', amount: 1.5 }]);
  });

  it('counts amounts of an alias with a rate in units of its asset', () => {
    const resolve = resolverOf([['WSTETH', 'ETH', 1.25]]);
    const rows = [
      'a,,wsteth,8,USDC,50000,0.7,0.85,24,',
      'a,,BTC,1,,,,,,',
      'b,,ETH,8,WSTETH,2,0.7,0.85,24,',
      'c,,BTC,1,,2,0.7,0.85,24,',
    ];
    const { loans, faults, remarks } = tape(rows, { resolve, defaults: { loan_asset: 'WSTETH' } });
    expect(faults).toEqual([]);
    expect(loans.map(({ collateral }) => collateral)).toEqual([
      [
        { asset: 'ETH', amount: 10 },
        { asset: 'BTC', amount: 1 },
      ],
      [{ asset: 'ETH', amount: 8 }],
      [{ asset: 'BTC', amount: 1 }],
    ]);
    expect(loans.map(({ loanAsset, loanAmount }) => [loanAsset, loanAmount])).toEqual([
      ['USDC', 50_000],
      ['ETH', 2.5],
      ['ETH', 2.5],
    ]);
    expect(remarks).toEqual(['One WSTETH counts as 1.25 ETH, by an alias of the market rules.']);
  });

  it('gives the loan above its collateral in rows without an id, as a spreadsheet with merged cells has it', () => {
    const { loans, faults, remarks } = tape([
      GOOD,
      ',,ETH,3,,,,,,',
      GOOD.replace('a,', 'b,'),
      ',Ann,ETH,1,,150000,,,,',
    ]);
    expect(loans.map(({ id, collateral }) => [id, collateral.length])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(remarks).toEqual(['1 row without an id is collateral of the loan above: line 3.']);
    expect(faults).toMatchObject([
      {
        line: 5,
        column: 'loan_id',
        message: 'the row has no loan_id',
        remedy: 'Give every row the id of its loan.',
      },
    ]);
  });

  it('has a remark where every point of its money may stand between thousands', () => {
    const money = (amounts: readonly string[], options: TapeOptions = {}) =>
      tape(
        amounts.map((amount, k) => GOOD.replace('a,', `${k},`).replace('50000', amount)),
        options,
      ).remarks;
    expect(money(['400.000', '250.000', '7.500', '12'])).toEqual([
      'Every point in loan_amount stands before three digits, such as 400.000, and is read as that before a fraction: if it stands between thousands, name the comma in the option decimal; if not, the point.',
    ]);
    expect(money(['400.000', '250.000', '7.50'])).toEqual([]);
    expect(money(['400.000', '250.000'])).toEqual([]);
    expect(money(['400.000', '250.000', '7.500'], { decimal: 'point' })).toEqual([]);
    expect(money(['400.000', '250.000', '7.500'], { decimal: 'comma' })).toEqual([]);
    expect(money(['4000.000', '250.000', '7.500'])).toEqual([]);
  });

  it('has a remark on amounts with a letter, which says how they are read', () => {
    const amounts = (loan: string, collateral: string, options: TapeOptions = {}) =>
      tape([GOOD.replace('50000', loan).replace('1.5', collateral)], options).remarks;
    expect(amounts('1.5m', '2K')).toEqual([
      'In loan_amount 1 cell has a letter for a thousand (K), a million (M), a billion (B) or a trillion (T): "1.5m" is read as 1,500,000.',
      'In collateral_amount 1 cell has a letter for a thousand (K), a million (M), a billion (B) or a trillion (T): "2K" is read as 2,000.',
    ]);
    expect(amounts('1500000', '2')).toEqual([]);
    expect(amounts('xm', '2')).toEqual([]);
    expect(amounts('"1,5m"', '2', { decimal: 'comma' })).toEqual([
      expect.stringContaining('"1,5m" is read as 1,500,000.'),
    ]);
    expect(tape(['a', 'b'].map(id => GOOD.replace('a,', `${id},`).replace('50000', '3 B'))).remarks).toEqual([
      expect.stringContaining('In loan_amount 2 cells have a letter'),
    ]);
  });

  it('says what to write for an amount below 0, and to leave out collateral of 0', () => {
    const remedies = (amount: string, loan: string) =>
      tape([GOOD.replace('1.5', amount).replace('50000', loan)]).faults.map(({ remedy }) => remedy);
    expect(remedies('-1.5', '-50000')).toEqual([
      'Write 50000 if the sign marks a debt or a credit: loan_amount is above 0.',
      'Write 1.5 if the sign marks a debt or a credit: collateral_amount is above 0.',
    ]);
    expect(remedies('0', '1')).toEqual(['Leave out a row without collateral.']);
  });

  it('is refused without rows, and without amounts above 0', () => {
    expect(tape([]).faults).toMatchObject([expect.objectContaining({ message: 'the tape has no rows' })]);
    expect(tape([GOOD.replace('1.5', '0')]).faults).toMatchObject([
      expect.objectContaining({ line: 2, message: 'collateral_amount must be above 0; got 0' }),
    ]);
  });

  it('names at most 100,000 faults of rows, and counts the others', () => {
    const rows = Array(100_001).fill(['a']);
    const { faults } = readTape({ rows: [HEADER.split(','), ...rows], lineOf: row => row + 1 }, {});
    expect(faults).toHaveLength(100_001);
    expect(faults[0]).toMatchObject({
      message: 'the tape has 1 more fault',
      remedy: 'Correct those that are named first.',
    });
    expect(faults[1]).toMatchObject({
      line: 2,
      id: 'a',
      message: '10 fields expected, 1 found',
      remedy: 'Put quotes around a field that holds the mark between fields.',
    });
    expect(faults[100_000].line).toBe(100_001);
  });

  it('has faults without a line before those of its first row, wherever that is', () => {
    const { faults } = readTape(
      { rows: [HEADER.split(','), ['a']], lineOf: row => row },
      { defaults: { interest: 'x' } },
    );
    expect(faults).toMatchObject([
      {
        column: 'interest',
        message: 'the default: "x" is not a number',
        remedy: 'Write a number alone, without a unit or a name of a currency.',
      },
      expect.objectContaining({ line: 1, id: 'a' }),
    ]);
  });

  it('has loans of at most 32 rows', () => {
    const loan = (rows: number) =>
      tape([GOOD, ...Array.from({ length: rows - 1 }, (_, k) => `a,,C${k},1,,,,,,`)]);
    expect(loan(32).faults).toEqual([]);
    expect(loan(32).loans[0].collateral).toHaveLength(32);
    expect(loan(33)).toMatchObject({
      loans: [],
      faults: [
        {
          line: 2,
          id: 'a',
          message: 'the loan has 33 rows, and at most 32 collateral assets are taken',
          remedy: 'Give each loan an id of its own.',
        },
      ],
    });
  });

  it('may have values in place of amounts, both above 0, and needs one of them', () => {
    const header = HEADER.replace('collateral_amount', 'collateral_amount,collateral_value');
    const collateral = (cells: string) =>
      readTape(textTable(`${header}\n${GOOD.replace(',1.5,', `,${cells},`)}\n`), {});
    expect(collateral(',75000').loans[0].collateral).toEqual([{ asset: 'BTC', valueUsd: 75_000 }]);
    expect(collateral('1,2').loans[0].collateral).toEqual([{ asset: 'BTC', amount: 1, valueUsd: 2 }]);
    expect(collateral('1,-2').faults.map(({ column, message }) => [column, message])).toEqual([
      ['collateral_value', 'collateral_value must be above 0; got -2'],
    ]);
    expect(collateral(',').faults.map(({ line, column, message }) => [line, column, message])).toEqual([
      [2, 'collateral_amount', 'neither collateral_amount nor collateral_value is there'],
    ]);
  });

  it('does not say that rows without an asset repeat it', () => {
    const { faults } = tape(['a,,,1,USD,50000,0.75,0.85,24,', 'a,,,2,,,,,,']);
    expect(faults.map(({ line, message }) => [line, message])).toEqual([
      [2, 'collateral_asset is missing'],
      [3, 'collateral_asset is missing'],
    ]);
  });

  it('shows moments that differ as dates, and accepts the same term twice', () => {
    expect(tape([GOOD, 'a,Ann,ETH,1,usd,50000,,,,2026-06-30']).faults).toEqual([]);
    expect(tape([GOOD, 'a,,ETH,1,,,,,,2026-07-01']).faults.map(({ message }) => message)).toEqual([
      '"2026-07-02T00:00:00.000Z" differs from "2026-07-01T00:00:00.000Z" in line 2 of the same loan',
    ]);
  });

  it('skips rows of empty cells, and names rows without an id', () => {
    const { loans, faults, rows } = tape([',,,,,,,,,', GOOD, ' , ,-,,,,,,,', ',x,y']);
    expect(loans.map(({ lines }) => lines)).toEqual([[3]]);
    expect(rows).toBe(2);
    expect(faults.map(({ line, id, column, message }) => [line, id, column, message])).toEqual([
      [5, undefined, 'loan_id', 'the row has no loan_id'],
      [5, undefined, undefined, '10 fields expected, 3 found'],
    ]);
  });

  it('resolves the symbols of its rows and its defaults, not its other texts', () => {
    const resolve = (symbol: string) => `${symbol}!`;
    const { loans } = tape(['a,Ann,BTC,1,,50000,0.7,0.85,24,', 'b,,ETH,1,DAI,5,0.7,0.85,24,'], {
      resolve,
      defaults: { loan_asset: 'usd' },
    });
    expect(
      loans.map(({ id, borrower, loanAsset, collateral }) => [id, borrower, loanAsset, collateral[0].asset]),
    ).toEqual([
      ['a', 'Ann', 'USD!', 'BTC!'],
      ['b', undefined, 'DAI!', 'ETH!'],
    ]);
  });

  it('is refused for its columns and the cells of those that are known', () => {
    const read = readTape(textTable('loan_id,loan_amount,x\na,1,1\nb,ten,1\n'), {});
    expect([read.loans, read.rows, read.notUsed]).toEqual([[], 2, ['x']]);
    expect(read.faults.map(({ line, column }) => [line, column])).toEqual([
      ...Array(6).fill([undefined, undefined]),
      [3, 'loan_amount'],
    ]);
    expect(readTape(textTable('loan_amount,x\n1,1\n'), {}).faults.every(({ line }) => line === undefined));
  });

  it('reads fractions of a column with a name in per cent on request', () => {
    const row = GOOD.replace('a,', 'b,').replace('0.75', '75');
    const text = `${HEADER.replace('margin_call_ltv', 'margin call ltv (%)')}\n${GOOD}\n${row}\n`;
    expect(readTape(textTable(text), {}).faults).toMatchObject([
      {
        line: 2,
        column: 'margin_call_ltv',
        remedy: { kind: 'fractions', values: ['margin_call_ltv', '75'] },
      },
    ]);
    const options = { fractions: ['margin_call_ltv', 'interest'], percent: ['margin_call_ltv'] } as const;
    const { loans } = readTape(textTable(text), options);
    expect(loans[0].terms).toMatchObject({ margin_call_ltv: 0.75 });
  });

  it('reads per cent by the option, by the name of the column and by the sign', () => {
    const text = `${HEADER.replace('margin_call_ltv', 'margin call ltv (%)')},note\n${GOOD.replace('0.75,0.85', '75,85')},x\n`;
    const { loans, notUsed } = readTape(textTable(text), { percent: ['liquidation_ltv'] });
    expect(loans[0].terms).toMatchObject({ margin_call_ltv: 0.75, liquidation_ltv: 0.85 });
    expect(notUsed).toEqual(['note']);
  });
});
