/** The assets of baskets, of one side and of both. */
import { expect, it } from 'vitest';
import { signedTerms, sparseWeights } from '#src/core/book/signed-terms.js';

/** Three baskets of five assets. */
const COLLATERAL = [
  [0, 2, 0, 0, 3],
  [0, 0, 0, 0, 0],
  [1, 1, 1, 1, 1],
];
const LOAN = [
  [4, 5, 0, 0, 0],
  [0, 0, 6, 0, 0],
  [0, 0, 0, 7, 0],
];
const sides = [COLLATERAL, LOAN].map(rows => sparseWeights(Float64Array.from(rows.flat()), 5));

it('One side has the assets of each basket without those of weight 0', () => {
  const [collateral, loan] = sides;
  expect([...collateral.start]).toEqual([0, 2, 2, 7]);
  expect([...collateral.asset]).toEqual([1, 4, 0, 1, 2, 3, 4]);
  expect([...collateral.weight]).toEqual([2, 3, 1, 1, 1, 1, 1]);
  expect([...loan.start]).toEqual([0, 2, 3, 4]);
  expect([...loan.asset]).toEqual([0, 1, 2, 3]);
  expect([...loan.weight]).toEqual([4, 5, 6, 7]);
});

it('Both sides have the assets of either, rising, and zeros up to four', () => {
  const [collateral, loan] = sides;
  const terms = signedTerms(collateral, loan);
  expect([...terms.start]).toEqual([0, 4, 8, 13]);
  expect([...terms.asset]).toEqual([0, 1, 4, 0, 2, 0, 0, 0, 0, 1, 2, 3, 4]);
  expect([...terms.collateral]).toEqual([0, 2, 3, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
  expect([...terms.loan]).toEqual([4, 5, 0, 0, 6, 0, 0, 0, 0, 0, 0, 7, 0]);
});
