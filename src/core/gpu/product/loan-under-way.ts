/** A loan under way on the GPU: interest, a call that is open at the start, answered calls (shaders/product/loan_under_way.wgsl). */
import { placeRatio } from '../../plan/ratio-path.ts';
import type { LoanProduct } from '../../plan/simulation-plan.ts';
import { ANSWER_KEY, answeringWords } from '../../random/answers.ts';
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
import { type LoanProgram, securedProgram } from './loan-program.ts';
import { FLAG_CONSTANTS, LOAN_RECORDS, LOAN_SUMS } from './loan-sums.ts';
import { countingProgram } from './path-counts.ts';

const TERMS = struct('Terms', {
  ...THRESHOLDS,
  top_up_steps: u32,
  growth: f32,
  start_status: u32,
  start_value: f32,
  start_deadline: u32,
  answer_delay: u32,
  answer_start: u32,
  answer_value: f32,
  answer_last: u32,
  answer_name_high: u32,
  answer_name_low: u32,
  ...SECURED,
});

const UNANSWERED_SUMS = { ...LOAN_SUMS, deadlineEnds: 'count' } as const satisfies SumKinds;
const SUMS = {
  ...UNANSWERED_SUMS,
  topUps: 'count',
  topUpAmount: 'fine-amount',
  topUpAmountSquares: 'fine-amount',
} as const satisfies SumKinds;

const PROGRAM: Program = {
  name: 'loan under way',
  views: Object.values(LOAN_VIEWS),
  files: [
    'lib/answer_words.wgsl',
    'kernel/growth.wgsl',
    'kernel/loan_growth.wgsl',
    ONE_THRESHOLD,
    'product/loan_codes.wgsl',
    'product/loan_end.wgsl',
    'product/loan_under_way.wgsl',
    'kernel/no_counts.wgsl',
    'kernel/unweighted.wgsl',
    'kernel/simulate.wgsl',
  ],
  terms: TERMS,
  sums: SUMS,
  records: { ...LOAN_RECORDS, topUpAmount: 'real' },
  stateWords: 9,
  own: [],
  constants: { ...FLAG_CONSTANTS, ...START_CONSTANTS, ANSWER_KEY },
};

const countingOf = (program: Program) =>
  countingProgram(program, ['product/call_counts.wgsl', 'product/loan_under_way_counts.wgsl'], 1);

export const UNDER_WAY: LoanProgram<LoanProduct> = {
  program: PROGRAM,
  counting: countingOf(PROGRAM),
  views: LOAN_VIEWS,
  packTerms,
  outcomeOf: (words, common, { answers }) => ({
    kind: 'loan',
    ...readSums(answers === undefined ? UNANSWERED_SUMS : SUMS, words),
    ...common,
  }),
};

/** The same with thresholds of liquidation by asset. */
export const SECURED_LOAN: LoanProgram<LoanProduct> = securedProgram(UNDER_WAY, countingOf);

function packTerms(product: LoanProduct, domain: GpuDomain): Uint32Array<ArrayBuffer> {
  const { loan, terms } = securedLoan(product);
  return wordsOf(TERMS, {
    ...thresholdTerms(loan, domain),
    top_up_steps: loan.topUpSteps,
    growth: log2Growth(loan),
    ...startTerms(loan, domain),
    ...answerTerms(loan, domain),
    ...terms,
  });
}

/** All 0 where no call is answered. */
function answerTerms({ answers, nominalRatio }: LoanProduct, domain: GpuDomain) {
  const answering = answeringWords(answers?.share ?? 0);
  const answered = answering === 0 ? undefined : answers;
  return {
    answer_delay: answered?.delaySteps ?? 0,
    answer_start: answered?.startStep ?? 0,
    answer_value: answered === undefined ? 0 : placeRatio(domain, answered.toRatio / nominalRatio),
    answer_last: answered === undefined ? 0 : answering - 1,
    answer_name_high: answered?.nameHigh ?? 0,
    answer_name_low: answered?.nameLow ?? 0,
  };
}
