/**
 * A column of a book's paths in the few numbers that its answer has.
 */

import type { ColumnSummary } from '../plan/product/book.ts';
import { quantileType7 } from '../stats/quantile.ts';
import { tailMean, upperTail } from './tail-weights.ts';

/** Mean, share above 0, and per quantile the type-7 quantile and the mean of the tail above it. */
export function summarise(column: Float64Array, quantiles: Float64Array): ColumnSummary {
  const sorted = Float64Array.from(column).sort();
  let sum = 0;
  let positive = 0;
  for (const value of sorted) {
    sum += value;
    if (value > 0) positive += 1;
  }
  return {
    mean: sum / sorted.length,
    positiveShare: positive / sorted.length,
    quantiles: Array.from(quantiles, q => quantileType7(sorted, q)),
    tailMeans: Array.from(quantiles, q => tailMean(upperTail(sorted, q), sorted)),
  };
}
