/**
 * Whether single precision is enough for a plan: the GPU and the WebAssembly kernel compute in it.
 *
 * It cannot represent prices below its range, positions out of all proportion to their equity, and collateral that
 * hardly moves against its loan. C_t / L_t near 1 is rounded, and running log prices are with every group of steps;
 * where the whole spread of ln(C/L) over the term is not far above the rounding, rounding decides which paths cross a
 * threshold.
 */
import { HOURS_PER_YEAR } from './grid.ts';
import { drawnPrices } from './models.ts';
import { expectedLogFall } from './price-range.ts';
import { contractOf } from './products.ts';
import { assetPair } from './ratio-path.ts';
import type { SimulationPlan } from './simulation-plan.ts';

/** -ln of the smallest normal single, with room for weights. */
const LOG_RANGE = 80;
/** Half a unit in the last place of a single near 1: the error of a running log price of size 1 per group of steps. */
const ROUNDING = 3e-8;
/** Steps that a log price adds at a time. */
const GROUP = 4;
/**
 * Further error of C_t / L_t of two baskets: prices, sums and a quotient, each within what WGSL permits (exp2 to 3 units in the last
 * place, a quotient to 2.5).
 */
const BASKET_ROUNDING = 3e-7;
/** Least ratio of the spread of ln(C/L) to its error: at it, five paths in a million had another flag. */
const SPREAD_TO_ERROR = 7e4;

/**
 * A larger term, times a price that is rounded to 6e-8 of its value, is wrong by 6e-5 of the equity. Positions on
 * exchanges have some 100 times their equity at most.
 */
const LARGEST_TERM = 1000;
/** Below this a term times a price may fall below the smallest normal single, 1.2e-38. */
const MIN_TERM = 1e-20;

/** The reason why single precision cannot represent a plan; `undefined` where it can. */
export function beyondSingles(plan: SimulationPlan): string | undefined {
  const onlyDouble = contractOf(plan.product).onlyDouble?.(plan.product);
  if (onlyDouble !== undefined) return onlyDouble;
  if (expectedLogFall(plan) > LOG_RANGE)
    return 'these volatilities over this term take prices below what single precision holds';
  const terms = (contractOf(plan.product).unitTerms?.(plan.product) ?? []).map(Math.abs);
  const beyond = terms.find(size => size > LARGEST_TERM || (size > 0 && size < MIN_TERM));
  if (beyond === undefined) return undefined;
  return (
    `the position, or what it pays in funding, is ${beyond} times its equity, and single precision holds ` +
    `${MIN_TERM} to ${LARGEST_TERM} times`
  );
}

/** Whether single precision gives the figures of double precision but for a few paths in a million. */
export function suitsSinglePrecision(plan: SimulationPlan): boolean {
  return beyondSingles(plan) === undefined && !isNearlyRiskless(plan);
}

/** Whether C_t / L_t moves so little that its rounding to singles would decide over more paths than that. */
export function isNearlyRiskless(plan: SimulationPlan): boolean {
  const accuracy = ratioAccuracy(plan);
  return accuracy !== undefined && isTooSmall(accuracy);
}

const isTooSmall = ({ spread, error }: RatioAccuracy): boolean => spread < SPREAD_TO_ERROR * error;

/** Why figures in single precision differ from those in double; `undefined` if they agree, or C/L - 1 is followed. */
export function tooRisklessToSell(plan: SimulationPlan): string | undefined {
  const { leastSpread = 0 } = contractOf(plan.product);
  const accuracy = ratioAccuracy(plan);
  if (accuracy === undefined || !isTooSmall(accuracy) || accuracy.spread >= leastSpread) return undefined;
  return (
    `collateral and loan hold nearly the same assets (a standard deviation of ln(C/L) of ${accuracy.spread} over the term, ` +
    `below ${leastSpread}), and single precision does not tell what a sale brings`
  );
}

/** Figures of ln(C/L) at the end of the term. */
export interface RatioAccuracy {
  /** Standard deviation to first order in the returns: of sum_i (w_c - w_l)_i ln S_i. */
  readonly spread: number;
  /** Root mean square error in single precision. */
  readonly error: number;
}

/** The worst accuracy of the ratios C_t / L_t whose thresholds decide on drawn paths; `undefined` without any. */
export function ratioAccuracy(plan: SimulationPlan): RatioAccuracy | undefined {
  let worst = measured.get(plan);
  if (worst === undefined) for (const each of accuraciesOf(plan)) worst = worseOf(worst, each);
  return worst;
}

/** The worst accuracy of plans whose ratios have been measured. */
const measured = new WeakMap<SimulationPlan, RatioAccuracy>();

/** Ratios between two turns of the event loop: about a millisecond. */
const RATIOS_PER_TURN = 250;

/** Measures the ratios of a plan in turns of the event loop, as a book has up to 100,000; `ratioAccuracy` then has their worst. */
export async function measureRatios(plan: SimulationPlan, nextTurn: () => Promise<unknown>): Promise<void> {
  let worst: RatioAccuracy | undefined;
  let count = 0;
  for (const each of accuraciesOf(plan)) {
    worst = worseOf(worst, each);
    count += 1;
    if (count % RATIOS_PER_TURN === 0) await nextTurn();
  }
  if (worst !== undefined) measured.set(plan, worst);
}

const worseOf = (worst: RatioAccuracy | undefined, each: RatioAccuracy): RatioAccuracy =>
  worst === undefined || each.spread * worst.error < worst.spread * each.error ? each : worst;

/** The accuracy of each ratio; none for given prices. */
function* accuraciesOf({ scenarios, product }: SimulationPlan): Generator<RatioAccuracy> {
  const drawn = drawnPrices(scenarios);
  if (drawn === undefined) return;
  for (const { portfolio, steps, ofPrices = false } of contractOf(product).ratioBaskets?.(product) ?? []) {
    const years = steps / HOURS_PER_YEAR;
    const exposures = portfolio.collateralWeights.map((weight, i) => weight - portfolio.loanWeights[i]);
    const spread = drawn.spreadOfTerm(scenarios, exposures, years);
    const isPair = !ofPrices && assetPair(portfolio) !== undefined;
    const largest = Math.sqrt(Math.max(...drawn.varianceOfTerm(scenarios, years)));
    const rounding = ROUNDING * largest * Math.sqrt(steps / GROUP);
    const error = isPair && drawn.ratioIsOneWalk ? 0 : Math.hypot(rounding, isPair ? 0 : BASKET_ROUNDING);
    yield { spread, error };
  }
}
