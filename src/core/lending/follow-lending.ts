/**
 * The states of one loan with the terms of real loans, from a given one on (docs/methodology.md, "Loans under way").
 *
 * The rules of a step in their order: liquidation, cure, call, the answer that is due, closeout, the order that is due.
 */
import {
  type LendingCourse,
  type LendingEvent,
  type LendingEventKind,
  type LendingState,
  type LendingTerms,
  NO_STEP,
} from './lending-terms.ts';

/** Basket values of a loan by step, in units of their values at valuation. */
export interface LendingSeries {
  /** C_t / (L_t g_t), from step 1 on. */
  at(step: number): number;
  /** C_t. */
  collateralAt(step: number): number;
  /** C_t with the liquidation LTV of each asset as a factor; absent or undefined for loans with one threshold. */
  securedAt?(step: number): number | undefined;
  /** L_t g_t: the debt with its interest. */
  debtAt(step: number): number;
  /** The first step from `from` to `to` whose C_t / (L_t g_t) is below `low`; `to` + 1 where there is none. */
  firstBelow(low: number, from: number, to: number): number;
  /** The first step from `from` to `to` whose ratio is below `low` or not below `high`; `to` + 1 where there is none. */
  firstOutside(low: number, high: number, from: number, to: number): number;
}

/**
 * Whether the borrower answers a call of this path, by its number: 0 for one that was open at the start, then 1, 2, ...
 */
export type IsAnswered = (call: number) => boolean;

/** A debt below this part of that at the start is repaid. */
const MIN_DEBT = 2 ** -20;
/** A sale that would leave less debt than this part of the loan's value sells everything. */
const MIN_DEBT_LEFT = 0.01;

/**
 * Follows a loan from step `from` to step `to`.
 *
 * @param from first step of a possible event, 1 or more; 0 where an order of the start is due there
 * @param to last step; the loan ends at the end of the term, or with the order that is open then
 * @param state state before `from`; becomes that after `to`
 * @param course receives the events
 */
export function followLending(
  terms: LendingTerms,
  series: LendingSeries,
  isAnswered: IsAnswered,
  state: LendingState,
  from: number,
  to: number,
  course: LendingCourse,
): void {
  const { steps } = terms;
  let t = from;
  while (!state.ended) {
    if (state.orderStep === NO_STEP) {
      const last = Math.min(to, steps);
      t = nextEvent(terms, series, state, t, last);
      if (t > last) {
        if (last === steps) settle(terms, series, state, steps, course);
        return;
      }
      applyRules(terms, series, isAnswered, state, t, course);
      if (state.orderStep === NO_STEP) {
        if (t === steps) settle(terms, series, state, t, course);
        t += 1;
        continue;
      }
    }
    if (state.orderStep > to) return;
    t = state.orderStep;
    sellOrder(terms, series, state, t, course);
    if (!state.ended && t >= steps) settle(terms, series, state, t, course);
    t += 1;
  }
}

/** Liquidates a loan at the start, at the prices of step 0. */
export function liquidateAtStart(
  terms: LendingTerms,
  series: LendingSeries,
  state: LendingState,
  course: LendingCourse,
): void {
  course.called = true;
  course.liquidated = true;
  order('liquidation', terms, series, state, 0, course);
}

/** Opens a call at the start. @param answerStep step of its answer; `NO_STEP` where none comes */
export function callAtStart(
  state: LendingState,
  deadlineStep: number,
  answerStep: number,
  course: LendingCourse,
): void {
  course.called = true;
  state.deadlineStep = deadlineStep;
  state.answerStep = answerStep;
}

/** The first step from `from` on at which a rule may apply; a step beyond `last` where there is none up to it. */
function nextEvent(
  { callAt, liquidationAt, recoveryAt }: LendingTerms,
  series: LendingSeries,
  { collateralFactor, debtFactor, deadlineStep, answerStep }: LendingState,
  from: number,
  last: number,
): number {
  if (from > last) return from;
  const scale = debtFactor / collateralFactor;
  // L is above M where the thresholds are those of assets, and a fall of the best of them can raise it that far.
  if (deadlineStep === NO_STEP) return series.firstBelow(Math.max(callAt, liquidationAt) * scale, from, last);
  const due = answerStep === NO_STEP ? deadlineStep : Math.min(deadlineStep, answerStep);
  const stop = Math.min(due, last);
  const next = series.firstOutside(liquidationAt * scale, recoveryAt * scale, from, stop);
  if (next <= stop) return next;
  return due <= last ? due : last + 1;
}

function applyRules(
  terms: LendingTerms,
  series: LendingSeries,
  isAnswered: IsAnswered,
  state: LendingState,
  t: number,
  course: LendingCourse,
): void {
  const { callAt, recoveryAt, topUpSteps, answers } = terms;
  const scale = state.debtFactor / state.collateralFactor;
  const ratio = series.at(t);
  if (isBelowLiquidation(terms, series, state, t)) {
    course.called = true;
    course.liquidated = true;
    order('liquidation', terms, series, state, t, course);
    return;
  }
  if (ratio >= recoveryAt * scale) {
    if (state.deadlineStep !== NO_STEP) course.events?.push(eventOf('cure', terms, series, state, t));
    closeCall(state);
  }
  if (state.deadlineStep === NO_STEP && ratio < callAt * scale) {
    course.called = true;
    course.events?.push(eventOf('call', terms, series, state, t));
    state.calls += 1;
    state.deadlineStep = t + topUpSteps;
    state.answerStep = answers !== undefined && isAnswered(state.calls) ? t + answers.delaySteps : NO_STEP;
  }
  if (answers !== undefined && t === state.answerStep)
    topUp(terms, answers.toRatio, series, state, t, course);
  if (state.deadlineStep !== NO_STEP && t >= state.deadlineStep) {
    course.closedOut = true;
    order('closeout', terms, series, state, t, course);
  }
}

function isBelowLiquidation(
  { nominalRatio, liquidationAt }: LendingTerms,
  series: LendingSeries,
  { collateralFactor, debtFactor }: LendingState,
  t: number,
): boolean {
  const secured = series.securedAt?.(t);
  if (secured === undefined) return series.at(t) < liquidationAt * (debtFactor / collateralFactor);
  return nominalRatio * collateralFactor * secured < debtFactor * series.debtAt(t);
}

function closeCall(state: LendingState): void {
  state.deadlineStep = NO_STEP;
  state.answerStep = NO_STEP;
}

/** Adds as many units of the basket as restore `toRatio`. */
function topUp(
  terms: LendingTerms,
  toRatio: number,
  series: LendingSeries,
  state: LendingState,
  t: number,
  course: LendingCourse,
): void {
  const { nominalRatio } = terms;
  const before = state.collateralFactor;
  const collateral = series.collateralAt(t);
  const debt = state.debtFactor * series.debtAt(t);
  const factor = (toRatio * debt) / (nominalRatio * collateral);
  const added = nominalRatio * (factor - before) * collateral;
  course.events?.push(eventOf('top-up', terms, series, state, t, added));
  state.collateralFactor = factor;
  course.topUps += 1;
  course.topUpAmount += added;
  closeCall(state);
}

/** Orders the sale of all or a part; no rule applies until the sale. */
function order(
  cause: 'liquidation' | 'closeout',
  terms: LendingTerms,
  series: LendingSeries,
  state: LendingState,
  t: number,
  course: LendingCourse,
): void {
  closeCall(state);
  state.orderStep = t + terms.saleDelaySteps;
  state.orderFraction = orderedFraction(terms, series, state, t);
  course.events?.push(
    eventOf(cause, terms, series, state, t, state.orderFraction * collateralOf(terms, series, state, t)),
  );
  if (course.eventStep === NO_STEP) course.eventStep = t;
  if (state.orderFraction === 1) course.endStep = t;
}

/** Collateral of step t, in units of the loan's value at the start. */
const collateralOf = (
  { nominalRatio }: LendingTerms,
  series: LendingSeries,
  { collateralFactor }: LendingState,
  t: number,
): number => nominalRatio * collateralFactor * series.collateralAt(t);

function orderedFraction(terms: LendingTerms, series: LendingSeries, state: LendingState, t: number): number {
  const { saleCost, partialSale } = terms;
  const { debtFactor } = state;
  if (partialSale === undefined) return 1;
  const { toRatio, maxShare } = partialSale;
  const collateral = collateralOf(terms, series, state, t);
  const debt = debtFactor * series.debtAt(t);
  const restoring = (toRatio * debt - collateral) / (toRatio * (1 - saleCost) - 1);
  const allowed = (maxShare * debt) / (1 - saleCost);
  const fraction = Math.min(1, restoring / collateral, allowed / collateral);
  return debt - (1 - saleCost) * fraction * collateral < MIN_DEBT_LEFT ? 1 : fraction;
}

/** Sells the open order at the prices of step t. */
function sellOrder(
  terms: LendingTerms,
  series: LendingSeries,
  state: LendingState,
  t: number,
  course: LendingCourse,
): void {
  const { nominalRatio, saleCost } = terms;
  const { orderFraction } = state;
  const sold = state.collateralFactor * orderFraction;
  const price = series.debtAt(t);
  const { debtFactor } = state;
  const owed = debtFactor * price;
  const usd = nominalRatio * sold * series.collateralAt(t);
  const missing = owed - (1 - saleCost) * usd;
  const loss = orderFraction === 1 ? Math.max(0, missing) : 0;
  course.events?.push(eventOf('sale', terms, series, state, t, usd, loss));
  course.saleSteps.push(t);
  course.saleFactors.push(sold);
  state.orderStep = NO_STEP;
  state.orderFraction = 0;
  state.collateralFactor -= sold;
  state.debtFactor = missing > 0 ? missing / price : 0;
  if (orderFraction === 1) {
    state.collateralFactor = 0;
    if (missing > 0) lose(missing, t, sold, debtFactor, course);
  }
  if (orderFraction < 1 && state.debtFactor < MIN_DEBT) course.endStep = Math.min(t, terms.steps);
  if (orderFraction === 1 || state.debtFactor < MIN_DEBT) state.ended = true;
}

/** Ends the loan at the end of the term, or of the order that was open then: below its debt it is handed over. */
function settle(
  terms: LendingTerms,
  series: LendingSeries,
  state: LendingState,
  t: number,
  course: LendingCourse,
): void {
  const { nominalRatio, saleCost } = terms;
  const { collateralFactor, debtFactor } = state;
  state.ended = true;
  if (!(nominalRatio * series.at(t) * collateralFactor < debtFactor)) return;
  if (course.eventStep === NO_STEP) course.eventStep = t;
  const collateral = collateralOf(terms, series, state, t);
  const missing = debtFactor * series.debtAt(t) - (1 - saleCost) * collateral;
  course.events?.push(eventOf('handed-over', terms, series, state, t, collateral, Math.max(0, missing)));
  if (missing > 0) lose(missing, t, collateralFactor, debtFactor, course);
}

/** An event of step t, before it changes the loan. */
function eventOf(
  kind: LendingEventKind,
  { nominalRatio }: LendingTerms,
  series: LendingSeries,
  { collateralFactor, debtFactor }: LendingState,
  t: number,
  amount = 0,
  loss = 0,
): LendingEvent {
  return { kind, step: t, ccr: (nominalRatio * series.at(t) * collateralFactor) / debtFactor, amount, loss };
}

function lose(missing: number, t: number, collateral: number, debt: number, course: LendingCourse): void {
  course.loss = missing;
  course.lossStep = t;
  course.lossCollateral = collateral;
  course.lossDebt = debt;
}
