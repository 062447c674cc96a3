/**
 * Whether single precision will do for a plan: the GPU and the WebAssembly kernel compute in it.
 *
 * Two things it cannot hold: prices that fall below its range, and collateral that hardly moves against its loan. C_t / L_t
 * near 1 is rounded, and running log prices are with every group of steps; where the whole spread of ln(C/L) over the term is
 * not far above that, rounding decides which paths cross a threshold.
 */
import { expectedLogFall, varianceOfTerm, yearsOf } from './price-range.ts';
import { assetPair } from './ratio-path.ts';
import type { GarchScenarios, GbmScenarios, Portfolio, SimulationPlan } from './simulation-plan.ts';

/** -ln of the smallest normal single, with room for weights. */
const LOG_RANGE = 80;
/** Half a unit in the last place of a single near 1: what a running log price of size 1 loses per group of steps. */
const ROUNDING = 3e-8;
/** Steps that are added to a log price at a time. */
const GROUP = 4;
/** What C_t / L_t of two baskets loses beside: prices, sums and a quotient, each rounded. */
const BASKET_ROUNDING = 1e-7;
/**
 * The spread of ln(C/L) over the term must be this many times its error. Seen at the tightest: five paths in a million
 * with another flag.
 */
const SPREAD_TO_ERROR = 7e4;

/** Whether every price stays within the range of singles. */
export function staysInSingleRange(plan: SimulationPlan): boolean {
  return expectedLogFall(plan) <= LOG_RANGE;
}

/** Whether single precision gives the figures of double precision but for a few paths in a million. */
export function suitsSinglePrecision(plan: SimulationPlan): boolean {
  if (!staysInSingleRange(plan)) return false;
  const loan = loanOf(plan);
  return loan === undefined || ratioSpread(loan) >= SPREAD_TO_ERROR * ratioError(loan);
}

/** A plan whose figures hang on thresholds of C_t / L_t along drawn paths. */
interface DrawnLoan {
  readonly portfolio: Portfolio;
  readonly steps: number;
  readonly scenarios: GbmScenarios | GarchScenarios;
  /** Variance of ln S_i over the term, per asset. */
  readonly variances: readonly number[];
}

/** The loan of a plan; undefined for other products and for history, which is never single. */
export function loanOf(plan: SimulationPlan): DrawnLoan | undefined {
  const { scenarios, product } = plan;
  if (scenarios.kind === 'historical') return undefined;
  if (product.kind === 'value-at-risk' || product.kind === 'perpetual') return undefined;
  const { portfolio, steps } = product;
  return { portfolio, steps, scenarios, variances: varianceOfTerm(scenarios, yearsOf(plan)) };
}

/**
 * Standard deviation of ln(C/L) at the end of the term, to first order in the returns: |(w_c - w_l)' F|, F the factor of the
 * covariance over the term.
 */
export function ratioSpread({ portfolio, scenarios, variances }: DrawnLoan): number {
  const { factor, assets } = scenarios;
  let variance = 0;
  for (let j = 0; j < assets; j++) {
    let loading = 0;
    for (let i = j; i < assets; i++) {
      const correlation = factor[i * assets + j] / rowLength(scenarios, i);
      loading += exposure(portfolio, i) * Math.sqrt(variances[i]) * correlation;
    }
    variance += loading * loading;
  }
  return Math.sqrt(variance);
}

/** The rows of the factor of GBM carry the volatility, those of GARCH are of unit length. */
function rowLength(scenarios: GbmScenarios | GarchScenarios, i: number): number {
  return scenarios.kind === 'gbm' ? scenarios.annualVolatility[i] || 1 : 1;
}

/**
 * Root mean square error of ln(C/L) in single precision at the end of the term. Under GBM a pair is one walk, whose
 * rounding is in proportion to the walk itself: no error to speak of.
 */
function ratioError({ portfolio, scenarios, variances, steps }: DrawnLoan): number {
  const isPair = assetPair(portfolio) !== undefined;
  if (isPair && scenarios.kind === 'gbm') return 0;
  const largest = Math.sqrt(Math.max(...variances));
  return Math.hypot(ROUNDING * largest * Math.sqrt(steps / GROUP), isPair ? 0 : BASKET_ROUNDING);
}

/** What a return of asset i adds to ln(C/L) at the start. */
function exposure({ collateralWeights, loanWeights }: Portfolio, i: number): number {
  return collateralWeights[i] - loanWeights[i];
}
