/** A loan with capped sales on the GPU (shaders/product/capped_loan.wgsl). */
import { startSaleStep } from '../../plan/product/capped-loan.ts';
import { sumOfWeights } from '../../plan/ratio-path.ts';
import type { CappedLoanProduct } from '../../plan/simulation-plan.ts';
import type { Program } from '../kernels.ts';
import {
  type GpuDomain,
  LOAN_VIEWS,
  log2Growth,
  ONE_THRESHOLD,
  SECURED,
  START_CONSTANTS,
  securedLoan,
  startTerms,
  THRESHOLDS,
  thresholdTerms,
} from '../loan-terms.ts';
import { readSums, type SumKinds } from '../results.ts';
import { f32, struct, u32, wordsOf } from '../struct-layout.ts';
import { type LoanProgram, loansOnGpu, securedProgram } from './loan-program.ts';
import { EVENT_SUMS, FLAG_CONSTANTS } from './loan-sums.ts';
import { countingProgram } from './path-counts.ts';

const TERMS = struct('Terms', {
  ...THRESHOLDS,
  liquidation_ratio: f32,
  recovery_ratio: f32,
  capacity: f32,
  growth: f32,
  top_up_steps: u32,
  start_status: u32,
  start_value: f32,
  start_collateral: f32,
  start_loan: f32,
  start_deadline: u32,
  start_sale_steps: u32,
  ...SECURED,
});

const SUMS = {
  ...EVENT_SUMS,
  calls: 'count',
  callAmount: 'amount',
  sellers: 'count',
  soldAmount: 'amount',
  callSquares: 'count-square',
  callAmountSquares: 'fine-amount',
  callProducts: 'fine-amount',
  soldAmountSquares: 'fine-amount',
  repaid: 'count',
  recalled: 'count',
  unfinished: 'count',
} as const satisfies SumKinds;

const PROGRAM: Program = {
  name: 'capped loan',
  views: Object.values(LOAN_VIEWS),
  files: [
    'kernel/growth.wgsl',
    'kernel/loan_growth.wgsl',
    ONE_THRESHOLD,
    'product/loan_codes.wgsl',
    'product/capped_loan.wgsl',
    'kernel/no_counts.wgsl',
    'kernel/unweighted.wgsl',
    'kernel/simulate.wgsl',
  ],
  terms: TERMS,
  sums: SUMS,
  records: { worstCcr: 'real', soldAmount: 'real', callAmount: 'real', flags: 'count' },
  stateWords: 13,
  own: [],
  constants: { ...FLAG_CONSTANTS, ...START_CONSTANTS },
};

/** No cap. */
const LARGEST_SINGLE = 3.4e38;

const countingOf = (program: Program) => countingProgram(program, ['product/capped_loan_counts.wgsl'], 4);

const CAPPED: LoanProgram<CappedLoanProduct> = {
  program: PROGRAM,
  counting: countingOf(PROGRAM),
  views: LOAN_VIEWS,
  packTerms,
  outcomeOf: (words, common) => ({ kind: 'capped-loan', ...readSums(SUMS, words), ...common }),
};
const CAPPED_BY_ASSET = securedProgram(CAPPED, countingOf);

export const GPU_CAPPED_LOAN = loansOnGpu([CAPPED, CAPPED_BY_ASSET], ({ product }) =>
  product.liquidationWeights === undefined ? CAPPED : CAPPED_BY_ASSET,
);

/** Terms with the thresholds of C/L in the path's domain, and the ratios for amounts. */
function packTerms(product: CappedLoanProduct, domain: GpuDomain): Uint32Array<ArrayBuffer> {
  const { collateralWeights, loanWeights } = product.portfolio;
  const saleStep = startSaleStep(product) ?? Number.POSITIVE_INFINITY;
  const { loan, terms } = securedLoan(product);
  return wordsOf(TERMS, {
    ...thresholdTerms(loan, domain),
    liquidation_ratio: loan.liquidationRatio,
    recovery_ratio: product.recoveryRatio,
    capacity: Math.min(product.capacityPerStep, LARGEST_SINGLE),
    growth: log2Growth(product),
    top_up_steps: product.topUpSteps,
    ...startTerms(product, domain),
    start_collateral: sumOfWeights(collateralWeights),
    start_loan: sumOfWeights(loanWeights),
    start_sale_steps: Math.max(0, product.steps + 1 - saleStep),
    ...terms,
  });
}
