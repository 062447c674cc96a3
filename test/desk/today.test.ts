/** The state of loans today: bands, concentration, prices of calls. */
import { describe, expect, it } from 'vitest';
import { standingOf, todayOf } from '#src/desk/today.js';
import type { TapeLoan } from '#src/tape/tape.js';
import { loanValueOf } from '#src/tape/valuation.js';

const PRICES = new Map([
  ['BTC', 50_000],
  ['ETH', 2_500],
  ['USD', 1],
]);
const loan = (
  id: string,
  loanAmount: number,
  collateral: TapeLoan['collateral'],
  borrower?: string,
): TapeLoan => ({
  id,
  lines: [2],
  ...(borrower !== undefined && { borrower }),
  collateral,
  loanAsset: 'USD',
  loanAmount,
  terms: { margin_call_ltv: 0.75, liquidation_ltv: 0.85, grace_hours: 24 },
});
const BTC = [{ asset: 'BTC', amount: 1 }];
const BOTH = [
  { asset: 'BTC', amount: 1 },
  { asset: 'ETH', amount: 20 },
];
const LOANS = [
  loan('a', 30_000, BTC, 'Ann'),
  loan('b', 40_000, BTC, 'Ann'),
  loan('c', 47_500, BTC),
  loan('d', 60_000, BOTH, 'Dan'),
];

describe('A book today', () => {
  it('counts every loan once, by LTV band', () => {
    const { Bands, Called, Liquidated, LoanUsd, CollateralUsd, Ltv } = todayOf(LOANS, PRICES);
    expect(
      Object.fromEntries(Bands.filter(({ Loans }) => Loans > 0).map(({ Name, Loans }) => [Name, Loans])),
    ).toEqual({
      '0.6 to 0.7': 2,
      '0.8 to 0.9': 1,
      '0.9 to 1': 1,
    });
    expect({ Called, Liquidated, LoanUsd, CollateralUsd, Ltv }).toEqual({
      Called: 1,
      Liquidated: 1,
      LoanUsd: 177_500,
      CollateralUsd: 250_000,
      Ltv: 0.71,
    });
  });

  it('is divided by asset and by borrower, the largest first; a loan without a borrower stands alone', () => {
    const { Assets, Borrowers } = todayOf(LOANS, PRICES);
    expect(Assets.map(({ Name, Loans, CollateralUsd }) => [Name, Loans, CollateralUsd])).toEqual([
      ['BTC', 4, 200_000],
      ['ETH', 1, 50_000],
    ]);
    expect(Borrowers.map(({ Name, Loans, LoanUsd }) => [Name, Loans, LoanUsd])).toEqual([
      ['Ann', 2, 70_000],
      ['Dan', 1, 60_000],
      ['c', 1, 47_500],
    ]);
  });

  it.each(LOANS)('names prices at which loan $id has the LTVs of its terms', each => {
    for (const { Asset, CallPrice, LiquidationPrice } of standingOf(each, PRICES).Levels)
      for (const [price, ltv] of [
        [CallPrice, 0.75],
        [LiquidationPrice, 0.85],
      ] as const)
        expect(loanValueOf(each, new Map([...PRICES, [Asset, price as number]])).ltv).toBeCloseTo(ltv, 12);
  });

  it('names the fall of all collateral to a call, and 0 for a called loan', () => {
    const { FallToCall, FallToLiquidation } = standingOf(LOANS[0], PRICES);
    expect(FallToCall).toBeCloseTo(0.2, 12);
    expect(FallToLiquidation).toBeCloseTo(1 - 0.6 / 0.85, 12);
    expect(standingOf(LOANS[1], PRICES).FallToCall).toBe(0);
  });

  it('names no price of an asset that alone does not lead to a call', () => {
    const safe = loan('s', 10_000, BOTH);
    expect(standingOf(safe, PRICES).Levels.map(({ CallPrice }) => CallPrice)).toEqual([null, null]);
  });
});
