/** Lower tail of one asset's value under geometric Brownian motion without drift in price. */
import { normalCdf, normalQuantile } from './normal.ts';

/** A quantile and the mean of everything at or below it. */
export interface ClosedFormTail {
  readonly quantile: number;
  readonly tailMean: number;
}

/**
 * Tail of V = value exp(-b^2/2 + b Z), b = volatility sqrt(years), at confidence q, p = 1 - q:
 * VaR = value exp(-b^2/2 + b z_p), CVaR = E[V | V <= VaR] = value Phi(z_p - b) / p.
 *
 * The lower partial expectation of a lognormal: Johnson, Kotz, Balakrishnan, Continuous Univariate
 * Distributions 1 (1994), chapter 14.
 */
export function lognormalTail(value: number, volatility: number, years: number, q: number): ClosedFormTail {
  const p = 1 - q;
  const b = volatility * Math.sqrt(years);
  const z = normalQuantile(p);
  return {
    quantile: value * Math.exp((-b * b) / 2 + b * z),
    tailMean: (value * normalCdf(z - b)) / p,
  };
}
