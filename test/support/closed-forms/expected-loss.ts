/** Mean shortfall of a loan at its term, for one collateral and one loan asset. */
import type { LogRatio } from './log-ratio.ts';
import { normalCdf } from './normal.ts';

/**
 * E[max(0, 1 - N r_T)], r = C/L: a put on the lognormal ratio, struck at 1, under the measure of the simulation.
 *
 * With X = ln r_T normal of mean a = drift T and standard deviation b = volatility sqrt T, the put is
 * P(X < -ln N) - N E[r; X < -ln N] = Phi(-d2) - N e^(a + b^2/2) Phi(-d1), d2 = (ln N + a) / b, d1 = d2 + b.
 * The mean of the ratio, e^(a + b^2/2) = e^((sigma_L^2 - rho sigma_C sigma_L) T), is not 1: the paths make C and L
 * martingales in USD, not in each other. In units of the loan (L as numeraire) the same integral is the exchange
 * option of Margrabe, "The value of an option to exchange one asset for another", Journal of Finance 33 (1978), 177-186.
 * @returns a fraction of the loan, 0..1; AvgLossPct is 100 times this
 */
export function expectedLoss(ratio: LogRatio, nominalRatio: number, years: number): number {
  const a = ratio.drift * years;
  const b = ratio.volatility * Math.sqrt(years);
  if (b === 0) return Math.max(0, 1 - nominalRatio * Math.exp(a));
  const d2 = (Math.log(nominalRatio) + a) / b;
  return normalCdf(-d2) - nominalRatio * Math.exp(a + (b * b) / 2) * normalCdf(-d2 - b);
}
