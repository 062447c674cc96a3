/**
 * Optional members of a real loan: under way, bearing interest, with a borrower who answers calls (src/question/request/loan-fields.ts).
 *
 * Gives: rules between these and the other members of a loan, and the members as steps, factors and words of a plan.
 */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { type GridHours, graceSteps, HOURS_PER_DAY, HOURS_PER_YEAR } from '../../core/plan/grid.ts';
import { type AnswerTerms, type LoanTerms, statusAtStart } from '../../core/plan/loan-terms.ts';
import type { NameKey } from '../../core/random/answers.ts';
import type { topUp } from '../request/loan-fields.ts';
import { nominalNotBelowMarginCall } from '../request/ltv.ts';
import { type Rule, rule } from '../request/rules.ts';

/** The members of a loan that may be under way. */
export interface UnderWayMembers extends InterestMember {
  readonly called_hours_ago?: number | undefined;
  readonly top_up?: TopUp | undefined;
  readonly borrower?: string | undefined;
}

export interface InterestMember {
  readonly interest_rate?: number | undefined;
}

export type TopUp = NonNullable<z.infer<typeof topUp>>;

/** The ratio that an answer or a sale restores, as `to` or as `to_ltv`. @param otherwise R of an answer */
export function restoredRatio({ to, to_ltv }: Pick<TopUp, 'to' | 'to_ltv'>, otherwise: number): number {
  if (to !== undefined) return to;
  return to_ltv === undefined ? otherwise : 1 / to_ltv;
}

/**
 * A restored ratio ends the call: it is above M, at least R and at most 100.
 *
 * @param ratioOf the restored ratio; undefined or NaN where `member` is absent or has another fault
 */
export const endsCall = <T extends { readonly M: number; readonly R: number }>(
  member: string,
  words: string,
  ratioOf: (value: T) => number | undefined,
): Rule<T> =>
  rule<T>(
    ['M', 'R', member],
    member,
    value => {
      const to = ratioOf(value) ?? Number.NaN;
      return Number.isNaN(to) || (to > value.M && to >= value.R && to <= 100);
    },
    ({ M, R }) =>
      `such that ${words} restores a ratio above M (${M}), at least R (${R}) and at most 100, by to or to_ltv`,
    value => Number(ratioOf(value)),
  );

/**
 * The debt of a loan at the end of its term, in units of the debt at the start: Y = 1 + r H / 8760.
 *
 * @param interestRate per year, none where absent
 * @param termDays days of the term
 */
export function debtGrowth(interestRate: number | undefined, termDays: number): number {
  return 1 + ((interestRate ?? 0) * HOURS_PER_DAY * termDays) / HOURS_PER_YEAR;
}

/** The debt at the end of the term is above 0. */
export const debtStaysPositive = rule<InterestMember & { loan_duration: number }>(
  ['interest_rate', 'loan_duration'],
  'interest_rate',
  ({ interest_rate, loan_duration }) => debtGrowth(interest_rate, loan_duration) > 0,
  ({ loan_duration }) =>
    `above ${-HOURS_PER_YEAR / (HOURS_PER_DAY * loan_duration)}, so that a debt is left at the end of the term`,
  ({ interest_rate }) => Number(interest_rate),
);

interface Start {
  readonly N: number;
  readonly M: number;
  readonly L: number;
  readonly R?: number | undefined;
  readonly called_hours_ago?: number | undefined;
}

const isCalledAtStart = ({ N, M, L }: Start) => L <= N && N < M;

/** M <= N, unless called_hours_ago is sent. */
export const nominalNotBelowMarginCallUnlessCalled = nominalNotBelowMarginCall(
  value => (value as Partial<Start>).called_hours_ago !== undefined,
);

/** Why a loan is not in call at the start, and what to send. A call that prices have lifted above M is open until R. */
function whyNotCalled({ N, M, L, R = 0 }: Start): string {
  if (N < L)
    return `absent where N (${N}) is below L (${L}): the loan is liquidated at the start; leave it out`;
  const open =
    R > N ? `; or, for a call that is open until R (${R}), send M above N (margin_call_ltv below 1 / N)` : '';
  return `absent where N (${N}) is at least M (${M}): the loan is not in call at the start; leave it out${open}`;
}

/** A loan that was called before the start has L <= N < M. */
export const calledBelowMarginCall = rule<Start>(
  ['N', 'M', 'L', 'called_hours_ago'],
  'called_hours_ago',
  start => start.called_hours_ago === undefined || isCalledAtStart(start),
  whyNotCalled,
  ({ called_hours_ago }) => Number(called_hours_ago),
);

interface Answering {
  readonly M: number;
  readonly R: number;
  readonly mc_top_up: number;
  readonly top_up?: TopUp | undefined;
}

/** An answer comes by the deadline of its call. */
const answerWithinGrace = rule<Answering>(
  ['mc_top_up', 'top_up'],
  'top_up.delay_hours',
  ({ top_up, mc_top_up }) => top_up === undefined || top_up.delay_hours <= mc_top_up,
  ({ mc_top_up }) => `at most mc_top_up (${mc_top_up} hours), the deadline of a call`,
  ({ top_up }) => Number(top_up?.delay_hours),
);

/** One of `to` and `to_ltv`. */
const oneAnswerRatio = rule<Answering>(
  ['top_up'],
  'top_up.to_ltv',
  ({ top_up }) => top_up?.to === undefined || top_up.to_ltv === undefined,
  () => 'absent where top_up.to is sent',
  ({ top_up }) => Number(top_up?.to_ltv),
);

const answerEndsCall = endsCall<Answering>(
  'top_up',
  'an answer',
  ({ R, top_up }) => top_up && restoredRatio(top_up, R),
);

/** The rules between the answers of a borrower and the loan. */
export const topUpRules: readonly Rule<Answering>[] = [answerWithinGrace, oneAnswerRatio, answerEndsCall];

/**
 * The name of a loan or of its borrower as the key of its answers (src/core/random/answers.ts): the first 64 bits of the SHA-256 of
 * the name in UTF-8. The core has no cryptography.
 */
export function nameKey(name: string): NameKey {
  const digest = createHash('sha256').update(name, 'utf8').digest();
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)];
}

/** The members in hours that become steps. */
export interface UnderWayHours {
  readonly mc_top_up: number;
  readonly called_hours_ago?: number | undefined;
  readonly top_up?: Pick<TopUp, 'delay_hours'> | undefined;
}

/** The members of a loan under way as steps of a grid. */
export interface UnderWaySteps {
  /** Step of the deadline of a call that is open at the start, 1 or more. */
  readonly startDeadline: number;
  /** Steps from a call to its answer, 1 or more; 0 where nobody answers. */
  readonly answerDelay: number;
  /** Step of the answer to a call that is open at the start, 1 or more; 0 where it is not answered. */
  readonly startAnswer: number;
}

/**
 * The terms of a plan that follow from the members of a loan under way; none where no member is sent.
 *
 * @param shockedCcr ratio at step 0 after a shock of prices
 */
export function underWayTerms(
  terms: UnderWayMembers & UnderWayHours & { readonly loan_duration: number },
  ratios: { readonly N: number; readonly M: number; readonly L: number; readonly R: number },
  gridHours: GridHours,
  shockedCcr?: number,
): Pick<LoanTerms, 'debtGrowth' | 'start' | 'answers'> {
  const { interest_rate, loan_duration, called_hours_ago, top_up, borrower = '' } = terms;
  const wasCalled = called_hours_ago !== undefined;
  const growth = debtGrowth(interest_rate, loan_duration);
  const steps = underWaySteps(terms, gridHours);
  return {
    ...(growth === 1 ? {} : { debtGrowth: growth }),
    ...(wasCalled || shockedCcr !== undefined
      ? {
          start: {
            status: statusAtStart(shockedCcr ?? ratios.N, ratios, wasCalled),
            deadlineStep: steps.startDeadline,
          },
        }
      : {}),
    ...(top_up === undefined ? {} : { answers: answerTerms(top_up, ratios.R, steps, nameKey(borrower)) }),
  };
}

/** The answers of a borrower as terms of a plan. @param recoveryRatio R */
export function answerTerms(
  topUp: TopUp,
  recoveryRatio: number,
  { answerDelay, startAnswer }: UnderWaySteps,
  [nameHigh, nameLow]: NameKey,
): AnswerTerms {
  return {
    share: topUp.share,
    delaySteps: answerDelay,
    startStep: startAnswer,
    toRatio: restoredRatio(topUp, recoveryRatio),
    nameHigh,
    nameLow,
  };
}

/** Steps rounded up: of hours to whole hours, on a daily grid to whole days. */
export function underWaySteps(
  { mc_top_up, called_hours_ago = 0, top_up }: UnderWayHours,
  gridHours: GridHours,
): UnderWaySteps {
  const left = Math.max(0, mc_top_up - called_hours_ago);
  const untilAnswer = (top_up?.delay_hours ?? 0) - called_hours_ago;
  return {
    startDeadline: Math.max(1, graceSteps(left, gridHours)),
    answerDelay: top_up === undefined ? 0 : graceSteps(top_up.delay_hours, gridHours),
    startAnswer: top_up === undefined || untilAnswer < 1 ? 0 : graceSteps(untilAnswer, gridHours),
  };
}
