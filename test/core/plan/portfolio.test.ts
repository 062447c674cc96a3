/** The numbering of the assets of two baskets. */
import { expect, it } from 'vitest';
import { Faults } from '#src/core/plan/fields.js';
import { assetCount, numberAssets } from '#src/core/plan/portfolio.js';

it('Assets of either basket have numbers in alphabetical order, and weights of 0 where they are not in a basket', () => {
  const { symbols, collateralWeights, loanWeights } = numberAssets({ ETH: 2, BTC: 1 }, { USDC: 3, BTC: 0.5 });
  expect(symbols).toEqual(['BTC', 'ETH', 'USDC']);
  expect([...collateralWeights]).toEqual([1, 2, 0]);
  expect([...loanWeights]).toEqual([0.5, 0, 3]);
});

it('A plan has 1 to 32 assets', () => {
  const isAccepted = (count: number) => {
    const faults = new Faults();
    assetCount.read(count, 'assets', faults);
    return faults.list.length === 0;
  };
  expect([0, 1, 32, 33].map(isAccepted)).toEqual([false, true, true, false]);
});
