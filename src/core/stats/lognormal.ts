/** Exact laws of a lognormal value, in its unit: its shortfall below a strike, its quantiles and the means below them. */
import { normalCdf, normalQuantile } from './special-functions.ts';

/** V = exp(X), X normal. */
export interface Lognormal {
  /** Mean of X. */
  readonly mean: number;
  /** Standard deviation of X, >= 0. */
  readonly deviation: number;
}

/**
 * E max(0, strike - V): an undiscounted put, Black's formula with forward exp(mean + deviation^2 / 2).
 *
 * F. Black, "The pricing of commodity contracts", Journal of Financial Economics 3 (1976), 167-179.
 * @param strike above 0
 */
export function expectedShortfallBelow({ mean, deviation }: Lognormal, strike: number): number {
  if (deviation === 0) return Math.max(0, strike - Math.exp(mean));
  const d = (Math.log(strike) - mean) / deviation;
  return strike * normalCdf(d) - Math.exp(mean + (deviation * deviation) / 2) * normalCdf(d - deviation);
}

/** Rounding of normal probabilities and exponentials, relative to them. */
const ROUNDING = 1e-13;

/** Bound of the error of `expectedShortfallBelow`, a difference of two terms of which neither is above strike x P(V < strike). */
export const shortfallErrorBelow = ({ mean, deviation }: Lognormal, strike: number): number =>
  deviation === 0 ? 0 : ROUNDING * strike * normalCdf((Math.log(strike) - mean) / deviation);

/** Quantile of V at `probability` and the mean of V at or below it. @param probability in (0, 1) */
export function lognormalLowerTail(
  { mean, deviation }: Lognormal,
  probability: number,
): { readonly quantile: number; readonly tailMean: number } {
  const z = normalQuantile(probability);
  return {
    quantile: Math.exp(mean + deviation * z),
    tailMean: (Math.exp(mean + (deviation * deviation) / 2) * normalCdf(z - deviation)) / probability,
  };
}
