/**
 * A loan under unlimited liquidity on the GPU: terms in, sums and records out (shaders/product/loan.wgsl).
 */
import type { LoanProduct, SimulationPlan } from '../../../plan/simulation-plan.ts';
import type { LoanOutcome, PathRecords } from '../../engine.ts';
import { ratioKernel, ratioView } from '../kernels.ts';
import { packLoanTerms } from '../loan-terms.ts';
import { packMarket, type StructLayout } from '../parameters.ts';
import { fixedPointSum, integerSum, lowestValue, sumWords } from '../results.ts';
import type { GpuSession } from '../session.ts';
import { type SimulationJob, simulate } from '../simulate.ts';

export const LOAN_TERMS_LAYOUT = {
  struct: 'Terms',
  size: 24,
  fields: {
    margin_call: 0,
    liquidation: 4,
    recovery: 8,
    underwater: 12,
    nominal_ratio: 16,
    top_up_steps: 20,
  },
} as const satisfies StructLayout;

/** Order of the sums in the results. */
const SUMS = ['marginCalls', 'liquidations', 'closeouts', 'underwater', 'openSteps', 'loss'] as const;
const RECORD_FIELDS = ['minimumRatio', 'finalRatio', 'endStep', 'flags'] as const;
/** Words of a path's state beside the market's. */
const STATE_WORDS = 4;

/** Runs a loan plan; see `Engine.run`. */
export async function runLoan(
  session: GpuSession,
  plan: SimulationPlan<LoanProduct>,
  signal: AbortSignal | undefined,
): Promise<LoanOutcome> {
  const { sums } = await simulate(session, loanJob(plan, 0, signal));
  const lowest = lowestValue(sums, SUMS.length);
  const ratio = ratioView(plan.product.portfolio) === 'log-ratio' ? 2 ** lowest : lowest;
  const sum = (name: (typeof SUMS)[number]) => integerSum(sums, SUMS.indexOf(name));
  return {
    kind: 'loan',
    paths: plan.paths,
    marginCalls: sum('marginCalls'),
    liquidations: sum('liquidations'),
    closeouts: sum('closeouts'),
    underwater: sum('underwater'),
    openSteps: sum('openSteps'),
    loss: fixedPointSum(sums, SUMS.indexOf('loss')),
    worstCcr: plan.product.nominalRatio * ratio,
  };
}

/** One record per path of a loan plan; see `Engine.trace`. */
export async function traceLoan(
  session: GpuSession,
  plan: SimulationPlan<LoanProduct>,
  signal: AbortSignal | undefined,
): Promise<PathRecords> {
  const { records } = await simulate(session, loanJob(plan, RECORD_FIELDS.length, signal));
  const field = (name: (typeof RECORD_FIELDS)[number]) => {
    const start = RECORD_FIELDS.indexOf(name) * plan.paths;
    return records!.subarray(start, start + plan.paths);
  };
  const reals = (words: Uint32Array) => Float64Array.from(new Float32Array(words.slice().buffer));
  return {
    minimumRatio: reals(field('minimumRatio')),
    finalRatio: reals(field('finalRatio')),
    endStep: Float64Array.from(field('endStep')),
    flags: Float64Array.from(field('flags')),
  };
}

function loanJob(
  plan: SimulationPlan<LoanProduct>,
  recordFields: number,
  signal: AbortSignal | undefined,
): SimulationJob {
  const { product } = plan;
  const view = ratioView(product.portfolio);
  const market = packMarket(plan.scenarios, product.portfolio, view);
  return {
    kernel: ratioKernel('loan', market.model, view),
    seed: plan.seed,
    paths: plan.paths,
    steps: product.steps,
    market,
    terms: packLoanTerms(LOAN_TERMS_LAYOUT, product, view === 'log-ratio'),
    sumWords: sumWords(SUMS.length),
    productStateWords: STATE_WORDS,
    recordFields,
    signal,
  };
}
