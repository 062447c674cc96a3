/** A loan under unlimited liquidity on the GPU (shaders/product/loan.wgsl). */
import { debtGrows, isUnderWay } from '../../plan/loan-terms.ts';
import { hasWeights } from '../../plan/models.ts';
import { LOAN_QUANTITIES } from '../../plan/product/loan.ts';
import type { LoanProduct } from '../../plan/simulation-plan.ts';
import type { Program } from '../kernels.ts';
import { ONE_THRESHOLD, RATIO_VIEWS, THRESHOLDS, thresholdTerms } from '../loan-terms.ts';
import { readSums } from '../results.ts';
import { struct, u32, wordsOf } from '../struct-layout.ts';
import { type LoanProgram, loansOnGpu } from './loan-program.ts';
import { FLAG_CONSTANTS, LOAN_RECORDS, LOAN_SUMS } from './loan-sums.ts';
import { SECURED_LOAN, UNDER_WAY } from './loan-under-way.ts';
import { countingProgram } from './path-counts.ts';

const TERMS = struct('Terms', { ...THRESHOLDS, top_up_steps: u32 });

const PROGRAM: Program = {
  name: 'loan',
  views: Object.values(RATIO_VIEWS),
  files: [
    ONE_THRESHOLD,
    'product/loan_codes.wgsl',
    'product/loan_states.wgsl',
    'product/loan_end.wgsl',
    'product/loan.wgsl',
    'kernel/no_counts.wgsl',
    'kernel/unweighted.wgsl',
    'kernel/simulate.wgsl',
  ],
  terms: TERMS,
  sums: LOAN_SUMS,
  records: LOAN_RECORDS,
  stateWords: 4,
  own: [],
  constants: FLAG_CONSTANTS,
};

const PLAIN: LoanProgram<LoanProduct> = {
  program: PROGRAM,
  counting: countingProgram(PROGRAM, ['product/call_counts.wgsl', 'product/loan_counts.wgsl'], 1),
  views: RATIO_VIEWS,
  packTerms: (loan, domain) =>
    wordsOf(TERMS, { ...thresholdTerms(loan, domain), top_up_steps: loan.topUpSteps }),
  outcomeOf: (words, common) => ({
    kind: 'loan',
    ...readSums(LOAN_SUMS, words),
    deadlineEnds: 0,
    ...common,
  }),
};
const WEIGHTED = weightedLoan(PLAIN);
const WEIGHTED_UNDER_WAY = weightedLoan(UNDER_WAY);
const WEIGHTED_SECURED = weightedLoan(SECURED_LOAN);

/** Loans that are under way, or whose debt grows, have a slower program. */
export const GPU_LOAN = loansOnGpu(
  [PLAIN, UNDER_WAY, SECURED_LOAN, WEIGHTED, WEIGHTED_UNDER_WAY, WEIGHTED_SECURED],
  ({ product, scenarios }) => {
    const weighs = hasWeights(scenarios.kind);
    if (product.liquidationWeights !== undefined) return weighs ? WEIGHTED_SECURED : SECURED_LOAN;
    const isPlain = !isUnderWay(product) && !debtGrows(product);
    if (weighs) return isPlain ? WEIGHTED : WEIGHTED_UNDER_WAY;
    return isPlain ? PLAIN : UNDER_WAY;
  },
);

/** A program of a loan for paths with weights (shaders/product/weighted_loan.wgsl); it counts no distribution. */
function weightedLoan(loan: LoanProgram<LoanProduct>): LoanProgram<LoanProduct> {
  const { counting: _, ...rest } = loan;
  const { program } = loan;
  // In the order of core/product/weighted-loans.ts: under the weights, odd paths alone, under the squared weights.
  const sums = { ...program.sums, weighted: { fineAmounts: 3 * LOAN_QUANTITIES.length } };
  return {
    ...rest,
    program: {
      ...program,
      name: `${program.name} weighted`,
      files: [
        ...program.files.filter(each => each !== 'kernel/unweighted.wgsl'),
        'product/weighted_loan.wgsl',
      ],
      sums,
      weighs: true,
      constants: { ...program.constants, WEIGHED_QUANTITIES: LOAN_QUANTITIES.length },
    },
    outcomeOf: (words, common, product) => ({
      ...loan.outcomeOf(words, common, product),
      weighted: readSums(sums, words).weighted,
    }),
  };
}
