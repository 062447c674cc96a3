/**
 * The lower tail of a sample: value at risk and the mean beyond it.
 *
 * Takes: values (not losses). Gives: levels in the unit of the values; low is bad.
 */
import { requireFinite } from './preconditions.ts';
import { interpolate, placePositions, quantilePosition } from './quantile.ts';

/** A quantile of the values and the mean of all values at or below it. */
export interface LowerTail {
  readonly valueAtRisk: number;
  /** Never above `valueAtRisk`. */
  readonly conditionalValueAtRisk: number;
}

/**
 * Lower tails at several confidence levels: for each q the type-7 (1 - q)-quantile v of the values, and
 * the mean of all values <= v.
 *
 * The mean is taken as v - mean(v - x): it cannot come out above v by rounding, and equals it where all values
 * of the tail are equal.
 * @param values n >= 1 finite numbers; REORDERED in place
 * @param quantiles confidence levels q, each in (0, 1), in any order: 0.95 asks for the lowest 5 %
 * @returns one tail per level, in their order
 * @throws RangeError if there are no values, one is not finite, or a level is outside (0, 1)
 */
export function lowerTails(values: Float64Array, quantiles: ArrayLike<number>): LowerTail[] {
  requireFinite('values', values);
  const positions = Array.from(quantiles, q => {
    if (!(q > 0 && q < 1)) throw new RangeError(`quantile is ${q}, must be above 0 and below 1`);
    return quantilePosition(values.length, 1 - q);
  });
  placePositions(values, positions);
  return positions.map(({ rank, fraction }) => {
    const valueAtRisk = interpolate(values[rank], values[Math.min(rank + 1, values.length - 1)], fraction);
    return { valueAtRisk, conditionalValueAtRisk: valueAtRisk - meanShortfall(values, rank, valueAtRisk) };
  });
}

/** `lowerTails` at one level. */
export function lowerTail(values: Float64Array, quantile: number): LowerTail {
  return lowerTails(values, [quantile])[0];
}

/** Mean of level - x over all x <= level; everything up to `rank` is known to lie there. */
function meanShortfall(values: Float64Array, rank: number, level: number): number {
  let shortfall = 0;
  for (let i = 0; i <= rank; i++) shortfall += level - values[i];
  let count = rank + 1;
  // Only values equal to the level can follow: they add nothing to the sum.
  for (let i = rank + 1; i < values.length; i++) if (values[i] <= level) count++;
  return shortfall / count;
}
