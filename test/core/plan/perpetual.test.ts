/** The terms of a perpetual in units of its equity, on one position in both contracts. */
import { describe, expect, it } from 'vitest';
import { PERPETUAL, positionStart, positionTerms } from '#src/core/plan/product/perpetual.js';
import type { PerpetualProduct } from '#src/core/plan/simulation-plan.js';

/** Long 2 units from 45,000 USD, at 50,000 USD now: an equity of 5,000 + 2 x 5,000 beside a notional of 100,000. */
const LINEAR: PerpetualProduct = {
  kind: 'perpetual',
  contract: 'linear',
  quantity: 2,
  entryPrice: 45_000,
  startPrice: 50_000,
  initialMargin: 5000,
  unrealizedPnl: 10_000,
  fundingRatePerInterval: 0.001,
  settlements: Uint32Array.of(1),
  debitsOnly: false,
  maintenanceMarginRate: 0.02,
  takerFeeRate: 0.005,
  marginCallMultiple: 1.2,
  steps: 1,
};
/** Short 100,000 USD at 50,000 USD: 2 coins, of which 0.3 are equity. */
const INVERSE: PerpetualProduct = {
  ...LINEAR,
  contract: 'inverse',
  quantity: -100_000,
  initialMargin: 0.1,
  unrealizedPnl: 0.2,
};

describe('The terms of a position', () => {
  it.each([
    ['a long linear', LINEAR],
    ['a short inverse', INVERSE],
  ])('are multiples of the equity of %s, whose notional is 6.67 times the equity', (_, product) => {
    const terms = positionTerms(product);
    expect(terms.exposure).toBeCloseTo(100 / 15, 12);
    expect(terms.maintenance).toBeCloseTo(2.5 / 15, 12);
    expect(terms.marginCall).toBeCloseTo(3 / 15, 12);
    expect(terms.fee).toBeCloseTo(0.5 / 15, 12);
    // At a positive rate longs pay shorts.
    expect(terms.funding).toBeCloseTo((product === LINEAR ? -0.1 : 0.1) / 15, 12);
  });

  it.each([
    ['a short linear', { ...LINEAR, quantity: -2 }],
    ['a long inverse', { ...INVERSE, quantity: 100_000 }],
  ])('have a negative exposure and the same margins for %s', (_, product) => {
    const terms = positionTerms(product);
    expect(terms.exposure).toBeCloseTo(-100 / 15, 12);
    expect(terms.maintenance).toBeCloseTo(2.5 / 15, 12);
    expect(terms.marginCall).toBeCloseTo(3 / 15, 12);
    expect(terms.fee).toBeCloseTo(0.5 / 15, 12);
  });

  it.each([
    ['a long linear', LINEAR, 500],
    ['a short inverse', INVERSE, 0.01],
  ])('exempt the notional that an amount relieves of margin and fee of %s', (_, product, amount) => {
    expect(positionTerms(product).exempt).toBe(0);
    // 500 of 2.5 % of 100,000 USD, 0.01 of 2.5 % of 2 coins.
    const terms = positionTerms({ ...product, maintenanceAmount: amount });
    expect(terms.exempt).toBeCloseTo(0.2, 12);
    expect({ ...terms, exempt: 0 }).toEqual(positionTerms(product));
  });

  it('book paid funding and no received funding when only debits count', () => {
    const fundingOf = (terms: Partial<PerpetualProduct>) =>
      positionTerms({ ...LINEAR, debitsOnly: true, ...terms }).funding;
    expect(fundingOf({})).toBeCloseTo(-0.1 / 15, 12);
    expect(fundingOf({ fundingRatePerInterval: -0.001 })).toBe(0);
    expect(fundingOf({ quantity: -2 })).toBe(0);
  });
});

describe('The start of a position', () => {
  /** After a shock that leaves so much equity of 3,000. */
  const startOf = (equity: number) =>
    positionStart({ ...LINEAR, initialMargin: equity, unrealizedPnl: 0, equityBefore: 3000 });

  it('has no call and no liquidation without a shock', () => {
    const { equityBefore: _, ...unshocked } = LINEAR;
    expect(positionStart({ ...unshocked, initialMargin: 1, unrealizedPnl: 0 })).toEqual({
      peak: 0,
      called: false,
      liquidated: false,
    });
  });

  it('is called at or below 1.2 times margin and fee, and liquidated at or below them', () => {
    // (0.02 + 0.005) x 100,000 = 2,500.
    expect(startOf(3001)).toMatchObject({ called: false, liquidated: false });
    expect(startOf(3000)).toMatchObject({ called: true, liquidated: false });
    expect(startOf(2501)).toMatchObject({ called: true, liquidated: false });
    expect(startOf(2500)).toMatchObject({ called: true, liquidated: true });
  });

  it('needs less equity by an amount, and none where the amount is above margin and fee', () => {
    const start = (equity: number, maintenanceAmount: number) =>
      positionStart({
        ...{ ...LINEAR, maintenanceAmount },
        ...{ initialMargin: equity, unrealizedPnl: 0, equityBefore: 3000 },
      });
    // 2,500 less 500, and 1.2 times that.
    expect(start(2401, 500)).toMatchObject({ called: false, liquidated: false });
    expect(start(2400, 500)).toMatchObject({ called: true, liquidated: false });
    expect(start(2000, 500)).toMatchObject({ called: true, liquidated: true });
    expect(start(1, 3000)).toMatchObject({ called: false, liquidated: false });
    expect(start(0, 3000)).toMatchObject({ called: true, liquidated: true });
  });

  it('has the equity before the shock as its peak when that was higher', () => {
    expect(startOf(2500).peak).toBeCloseTo(0.2, 12);
    expect(startOf(3000).peak).toBe(0);
    expect(startOf(6000).peak).toBe(0);
  });

  it.each(PERPETUAL.usual.terms(1))('is open and uncalled for the usual $contract position', product => {
    const equityBefore = product.initialMargin + product.unrealizedPnl;
    expect(positionStart({ ...product, equityBefore })).toEqual({
      peak: 0,
      called: false,
      liquidated: false,
    });
  });
});
