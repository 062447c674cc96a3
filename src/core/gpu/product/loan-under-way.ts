/**
 * A loan under way on the GPU: interest, a call that is open at the start, answered calls (shaders/product/loan_under_way.wgsl).
 */
import { FLAGS } from '../../engine.ts';
import { LOAN } from '../../plan/product/loan.ts';
import { placeRatio } from '../../plan/ratio-path.ts';
import type { LoanProduct } from '../../plan/simulation-plan.ts';
import { ANSWER_KEY, answeringWords } from '../../random/answers.ts';
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
import type { LoanProgram } from './loan-program.ts';
import { countingProgram } from './path-counts.ts';

const TERMS = {
  struct: 'Terms',
  size: 64,
  fields: {
    margin_call: 0,
    liquidation: 4,
    recovery: 8,
    underwater: 12,
    nominal_ratio: 16,
    top_up_steps: 20,
    growth: 24,
    start_status: 28,
    start_value: 32,
    start_deadline: 36,
    answer_delay: 40,
    answer_start: 44,
    answer_value: 48,
    answer_last: 52,
    answer_name_high: 56,
    answer_name_low: 60,
  },
} as const satisfies StructLayout;

const PROGRAM = {
  name: 'loan under way',
  views: Object.values(LOAN_VIEWS),
  files: [
    'lib/answer_words.wgsl',
    'kernel/growth.wgsl',
    'kernel/loan_growth.wgsl',
    'product/loan_codes.wgsl',
    'product/loan_end.wgsl',
    'product/loan_under_way.wgsl',
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
    topUps: 'count',
    topUpAmount: 'fine-amount',
    topUpAmountSquares: 'fine-amount',
  },
  records: {
    minimumRatio: 'real',
    finalRatio: 'real',
    endStep: 'count',
    flags: 'count',
    topUpAmount: 'real',
  },
  stateWords: 9,
  marketCopies: 1,
  own: [],
  constants: { ...named('FLAG', FLAGS), ...START_CONSTANTS, ANSWER_KEY },
} as const satisfies Program;

export const UNDER_WAY: LoanProgram<LoanProduct, typeof PROGRAM> = {
  program: PROGRAM,
  counting: countingProgram(PROGRAM, ['product/call_counts.wgsl', 'product/loan_under_way_counts.wgsl'], 1),
  views: LOAN_VIEWS,
  packTerms,
  outcomeOf({ lowest, topUps, topUpAmount, topUpAmountSquares, ...sums }, common, { answers }) {
    const answered = answers === undefined ? {} : { topUps, topUpAmount, topUpAmountSquares };
    return { kind: 'loan', ...sums, ...answered, ...common };
  },
  recordFields: LOAN.recordFields,
};

function packTerms(loan: LoanProduct, domain: GpuDomain): Float32Array<ArrayBuffer> {
  const { answers, nominalRatio } = loan;
  const { fields } = TERMS;
  const packed = packLoanTerms(TERMS, loan, domain);
  const words = new Uint32Array(packed.buffer);
  packed[fields.growth / 4] = log2Growth(loan);
  packStart(TERMS, packed, loan, domain);
  const answering = answeringWords(answers?.share ?? 0);
  if (answers === undefined || answering === 0) return packed;
  words[fields.answer_delay / 4] = answers.delaySteps;
  words[fields.answer_start / 4] = answers.startStep;
  packed[fields.answer_value / 4] = placeRatio(domain, answers.toRatio / nominalRatio);
  words[fields.answer_last / 4] = answering - 1;
  words[fields.answer_name_high / 4] = answers.nameHigh;
  words[fields.answer_name_low / 4] = answers.nameLow;
  return packed;
}
