/** The terms and the state of one loan (docs/methodology.md, "Loans under way"). Steps count from 0, the start. */

export interface AnsweredCalls {
  /** Steps from a call to its answer, 1 or more. */
  readonly delaySteps: number;
  /** Collateral over debt that an answer restores; above M, and at least R. */
  readonly toRatio: number;
}

/** The amount of a sale after a liquidation or a closeout. */
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
  /** M / N, L / N, R / N: thresholds of the ratio of a loan before any top-up or sale; with thresholds by asset L is the most that it can be. */
  readonly callAt: number;
  readonly liquidationAt: number;
  readonly recoveryAt: number;
  /** Steps from a call to its deadline. */
  readonly topUpSteps: number;
  /** T. */
  readonly steps: number;
  readonly saleDelaySteps: number;
  /** Cost of a sale, as a fraction of it. */
  readonly saleCost: number;
  readonly answers: AnsweredCalls | undefined;
  /** Absent where everything is sold. */
  readonly partialSale: PartialSale | undefined;
}

/** The step of an event that does not occur. */
export const NO_STEP = -1;

/** Plain data: the final state of one run can begin another. */
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
  /** Step of the open order's sale; `NO_STEP` without one. */
  orderStep: number;
  /** Fraction of the collateral that the open order sells. */
  orderFraction: number;
  /** No event can follow. */
  ended: boolean;
}

/** An open loan before any event. */
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

/** Resets a state to the result of `openState`. */
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

/** What happens to a loan in a step, in the order of the rules. */
export type LendingEventKind =
  | 'call'
  | 'cure'
  | 'top-up'
  | 'liquidation'
  | 'closeout'
  | 'sale'
  | 'handed-over';

export interface LendingEvent {
  readonly kind: LendingEventKind;
  readonly step: number;
  /** Collateral over debt before the event. */
  readonly ccr: number;
  /** Collateral that is added, ordered to be sold, sold or handed over, in units of the loan's value at the start; 0 of others. */
  readonly amount: number;
  /** Debt that the collateral does not cover, in the same units. */
  readonly loss: number;
}

export interface LendingCourse {
  /** Every event in its order; absent where nobody reads them. */
  readonly events: LendingEvent[] | undefined;
  called: boolean;
  liquidated: boolean;
  closedOut: boolean;
  /** Step of the first order, or of the handing over below the debt; `NO_STEP` without one. */
  eventStep: number;
  /** Step of the order to sell everything; `NO_STEP` without one. */
  endStep: number;
  /** Steps of the sales and their amounts, in units of the initial collateral. */
  readonly saleSteps: number[];
  readonly saleFactors: number[];
  topUps: number;
  /** Value of the collateral that answers added, each at its time, in units of the loan's value at the start. */
  topUpAmount: number;
  /** Missing amount of a loan that was sold or handed over for less than its debt, and its step; else 0 and `NO_STEP`. */
  loss: number;
  lossStep: number;
  /** Collateral sold or handed over then, and the debt before it, in units of those at the start. */
  lossCollateral: number;
  lossDebt: number;
}

/** @param events receives every event */
export const emptyCourse = (events?: LendingEvent[]): LendingCourse => ({
  events,
  called: false,
  liquidated: false,
  closedOut: false,
  eventStep: NO_STEP,
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

/** Resets a course to the result of `emptyCourse`. */
export function forget(course: LendingCourse): void {
  if (course.events !== undefined) course.events.length = 0;
  course.called = false;
  course.liquidated = false;
  course.closedOut = false;
  course.eventStep = NO_STEP;
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
