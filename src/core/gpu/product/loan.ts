/**
 * A loan under unlimited liquidity on the GPU: terms in, sums and records out (shaders/product/loan.wgsl).
 */
import { FLAGS } from '../../engine.ts';
import { debtGrows, isUnderWay } from '../../plan/loan-terms.ts';
import { hasWeights } from '../../plan/models.ts';
import type { LoanProduct } from '../../plan/simulation-plan.ts';
import { named, type Program } from '../kernels.ts';
import { RATIO_VIEWS, THRESHOLDS, thresholdTerms } from '../loan-terms.ts';
import { struct, u32, wordsOf } from '../struct-layout.ts';
import { type LoanProgram, loansOnGpu } from './loan-program.ts';
import { UNDER_WAY } from './loan-under-way.ts';
import { countingProgram } from './path-counts.ts';
import { weightedRow } from './weighted-loan.ts';

const TERMS = struct('Terms', { ...THRESHOLDS, top_up_steps: u32 });

const PROGRAM = {
  name: 'loan',
  views: Object.values(RATIO_VIEWS),
  files: [
    'product/loan_codes.wgsl',
    'product/loan_states.wgsl',
    'product/loan_end.wgsl',
    'product/loan.wgsl',
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
const COUNTING_PROGRAM = countingProgram(
  PROGRAM,
  ['product/call_counts.wgsl', 'product/loan_counts.wgsl'],
  1,
);

const PLAIN: LoanProgram<LoanProduct, typeof PROGRAM> = {
  program: PROGRAM,
  counting: COUNTING_PROGRAM,
  views: RATIO_VIEWS,
  packTerms: (loan, domain) =>
    wordsOf(TERMS, { ...thresholdTerms(loan, domain), top_up_steps: loan.topUpSteps }),
  outcomeOf: ({ lowest, ...sums }, common) => ({ kind: 'loan', ...sums, ...common }),
};

const ROWS = [PLAIN, UNDER_WAY, weightedRow(PLAIN), weightedRow(UNDER_WAY)];
const [plain, underWay, weighted, weightedUnderWay] = ROWS as unknown as readonly LoanProgram<LoanProduct>[];

/** A loan that is under way, or whose debt grows, has a program of its own: the others stay as fast as they are. */
export const GPU_LOAN = loansOnGpu(
  [plain, underWay, weighted, weightedUnderWay],
  ({ product, scenarios }) => {
    const isPlain = !isUnderWay(product) && !debtGrows(product);
    if (hasWeights(scenarios.kind)) return isPlain ? weighted : weightedUnderWay;
    return isPlain ? plain : underWay;
  },
);
