/**
 * The lower tail of a sample: value at risk and the mean beyond it.
 *
 * Takes: values (not losses). Gives: levels in the unit of the values; low is bad.
 */
import { quantileRanks } from './intervals.ts';
import { requireFinite } from './preconditions.ts';
import { interpolate, placePositions, quantilePosition } from './quantile.ts';

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
  /** Order statistics that hold the quantile between them, where a level was given and the sample has them. */
  readonly low?: number;
  readonly high?: number;
}

/**
 * Lower tails at several confidence levels: for each q the type-7 (1 - q)-quantile v of the values, and
 * the mean of all values <= v.
 *
 * The mean is taken as v - mean(v - x): it cannot come out above v by rounding, and equals it where all values
 * of the tail are equal.
 * @param values n >= 1 finite numbers; REORDERED in place
 * @param quantiles confidence levels q, each in (0, 1), in any order: 0.95 asks for the lowest 5 %
 * @param intervalLevel level of the intervals between order statistics, in (0, 1)
 * @returns one tail per level, in their order
 * @throws RangeError if there are no values, one is not finite, or a level is outside (0, 1)
 */
export function lowerTails(
  values: Float64Array,
  quantiles: ArrayLike<number>,
  intervalLevel?: number,
): LowerTail[] {
  requireFinite('values', values);
  const positions = Array.from(quantiles, q => {
    if (!(q > 0 && q < 1)) throw new RangeError(`quantile is ${q}, must be above 0 and below 1`);
    return quantilePosition(values.length, 1 - q);
  });
  const ranks = Array.from(quantiles, q =>
    intervalLevel === undefined
      ? { low: undefined, high: undefined }
      : quantileRanks(values.length, 1 - q, intervalLevel),
  );
  const ends = ranks.flatMap(({ low, high }) => [low, high]).filter(rank => rank !== undefined);
  placePositions(values, [...positions, ...ends.map(rank => ({ rank, fraction: 0 }))]);
  return positions.map(({ rank, fraction }, i) => {
    const quantile = interpolate(values[rank], values[Math.min(rank + 1, values.length - 1)], fraction);
    const { mean, squares, cubes, count } = shortfallBelow(values, rank, quantile, fraction > 0);
    const { low, high } = ranks[i];
    return {
      quantile,
      tailMean: quantile - mean,
      atOrBelow: count,
      shortfallSquares: squares,
      shortfallCubes: cubes,
      ...(low === undefined ? {} : { low: values[low] }),
      ...(high === undefined ? {} : { high: values[high] }),
    };
  });
}

/** `lowerTails` at one level. */
export function lowerTail(values: Float64Array, quantile: number): LowerTail {
  return lowerTails(values, [quantile])[0];
}

/**
 * Mean of level - x over all x <= level, sums of its squares and cubes, and their number; all up to `rank` are known to lie there.
 *
 * @param nextPlaced whether the order statistic behind `rank` is in its place
 */
function shortfallBelow(values: Float64Array, rank: number, level: number, nextPlaced: boolean) {
  let shortfall = 0;
  let squares = 0;
  let cubes = 0;
  for (let i = 0; i <= rank; i++) {
    const below = level - values[i];
    shortfall += below;
    const square = below * below;
    squares += square;
    cubes += square * below;
  }
  let count = rank + 1;
  // Only values equal to the level can follow: they add nothing to the sums. None does where the next one lies above.
  const end = nextPlaced && values[rank + 1] > level ? rank + 1 : values.length;
  for (let i = rank + 1; i < end; i++) if (values[i] <= level) count++;
  return { mean: shortfall / count, squares, cubes, count };
}
