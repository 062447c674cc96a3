/** Faults of a tape by what is wrong. */
import { describe, expect, it } from 'vitest';
import { faultGroups, othersText, placesText } from '#src/tape/fault-groups.js';
import { readTape } from '#src/tape/read-tape.js';
import { textTable } from '#src/tape/tables.js';
import type { TapeFault } from '#src/tape/tape.js';

const HEADER =
  'loan_id,collateral_asset,collateral_amount,loan_asset,loan_amount,margin_call_ltv,liquidation_ltv,grace_hours,maturity';
const faultsOf = (...rows: readonly string[]) =>
  readTape(textTable([HEADER, ...rows, ''].join('\n')), {}).faults;
const fault = (message: string, more: Partial<TapeFault> = {}): TapeFault => ({
  code: 'malformed',
  line: 2,
  message,
  remedy: 'Correct it.',
  ...more,
});

describe('Faults of a tape', () => {
  it('that differ in values and places only are one group, in the order of their first rows', () => {
    const faults = faultsOf(
      'a,BTC,1,USD,5000,80,0.9,24,',
      'b,BTC,3.1 est.,USD,5000,0.8,0.9,24,31/31/2026',
      'c,BTC,1,USD,5000,"82.5",0.9,24,30/30/2026',
      'd,BTC,"2.4 est.",USD,5000,-7e3,90,24,',
    );
    expect(faultGroups(faults).map(({ all }) => all.map(({ line, column }) => [line, column]))).toEqual([
      [
        [2, 'margin_call_ltv'],
        [4, 'margin_call_ltv'],
      ],
      [
        [3, 'collateral_amount'],
        [5, 'collateral_amount'],
      ],
      [
        [3, 'maturity'],
        [4, 'maturity'],
      ],
      [[5, 'liquidation_ltv']],
    ]);
    expect(faultGroups(faults).flatMap(({ all }) => all)).toHaveLength(faults.length);
  });

  it.each([
    ['names of assets', fault('there is no price of PEPE2'), fault('there is no price of PEPE3')],
    ['columns', fault('is missing', { column: 'a' }), fault('is missing', { column: 'b' })],
    ['remedies', fault('no number'), fault('no number', { remedy: 'Say --decimal comma.' })],
    [
      'a row and the tape',
      fault('is missing'),
      { code: 'malformed' as const, message: 'is missing', remedy: 'Correct it.' },
    ],
    ['words', fault('"1" is not a number'), fault('"1" is not a date')],
  ])('with other %s are other groups', (_, one, other) => {
    expect(faultGroups([one, other])).toHaveLength(2);
  });

  it.each([
    ['texts with quotes', fault('"a \\"b\\"" is not a date'), fault('"c" is not a date')],
    ['days and moments', fault('due by 2026-01-31T15:00Z, data end'), fault('due by 2026-02-28, data end')],
    ['negative and large numbers', fault('got -1.5e-7'), fault('got 1,234,567.5')],
  ])('with other %s are one group', (_, one, other) => {
    expect(faultGroups([one, other])).toHaveLength(1);
  });

  it('have the places of the first five, and the number of the others', () => {
    const many = (count: number) =>
      faultGroups(
        Array.from({ length: count }, (_, k) => fault('is missing', { line: k + 2, id: `l${k}` })),
      )[0];
    expect(othersText(many(1))).toBe('');
    expect(othersText(many(2))).toBe('The same in 1 more row: line 3 (loan l1).');
    expect(othersText(many(5000))).toBe(
      'The same in 4,999 more rows: line 3 (loan l1), line 4 (loan l2), line 5 (loan l3), line 6 (loan l4) and 4,995 more.',
    );
    expect(placesText([fault('x'), fault('x', { line: 7, id: 'b' })])).toBe('line 2, line 7 (loan b)');
  });
});
