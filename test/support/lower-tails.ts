/** The lower tails of a whole sample, against which tests check those that engines take from a grid of the values. */
import { requireFinite } from '#src/core/stats/preconditions.js';
import { type LowerTail, tailsAmong, wantedTails } from '#src/core/stats/tail.js';

/**
 * For each q the type-7 (1 - q)-quantile of the values, and the mean of the lowest n (1 - q) of them.
 *
 * @param values n >= 1 finite numbers; REORDERED in place
 * @param quantiles confidence levels q, each in (0, 1), in any order
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
  return tailsAmong(values, wantedTails(values.length, quantiles, intervalLevel));
}

/** `lowerTails` at one level. */
export function lowerTail(values: Float64Array, quantile: number): LowerTail {
  return lowerTails(values, [quantile])[0];
}
