/**
 * A loan with capped sales on the GPU: terms in, sums and records out (shaders/product/capped_loan.wgsl).
 */
import { FLAGS } from '../../engine.ts';
import { sumOfWeights } from '../../plan/ratio-path.ts';
import type { CappedLoanProduct } from '../../plan/simulation-plan.ts';
import { named, type Program } from '../kernels.ts';
import {
  type GpuDomain,
  LOAN_VIEWS,
  log2Growth,
  packLoanTerms,
  packStart,
  START_CONSTANTS,
} from '../loan-terms.ts';
import type { StructLayout } from '../struct-layout.ts';
import { loanOnGpu } from './loan-program.ts';
import { countingProgram } from './path-counts.ts';

const TERMS = {
  struct: 'Terms',
  size: 60,
  fields: {
    margin_call: 0,
    liquidation: 4,
    recovery: 8,
    underwater: 12,
    nominal_ratio: 16,
    liquidation_ratio: 20,
    recovery_ratio: 24,
    capacity: 28,
    growth: 32,
    top_up_steps: 36,
    start_status: 40,
    start_value: 44,
    start_collateral: 48,
    start_loan: 52,
    start_deadline: 56,
  },
} as const satisfies StructLayout;

const PROGRAM = {
  name: 'capped loan',
  views: Object.values(LOAN_VIEWS),
  files: [
    'kernel/growth.wgsl',
    'kernel/loan_growth.wgsl',
    'product/loan_codes.wgsl',
    'product/capped_loan.wgsl',
    'kernel/no_counts.wgsl',
    'kernel/unweighted.wgsl',
    'kernel/simulate.wgsl',
  ],
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
  constants: { ...named('FLAG', FLAGS), ...START_CONSTANTS },
} as const satisfies Program;

/** The same with the counts of a distribution. */
const COUNTING_PROGRAM = countingProgram(PROGRAM, ['product/capped_loan_counts.wgsl'], 4);

/** No cap: above anything a step could sell. */
const LARGEST_SINGLE = 3.4e38;

export const GPU_CAPPED_LOAN = loanOnGpu<CappedLoanProduct, typeof PROGRAM>({
  program: PROGRAM,
  counting: COUNTING_PROGRAM,
  views: LOAN_VIEWS,
  packTerms,
  outcomeOf: ({ lowest, ...sums }, common) => ({ kind: 'capped-loan', ...sums, ...common }),
});

/** Terms with the thresholds of C/L in the path's domain, and the ratios that amounts are computed with. */
function packTerms(product: CappedLoanProduct, domain: GpuDomain): Float32Array<ArrayBuffer> {
  const { fields } = TERMS;
  const packed = packLoanTerms(TERMS, product, domain);
  packed[fields.liquidation_ratio / 4] = product.liquidationRatio;
  packed[fields.recovery_ratio / 4] = product.recoveryRatio;
  packed[fields.growth / 4] = log2Growth(product);
  packStart(TERMS, packed, product, domain);
  packed[fields.start_collateral / 4] = sumOfWeights(product.portfolio.collateralWeights);
  packed[fields.start_loan / 4] = sumOfWeights(product.portfolio.loanWeights);
  packed[fields.capacity / 4] = Math.min(product.capacityPerStep, LARGEST_SINGLE);
  return packed;
}
