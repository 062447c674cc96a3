/** The loans of a book along one known path of hourly prices, and their state at its end (docs/stress.md, "Replays"). */
import { beginLoan, isCallAnswered, lendingTerms } from '../book/lending-loan.ts';
import { PeakDay } from '../book/peak-day.ts';
import { followLending } from '../lending/follow-lending.ts';
import {
  emptyCourse,
  type LendingCourse,
  type LendingState,
  type LendingTerms,
  NO_STEP,
  openState,
} from '../lending/lending-terms.ts';
import { type BookLending, isByAsset } from '../plan/book-lending.ts';
import { HOURS_PER_DAY } from '../plan/grid.ts';
import { assetsOf, type BookProduct, basketOf } from '../plan/product/book.ts';
import { lendingOf } from './book-shock.ts';
import { HourlySeries } from './hourly-series.ts';

/** The path number of the draws of answers in a replay; no simulated path has it. */
export const REPLAY_PATH = 2 ** 32 - 1;

/** State of a loan at the end of a replay. */
export const REPLAY_END = {
  /** Its term continues. */
  open: 0,
  /** Its term continues, with an open call. */
  called: 1,
  /** A sale is ordered, and executed at prices after the end. */
  ordered: 2,
  /** Everything was sold, the debt was repaid by sales, or the term has ended. */
  ended: 3,
} as const;

export interface ReplayInput {
  /** Steps of one hour; with its lending terms. */
  readonly product: BookProduct;
  /** Per asset: price of every hour from 0 on over the price of hour 0; `hours` + the sale delay + 1 entries. */
  readonly relatives: readonly Float64Array[];
  /** Number of replayed hours, 1 or more. */
  readonly hours: number;
  /** Of the draws of answers. */
  readonly seed: number;
}

/** The events and final states; lists have an entry per loan. */
export interface ReplayedLoans {
  /** A value of `REPLAY_END`. */
  readonly end: Uint32Array;
  /** 1 where the term ends before the replay does. */
  readonly matured: Uint32Array;
  /** 1 where the loan was called, closed out, liquidated during the replay or at step 0. */
  readonly called: Uint32Array;
  readonly closedOut: Uint32Array;
  readonly liquidated: Uint32Array;
  /** USD, with the orders that were open at the end. */
  readonly loss: Float64Array;
  readonly sold: Float64Array;
  readonly toppedUp: Float64Array;
  /** Collateral and debt, in units of those at the start; the debt before interest. */
  readonly collateralFactor: Float64Array;
  readonly debtFactor: Float64Array;
  /** Collateral over debt at the end; 0 unless the term continues and no sale is ordered. */
  readonly ccr: Float64Array;
  /** Steps from the end to the deadline of an open call, 1 or more; 0 without one. */
  readonly deadlineSteps: Uint32Array;
}

export interface ReplayedBook {
  /** Hours of the replay that a loan lives through; fewer than asked where all terms end before. */
  readonly followedHours: number;
  readonly loans: ReplayedLoans;
  /** Per hour from 0 to the end: collateral over debt of all loans whose term includes it, without sales and top-ups. */
  readonly ccr: Float64Array;
  /** Value of the largest sales of 24 hours in a row, USD. */
  readonly peakDay: number;
}

export function replayBook(input: ReplayInput): ReplayedBook {
  const { product, relatives, hours } = input;
  const lending = lendingOf(product);
  const count = product.loanValue.length;
  const series = new HourlySeries(relatives);
  const walk = new ReplayedLoan(input, lending, series);
  const loans: ReplayedLoans = emptyLoans(count);
  const soldAt = new Float64Array(hours + product.saleDelaySteps);
  const collateral = new Float64Array(hours + 1);
  const debt = new Float64Array(hours + 1);
  for (const k of loansInTurn(product, lending, series)) {
    walk.follow(k, loans, soldAt);
    const value = product.loanValue[k];
    const last = Math.min(hours, product.termSteps[k]);
    for (let t = 0; t <= last; t++) {
      collateral[t] += product.nominalRatio[k] * value * series.collateralAt(t);
      debt[t] += value * series.debtAt(t);
    }
  }
  const peak = new PeakDay(HOURS_PER_DAY);
  peak.find(soldAt, true);
  return {
    loans,
    followedHours: product.termSteps.reduce((longest, steps) => Math.max(longest, Math.min(hours, steps)), 0),
    ccr: collateral.map((usd, t) => (debt[t] === 0 ? 0 : usd / debt[t])),
    peakDay: peak.largest,
  };
}

/** The loans of a book, each with the series turned to it, its baskets and the growth of its debt; those of equal baskets in a row. */
export function* loansInTurn(
  product: BookProduct,
  lending: BookLending,
  series: HourlySeries,
): Generator<number> {
  const assets = assetsOf(product);
  const order = Uint32Array.from(product.loanValue.keys()).sort(
    (a, b) => product.basket[a] - product.basket[b] || a - b,
  );
  let basket = -1;
  for (const k of order) {
    const perStep = Math.log(lending.debtGrowth[k]) / product.termSteps[k];
    const own = product.basket[k];
    if (own === basket) series.growBy(perStep);
    else {
      const weightsOf = (side: Float64Array) => basketOf(side, own, assets);
      const { collateralWeights, loanWeights, liquidationWeights } = product;
      series.turnTo(
        weightsOf(collateralWeights),
        weightsOf(loanWeights),
        perStep,
        liquidationWeights && weightsOf(liquidationWeights),
      );
    }
    basket = own;
    series.takeLoan(isByAsset(lending, k));
    yield k;
  }
}

function emptyLoans(count: number): ReplayedLoans {
  const words = () => new Uint32Array(count);
  const doubles = () => new Float64Array(count);
  return {
    end: words(),
    matured: words(),
    called: words(),
    closedOut: words(),
    liquidated: words(),
    loss: doubles(),
    sold: doubles(),
    toppedUp: doubles(),
    collateralFactor: doubles(),
    debtFactor: doubles(),
    ccr: doubles(),
    deadlineSteps: words(),
  };
}

class ReplayedLoan {
  private readonly state: LendingState = openState();
  private readonly course: LendingCourse = emptyCourse();
  private loan = 0;

  constructor(
    private readonly input: ReplayInput,
    private readonly lending: BookLending,
    private readonly series: HourlySeries,
  ) {}

  follow(k: number, loans: ReplayedLoans, soldAt: Float64Array): void {
    const { state, course, series, lending, isAnsweredAt } = this;
    const { product, hours } = this.input;
    this.loan = k;
    const terms = lendingTerms(product, lending, k);
    const from = beginLoan(lending, k, terms, series, state, course, () => isAnsweredAt(0));
    followLending(terms, series, isAnsweredAt, state, from, hours, course);
    const ordered = state.orderStep !== NO_STEP;
    loans.end[k] = endOf(state);
    loans.deadlineSteps[k] = state.deadlineStep === NO_STEP ? 0 : state.deadlineStep - hours;
    // An open order is executed after the end of the replay.
    if (ordered) followLending(terms, series, isAnsweredAt, state, state.orderStep, state.orderStep, course);
    this.book(k, terms, loans, soldAt);
  }

  private book(k: number, terms: LendingTerms, loans: ReplayedLoans, soldAt: Float64Array): void {
    const { state, course, series } = this;
    const value = this.input.product.loanValue[k];
    const { hours } = this.input;
    loans.matured[k] = Number(terms.steps < hours);
    loans.called[k] = Number(course.called);
    loans.closedOut[k] = Number(course.closedOut);
    loans.liquidated[k] = Number(course.liquidated);
    loans.loss[k] = course.loss * value;
    loans.toppedUp[k] = course.topUpAmount * value;
    course.saleSteps.forEach((step, i) => {
      const usd = terms.nominalRatio * value * series.collateralAt(step) * course.saleFactors[i];
      loans.sold[k] += usd;
      // A sale at the start counts to the first step.
      soldAt[Math.max(0, step - 1)] += usd;
    });
    loans.collateralFactor[k] = state.collateralFactor;
    loans.debtFactor[k] = state.debtFactor;
    const goesOn = loans.end[k] === REPLAY_END.open || loans.end[k] === REPLAY_END.called;
    const collateral = terms.nominalRatio * state.collateralFactor * series.collateralAt(hours);
    loans.ccr[k] = goesOn ? collateral / (state.debtFactor * series.debtAt(hours)) : 0;
  }

  private readonly isAnsweredAt = (call: number): boolean =>
    isCallAnswered(this.lending, this.loan, this.input.seed, REPLAY_PATH, call);
}

function endOf(state: LendingState): number {
  if (state.ended) return REPLAY_END.ended;
  if (state.orderStep !== NO_STEP) return REPLAY_END.ordered;
  return state.deadlineStep === NO_STEP ? REPLAY_END.open : REPLAY_END.called;
}
