/** The lower tail of a sample of values (not losses): value at risk and the mean beyond it, in the unit of the values. */
import { type QuantileRanks, quantileRanks } from './intervals.ts';
import { requireInnerProbability } from './preconditions.ts';
import {
  interpolate,
  placePositions,
  type QuantilePosition,
  quantilePosition,
  tailRank,
} from './quantile.ts';

/** A quantile of the values and the mean of the lowest share 1 - q of them, the last in part. */
export interface LowerTail {
  readonly quantile: number;
  /** Never above `quantile`. */
  readonly tailMean: number;
  /** The value at which the tail begins (`tailRank`): one of the two beside the quantile. */
  readonly level: number;
  /** Sum of (level - x)^2 over the values x below it. */
  readonly shortfallSquares: number;
  /** Sum of (level - x)^3 over the same values. */
  readonly shortfallCubes: number;
  /** Order statistics around the quantile, where a level was given and the sample has them. */
  readonly low?: number;
  readonly high?: number;
}

/** A requested tail of a sample of n values. Ranks count from 0 at the lowest. */
export interface WantedTail {
  readonly position: QuantilePosition;
  /** Rank of the level. */
  readonly levelRank: number;
  /** n (1 - q). */
  readonly size: number;
  readonly interval: QuantileRanks;
}

/** Requested tails of a sample, and their order statistics. */
export interface WantedTails {
  readonly tails: readonly WantedTail[];
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
      levelRank: count - tailRank(count, q),
      size: count * (1 - q),
      interval: intervalLevel === undefined ? none : quantileRanks(count, 1 - q, intervalLevel),
    };
  });
  const ranks = tails.map(({ position: { rank, fraction }, levelRank, interval: { low = 0, high = 0 } }) =>
    Math.max(fraction > 0 ? rank + 1 : rank, levelRank, low, high),
  );
  return { tails, highestRank: Math.max(0, ...ranks) };
}

/**
 * The tails of a sample from its lowest values alone: for each q the type-7 (1 - q)-quantile, and the mean of the lowest n (1 - q) values
 * (`tailRank`).
 *
 * The mean is computed as v - sum((v - x)+) / (n (1 - q)), v the level: it is v where all values of the tail are equal.
 *
 * @param lowest values up to the highest wanted rank, and all that are equal to one of them, in the order of the sample; finite,
 *   REORDERED in place
 * @returns one tail per level, in their order
 */
export function tailsAmong(lowest: Float64Array, { tails }: WantedTails): LowerTail[] {
  const single = tails
    .flatMap(({ levelRank, interval: { low, high } }) => [levelRank, low, high])
    .filter(rank => rank !== undefined)
    .map(rank => ({ rank, fraction: 0 }));
  // Added in the order of the sample: the last digits do not depend on the other tails requested.
  const inOrder = lowest.slice();
  placePositions(lowest, [...tails.map(({ position }) => position), ...single]);
  return tails.map(({ position: { rank, fraction }, levelRank, size, interval: { low, high } }) => {
    // 0 and -0 are equal: the one at a rank depends on the other tails requested. Plus 0 both are 0.
    const quantile = interpolate(lowest[rank], lowest[rank + 1], fraction) + 0;
    const level = lowest[levelRank] + 0;
    const { shortfall, squares, cubes } = shortfallBelow(inOrder, level);
    return {
      quantile,
      // The level may be above the quantile, the mean only by rounding.
      tailMean: Math.min(quantile, level - shortfall / size),
      level,
      shortfallSquares: squares,
      shortfallCubes: cubes,
      ...(low === undefined ? {} : { low: lowest[low] + 0 }),
      ...(high === undefined ? {} : { high: lowest[high] + 0 }),
    };
  });
}

/** Sums of level - x over all x <= level, of its squares and of its cubes. */
function shortfallBelow(values: Float64Array, level: number) {
  let shortfall = 0;
  let squares = 0;
  let cubes = 0;
  for (let i = 0; i < values.length; i++) {
    const below = level - values[i];
    if (below < 0) continue;
    shortfall += below;
    const square = below * below;
    squares += square;
    cubes += square * below;
  }
  return { shortfall, squares, cubes };
}
