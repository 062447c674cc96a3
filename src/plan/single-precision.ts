/**
 * Whether single precision will do for a plan: the GPU and the WebAssembly kernel compute in it.
 *
 * Two things it cannot hold: prices that fall below its range, and baskets that hardly move against each other. C_t / L_t
 * near 1 is rounded to 6e-8; where its whole spread over the term is not far above that, rounding decides which paths
 * cross a threshold. A pair of single assets stays in logs, whose rounding shrinks with the spread.
 */
import { expectedLogFall, varianceOfTerm, yearsOf } from './price-range.ts';
import { assetPair } from './ratio-path.ts';
import type { Portfolio, SimulationPlan } from './simulation-plan.ts';

/** -ln of the smallest normal single, with room for weights. */
const LOG_RANGE = 80;
/** Standard deviation of ln(C/L) at the end of the term from which rounding moves flags of a few paths in a million at most. */
const LEAST_SPREAD = 0.01;

/** Whether every price stays within the range of singles. */
export function staysInSingleRange(plan: SimulationPlan): boolean {
  return expectedLogFall(plan) <= LOG_RANGE;
}

/** Whether single precision gives the figures of double precision but for a few paths in a million. */
export function suitsSinglePrecision(plan: SimulationPlan): boolean {
  return staysInSingleRange(plan) && ratioSpread(plan) >= LEAST_SPREAD;
}

/**
 * Standard deviation of ln(C/L) at the end of the term, to first order in the returns: |(w_c - w_l)' F| sqrt(T).
 *
 * @returns infinity where nothing depends on it: for history, for pairs, and for products without a ratio
 */
export function ratioSpread(plan: SimulationPlan): number {
  const { scenarios, product } = plan;
  if (scenarios.kind === 'historical' || !('portfolio' in product) || product.kind === 'value-at-risk') {
    return Number.POSITIVE_INFINITY;
  }
  if (assetPair(product.portfolio) !== undefined) return Number.POSITIVE_INFINITY;
  const years = yearsOf(plan);
  const { factor, assets } = scenarios;
  // The rows of the factor of GBM carry the volatility already, those of GARCH the correlation only.
  const rowScale =
    scenarios.kind === 'gbm'
      ? Array.from({ length: assets }, () => Math.sqrt(years))
      : varianceOfTerm(scenarios, years).map(Math.sqrt);
  const exposure = exposures(product.portfolio);
  let variance = 0;
  for (let j = 0; j < assets; j++) {
    let loading = 0;
    for (let i = j; i < assets; i++) loading += exposure[i] * rowScale[i] * factor[i * assets + j];
    variance += loading * loading;
  }
  return Math.sqrt(variance);
}

/** What a return of asset i adds to ln(C/L) at the start. */
function exposures({ collateralWeights, loanWeights }: Portfolio): Float64Array {
  return collateralWeights.map((weight, i) => weight - loanWeights[i]);
}
