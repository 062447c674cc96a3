/** Value and state of a loan at prices. */
import { describe, expect, it } from 'vitest';
import type { TapeLoan } from '#src/tape/tape.js';
import { assetsOf, distinctAssets, faultAtAsset, loanValueOf, priceOf } from '#src/tape/valuation.js';

const PRICES = new Map([
  ['BTC', 50_000],
  ['ETH', 2_500],
  ['USDC', 0.5],
]);
const LOAN: TapeLoan = {
  id: 'a',
  lines: [3, 5],
  collateral: [
    { asset: 'ETH', amount: 10, valueUsd: 1 },
    { asset: 'BTC', valueUsd: 75_000 },
  ],
  loanAsset: 'USDC',
  loanAmount: 100_000,
  terms: { margin_call_ltv: 0.75, liquidation_ltv: 0.875 },
};

describe('A loan at prices', () => {
  it('has the sum of its collateral, by amounts before values', () => {
    expect(loanValueOf(LOAN, PRICES)).toEqual({
      collateralUsd: 100_000,
      loanUsd: 50_000,
      ltv: 0.5,
      liquidationLtv: 0.875,
      status: 'within',
    });
  });

  it.each([
    [150_000, 'within'],
    [150_001, 'called'],
    [175_000, 'called'],
    [175_001, 'liquidated'],
  ])('of %d units is %s: at an LTV of its terms it is not yet beyond it', (loanAmount, status) => {
    expect(loanValueOf({ ...LOAN, loanAmount }, PRICES).status).toBe(status);
  });

  it('without terms is within them', () => {
    expect(loanValueOf({ ...LOAN, loanAmount: 1e9, terms: {} }, PRICES).status).toBe('within');
  });

  it('names its assets, and those of several loans once, in alphabetical order', () => {
    expect(assetsOf(LOAN)).toEqual(['ETH', 'BTC', 'USDC']);
    expect(distinctAssets([LOAN, { ...LOAN, loanAsset: 'DAI' }])).toEqual(['BTC', 'DAI', 'ETH', 'USDC']);
  });

  it('has the fault of an asset at its first line, in the column of the asset', () => {
    const fault = { code: 'no_data' as const, message: 'no price', remedy: 'none' };
    expect(faultAtAsset(LOAN, 'BTC', fault)).toEqual({
      line: 3,
      id: 'a',
      column: 'collateral_asset',
      ...fault,
    });
    expect(faultAtAsset(LOAN, 'USDC', fault)).toEqual({ line: 3, id: 'a', column: 'loan_asset', ...fault });
  });

  it('is not valued without a price', () => {
    expect(() => priceOf('SOL', PRICES)).toThrow('there is no price of SOL');
  });
});
