/** Summaries of a column of a book's paths, and tails of weighted paths. */
import { isShifted } from '../plan/model/gbm-shifted.ts';
import type { BookLoanSums, ColumnSummary, WeightedLoanSums } from '../plan/product/book.ts';
import { quantileType7 } from '../stats/quantile.ts';
import { weightedQuantile } from '../stats/weighted-quantile.ts';
import { tailMean, tailWeight, type UpperTail, upperTail } from './tail-weights.ts';

/** The upper 1 - q of the whole weight; a path counts with its weight times `tailWeight`. */
export function weightedUpperTail(column: Float64Array, weights: Float64Array, q: number): UpperTail {
  const level = weightedQuantile(column, weights, q);
  let total = 0;
  let higher = 0;
  let equal = 0;
  for (let p = 0; p < column.length; p++) {
    total += weights[p];
    if (column[p] > level) higher += weights[p];
    else if (column[p] === level) equal += weights[p];
  }
  const above = 1 / (total * (1 - q));
  return { level, above, at: Math.max(0, 1 - higher * above) / equal };
}

/** Mean, share above 0, and per quantile the quantile and the mean of the tail above it. @param weights of the paths, if any */
export const summaryOf = (
  column: Float64Array,
  quantiles: Float64Array,
  weights: Float64Array | undefined,
): ColumnSummary =>
  weights === undefined
    ? summaryOfSorted(Float64Array.from(column).sort(), quantiles)
    : weightedSummary(column, weights, quantiles);

/** Of paths that weigh the same, in rising order. Quantiles of type 7. */
export function summaryOfSorted(sorted: Float64Array, quantiles: Float64Array): ColumnSummary {
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

/** Quantiles are the levels of the tails. */
function weightedSummary(
  column: Float64Array,
  weights: Float64Array,
  quantiles: Float64Array,
): ColumnSummary {
  let total = 0;
  let sum = 0;
  let positive = 0;
  for (let p = 0; p < column.length; p++) {
    total += weights[p];
    sum += weights[p] * column[p];
    if (column[p] > 0) positive += weights[p];
  }
  const tails = Array.from(quantiles, q => weightedUpperTail(column, weights, q));
  const meanOf = (tail: UpperTail) => {
    let mean = 0;
    for (let p = 0; p < column.length; p++) mean += weights[p] * tailWeight(tail, column[p]) * column[p];
    return mean;
  };
  return {
    mean: sum / total,
    positiveShare: positive / total,
    quantiles: tails.map(({ level }) => level),
    tailMeans: tails.map(meanOf),
  };
}

/** The sums of loans under weights. @param sets all paths under the weights, odd paths alone, all paths under the squared weights */
export function weightedSums(weights: Float64Array, sets: readonly BookLoanSums[]): WeightedLoanSums {
  const [once, odd, twice] = sets;
  const total = { once: 0, odd: 0, twice: 0 };
  for (let p = 0; p < weights.length; p++) {
    total.once += weights[p];
    if (isShifted(p)) total.odd += weights[p];
    total.twice += weights[p] * weights[p];
  }
  return { weights: total, once, odd, twice };
}
