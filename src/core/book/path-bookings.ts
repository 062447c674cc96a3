/** Books the sales and losses of loans, named by their places, on one path: its figures, sums per loan, events. */
import type { LendingSeries } from '../lending/follow-lending.ts';
import { type LendingCourse, type LendingTerms, NO_STEP } from '../lending/lending-terms.ts';
import { LOAN_START } from '../plan/book-lending.ts';
import type { BookProduct } from '../plan/product/book.ts';
import { AMOUNT_UNITS, addSquare, type BookSums, UNITS_PER_LOAN_VALUE } from './book-sums.ts';
import { CreditEvents } from './credit-events.ts';
import type { DifferenceSums } from './difference-sums.ts';
import type { PreparedBook } from './prepared-book.ts';

/** Receives losses and sales, from which contributions and peak days follow. Loans are named by their places. */
export interface BookEvents {
  /** Loss of a loan on this path, USD. */
  loss(place: number, usd: number): void;
  /**
   * The collateral of loans `first` to `end` - 1, of equal baskets, was sold at step index `index`; -1 is the start.
   *
   * @param factor sold amount, in units of the collateral at the start
   */
  sale(first: number, end: number, index: number, factor: number): void;
}

/** The values of a loan's baskets at any index of the path. */
export interface BasketValues {
  collateralAt(index: number): number;
  loanAt(index: number): number;
}

/** A sale at the start counts to the first step. */
const dayIndex = (index: number) => Math.max(0, index);

export class PathBookings {
  /** Figures of the path, USD or counts. */
  loss = 0;
  unsold = 0;
  forcedSales = 0;
  /** Units of USD of answers to calls. */
  toppedUp = 0;
  /** Loan values times steps for which they earn no spread: after the end of a loan, and all of one with a loss. */
  unearned = 0;
  /** Per step index: units of USD sold. */
  readonly soldAt: Float64Array;
  private readonly earnsSpread: boolean;
  private readonly saleCost: number;
  private readonly saleDelaySteps: number;
  /** Per place: the step of the deadline of a call that is open at the start, `NO_STEP` without one; absent in a book of plain loans. */
  private readonly startDeadline: Int32Array | undefined;
  private readonly credit: CreditEvents | undefined;
  private events: BookEvents | undefined;

  constructor(
    { steps, saleCost, saleDelaySteps, lending, credit, excessSpread }: BookProduct,
    private readonly book: PreparedBook,
  ) {
    this.saleCost = saleCost;
    this.earnsSpread = excessSpread !== undefined;
    this.saleDelaySteps = saleDelaySteps;
    if (lending !== undefined) {
      this.startDeadline = new Int32Array(book.byCall.length).fill(NO_STEP);
      for (let place = 0; place < book.byCall.length; place++) {
        const k = book.byCall[place];
        if (lending.start[k] === LOAN_START.called) this.startDeadline[place] = lending.startDeadline[k];
      }
    }
    this.soldAt = new Float64Array(steps);
    this.credit = credit && new CreditEvents(credit, book.byCall, steps);
  }

  /** Begins a path. @param events receives losses and sales, if given */
  begin(events: BookEvents | undefined): void {
    this.loss = 0;
    this.unsold = 0;
    this.forcedSales = 0;
    this.toppedUp = 0;
    this.unearned = 0;
    this.events = events;
  }

  /** Sells a loan that is liquidated or closed out at step index `index`; -1 is the start. */
  sell(
    place: number,
    index: number,
    term: number,
    liquidated: boolean,
    sums: BookSums,
    values: BasketValues,
  ): void {
    const { book } = this;
    (liquidated ? sums.liquidations : sums.closeouts)[place] += 1;
    this.end(place, index + 1, term, sums);
    this.forcedSales += 1;
    const at = index + this.saleDelaySteps;
    const value = book.loanValue[place];
    const collateral = book.nominalRatio[place] * value * values.collateralAt(at);
    const debt = value * values.loanAt(at);
    this.soldAt[dayIndex(at)] += Math.round(collateral / book.unit);
    this.events?.sale(place, place + 1, at, 1);
    const missing = debt - (1 - this.saleCost) * collateral;
    this.lose(place, missing, index + 1, sums);
    if (sums.credit !== undefined)
      this.credit?.add(sums.credit, place, index + 1, values.loanAt(index), missing / value, at);
  }

  /** Sells loans `first` to `end` - 1 of a class (prepared-book.ts). */
  sellRange(
    first: number,
    end: number,
    index: number,
    term: number,
    liquidated: boolean,
    sums: BookSums,
    differences: DifferenceSums,
    values: BasketValues,
  ): void {
    const { book } = this;
    differences.sell(first, end, term - (index + 1), liquidated);
    this.forcedSales += end - first;
    const at = index + this.saleDelaySteps;
    const collateralValue = values.collateralAt(at);
    const loanValue = values.loanAt(at);
    const pledged = book.pledgedBefore[end] - book.pledgedBefore[first];
    this.soldAt[at] += Math.round((pledged * collateralValue) / book.unit);
    this.events?.sale(first, end, at, 1);
    if (this.earnsSpread)
      for (let place = first; place < end; place++)
        this.unearned += book.loanValue[place] * (term - (index + 1));
    const { credit } = this;
    const exposure = credit === undefined ? 0 : values.loanAt(index);
    if (credit !== undefined) differences.expose(first, end, exposure, credit.setOf(index + 1));
    // N rises from loan to loan: those with a loss come first.
    for (let place = first; place < end; place++) {
      const value = book.loanValue[place];
      const collateral = book.nominalRatio[place] * value * collateralValue;
      const usd = value * loanValue - (1 - this.saleCost) * collateral;
      if (!(usd > 0)) break;
      this.lose(place, usd, index + 1, sums);
      if (sums.credit !== undefined) credit?.lose(sums.credit, place, index + 1, exposure, usd / value, at);
    }
  }

  /**
   * Books a loan that ends its term below its debt.
   *
   * @param booked whether the loss is booked already, as a sale's loss is: then it is unsold loss only
   * @param saleCost default: the cost of the book
   */
  handOver(
    place: number,
    term: number,
    last: number,
    booked: boolean,
    sums: BookSums,
    values: BasketValues,
    saleCost = this.saleCost,
  ): void {
    const debt = this.addUnsold(place, term, last, sums, values);
    if (booked) return;
    const value = this.book.loanValue[place];
    const nominal = this.book.nominalRatio[place];
    const missing = debt - (1 - saleCost) * (nominal * value * values.collateralAt(term - 1));
    this.lose(place, missing, term, sums);
    if (sums.credit !== undefined)
      this.credit?.add(sums.credit, place, term, values.loanAt(term - 1), missing / value, term - 1);
  }

  /** Books a loan that would end its term below its debt without any sale. @returns its debt then, USD */
  private addUnsold(place: number, term: number, last: number, sums: BookSums, values: BasketValues): number {
    const debt = this.book.loanValue[place] * values.loanAt(term - 1);
    const missing = 1 - this.book.nominalRatio[place] * last;
    sums.unsoldUnits[place] += Math.round(missing * UNITS_PER_LOAN_VALUE);
    const { squares } = sums;
    if (squares !== undefined) {
      squares.unsoldPaths[place] += 1;
      addSquare(squares.unsoldHigh, squares.unsoldLow, place, missing);
    }
    this.unsold += debt * missing;
    return debt;
  }

  /** Books the course of a called loan that is followed singly. */
  addCourse(
    place: number,
    course: LendingCourse,
    { steps, nominalRatio, saleCost }: LendingTerms,
    sums: BookSums,
    series: LendingSeries,
  ): void {
    const { book } = this;
    const { saleSteps, saleFactors, endStep } = course;
    const value = book.loanValue[place];
    sums.marginCalls[place] += 1;
    if (course.liquidated) sums.liquidations[place] += 1;
    if (course.closedOut) sums.closeouts[place] += 1;
    if (endStep !== NO_STEP) this.end(place, endStep, steps, sums);
    if (saleSteps.length > 0) this.forcedSales += 1;
    let soldShare = 0;
    for (let i = 0; i < saleSteps.length; i++) {
      const step = saleSteps[i];
      const usd = nominalRatio * value * series.collateralAt(step) * saleFactors[i];
      this.soldAt[dayIndex(step - 1)] += Math.round(usd / book.unit);
      soldShare += usd / value;
      this.events?.sale(place, place + 1, step - 1, saleFactors[i]);
    }
    this.toppedUp += Math.round((course.topUpAmount * value) / book.unit);
    const { lending } = sums;
    if (lending !== undefined) {
      if (saleSteps.length > 0) lending.salePaths[place] += 1;
      lending.sales[place] += saleSteps.length;
      lending.saleSquares[place] += saleSteps.length * saleSteps.length;
      lending.soldUnits[place] += Math.round(soldShare * AMOUNT_UNITS);
      addSquare(lending.soldHigh, lending.soldLow, place, soldShare);
      if (course.topUps > 0) {
        lending.topUpPaths[place] += 1;
        lending.topUpUnits[place] += Math.round(course.topUpAmount * AMOUNT_UNITS);
        addSquare(lending.topUpHigh, lending.topUpLow, place, course.topUpAmount);
      }
    }
    let missing = 0;
    if (course.lossStep !== NO_STEP) {
      const collateral = nominalRatio * value * series.collateralAt(course.lossStep) * course.lossCollateral;
      const debt = value * series.debtAt(course.lossStep) * course.lossDebt;
      missing = debt - (1 - saleCost) * collateral;
      this.lose(place, missing, endStep === NO_STEP ? steps : endStep, sums);
    }
    const { eventStep } = course;
    if (sums.credit === undefined || eventStep === NO_STEP) return;
    const exposure = series.debtAt(eventStep);
    this.credit?.add(sums.credit, place, eventStep, exposure, missing / value, course.lossStep - 1);
  }

  /** Books the step at which a loan ends before or at its term. */
  private end(place: number, step: number, term: number, { missedSteps, squares }: BookSums): void {
    const missed = term - step;
    missedSteps[place] += missed;
    this.unearned += this.book.loanValue[place] * missed;
    if (squares === undefined) return;
    squares.missedSteps[place] += missed * missed;
    if (missed > 0) squares.earlyEnds[place] += 1;
    if (step === this.startDeadline?.[place]) squares.deadlineEnds[place] += 1;
  }

  /** @param steps for which the loan was alive */
  private lose(place: number, usd: number, steps: number, sums: BookSums): void {
    if (!(usd > 0)) return;
    this.loss += usd;
    this.unearned += this.book.loanValue[place] * steps;
    const share = usd / this.book.loanValue[place];
    const units = Math.round(share * UNITS_PER_LOAN_VALUE);
    sums.lossUnits[place] += units;
    const { squares } = sums;
    if (squares !== undefined) {
      if (units > 0) squares.lossPaths[place] += 1;
      addSquare(squares.lossHigh, squares.lossLow, place, share);
    }
    this.events?.loss(place, usd);
  }
}
