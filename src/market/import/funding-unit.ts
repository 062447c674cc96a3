/**
 * The unit of the funding rates of a file: fractions of the notional, or percentage points.
 *
 * A usual rate of 8 hours is 0.0001, or 0.01 %. The median of some rates decides where no market has had such rates in the other
 * unit: the bounds hold for every window of the settlements of four exchanges (2019 to 2026). Must not know: files.
 */
import { medianOf } from '../median.ts';

export const FUNDING_UNITS = ['fraction', 'percent'] as const;
export type FundingUnit = (typeof FUNDING_UNITS)[number];

/** From so many rates on, a median below `fraction` is one of fractions, and one above `percent` of percentage points. */
const BOUNDS = [
  { rates: 21, fraction: 1e-3, percent: 5e-3 },
  { rates: 9, fraction: 3e-4, percent: 1e-2 },
  { rates: 1, fraction: 3e-5, percent: 3e-2 },
] as const;

/** Hours of the settlements that the bounds are of. */
const USUAL_HOURS = 8;

/**
 * The unit of some rates by their size; undefined where it could be either. Rates of 0 have any unit.
 *
 * @param hours between two settlements
 */
export function fundingUnitOf(rates: readonly number[], hours: number): FundingUnit | undefined {
  const sizes = rates.flatMap(rate => (rate === 0 || Number.isNaN(rate) ? [] : [Math.abs(rate)]));
  if (sizes.length === 0) return 'fraction';
  const median = (medianOf(sizes) * USUAL_HOURS) / hours;
  const { fraction, percent } = BOUNDS.find(({ rates: least }) => sizes.length >= least) ?? BOUNDS[2];
  if (median < fraction) return 'fraction';
  return median > percent ? 'percent' : undefined;
}
