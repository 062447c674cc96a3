/**
 * All loans of a book along one path (methodology part 4, and "Books" for a sale that takes time).
 *
 * Bounds exclude loans without a possible event (lazy-ratio.ts, signed-basket.ts). The others are followed step by step
 * where an event is possible: those with baskets of their own one by one (loan-states.ts), those of common baskets and
 * term many at a time (class-states.ts).
 */
import { LOAN_START } from '../plan/book-lending.ts';
import { startOfRatio } from '../plan/loan-terms.ts';
import type { BookProduct } from '../plan/product/book.ts';
import type { BookSums } from './book-sums.ts';
import { ClassStates, endOfPrefix } from './class-states.ts';
import { type DebtGrowth, debtGrowths, START } from './debt-growth.ts';
import { DifferenceSums } from './difference-sums.ts';
import { LazyRatio } from './lazy-ratio.ts';
import { followFromCall, followFromStart } from './loan-states.ts';
import { type BookEvents, PathBookings } from './path-bookings.ts';
import { PeakDay } from './peak-day.ts';
import type { PreparedBook } from './prepared-book.ts';
import { PriceExtremes } from './price-extremes.ts';
import { SignedBasket } from './signed-basket.ts';
import { SingleLoans } from './single-loans.ts';
import { WholePaths } from './whole-paths.ts';

const DAYS_PER_YEAR = 365;

/** The result on a path of the loans with baskets of their own. */
export interface FollowedAlone {
  readonly loss: number;
  readonly unsold: number;
  readonly calledLoans: number;
  readonly forcedSales: number;
  /** Units of USD that answers added. */
  readonly toppedUp: number;
  /** Per step index: units of USD sold. */
  readonly soldAt: Float64Array;
}

/** Whether a book has loans that every engine follows in this file. */
export const hasGroupsBeside = ({ sharedGroups, singleGroups }: PreparedBook): boolean =>
  sharedGroups.length > 0 || singleGroups.length > 0;

/** Follows a book along one path after another. */
export class BookPath {
  /** The prices of a path, which the caller fills in. */
  readonly path: PriceExtremes;
  /** Figures of the last path, USD or counts. */
  loss = 0;
  unsold = 0;
  calledLoans = 0;
  forcedSales = 0;
  sold = 0;
  peakDay = 0;
  toppedUp = 0;
  spread = 0;
  /** Weight of the path; the caller sets it. */
  weight = 1;
  /** Step index of the start of the peak day; the earliest of several. */
  peakStart = 0;
  /** Part of a loan value that is earned in a step, and the loan values times the steps of their terms. */
  private readonly spreadPerStep: number;
  private readonly valueSteps: number;
  private readonly bookings: PathBookings;
  private readonly states: ClassStates;
  private readonly differences: DifferenceSums;
  private readonly ratio: LazyRatio;
  private readonly signed: SignedBasket;
  /** Made by the first use: an engine that follows loans with baskets of their own itself has none. */
  private whole: WholePaths | undefined;
  private readonly peak: PeakDay;
  private readonly singles: SingleLoans | undefined;
  private readonly aloneGrowth: readonly (DebtGrowth | undefined)[];

  /** @param seed of the plan, for the draws of answers */
  constructor(
    product: BookProduct,
    private readonly book: PreparedBook,
    assets: number,
    seed = 0,
  ) {
    const { excessSpread = 0, daySteps, loanValue, termSteps } = product;
    this.spreadPerStep = excessSpread / (DAYS_PER_YEAR * daySteps);
    this.valueSteps = loanValue.reduce((sum, value, k) => sum + value * termSteps[k], 0);
    this.path = new PriceExtremes(assets, product.steps);
    this.ratio = new LazyRatio(this.path, book.collateral, book.loan, book.secured);
    this.signed = new SignedBasket(this.path, book.terms);
    this.bookings = new PathBookings(product, book);
    this.differences = new DifferenceSums(book, product.credit !== undefined);
    this.states = new ClassStates(book, this.ratio, this.bookings, this.differences);
    this.peak = new PeakDay(product.daySteps);
    this.aloneGrowth = debtGrowths(book.aloneGroups, book.groupGrowth, product.steps);
    const { lending } = product;
    this.singles =
      lending &&
      new SingleLoans(product, lending, book, this.ratio, this.signed, this.bookings, this.aloneGrowth, seed);
  }

  /** Begins a run over paths. @param sums the run's sums */
  begin(sums: BookSums): void {
    this.wholePaths().begin(sums.worstRatio);
  }

  /**
   * Follows all loans along the current prices.
   *
   * @param path number of the path
   * @param sums receives the sums per loan; complete after `finish`
   * @param events receives losses and sales, if given
   */
  follow(path: number, sums: BookSums, events?: BookEvents): void {
    this.bookings.begin(events);
    this.bookings.soldAt.fill(0);
    this.calledLoans = 0;
    this.path.update();
    this.followAlones(path, sums);
    this.followGroups(sums);
    this.followSingles(path, sums);
    this.end();
  }

  /** Follows the loans that are not alone with their baskets and term. @param alone result of the others on the path */
  followBeside(path: number, alone: FollowedAlone, sums: BookSums, events?: BookEvents): void {
    const { bookings } = this;
    bookings.begin(events);
    bookings.loss = alone.loss;
    bookings.unsold = alone.unsold;
    bookings.forcedSales = alone.forcedSales;
    bookings.toppedUp = alone.toppedUp;
    bookings.soldAt.set(alone.soldAt);
    this.calledLoans = alone.calledLoans;
    if (hasGroupsBeside(this.book)) {
      this.path.update();
      this.followGroups(sums);
      this.followSingles(path, sums);
    }
    this.end();
  }

  /** Moves the differences of many paths to the sums. */
  finish(sums: BookSums): void {
    this.differences.moveTo(sums);
  }

  private wholePaths(): WholePaths {
    this.whole ??= new WholePaths(this.path, this.book, this.aloneGrowth);
    return this.whole;
  }

  private followGroups(sums: BookSums): void {
    const { groupBasket, groupTerm, groupThreshold } = this.book;
    const { worstRatio } = sums;
    for (const g of this.book.sharedGroups) {
      const threshold = Math.max(groupThreshold[g], worstRatio[g]);
      if (this.ratio.open(groupBasket[g], groupTerm[g], threshold)) this.followGroup(g, threshold, sums);
    }
  }

  private followSingles(path: number, sums: BookSums): void {
    const { singles } = this;
    if (singles === undefined) return;
    singles.follow(path, sums);
    this.calledLoans += singles.calledLoans;
  }

  private end(): void {
    const { bookings, peak } = this;
    const { unit } = this.book;
    this.loss = Math.round(bookings.loss / unit) * unit;
    this.unsold = bookings.unsold;
    this.forcedSales = bookings.forcedSales;
    peak.find(bookings.soldAt, this.forcedSales > 0);
    this.sold = peak.total * unit;
    this.peakDay = peak.largest * unit;
    this.peakStart = peak.start;
    this.toppedUp = bookings.toppedUp * unit;
    // Rounded, since loans that are followed in another order add up to another last digit.
    this.spread =
      Math.round((this.spreadPerStep * Math.max(0, this.valueSteps - bookings.unearned)) / unit) * unit;
  }

  private followAlones(path: number, sums: BookSums): void {
    const whole = this.wholePaths();
    const { aloneGroups } = this.book;
    const { worstRatio } = sums;
    for (let i = 0; i < aloneGroups.length; i++) {
      if (whole.isAbove(i)) continue;
      this.followAlone(path, i, sums);
      whole.take(i, worstRatio);
    }
  }

  /** Follows a loan with baskets of its own: all but a new worst ratio, which is rare, follows from signs of sums. */
  private followAlone(path: number, i: number, sums: BookSums): void {
    const { book, signed, bookings, singles } = this;
    const g = book.aloneGroups[i];
    const place = book.groupFirst[g];
    const term = book.groupTerm[g];
    const basket = book.groupBasket[g];
    const call = book.callAt[place];
    const growth = this.aloneGrowth[i];
    if (book.aloneStart[i] !== LOAN_START.none) {
      this.followFromStart(i, sums);
      return;
    }
    // A call would be a new worst ratio.
    if (sums.worstRatio[g] > call) this.updateWorst(i, 0, sums);
    const first = signed.open(basket, call, term, growth) ? signed.firstBelow(0) : term;
    if (first === term) return;
    this.calledLoans += 1;
    // Losses of a loan that is followed singly are booked with its course.
    let isBooked = true;
    if (singles !== undefined && book.singleFromCall[i] === 1) singles.followCalled(path, i, first, sums);
    else {
      sums.marginCalls[place] += 1;
      isBooked = followFromCall(book, place, term, sums, signed, first, bookings);
    }
    // A ratio below 1 / N is below M / N: none before the first call.
    const underAt = book.underAt[place];
    const under = signed.open(basket, underAt, term, growth) ? signed.firstBelow(first) : term;
    if (under < term) this.addUnderwater(place, term, isBooked, sums);
    this.updateWorst(i, first, sums);
  }

  /** Follows a loan that is called or liquidated at the start; its ratio there counts as one of the term. */
  private followFromStart(i: number, sums: BookSums): void {
    const { book, signed, bookings } = this;
    const g = book.aloneGroups[i];
    const place = book.groupFirst[g];
    const term = book.groupTerm[g];
    const basket = book.groupBasket[g];
    this.calledLoans += 1;
    sums.marginCalls[place] += 1;
    const growth = this.aloneGrowth[i];
    signed.open(basket, book.callAt[place], term, growth);
    const deadline = book.aloneStart[i] === LOAN_START.called ? book.aloneDeadline[i] : undefined;
    const sold = followFromStart(book, place, term, sums, signed, deadline, bookings);
    const underAt = book.underAt[place];
    const isUnder =
      startOfRatio(signed.at(START), book.nominalRatio[place]) < underAt ||
      (signed.open(basket, underAt, term, growth) && signed.firstBelow(0) < term);
    if (isUnder) this.addUnderwater(place, term, sold, sums);
    this.updateWorst(i, 0, sums);
  }

  /** Books a loan that was under water, and may be so at the end of its term. */
  private addUnderwater(place: number, term: number, sold: boolean, sums: BookSums): void {
    const { book, signed, bookings } = this;
    sums.underwater[place] += 1;
    const last = signed.at(term - 1);
    if (book.nominalRatio[place] * last < 1) bookings.handOver(place, term, last, sold, sums, signed);
  }

  /** Stores the lowest ratio from `first` on if it is below the lowest so far. */
  private updateWorst(i: number, first: number, sums: BookSums): void {
    const { signed, book } = this;
    const g = book.aloneGroups[i];
    const basket = book.groupBasket[g];
    const term = book.groupTerm[g];
    const growth = this.aloneGrowth[i];
    let known = sums.worstRatio[g];
    // Most ratios are excluded by any of the path.
    if (known === Number.POSITIVE_INFINITY) {
      signed.turnTo(basket, term, growth);
      known = signed.at(term - 1);
    }
    if (signed.open(basket, known, term, growth)) known = signed.lowestBelow(first);
    if (known < sums.worstRatio[g]) sums.worstRatio[g] = known;
  }

  private followGroup(g: number, threshold: number, sums: BookSums): void {
    const { book, bookings, ratio, states } = this;
    const minimum = ratio.minimumBelow(threshold);
    if (minimum < sums.worstRatio[g]) sums.worstRatio[g] = minimum;
    if (!(minimum < book.groupThreshold[g])) return;
    const { callAt, byNominal, underAt, nominalRatio, classFirst, groupClass, groupFirst } = book;
    const term = book.groupTerm[g];
    const begin = groupFirst[g];
    const end = groupFirst[g + 1];
    for (let c = groupClass[g]; c < groupClass[g + 1] && callAt[classFirst[c]] > minimum; c++) {
      const called = endOfPrefix(callAt, classFirst[c], classFirst[c + 1], minimum);
      states.follow(classFirst[c], called, term, sums);
      this.calledLoans += called - classFirst[c];
    }
    let rank = begin;
    while (rank < end && underAt[byNominal[rank]] > minimum) rank++;
    if (rank > begin) {
      this.differences.addUnderwater(begin, rank);
      const last = ratio.at(term - 1);
      for (let i = begin; i < rank; i++) {
        const place = byNominal[i];
        if (!(nominalRatio[place] * last < 1)) break;
        bookings.handOver(place, term, last, states.isEnded(place), sums, ratio);
      }
    }
    states.forget(begin, end);
  }
}
