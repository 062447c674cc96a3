/**
 * A loan with capped sales on the GPU: terms in, sums and records out (shaders/product/capped_loan.wgsl).
 */
import type { CappedLoanProduct, SimulationPlan } from '../../../plan/simulation-plan.ts';
import type { CappedLoanOutcome, PathRecords } from '../../engine.ts';
import { cappedLoanKernel, type LoanView, loanView } from '../kernels.ts';
import { packGbmLoanPair } from '../loan-pair-market.ts';
import { packLoanTerms } from '../loan-terms.ts';
import { packMarket, type StructLayout } from '../parameters.ts';
import { fixedPointSum, integerSum, lowestValue, sumWords } from '../results.ts';
import type { GpuSession } from '../session.ts';
import { type SimulationJob, simulate } from '../simulate.ts';

export const CAPPED_LOAN_TERMS_LAYOUT = {
  struct: 'Terms',
  size: 36,
  fields: {
    margin_call: 0,
    liquidation: 4,
    recovery: 8,
    underwater: 12,
    nominal_ratio: 16,
    liquidation_ratio: 20,
    recovery_ratio: 24,
    capacity: 28,
    top_up_steps: 32,
  },
} as const satisfies StructLayout;

/** Order of the sums in the results; an amount takes three: multiples of 2^24, whole parts, fractions. */
const SUM = {
  marginCalls: 0,
  liquidations: 1,
  closeouts: 2,
  underwater: 3,
  calls: 4,
  callAmount: 5,
  sellers: 8,
  soldAmount: 9,
} as const;
const SUM_COUNT = 12;
const RECORD_FIELDS = ['worstCcr', 'soldAmount', 'callAmount', 'flags'] as const;
/** Words of a path's state beside the market's. */
const STATE_WORDS = 13;
/** No cap: above anything a step could sell. */
const LARGEST_SINGLE = 3.4e38;

/** Runs a plan; see `Engine.run`. */
export async function runCappedLoan(
  session: GpuSession,
  plan: SimulationPlan<CappedLoanProduct>,
  signal: AbortSignal | undefined,
): Promise<CappedLoanOutcome> {
  const { sums } = await simulate(session, cappedLoanJob(plan, 0, signal));
  const lowest = lowestValue(sums, SUM_COUNT);
  const ratio = loanView(plan.product.portfolio) === 'loan-pair' ? 2 ** lowest : lowest;
  const count = (sum: number) => integerSum(sums, sum);
  const amount = (sum: number) =>
    integerSum(sums, sum) * 2 ** 24 + integerSum(sums, sum + 1) + fixedPointSum(sums, sum + 2);
  return {
    kind: 'capped-loan',
    paths: plan.paths,
    marginCalls: count(SUM.marginCalls),
    liquidations: count(SUM.liquidations),
    closeouts: count(SUM.closeouts),
    underwater: count(SUM.underwater),
    calls: count(SUM.calls),
    callAmount: amount(SUM.callAmount),
    sellers: count(SUM.sellers),
    soldAmount: amount(SUM.soldAmount),
    worstCcr: plan.product.nominalRatio * ratio,
  };
}

/** One record per path; see `Engine.trace`. */
export async function traceCappedLoan(
  session: GpuSession,
  plan: SimulationPlan<CappedLoanProduct>,
  signal: AbortSignal | undefined,
): Promise<PathRecords> {
  const { records } = await simulate(session, cappedLoanJob(plan, RECORD_FIELDS.length, signal));
  const column = (name: (typeof RECORD_FIELDS)[number]) => {
    const start = RECORD_FIELDS.indexOf(name) * plan.paths;
    return records!.slice(start, start + plan.paths);
  };
  const reals = (name: (typeof RECORD_FIELDS)[number]) =>
    Float64Array.from(new Float32Array(column(name).buffer));
  return {
    worstCcr: reals('worstCcr'),
    soldAmount: reals('soldAmount'),
    callAmount: reals('callAmount'),
    flags: Float64Array.from(column('flags')),
  };
}

function cappedLoanJob(
  plan: SimulationPlan<CappedLoanProduct>,
  recordFields: number,
  signal: AbortSignal | undefined,
): SimulationJob {
  const { product } = plan;
  const view = loanView(product.portfolio);
  const market =
    view === 'loan-pair' && plan.scenarios.kind === 'gbm'
      ? packGbmLoanPair(plan.scenarios, product.portfolio)
      : packMarket(plan.scenarios, product.portfolio, 'sides');
  return {
    kernel: cappedLoanKernel(market.model, view),
    seed: plan.seed,
    paths: plan.paths,
    steps: product.steps,
    market,
    terms: packTerms(product, view),
    sumWords: sumWords(SUM_COUNT),
    productStateWords: STATE_WORDS,
    recordFields,
    signal,
  };
}

/** Terms with the thresholds of C/L in the view's unit, and the ratios that amounts are reckoned with. */
function packTerms(product: CappedLoanProduct, view: LoanView): Float32Array<ArrayBuffer> {
  const { fields } = CAPPED_LOAN_TERMS_LAYOUT;
  const packed = packLoanTerms(CAPPED_LOAN_TERMS_LAYOUT, product, view === 'loan-pair');
  packed[fields.liquidation_ratio / 4] = product.liquidationRatio;
  packed[fields.recovery_ratio / 4] = product.recoveryRatio;
  packed[fields.capacity / 4] = Math.min(product.capacityPerStep, LARGEST_SINGLE);
  return packed;
}
