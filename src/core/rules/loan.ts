/**
 * The loan: docs/methodology.md, part 4 (Loans), with interest, a loan that begins called and a borrower who answers.
 *
 * Takes: terms, and the values of both baskets by step. Gives: what happens on that path. The rules of a step are those of a capped sale
 * and of a book, too.
 */
import type { LoanTerms as PlannedTerms } from '../plan/loan-terms.ts';
import type { LoanProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import { uniformOfCall } from './draws.ts';
import { basketsOnPath } from './models.ts';

export interface LoanTerms {
  /** Collateral over debt: at the start, and where a call opens, the loan is liquidated, and a call is cured. */
  readonly N: number;
  readonly M: number;
  readonly L: number;
  readonly R: number;
  /** Steps from a call to its deadline. */
  readonly topUpSteps: number;
  /** Y: the debt at the term in units of that at the start; 1 where it is absent. */
  readonly growth?: number;
  /** State at step 0, a step of the term then. */
  readonly start?: LoanStart;
  /** Absent where no call is answered. */
  readonly answers?: LoanAnswers;
}

export interface LoanStart {
  readonly status: 'open' | 'called' | 'liquidated';
  /** Of a call that is open at the start: the steps of its deadline, and of its answer, 0 without one. */
  readonly deadline: number;
  readonly answer: number;
}

export interface LoanAnswers {
  /** Probability. */
  readonly share: number;
  /** Steps from a call to its answer. */
  readonly delay: number;
  /** CCR that an answer restores. */
  readonly to: number;
}

/** A uniform in [0, 1) for call 0, which is open at the start, and for each later call 1, 2 ... */
export type DrawOfCall = (call: number) => number;

/** A loan on its way. Steps count from 0, the start. */
export interface LoanState {
  /** Units of collateral per unit of the loan: N at the start. */
  units: number;
  /** Part of the debt that is left, before interest: 1 at the start. */
  debt: number;
  /** Calls that were opened after the start. */
  calls: number;
  /** The call that is open: steps of its deadline, and of its answer, 0 without one. */
  call: { readonly deadline: number; readonly answer: number } | undefined;
}

export const loanAtStart = ({ N }: LoanTerms): LoanState => ({
  units: N,
  debt: 1,
  calls: 0,
  call: undefined,
});

/** What happens to an open loan in one step. */
export interface StepEvents {
  /** A margin call; a fall through L without an open call is one. */
  readonly called: boolean;
  /** The call was opened again in the step of its cure. */
  readonly again: boolean;
  /** The open call was answered. */
  readonly answered: boolean;
  readonly liquidated: boolean;
  readonly closedOut: boolean;
}

const NOTHING: StepEvents = {
  called: false,
  again: false,
  answered: false,
  liquidated: false,
  closedOut: false,
};

/**
 * The rules of step t in their order: docs/methodology.md, "Loans" and docs/methodology.md, "A borrower who answers".
 *
 * @param ccr before the step
 * @param health collateral at the liquidation LTVs of its assets over debt; undefined where the loan has one threshold
 */
export function rulesOfStep(
  terms: LoanTerms,
  loan: LoanState,
  t: number,
  ccr: number,
  draw: DrawOfCall,
  health: number | undefined,
): StepEvents {
  if (t === 0) return rulesOfStart(terms, loan, draw);
  const { M, R, topUpSteps, answers } = terms;

  // 1. Liquidation.
  if (isBelowLiquidation(terms, ccr, health)) {
    const called = loan.call === undefined;
    loan.call = undefined;
    return { ...NOTHING, called, liquidated: true };
  }

  // 2. Cure.
  const cured = loan.call !== undefined && ccr >= R;
  if (cured) loan.call = undefined;

  // 3. Margin call.
  const called = loan.call === undefined && ccr < M;
  if (called) {
    loan.calls += 1;
    const isAnswered = answers !== undefined && draw(loan.calls) < answers.share;
    loan.call = { deadline: t + topUpSteps, answer: isAnswered ? t + answers.delay : 0 };
  }

  // 4. The answer that is due.
  const answered = answers !== undefined && loan.call?.answer === t;
  if (answered) {
    loan.units *= answers.to / ccr;
    loan.call = undefined;
  }

  // 5. Closeout.
  const closedOut = loan.call !== undefined && t >= loan.call.deadline;
  if (closedOut) loan.call = undefined;

  return { called, again: called && cured, answered, liquidated: false, closedOut };
}

/** Below L, or the debt above the sum of value x threshold: docs/lending.md, "Thresholds by asset". */
export function isBelowLiquidation(
  { L }: Pick<LoanTerms, 'L'>,
  ccr: number,
  health: number | undefined,
): boolean {
  return health === undefined ? ccr < L : health < 1;
}

/** Step 0: docs/methodology.md, "A loan that begins called" and docs/lending.md, "The start". */
function rulesOfStart({ start, answers }: LoanTerms, loan: LoanState, draw: DrawOfCall): StepEvents {
  if (start === undefined || start.status === 'open') return NOTHING;
  if (start.status === 'liquidated') return { ...NOTHING, called: true, liquidated: true };
  const isAnswered = answers !== undefined && start.answer > 0 && draw(0) < answers.share;
  loan.call = { deadline: start.deadline, answer: isAnswered ? start.answer : 0 };
  return { ...NOTHING, called: true };
}

/** L_t g_t, g_t = Y^(t / T): docs/methodology.md, "Interest" and docs/lending.md, "Interest". @param loan L_t @param steps T */
export function debtByStep(
  { growth = 1 }: Pick<LoanTerms, 'growth'>,
  loan: readonly number[],
  steps: number,
): number[] {
  return loan.map((price, t) => price * growth ** (t / steps));
}

/** CCR_t = N C_t / (L_t g_t), t = 0..T: nothing sold or added. @param debt of `debtByStep` */
export function untouchedRatios(
  { N }: Pick<LoanTerms, 'N'>,
  collateral: readonly number[],
  debt: readonly number[],
): number[] {
  return collateral.map((price, t) => N * (price / debt[t]));
}

/** The CCR of a loan on its way. @param collateral C_t @param debt L_t g_t */
export function ratioOf({ units, debt: left }: LoanState, collateral: number, debt: number): number {
  return (units / left) * (collateral / debt);
}

/** The first step of a term: step 0 where the loan has a state at the start. */
export const firstStep = ({ start }: Pick<LoanTerms, 'start'>): 0 | 1 => (start === undefined ? 1 : 0);

/** One path of a loan. Amounts are in units of the loan at the start. */
export interface LoanOnPath {
  readonly marginCall: boolean;
  readonly liquidation: boolean;
  readonly closeout: boolean;
  /** Steps of the first of each, 0 where there is none; an event of the start is one of step 1. */
  readonly callStep: number;
  readonly liquidationStep: number;
  readonly closeoutStep: number;
  /** Step at which the loan ended, T where it did not. */
  readonly endStep: number;
  /** Nothing sold or added: whether CCR is below 1 at some step, the lowest, CCR_T, and g_T max(0, 1 - CCR_T). */
  readonly underwater: boolean;
  readonly worstCcr: number;
  readonly finalCcr: number;
  readonly loss: number;
  /** Answered calls, and the sum of what they add, each at its value at the time. */
  readonly topUps: number;
  readonly added: number;
  /** CCR_t, t = 0..T, nothing sold or added. */
  readonly untouched: readonly number[];
  /** CCR of each step from 1 on at which the rules decided, and the health of a loan with thresholds by asset. */
  readonly ccr: readonly number[];
  readonly health: readonly number[];
}

/**
 * One path of a loan: docs/methodology.md, "Loans".
 *
 * @param collateral C_t, t = 0..T
 * @param loan L_t
 * @param secured C_t with the liquidation LTV of each asset as a factor; absent where the loan has one threshold
 */
export function loanOnPath(
  terms: LoanTerms,
  collateral: readonly number[],
  loan: readonly number[],
  draw: DrawOfCall = () => 0,
  secured?: readonly number[],
): LoanOnPath {
  const T = collateral.length - 1;
  const debt = debtByStep(terms, loan, T);
  const untouched = untouchedRatios(terms, collateral, debt);
  const ofTerm = untouched.slice(firstStep(terms));
  const state = loanAtStart(terms);
  const ccr: number[] = [];
  const healths: number[] = [];
  let [callStep, liquidationStep, closeoutStep, endStep] = [0, 0, 0, T];
  let topUps = 0;
  let added = 0;
  for (let t = firstStep(terms); t <= T; t++) {
    const { units } = state;
    const now = ratioOf(state, collateral[t], debt[t]);
    const health = secured && ratioOf(state, secured[t], debt[t]);
    if (t > 0) ccr.push(now);
    if (t > 0 && health !== undefined) healths.push(health);
    const { called, answered, liquidated, closedOut } = rulesOfStep(terms, state, t, now, draw, health);
    const step = Math.max(1, t);
    if (called && callStep === 0) callStep = step;
    if (answered) {
      topUps += 1;
      added += (state.units - units) * collateral[t];
    }
    if (liquidated) liquidationStep = step;
    if (closedOut) closeoutStep = step;
    if (liquidated || closedOut) {
      endStep = t;
      break;
    }
  }
  return {
    marginCall: callStep > 0,
    liquidation: liquidationStep > 0,
    closeout: closeoutStep > 0,
    callStep,
    liquidationStep,
    closeoutStep,
    endStep,
    underwater: ofTerm.some(each => each < 1),
    worstCcr: Math.min(...ofTerm),
    finalCcr: untouched[T],
    loss: (debt[T] / loan[T]) * Math.max(0, 1 - untouched[T]),
    topUps,
    added,
    untouched,
    ccr,
    health: healths,
  };
}

/** The terms of a loan in a plan. */
export function loanTermsOf(product: PlannedTerms): LoanTerms {
  const { debtGrowth, start, answers } = product;
  return {
    N: product.nominalRatio,
    M: product.marginCallRatio,
    L: product.liquidationRatio,
    R: product.recoveryRatio,
    topUpSteps: product.topUpSteps,
    ...(debtGrowth !== undefined && { growth: debtGrowth }),
    ...(start && {
      start: { status: start.status, deadline: start.deadlineStep, answer: answers?.startStep ?? 0 },
    }),
    ...(answers && { answers: { share: answers.share, delay: answers.delaySteps, to: answers.toRatio } }),
  };
}

/** The draws of the calls of a loan in a plan. */
export const drawsOf =
  ({ answers }: PlannedTerms, seed: number, path: number): DrawOfCall =>
  call =>
    answers === undefined ? 0 : uniformOfCall(seed, path, answers, call);

/** A loan of a plan on one of its paths. */
export function loanOfPlan(plan: SimulationPlan<LoanProduct>, path: number): LoanOnPath {
  const { collateral, loan, secured } = basketsOnPath(plan, path, plan.product.steps);
  const draw = drawsOf(plan.product, plan.seed, path);
  return loanOnPath(loanTermsOf(plan.product), collateral, loan, draw, secured);
}
