/**
 * One loan with the terms of real loans: its terms and its state (docs/methodology.md, "Loans under way").
 *
 * Steps count from 0, the start. All is plain data, so that a state that one run ends with can begin another. Must not know: paths,
 * books.
 */

/** How a borrower answers margin calls. */
export interface AnsweredCalls {
  /** Steps from a call to its answer, 1 or more. */
  readonly delaySteps: number;
  /** Collateral over debt that an answer restores; above M, and at least R. */
  readonly toRatio: number;
}

/** How much is sold where a loan is liquidated or closed out. */
export interface PartialSale {
  /** Collateral over debt that a sale restores; (1 - cost) x toRatio > 1. */
  readonly toRatio: number;
  /** Most of the debt that one sale repays, above 0 and at most 1. */
  readonly maxShare: number;
}

/** Terms of a loan; amounts are in units of its value at the start. */
export interface LendingTerms {
  /** N. */
  readonly nominalRatio: number;
  /** M / N, L / N, R / N: thresholds of the ratio of a loan to which nothing has been added, and of which nothing was sold. */
  readonly callAt: number;
  readonly liquidationAt: number;
  readonly recoveryAt: number;
  /** Steps from a call to its deadline. */
  readonly topUpSteps: number;
  /** T. */
  readonly steps: number;
  readonly saleDelaySteps: number;
  /** Fraction of a sale that its cost takes. */
  readonly saleCost: number;
  readonly answers: AnsweredCalls | undefined;
  /** Absent where everything is sold. */
  readonly partialSale: PartialSale | undefined;
}

/** A step that no event is at. */
export const NO_STEP = -1;

export interface LendingState {
  /** Collateral and debt, in units of those at the start; the debt before interest. */
  collateralFactor: number;
  debtFactor: number;
  /** Calls that were opened after the start. */
  calls: number;
  /** Step of the deadline of the open call; `NO_STEP` without one. */
  deadlineStep: number;
  /** Step of the answer to the open call; `NO_STEP` where none comes. */
  answerStep: number;
  /** Step at which the open order is carried out; `NO_STEP` without one. */
  orderStep: number;
  /** Fraction of the collateral that the open order sells. */
  orderFraction: number;
  /** Nothing happens any more. */
  ended: boolean;
}

/** A loan that is open, of which nothing was sold. */
export const openState = (): LendingState => ({
  collateralFactor: 1,
  debtFactor: 1,
  calls: 0,
  deadlineStep: NO_STEP,
  answerStep: NO_STEP,
  orderStep: NO_STEP,
  orderFraction: 0,
  ended: false,
});

/** Resets a state to that of `openState`. */
export function reopen(state: LendingState): void {
  state.collateralFactor = 1;
  state.debtFactor = 1;
  state.calls = 0;
  state.deadlineStep = NO_STEP;
  state.answerStep = NO_STEP;
  state.orderStep = NO_STEP;
  state.orderFraction = 0;
  state.ended = false;
}

/** What happened to a loan. */
export interface LendingCourse {
  called: boolean;
  liquidated: boolean;
  closedOut: boolean;
  /** Step at which everything was ordered to be sold; `NO_STEP` where it never was. */
  endStep: number;
  /** Steps of the sales. */
  readonly saleSteps: number[];
  /** What was sold at each, in units of the collateral at the start. */
  readonly saleFactors: number[];
  topUps: number;
  /** Value of what answers added, each at its time, in units of the loan's value at the start. */
  topUpAmount: number;
  /** Where a loan was sold or handed over for less than its debt: what is missing, and when; else `NO_STEP`. */
  loss: number;
  lossStep: number;
  /** What was sold or handed over then, and the debt before it: in units of those at the start. */
  lossCollateral: number;
  lossDebt: number;
}

/** Nothing so far. */
export const emptyCourse = (): LendingCourse => ({
  called: false,
  liquidated: false,
  closedOut: false,
  endStep: NO_STEP,
  saleSteps: [],
  saleFactors: [],
  topUps: 0,
  topUpAmount: 0,
  loss: 0,
  lossStep: NO_STEP,
  lossCollateral: 0,
  lossDebt: 0,
});

/** Resets a course to that of `emptyCourse`. */
export function forget(course: LendingCourse): void {
  course.called = false;
  course.liquidated = false;
  course.closedOut = false;
  course.endStep = NO_STEP;
  course.saleSteps.length = 0;
  course.saleFactors.length = 0;
  course.topUps = 0;
  course.topUpAmount = 0;
  course.loss = 0;
  course.lossStep = NO_STEP;
  course.lossCollateral = 0;
  course.lossDebt = 0;
}
