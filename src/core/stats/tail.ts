/** The lower tail of a sample of values (not losses): value at risk and the mean beyond it, in the unit of the values. */
import { type QuantileRanks, quantileRanks } from './intervals.ts';
import { requireInnerProbability } from './preconditions.ts';
import { interpolate, placePositions, type QuantilePosition, quantilePosition } from './quantile.ts';

/** A quantile of the values and the mean of all values at or below it. */
export interface LowerTail {
  readonly quantile: number;
  /** Never above `quantile`. */
  readonly tailMean: number;
  /** Number of values at or below `quantile`. */
  readonly atOrBelow: number;
  /** Sum of (quantile - x)^2 over the values x at or below it. */
  readonly shortfallSquares: number;
  /** Sum of (quantile - x)^3 over the same values. */
  readonly shortfallCubes: number;
  /** Order statistics around the quantile, where a level was given and the sample has them. */
  readonly low?: number;
  readonly high?: number;
}

/** Requested tails of a sample, and their order statistics. */
export interface WantedTails {
  readonly tails: readonly { readonly position: QuantilePosition; readonly interval: QuantileRanks }[];
  readonly highestRank: number;
}

/**
 * The ranks of the lower tails of a sample at several confidence levels.
 *
 * @param count n >= 1 values
 * @param quantiles confidence levels q, each in (0, 1), in any order: 0.95 is the lowest 5 %
 * @param intervalLevel level of the intervals between order statistics, in (0, 1)
 * @throws RangeError if a level is outside (0, 1)
 */
export function wantedTails(
  count: number,
  quantiles: ArrayLike<number>,
  intervalLevel: number | undefined,
): WantedTails {
  const tails = Array.from(quantiles, q => {
    requireInnerProbability('quantile', q);
    const none: QuantileRanks = { low: undefined, high: undefined };
    return {
      position: quantilePosition(count, 1 - q),
      interval: intervalLevel === undefined ? none : quantileRanks(count, 1 - q, intervalLevel),
    };
  });
  const ranks = tails.map(({ position: { rank, fraction }, interval: { low = 0, high = 0 } }) =>
    Math.max(fraction > 0 ? rank + 1 : rank, low, high),
  );
  return { tails, highestRank: Math.max(0, ...ranks) };
}

/**
 * The tails of a sample from its lowest values alone: for each q the type-7 (1 - q)-quantile v, and the mean of all values <= v.
 *
 * The mean is computed as v - mean(v - x): rounding does not move it above v, and it is v where all values of the tail are equal.
 *
 * @param lowest values up to the highest wanted rank, and all that are equal to one of them, in the order of the sample; finite,
 *   REORDERED in place
 * @returns one tail per level, in their order
 */
export function tailsAmong(lowest: Float64Array, { tails }: WantedTails): LowerTail[] {
  const ends = tails
    .flatMap(({ interval: { low, high } }) => [low, high])
    .filter(rank => rank !== undefined)
    .map(rank => ({ rank, fraction: 0 }));
  // Added in the order of the sample: the last digits do not depend on the other tails requested.
  const inOrder = lowest.slice();
  placePositions(lowest, [...tails.map(({ position }) => position), ...ends]);
  return tails.map(({ position: { rank, fraction }, interval: { low, high } }) => {
    // 0 and -0 are equal: the one at a rank depends on the other tails requested. Plus 0 both are 0.
    const quantile = interpolate(lowest[rank], lowest[rank + 1], fraction) + 0;
    const { mean, squares, cubes, count } = shortfallBelow(inOrder, quantile);
    return {
      quantile,
      tailMean: quantile - mean,
      atOrBelow: count,
      shortfallSquares: squares,
      shortfallCubes: cubes,
      ...(low === undefined ? {} : { low: lowest[low] + 0 }),
      ...(high === undefined ? {} : { high: lowest[high] + 0 }),
    };
  });
}

/** Mean of level - x over all x <= level, at least one; sums of its squares and cubes, and their number. */
function shortfallBelow(values: Float64Array, level: number) {
  let shortfall = 0;
  let squares = 0;
  let cubes = 0;
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const below = level - values[i];
    if (below < 0) continue;
    shortfall += below;
    const square = below * below;
    squares += square;
    cubes += square * below;
    count++;
  }
  return { mean: shortfall / count, squares, cubes, count };
}
