/** The terms of all loans, and the comparison of their ratio C_t / L_t with its thresholds. */
import { type Declared, number, object, oneOf, optional, positive, whole, word } from './fields.ts';
import { MAX_STEPS } from './grid.ts';

const START_FIELDS = {
  /** A called loan may have had its call before the start; a liquidated one is below L at step 0. */
  status: oneOf('open', 'called', 'liquidated'),
  /** Step of the deadline of the call that is open at the start, 1 or more; of no meaning otherwise. */
  deadlineStep: whole(1, MAX_STEPS),
};
export interface LoanStart extends Declared<typeof START_FIELDS> {}

const ANSWER_FIELDS = {
  /** Probability of an answer, 0..1. */
  share: number({ least: 0, most: 1 }),
  /** Steps from a call to its answer, 1..topUpSteps. */
  delaySteps: whole(1, MAX_STEPS),
  /** Step of the answer to a call that is open at the start; 0 where it is not answered. */
  startStep: whole(0, MAX_STEPS),
  /** Collateral over debt that an answer restores; above M, and at least R. */
  toRatio: positive,
  /** The name of the draws: src/core/random/answers.ts. */
  nameHigh: word,
  nameLow: word,
};
/** Answers to margin calls: each has the same probability, and adds collateral. */
export interface AnswerTerms extends Declared<typeof ANSWER_FIELDS> {}

export const LOAN_FIELDS = {
  /** N: collateral coverage at the start. */
  nominalRatio: positive,
  /** M: below it a margin call opens. */
  marginCallRatio: positive,
  /** L: below it the loan is liquidated at once. With thresholds by asset the most that L can be. */
  liquidationRatio: positive,
  /** R: at or above it an open margin call is cured. */
  recoveryRatio: positive,
  /** Steps between a margin call and its deadline, which may be beyond the term; 0 closes out in the step of the call. */
  topUpSteps: whole(0, MAX_STEPS),
  /** The debt at step T, in units of the initial debt. Default: 1. */
  debtGrowth: optional(positive),
  /** State of the loan at step 0, which is then a step of the term. Default: the loan is open and step 0 is no step. */
  start: optional(object(START_FIELDS)),
  /** The borrower's answers to margin calls. Default: none. */
  answers: optional(object(ANSWER_FIELDS)),
};
/** The four ratios of a loan, its grace period and its interest. CCR_t = nominalRatio * C_t / (L_t g_t), g_t the growth of the debt. */
export interface LoanTerms extends Declared<typeof LOAN_FIELDS> {}

/** Fraction by which rounding may move the ratio of step 0 from the ratio of the terms, since it is computed from sums of sent numbers. The same in kernel/book-loans.ts. */
const START_ROUNDING = 1e-12;

const isBelowAtStart = (ccr: number, ratio: number): boolean => ccr < ratio * (1 - START_ROUNDING);

/** C_0 / L_0 of a loan: 1 / N where CCR_0 is below 1 by rounding only. */
export function startOfRatio(ratio: number, nominalRatio: number): number {
  return isBelowAtStart(nominalRatio * ratio, 1) ? ratio : Math.max(ratio, 1 / nominalRatio);
}

/** The state of a loan at step 0, a step of its term then. @param ccr its ratio there; @param wasCalled before */
export function statusAtStart(
  ccr: number,
  { M, L }: { readonly M: number; readonly L: number },
  wasCalled: boolean,
): LoanStart['status'] {
  if (isBelowAtStart(ccr, L)) return 'liquidated';
  return wasCalled || isBelowAtStart(ccr, M) ? 'called' : 'open';
}

/** Whether a loan has more states than a loan that is open at the start, has no answers and one threshold of liquidation. */
export const isUnderWay = ({
  start,
  answers,
  liquidationWeights,
}: Pick<LoanTerms, 'start' | 'answers'> & { readonly liquidationWeights?: Float64Array }): boolean =>
  start !== undefined || answers !== undefined || liquidationWeights !== undefined;

/** A debt that grows over its term. */
export interface GrowingDebt extends Pick<LoanTerms, 'debtGrowth'> {
  /** T. */
  readonly steps: number;
}

/** Increment per step of the natural logarithm of the debt: g_t = Y^(t / T). */
export function debtGrowthPerStep({ debtGrowth = 1, steps }: GrowingDebt): number {
  return Math.log(debtGrowth) / steps;
}

export const debtGrows = ({ debtGrowth = 1 }: Pick<LoanTerms, 'debtGrowth'>): boolean => debtGrowth !== 1;
