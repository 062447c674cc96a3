/**
 * Intervals of means of skewed amounts.
 *
 * Where most paths have no loss and few a large one, the standard error is small whenever the mean is: the Studentised mean has
 * the opposite skewness, and the symmetric interval is too short above. P. Hall, "On the removal of skewness by transformation", JRSS B 54
 * (1992), 221-228: with a = skewness / sqrt(n), g(T) = T + a T^2/3 + a^2 T^3/27 + a/6 of the Studentised mean T has no skewness up to order
 * 1/n, and rises with T, so that quantiles of g give an interval by its inverse. Without skewness it is the symmetric one.
 */
import type { AmountSums, Reach } from './intervals.ts';

/** Sums over n paths of one amount x per path. */
export interface CubedSums extends AmountSums {
  readonly cubes: number;
}

/** Skewness of the amounts over the root of their number, m_3 / (m_2^1.5 sqrt(n)); 0 where all are equal. */
export function skewnessOfMean({ paths, sum, squares, cubes }: CubedSums): number {
  const mean = sum / paths;
  const second = squares / paths - mean * mean;
  const third = cubes / paths - mean * ((3 * squares) / paths - 2 * mean * mean);
  // Equal amounts leave rounding.
  return second > 1e-12 * (squares / paths) ? third / (second * Math.sqrt(second * paths)) : 0;
}

/**
 * Sum of the cubes of amounts above 0, from their number, their sum and the sum of their squares: that of a gamma law with these. It is
 * exact where all are equal, and one to two times the least possible sum, squares^2 / sum.
 */
export const gammaCubes = (count: number, sum: number, squares: number): number =>
  sum > 0 ? squares * ((2 * squares) / sum - sum / count) : 0;

/**
 * Reach of the interval of a mean.
 *
 * @param skewness of the mean: `skewnessOfMean`
 * @param quantile two-sided quantile of the Studentised mean, above 0
 */
export function skewedReach(skewness: number, quantile: number): Reach {
  return { below: inverse(skewness, quantile), above: -inverse(skewness, -quantile) };
}

/** T for which g(T) = y: (3/a)((1 + a (y - a/6))^(1/3) - 1). */
function inverse(a: number, y: number): number {
  if (a === 0) return y;
  const x = a * (y - a / 6);
  // The root less 1 without losing the digits of a small x.
  const rise = Math.abs(x) < 0.5 ? Math.expm1(Math.log1p(x) / 3) : Math.cbrt(1 + x) - 1;
  return (3 / a) * rise;
}
