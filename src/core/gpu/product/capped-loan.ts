/**
 * A loan with capped sales on the GPU: terms in, sums and records out (shaders/product/capped_loan.wgsl).
 */
import { FLAGS } from '../../engine.ts';
import type { CappedLoanProduct, SimulationPlan } from '../../plan/simulation-plan.ts';
import { named, type Program } from '../kernels.ts';
import { fromDomain, type GpuDomain, gpuDomain, LOAN_VIEWS, packLoanTerms } from '../loan-terms.ts';
import { readSums } from '../results.ts';
import { programJob, recordColumns, type SimulationJob, simulate } from '../simulate.ts';
import type { StructLayout } from '../struct-layout.ts';
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

/** No cap: above anything a step could sell. */
const LARGEST_SINGLE = 3.4e38;

export const GPU_CAPPED_LOAN: GpuProduct<CappedLoanProduct> = {
  programs: [PROGRAM],
  async run(session, plan, signal) {
    const { paths, product } = plan;
    const { sums: words } = await simulate(session, jobOf(plan, false, signal));
    const { lowest, ...sums } = readSums(PROGRAM.sums, words);
    const ratio = fromDomain(gpuDomain(plan), lowest);
    return { kind: 'capped-loan', paths, ...sums, worstCcr: product.nominalRatio * ratio };
  },
  async trace(session, plan, signal) {
    return recordColumns(PROGRAM.records, await simulate(session, jobOf(plan, true, signal)), plan.paths);
  },
};

function jobOf(
  plan: SimulationPlan<CappedLoanProduct>,
  trace: boolean,
  signal: AbortSignal | undefined,
): SimulationJob {
  const { portfolio, steps } = plan.product;
  const domain = gpuDomain(plan);
  const view = LOAN_VIEWS[domain];
  return programJob(
    PROGRAM,
    plan,
    { view, portfolio, steps, terms: packTerms(plan.product, domain), trace },
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
