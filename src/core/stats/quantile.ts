/**
 * Quantiles by linear interpolation between order statistics: type 7 of
 * Hyndman and Fan, "Sample quantiles in statistical packages", The American Statistician 50 (1996), 361-365.
 */
import { requireFinite, requireProbability } from './preconditions.ts';
import { placeRanks } from './selection.ts';

/** Where a quantile lies: `fraction` of the way from the order statistic `rank` (from 0) to the next. */
export interface QuantilePosition {
  /** 0..n-1; at most n-2 where `fraction` > 0. */
  readonly rank: number;
  /** In [0, 1). */
  readonly fraction: number;
}

/**
 * Position of the type-7 quantile in a sample of n: h = (n - 1) p, rank = floor(h), fraction = h - rank.
 *
 * A position within rounding of a whole rank (n x 2^-52) is that rank: 1 - 0.9 is not 0.1 in binary.
 * @param count n >= 1
 * @param probability p, 0 <= p <= 1
 * @throws RangeError for a probability outside [0, 1] or an empty sample
 */
export function quantilePosition(count: number, probability: number): QuantilePosition {
  requireProbability('probability', probability);
  if (!(count >= 1)) throw new RangeError(`count is ${count}, at least 1 needed`);
  const exact = (count - 1) * probability;
  const whole = Math.round(exact);
  if (Math.abs(exact - whole) <= count * Number.EPSILON) return { rank: whole, fraction: 0 };
  const rank = Math.floor(exact);
  return { rank, fraction: exact - rank };
}

/**
 * Rank, from 1 at the end away from the tail, of the value at which a tail of the share 1 - q begins: ceil(n q). The values beyond it have
 * the weight 1 / (n (1 - q)), the value itself the rest of 1: the mean of the tail is that of the outermost n (1 - q) values, the last
 * of them in part, whatever ties there are.
 *
 * A product within rounding of a whole number (n x 2^-52) is that number: 0.95 of 1,000 is 950, although the product may be slightly
 * above.
 *
 * R. T. Rockafellar, S. Uryasev, "Conditional value-at-risk for general loss distributions", Journal of Banking & Finance 26 (2002),
 * 1443-1471, proposition 8.
 * @param count n >= 1
 * @param q in (0, 1)
 * @returns 1..n
 */
export function tailRank(count: number, q: number): number {
  const exact = count * q;
  const whole = Math.round(exact);
  return Math.max(1, Math.abs(exact - whole) <= count * Number.EPSILON ? whole : Math.ceil(exact));
}

/**
 * Value between two neighbouring order statistics, lower + fraction (upper - lower), never above `upper`.
 *
 * @param lower order statistic at the position's rank
 * @param upper the next one; not used where `fraction` is 0
 */
export function interpolate(lower: number, upper: number, fraction: number): number {
  return fraction === 0 ? lower : Math.min(upper, lower + fraction * (upper - lower));
}

/**
 * Type-7 quantile of a sorted sample.
 *
 * @param sorted n >= 1 finite numbers, rising; the order is not checked
 * @param probability p, 0 <= p <= 1; 0 is the minimum, 1 the maximum
 * @throws RangeError if the sample is empty or ends in a value that is not finite, or p is outside [0, 1]
 */
export function quantileType7(sorted: ArrayLike<number>, probability: number): number {
  const { rank, fraction } = quantilePosition(sorted.length, probability);
  requireFinite('ends of sorted', [sorted[0], sorted[sorted.length - 1]]);
  return interpolate(sorted[rank], sorted[rank + 1], fraction);
}

/**
 * Type-7 quantiles of an unsorted sample, by selection instead of sorting.
 *
 * @param values n >= 1 finite numbers; REORDERED in place
 * @param probabilities each 0 <= p <= 1, in any order
 * @returns one quantile per probability, in their order
 * @throws RangeError if the sample is empty or has a value that is not finite, or a p is outside [0, 1]
 */
export function quantilesType7(values: Float64Array, probabilities: ArrayLike<number>): Float64Array {
  requireFinite('values', values);
  const positions = Array.from(probabilities, p => quantilePosition(values.length, p));
  placePositions(values, positions);
  return Float64Array.from(positions, ({ rank, fraction }) =>
    interpolate(values[rank], values[rank + 1], fraction),
  );
}

/** Reorders `values`: moves the one or two order statistics of every position to their places. */
export function placePositions(values: Float64Array, positions: readonly QuantilePosition[]): void {
  const ranks = new Set<number>();
  for (const { rank, fraction } of positions) {
    ranks.add(rank);
    if (fraction > 0) ranks.add(rank + 1);
  }
  placeRanks(values, Float64Array.from(ranks).sort());
}
