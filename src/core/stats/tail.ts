/**
 * The lower tail of a sample: value at risk and the mean beyond it.
 *
 * Takes: values (not losses). Gives: levels in the unit of the values; low is bad.
 */
import { type QuantileRanks, quantileRanks } from './intervals.ts';
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

/** The tails that a caller requests of a sample, and the order statistics that they take. */
export interface WantedTails {
  readonly tails: readonly { readonly position: QuantilePosition; readonly interval: QuantileRanks }[];
  /** The highest rank of them all. */
  readonly highestRank: number;
}

/**
 * What the lower tails of a sample at several confidence levels take of its values.
 *
 * @param count n >= 1 values
 * @param quantiles confidence levels q, each in (0, 1), in any order: 0.95 asks for the lowest 5 %
 * @param intervalLevel level of the intervals between order statistics, in (0, 1)
 * @throws RangeError if a level is outside (0, 1)
 */
export function wantedTails(
  count: number,
  quantiles: ArrayLike<number>,
  intervalLevel: number | undefined,
): WantedTails {
  const tails = Array.from(quantiles, q => {
    if (!(q > 0 && q < 1)) throw new RangeError(`quantile is ${q}, must be above 0 and below 1`);
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
 * The mean is taken as v - mean(v - x): it cannot come out above v by rounding, and equals it where all values
 * of the tail are equal.
 *
 * @param lowest those up to the highest wanted rank, and all that are equal to one of them, in the order of the sample; finite,
 *   REORDERED in place
 * @returns one tail per level, in their order
 */
export function tailsAmong(lowest: Float64Array, { tails }: WantedTails): LowerTail[] {
  const ends = tails
    .flatMap(({ interval: { low, high } }) => [low, high])
    .filter(rank => rank !== undefined)
    .map(rank => ({ rank, fraction: 0 }));
  // Sums go in the order of the sample, so that their last digits do not depend on the other tails requested.
  const inOrder = lowest.slice();
  placePositions(lowest, [...tails.map(({ position }) => position), ...ends]);
  return tails.map(({ position: { rank, fraction }, interval: { low, high } }) => {
    // 0 and -0 are equal: which of them is at a rank depends on the other tails requested. The sum with 0 is 0 for both.
    const quantile = interpolate(lowest[rank], lowest[Math.min(rank + 1, lowest.length - 1)], fraction) + 0;
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

/** Mean of level - x over all x <= level, of which there is one at least, sums of its squares and cubes, and their number. */
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
