/** Amounts of loans by the assets of their collateral. */
import { describe, expect, it } from 'vitest';
import { splitOverCollateral, spreadOverCollateral } from '#src/core/book/by-asset.js';
import { BOOK, type BookProduct } from '#src/core/plan/product/book.js';

const ASSETS = 2;
const [USUAL] = BOOK.usual.terms(ASSETS) as readonly BookProduct[];
/** Three loans on two baskets; the first asset has fallen by a half, so that weights sum to 0.75 and 0.5. */
const FALLEN: BookProduct = {
  ...USUAL,
  basket: Uint32Array.of(0, 1, 0),
  collateralWeights: Float64Array.of(0.25, 0.5, 0.5, 0),
  loanWeights: Float64Array.of(0, 1, 0, 1),
};
const AMOUNTS = [30, 10, 60];
const amountOf = (loan: number) => AMOUNTS[loan];

describe('After a fall of a price', () => {
  it('amounts of loans are split without a rest, by the values of the collateral', () => {
    // Loans 0 and 2: a third and two thirds; loan 1: the first asset alone.
    const [first, second] = splitOverCollateral(FALLEN, ASSETS, amountOf);
    expect(first).toBeCloseTo(90 / 3 + 10, 12);
    expect(second).toBeCloseTo((2 * 90) / 3, 12);
  });

  it('values before it become values after it', () => {
    expect([...spreadOverCollateral(FALLEN, ASSETS, amountOf)]).toEqual([90 * 0.25 + 10 * 0.5, 90 * 0.5]);
  });
});
