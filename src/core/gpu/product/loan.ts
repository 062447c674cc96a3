/**
 * A loan under unlimited liquidity on the GPU: terms in, sums and records out (shaders/product/loan.wgsl).
 */
import { FLAGS } from '../../engine.ts';
import type { LoanProduct, SimulationPlan } from '../../plan/simulation-plan.ts';
import { named, type Program } from '../kernels.ts';
import { fromDomain, gpuDomain, packLoanTerms, RATIO_VIEWS } from '../loan-terms.ts';
import { readSums } from '../results.ts';
import { programJob, recordColumns, type SimulationJob, simulate } from '../simulate.ts';
import type { StructLayout } from '../struct-layout.ts';
import type { GpuProduct } from './program.ts';

const TERMS = {
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

const PROGRAM = {
  name: 'loan',
  views: Object.values(RATIO_VIEWS),
  files: ['product/loan_states.wgsl', 'product/loan.wgsl', 'kernel/simulate.wgsl'],
  terms: TERMS,
  sums: {
    marginCalls: 'count',
    liquidations: 'count',
    closeouts: 'count',
    underwater: 'count',
    openSteps: 'count',
    loss: 'fraction',
    closedStepSquares: 'count-square',
    losses: 'count',
    lossSquares: 'fraction-square',
  },
  records: { minimumRatio: 'real', finalRatio: 'real', endStep: 'count', flags: 'count' },
  stateWords: 4,
  marketCopies: 1,
  own: [],
  constants: named('FLAG', FLAGS),
} as const satisfies Program;

export const GPU_LOAN: GpuProduct<LoanProduct> = {
  programs: [PROGRAM],
  async run(session, plan, signal) {
    const { paths, product } = plan;
    const { sums: words } = await simulate(session, jobOf(plan, false, signal));
    const { lowest, ...sums } = readSums(PROGRAM.sums, words);
    const ratio = fromDomain(gpuDomain(plan), lowest);
    return { kind: 'loan', paths, ...sums, worstCcr: product.nominalRatio * ratio };
  },
  async trace(session, plan, signal) {
    return recordColumns(PROGRAM.records, await simulate(session, jobOf(plan, true, signal)), plan.paths);
  },
};

function jobOf(
  plan: SimulationPlan<LoanProduct>,
  trace: boolean,
  signal: AbortSignal | undefined,
): SimulationJob {
  const { portfolio, steps } = plan.product;
  const domain = gpuDomain(plan);
  const view = RATIO_VIEWS[domain];
  const terms = packLoanTerms(TERMS, plan.product, domain);
  return programJob(PROGRAM, plan, { view, portfolio, steps, terms, trace }, signal);
}
