/**
 * A loan with capped sales on the GPU: terms in, sums and records out (shaders/product/capped_loan.wgsl).
 */
import { type CappedLoanOutcome, FLAGS } from '../../engine.ts';
import { LOAN_SECTIONS } from '../../plan/product/loan.ts';
import type { CappedLoanProduct, SimulationPlan } from '../../plan/simulation-plan.ts';
import { named, type Program } from '../kernels.ts';
import { fromDomain, type GpuDomain, gpuDomain, LOAN_VIEWS, packLoanTerms } from '../loan-terms.ts';
import { readSums } from '../results.ts';
import { type ProgramRun, programJob, recordColumns, type SimulationJob, simulate } from '../simulate.ts';
import type { StructLayout } from '../struct-layout.ts';
import { countingProgram, withCounts } from './path-counts.ts';
import type { GpuProduct } from './program.ts';

const TERMS = {
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

const PROGRAM = {
  name: 'capped loan',
  views: Object.values(LOAN_VIEWS),
  files: ['product/capped_loan.wgsl', 'kernel/simulate.wgsl'],
  terms: TERMS,
  sums: {
    marginCalls: 'count',
    liquidations: 'count',
    closeouts: 'count',
    underwater: 'count',
    calls: 'count',
    callAmount: 'amount',
    sellers: 'count',
    soldAmount: 'amount',
    callSquares: 'count-square',
    callAmountSquares: 'fine-amount',
    callProducts: 'fine-amount',
    soldAmountSquares: 'fine-amount',
  },
  records: { worstCcr: 'real', soldAmount: 'real', callAmount: 'real', flags: 'count' },
  stateWords: 13,
  marketCopies: 1,
  own: [],
  constants: named('FLAG', FLAGS),
} as const satisfies Program;

/** The same with the counts of a distribution. */
const COUNTING_PROGRAM = countingProgram(PROGRAM, 'product/capped_loan_counts.wgsl', 4);

/** No cap: above anything a step could sell. */
const LARGEST_SINGLE = 3.4e38;

export const GPU_CAPPED_LOAN: GpuProduct<CappedLoanProduct> = {
  programs: [PROGRAM, COUNTING_PROGRAM],
  async run(session, plan, signal) {
    const { paths, product, distribution: option } = plan;
    const outcomeOf = (words: Uint32Array): CappedLoanOutcome => {
      const { lowest, ...sums } = readSums(PROGRAM.sums, words);
      const ratio = fromDomain(gpuDomain(plan), lowest);
      return { kind: 'capped-loan', paths, ...sums, worstCcr: product.nominalRatio * ratio };
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
  plan: SimulationPlan<CappedLoanProduct>,
  more: Pick<ProgramRun, 'trace' | 'own'>,
  signal: AbortSignal | undefined,
): SimulationJob {
  const { portfolio, steps } = plan.product;
  const domain = gpuDomain(plan);
  const view = LOAN_VIEWS[domain];
  return programJob(
    program,
    plan,
    { view, portfolio, steps, terms: packTerms(plan.product, domain), ...more },
    signal,
  );
}

/** Terms with the thresholds of C/L in the path's domain, and the ratios that amounts are computed with. */
function packTerms(product: CappedLoanProduct, domain: GpuDomain): Float32Array<ArrayBuffer> {
  const { fields } = TERMS;
  const packed = packLoanTerms(TERMS, product, domain);
  packed[fields.liquidation_ratio / 4] = product.liquidationRatio;
  packed[fields.recovery_ratio / 4] = product.recoveryRatio;
  packed[fields.capacity / 4] = Math.min(product.capacityPerStep, LARGEST_SINGLE);
  return packed;
}
