/** An earlier tape and a tape of now. */
import { expect, it } from 'vitest';
import { changesOf, withTermsOfThen } from '#src/question/report/compare.js';
import type { TapeLoan } from '#src/tape/tape.js';
import { withOwnValue, withUnits } from '#src/tape/valuation.js';

const loan = (id: string, more: Partial<TapeLoan> = {}): TapeLoan => ({
  ...{ id, lines: [2], loanAsset: 'USD', loanAmount: 100 },
  collateral: [{ asset: 'BTC', amount: 1 }],
  terms: { margin_call_ltv: 0.75 },
  ...more,
});

it('Loans that are new, gone or have other terms are named, with both values', () => {
  const then = [
    loan('gone'),
    loan('same', { lines: [3] }),
    loan('other', {
      borrower: 'Ann',
      terms: { margin_call_ltv: 0.75, interest: 0.1, maturity: Date.UTC(2026, 0, 1) },
    }),
    loan('units', { collateral: [{ asset: 'BTC', amount: 7, liquidationLtv: 0.8 }, { asset: 'ETH' }] }),
  ];
  const now = [
    loan('units', {
      collateral: [
        { asset: 'BTC', amount: 8, liquidationLtv: 0.85 },
        { asset: 'ETH', amount: 1 },
      ],
    }),
    loan('new'),
    loan('same'),
    loan('other', {
      ...{ loanAsset: 'DAI', loanAmount: 50 },
      terms: { margin_call_ltv: 0.8, maturity: Date.UTC(2026, 1, 1, 15), called_at: 0 },
    }),
  ];
  expect(changesOf(then, now)).toEqual({
    New: ['new'],
    Gone: ['gone'],
    LeftOut: [],
    Changed: [
      { Id: 'units', Term: 'collateral BTC', Then: 7, Now: 8 },
      { Id: 'units', Term: 'liquidation_ltv BTC', Then: 0.8, Now: 0.85 },
      { Id: 'units', Term: 'collateral ETH', Then: 0, Now: 1 },
      { Id: 'other', Term: 'borrower', Then: 'Ann', Now: null },
      { Id: 'other', Term: 'loan USD', Then: 100, Now: null },
      { Id: 'other', Term: 'margin_call_ltv', Then: 0.75, Now: 0.8 },
      { Id: 'other', Term: 'interest', Then: 0.1, Now: null },
      { Id: 'other', Term: 'maturity', Then: '2026-01-01T00:00Z', Now: '2026-02-01T15:00Z' },
      { Id: 'other', Term: 'loan DAI', Then: null, Now: 50 },
      { Id: 'other', Term: 'called_at', Then: null, Now: '1970-01-01T00:00Z' },
    ],
  });
  expect(changesOf(now, now)).toEqual({ New: [], Gone: [], LeftOut: [], Changed: [] });
  expect(
    withTermsOfThen(then, now).map(each => [each.id, each === then.find(({ id }) => id === each.id)]),
  ).toEqual([
    ['units', true],
    ['new', false],
    ['same', true],
    ['other', true],
  ]);
});

it('Loans that are left out today for faults are not gone', () => {
  const then = [loan('gone'), loan('faulty'), loan('same')];
  const faulty = new Set(['faulty', 'new and faulty']);
  expect(changesOf(then, [loan('same')], faulty)).toEqual({
    ...{ New: [], Gone: ['gone'], LeftOut: ['faulty'], Changed: [] },
  });
});

it('A debt in USD is compared in USD, whatever its asset costs on each day', () => {
  const owing = (usd: number, price: number) => {
    const { loanAmount: _units, ...others } = loan('debt', { loanAsset: 'BTC', loanValueUsd: usd });
    return withUnits(others, new Map([['BTC', price]]));
  };
  expect(owing(100, 50)).toMatchObject({ loanAmount: 2, loanValueUsd: 100 });
  expect(withOwnValue(owing(100, 50))).not.toHaveProperty('loanAmount');
  expect(changesOf([owing(100, 50)], [owing(100, 40)]).Changed).toEqual([]);
  expect(changesOf([owing(100, 50)], [owing(90, 40)]).Changed).toEqual([
    { Id: 'debt', Term: 'loan BTC (USD)', Then: 100, Now: 90 },
  ]);
  const inUnits = loan('debt', { loanAsset: 'BTC', loanAmount: 3 });
  expect(withOwnValue(inUnits)).toBe(inUnits);
  expect(changesOf([owing(100, 50)], [inUnits]).Changed).toEqual([
    { Id: 'debt', Term: 'loan BTC', Then: 2, Now: 3 },
  ]);
});
