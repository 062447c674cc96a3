/**
 * Residuals with the outermost values of a Pareto tail; the order of size of the days is unchanged. A pure function.
 * Source of the tails: A. J. McNeil, R. Frey, "Estimation of tail-related risk measures for heteroscedastic financial time series",
 * Journal of Empirical Finance 7 (2000), 271-300.
 */
import { fitGeneralisedPareto, type ParetoFit, paretoCellMeans } from './generalised-pareto.ts';

/** Share of the residuals that each tail replaces, one in so many, and the fewest from which its shape is fitted. */
const ONE_IN = 10;
const MIN_IN_TAIL = 20;
/** Fewest residuals of a window. */
export const MIN_PARETO_RETURNS = ONE_IN * MIN_IN_TAIL;

/** A tail as fitted. */
export interface ParetoTail extends ParetoFit {
  /** The residual that excesses are measured from. */
  readonly threshold: number;
  /** Residuals that were replaced. */
  readonly count: number;
}

/** Both tails of an asset; undefined for a tail of equal residuals, which are unchanged. */
export interface ParetoTails {
  readonly lower: ParetoTail | undefined;
  readonly upper: ParetoTail | undefined;
}

/**
 * At either end the k = floor(n / 10) outermost residuals become the means of k equally probable cells of a generalised
 * Pareto, fitted to their distances from the (k + 1)th. Ranks stay; of equal residuals the earlier day is the lower one.
 *
 * @param residuals n >= 200 finite values
 */
export function withParetoTails(residuals: Float64Array): ParetoTails & { readonly residuals: Float64Array } {
  const days = residuals.length;
  if (days < MIN_PARETO_RETURNS)
    throw new RangeError(`${days} residuals, must be at least ${MIN_PARETO_RETURNS} for Pareto tails`);
  const rising = Array.from(residuals.keys()).sort((a, b) => residuals[a] - residuals[b] || a - b);
  const result = residuals.slice();
  const count = Math.floor(days / ONE_IN);
  const tail = (outward: 1 | -1, inward: readonly number[]): ParetoTail | undefined => {
    const threshold = residuals[inward[count]];
    const outermost = inward.slice(0, count);
    const fit = fitGeneralisedPareto(Float64Array.from(outermost, d => outward * (residuals[d] - threshold)));
    if (fit === undefined) return undefined;
    const means = paretoCellMeans(fit, count);
    outermost.forEach((d, i) => {
      result[d] = threshold + outward * means[count - 1 - i];
    });
    return { threshold, count, ...fit };
  };
  const lower = tail(-1, rising);
  const upper = tail(1, rising.toReversed());
  return { residuals: result, lower, upper };
}
