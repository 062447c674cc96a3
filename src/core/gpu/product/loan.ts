/**
 * A loan under unlimited liquidity on the GPU: terms in, sums and records out (shaders/product/loan.wgsl).
 */
import { FLAGS, type LoanOutcome } from '../../engine.ts';
import { LOAN_SECTIONS } from '../../plan/product/loan.ts';
import type { LoanProduct, SimulationPlan } from '../../plan/simulation-plan.ts';
import { named, type Program } from '../kernels.ts';
import { fromDomain, gpuDomain, packLoanTerms, RATIO_VIEWS } from '../loan-terms.ts';
import { readSums } from '../results.ts';
import { type ProgramRun, programJob, recordColumns, type SimulationJob, simulate } from '../simulate.ts';
import type { StructLayout } from '../struct-layout.ts';
import { countingProgram, withCounts } from './path-counts.ts';
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

/** The same with the counts of a distribution. */
const COUNTING_PROGRAM = countingProgram(PROGRAM, 'product/loan_counts.wgsl', 1);

export const GPU_LOAN: GpuProduct<LoanProduct> = {
  programs: [PROGRAM, COUNTING_PROGRAM],
  async run(session, plan, signal) {
    const { paths, product, distribution: option } = plan;
    const outcomeOf = (words: Uint32Array): LoanOutcome => {
      const { lowest, ...sums } = readSums(PROGRAM.sums, words);
      const ratio = fromDomain(gpuDomain(plan), lowest);
      return { kind: 'loan', paths, ...sums, worstCcr: product.nominalRatio * ratio };
    };
    if (option === undefined)
      return outcomeOf((await simulate(session, jobOf(PROGRAM, plan, { trace: false }, signal))).sums);
    const counted = { sections: LOAN_SECTIONS, steps: product.steps, option };
    const { value, distribution } = await withCounts(session, counted, signal, own =>
      simulate(session, jobOf(COUNTING_PROGRAM, plan, { trace: false, own }, signal)),
    );
    return { ...outcomeOf(value.sums), distribution };
  },
  async trace(session, plan, signal) {
    return recordColumns(
      PROGRAM.records,
      await simulate(session, jobOf(PROGRAM, plan, { trace: true }, signal)),
      plan.paths,
    );
  },
};

function jobOf(
  program: Program,
  plan: SimulationPlan<LoanProduct>,
  more: Pick<ProgramRun, 'trace' | 'own'>,
  signal: AbortSignal | undefined,
): SimulationJob {
  const { portfolio, steps } = plan.product;
  const domain = gpuDomain(plan);
  const view = RATIO_VIEWS[domain];
  const terms = packLoanTerms(TERMS, plan.product, domain);
  return programJob(program, plan, { view, portfolio, steps, terms, ...more }, signal);
}
