/** The state of loans today: bands, concentration, prices of calls. */
import { describe, expect, it } from 'vitest';
import { afterFall, standingOf, todayOf } from '#src/desk/today.js';
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

  it('has a band for each tenth from 0.3 to 1, with its lower end in it', () => {
    const ltvs = [0.1, 0.29999, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99999, 1, 7];
    const loans = ltvs.map((ltv, k) => ({
      ...loan(`l${k}`, ltv * 1000, [{ asset: 'USD', amount: 1000 }]),
      borrower: 'Ann',
    }));
    const { Bands, Assets, Borrowers } = todayOf(loans, PRICES);
    expect(Bands.map(({ Name, Loans }) => [Name, Loans])).toEqual([
      ['below 0.3', 2],
      ['0.3 to 0.4', 1],
      ['0.4 to 0.5', 1],
      ['0.5 to 0.6', 1],
      ['0.6 to 0.7', 1],
      ['0.7 to 0.8', 1],
      ['0.8 to 0.9', 1],
      ['0.9 to 1', 2],
      ['above 1', 2],
    ]);
    expect(Bands[0]).toMatchObject({ LoanUsd: expect.closeTo(399.99, 9), CollateralUsd: 2000 });
    expect(Bands[8]).toMatchObject({ LoanUsd: 8000, CollateralUsd: 2000 });
    const LoanUsd = expect.closeTo(1000 * ltvs.reduce((a, b) => a + b), 6);
    expect(Assets).toEqual([{ Name: 'USD', Loans: 12, LoanUsd, CollateralUsd: 12_000 }]);
    expect(Borrowers).toEqual([{ Name: 'Ann', Loans: 12, LoanUsd, CollateralUsd: 12_000 }]);
  });

  it('has parts of the same size in the order of their names, and a loan at its assets by their value', () => {
    const { Assets, Borrowers } = todayOf(
      [loan('z', 100, BOTH), loan('y', 100, [{ asset: 'ETH', amount: 1 }]), loan('x', 100, BOTH)],
      PRICES,
    );
    expect(Borrowers.map(({ Name }) => Name)).toEqual(['x', 'y', 'z']);
    expect(Assets).toEqual([
      { Name: 'ETH', Loans: 3, LoanUsd: 200, CollateralUsd: 102_500 },
      { Name: 'BTC', Loans: 2, LoanUsd: 100, CollateralUsd: 100_000 },
    ]);
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

  it('names the price of the asset of the loan, and that it rises, unless it is a stablecoin', () => {
    const short = { ...loan('s', 20, [{ asset: 'USD', amount: 100_000 }]), loanAsset: 'ETH' };
    const { Levels } = standingOf(short, PRICES);
    const rise = {
      ...{ Asset: 'ETH', Price: 2_500, Rise: true },
      ...{ CallPrice: expect.closeTo(3_750, 9), LiquidationPrice: expect.closeTo(4_250, 9) },
    };
    // The dollar of the collateral has no price that falls; a stablecoin has one.
    expect(Levels).toEqual([rise]);
    const ofCoin = { ...short, collateral: [{ asset: 'USDC', amount: 100_000 }] };
    expect(standingOf(ofCoin, new Map([...PRICES, ['USDC', 1]])).Levels).toEqual([
      {
        ...{ Asset: 'USDC', Price: 1 },
        ...{ CallPrice: expect.closeTo(2 / 3, 9), LiquidationPrice: expect.closeTo(50 / 85, 9) },
      },
      rise,
    ]);
    const both = { ...loan('b', 5, BOTH), loanAsset: 'ETH' };
    expect(standingOf(both, PRICES).Levels.map(({ Asset, Rise }) => [Asset, Rise])).toEqual([
      ['BTC', undefined],
      ['ETH', undefined],
    ]);
  });

  it('has the standing of a loan with a value in place of units', () => {
    const pledged = [{ asset: 'ETH', valueUsd: 50_000 }];
    expect(standingOf({ ...loan('v', 30_000, pledged), lines: [2, 4] }, PRICES)).toEqual({
      ...{ Id: 'v', Borrower: null, Lines: [2, 4], CollateralUsd: 50_000, LoanUsd: 30_000, Ltv: 0.6 },
      ...{ MarginCallLtv: 0.75, LiquidationLtv: 0.85, Status: 'within', FallingShare: 1 },
      FallToCall: expect.closeTo(0.2, 12),
      FallToLiquidation: expect.closeTo(1 - 0.6 / 0.85, 12),
      Levels: [
        {
          Asset: 'ETH',
          Price: 2500,
          CallPrice: expect.closeTo(2000, 9),
          LiquidationPrice: expect.closeTo(2500 * (0.6 / 0.85), 9),
        },
      ],
    });
  });

  it('has prices at which a loan of an asset of its own has the LTVs of its terms', () => {
    const owed = { ...loan('e', 10, BTC), loanAsset: 'ETH' };
    expect(standingOf(owed, PRICES).Levels).toMatchObject([
      {
        Asset: 'BTC',
        CallPrice: expect.closeTo(25_000 / 0.75, 9),
        LiquidationPrice: expect.closeTo(25_000 / 0.85, 9),
      },
      { Asset: 'ETH', CallPrice: expect.closeTo(3_750, 9), Rise: true },
    ]);
  });

  it('has no prices of a loan without terms', () => {
    const [{ CallPrice, LiquidationPrice }] = standingOf({ ...LOANS[0], terms: {} }, PRICES).Levels;
    expect([CallPrice, LiquidationPrice]).toEqual([null, null]);
  });

  it('names the fall of all collateral to a call, and 0 for a called loan', () => {
    const { FallToCall, FallToLiquidation } = standingOf(LOANS[0], PRICES);
    expect(FallToCall).toBeCloseTo(0.2, 12);
    expect(FallToLiquidation).toBeCloseTo(1 - 0.6 / 0.85, 12);
    expect(standingOf(LOANS[1], PRICES).FallToCall).toBe(0);
  });

  it.each([
    // 50,000 of BTC and 40,000 of dollars or stablecoins against 60,000: BTC falls to 40,000 and to 30,588.
    ['USD', 'USD', 60_000, 1 - 40 / 50, 1 - (60 / 0.85 - 40) / 50],
    ['USDC', 'USDC', 60_000, 1 - 40 / 50, 1 - (60 / 0.85 - 40) / 50],
    // The stablecoins alone cover the loan.
    ['USD', 'USD', 30_000, null, null],
    ['USD', 'USD', 33_000, 1 - 4 / 50, null],
    // A loan in BTC becomes smaller with its collateral; one in ETH does not.
    ['USDC', 'BTC', 1.2, null, null],
    ['USDC', 'BTC', 1.38, 0, null],
    ['USDC', 'ETH', 24, 1 - 40 / 50, 1 - (60 / 0.85 - 40) / 50],
    // A currency stays, as collateral and as debt.
    ['EUR', 'EUR', 60_000, 1 - 40 / 50, 1 - (60 / 0.85 - 40) / 50],
  ])(
    'falls by all collateral but currencies and stablecoins: %s against a loan in %s of %d',
    (steady, loanAsset, amount, call, liquidation) => {
      const collateral = [...BTC, { asset: steady, amount: 40_000 }];
      const each = { ...loan('m', amount, collateral), loanAsset };
      const prices = new Map([...PRICES, ['USDC', 1], ['EUR', 1]]);
      const standing = standingOf(each, prices);
      expect(standing.FallingShare).toBeCloseTo(5 / 9, 12);
      const { FallToCall, FallToLiquidation } = standing;
      for (const [fall, expected, ltv] of [
        [FallToCall, call, 0.75],
        [FallToLiquidation, liquidation, 0.85],
      ] as const) {
        if (expected === null) expect(fall).toBeNull();
        else expect(fall).toBeCloseTo(expected, 12);
        if (expected === null || expected === 0) continue;
        const after = new Map([...prices, ['BTC', 50_000 * (1 - expected)]]);
        expect(loanValueOf(each, after).ltv).toBeCloseTo(ltv, 12);
        expect(afterFall(standing, expected).ltv).toBeCloseTo(ltv, 12);
      }
    },
  );

  it('lends less after a fall where the loan is in an asset of its collateral', () => {
    const each = { ...loan('m', 1, [...BTC, { asset: 'USD', amount: 40_000 }]), loanAsset: 'BTC' };
    const standing = standingOf(each, PRICES);
    expect(standing.LoanFalls).toBe(true);
    const after = loanValueOf(each, new Map([...PRICES, ['BTC', 30_000]]));
    const fallen = afterFall(standing, 0.4);
    expect(fallen.ltv).toBeCloseTo(after.ltv, 12);
    expect(fallen.loanUsd).toBeCloseTo(after.loanUsd, 8);
    expect(fallen.collateralUsd).toBeCloseTo(after.collateralUsd, 8);
  });

  it('reaches the liquidation of thresholds by asset where the debt is the sum of value x threshold', () => {
    const collateral = [
      { asset: 'BTC', amount: 1, liquidationLtv: 0.8 },
      { asset: 'USD', amount: 40_000, liquidationLtv: 0.95 },
    ];
    const { terms, ...each } = loan('t', 60_000, collateral);
    const { liquidation_ltv: _one, ...others } = terms;
    const standing = standingOf({ ...each, terms: others }, PRICES);
    // 50,000 x 0.8 (1 - f) + 40,000 x 0.95 = 60,000.
    expect(standing.LiquidationLtv).toBeCloseTo(78_000 / 90_000, 12);
    expect(standing.FallToLiquidation).toBeCloseTo(0.45, 12);
    expect(standing.Levels[0].LiquidationPrice).toBeCloseTo(27_500, 8);
    const { ltv, liquidationLtv } = afterFall(standing, 0.45);
    expect(ltv).toBeCloseTo(liquidationLtv, 12);
  });

  it('names no price of an asset that alone does not lead to a call', () => {
    const safe = loan('s', 10_000, BOTH);
    expect(standingOf(safe, PRICES).Levels.map(({ CallPrice }) => CallPrice)).toEqual([null, null]);
  });
});
