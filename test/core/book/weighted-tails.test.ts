/** Summaries of a column of a book: plain paths, and paths that have weights. */
import { expect, it } from 'vitest';
import { summaryOf } from '#src/core/book/weighted-tails.js';

const QUANTILES = Float64Array.of(0.5, 0.75);

it('A column has its mean, the share of its paths above 0, quantiles of type 7, and the means above them', () => {
  // Ranks 1.5 and 2.25 from 0; the upper half is 2 and 6, the upper quarter 6.
  expect(summaryOf(Float64Array.of(6, 0, 2, 0), QUANTILES, undefined)).toEqual({
    mean: 2,
    positiveShare: 0.5,
    quantiles: [1, 3],
    tailMeans: [4, 6],
  });
});

it('A path of weight 2 counts as two paths of weight 1', () => {
  const one = summaryOf(Float64Array.of(0, 8, 2, 0), QUANTILES, Float64Array.of(1, 2, 2, 3));
  const each = summaryOf(Float64Array.of(0, 8, 8, 2, 2, 0, 0, 0), QUANTILES, new Float64Array(8).fill(1));
  expect(one).toEqual(each);
  expect(one).toEqual({ mean: 2.5, positiveShare: 0.5, quantiles: [0, 2], tailMeans: [5, 8] });
});
