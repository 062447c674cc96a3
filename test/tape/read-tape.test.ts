/** Loans of a tape from its rows, and every fault of every row. */
import { describe, expect, it } from 'vitest';
import { readTape, type TapeOptions } from '#src/tape/read-tape.js';
import { textTable } from '#src/tape/tables.js';

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

  it('is read with semicolons, tabs, a byte order mark, and a line sep= and comments above the header', () => {
    for (const mark of [';', '\t']) {
      const text = `\ufeffsep=${mark}\r\n# positions of today\r\n${HEADER.replaceAll(',', mark)}\r\n${GOOD.replaceAll(',', mark)}\r\n`;
      const { loans } = readTape(textTable(text), {});
      expect(loans).toEqual([expect.objectContaining({ id: 'a', lines: [4] })]);
    }
  });

  it('refuses a debt that is not above 0 at its column', () => {
    const { loans, faults } = tape([GOOD, GOOD.replace('a,', 'b,').replace('50000', '0')]);
    expect(loans.map(({ id }) => id)).toEqual(['a']);
    expect(faults).toEqual([
      {
        line: 3,
        id: 'b',
        column: 'loan_amount',
        message: 'loan_amount must be above 0; got 0',
        remedy: 'Leave out a loan that is repaid.',
      },
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
      [3, 'b', 'maturity'],
      [4, undefined, 'loan_id'],
      [5, 'c', 'collateral_amount'],
      [5, 'c', 'loan_amount'],
      [6, 'd', undefined],
    ]);
    expect(faults.every(({ remedy }) => remedy.length > 0)).toBe(true);
  });

  it('leaves out a loan as a whole where one of its rows has a fault', () => {
    const { loans, faults } = tape([GOOD, 'a,,ETH,some,,,,,,']);
    expect(loans).toEqual([]);
    expect(faults).toEqual([expect.objectContaining({ line: 3, id: 'a', column: 'collateral_amount' })]);
  });

  it('refuses a loan with two values of one term, or with a repeated collateral asset', () => {
    const { faults } = tape([GOOD, 'a,Bob,BTC,1,,60000,,,,']);
    expect(faults.map(({ message }) => message)).toEqual([
      '"Bob" differs from "Ann" in line 2 of the same loan',
      '60000 differs from 50000 in line 2 of the same loan',
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

  it('is refused without rows, and without amounts above 0', () => {
    expect(tape([]).faults).toEqual([expect.objectContaining({ message: 'the tape has no rows' })]);
    expect(tape([GOOD.replace('1.5', '0')]).faults).toEqual([
      expect.objectContaining({ line: 2, message: 'collateral_amount must be above 0; got 0' }),
    ]);
  });
});
