/**
 * The distribution of values that are all at hand: exact quantiles, and counts in the bins of amounts.
 */
import { quantilesType7 } from '../stats/quantile.ts';
import { AMOUNT_BINS, slotOf, slotsOf } from './bins.ts';
import { DISTRIBUTION_LEVELS } from './levels.ts';

export interface ValueDistribution {
  /** Quantiles of type 7 in the order of `DISTRIBUTION_LEVELS`, in the unit of the values. */
  readonly quantiles: Float64Array;
  /** Counts in the bins of amounts. */
  readonly counts: Float64Array;
}

/**
 * Quantiles and counts of values.
 *
 * @param values one or more finite numbers; REORDERED in place
 * @param scale what the bins are in units of, above 0
 */
export function valueDistribution(values: Float64Array, scale: number): ValueDistribution {
  const counts = new Float64Array(slotsOf(AMOUNT_BINS));
  for (const value of values) counts[slotOf(AMOUNT_BINS, value / scale)]++;
  return { quantiles: quantilesType7(values, Object.values(DISTRIBUTION_LEVELS)), counts };
}
