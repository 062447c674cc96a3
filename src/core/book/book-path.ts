/**
 * All loans of a book along one path (methodology part 4, and "Books" for what a sale that takes time brings in).
 *
 * Takes: a prepared book and the prices of a path. Gives: figures of the path; sums per loan go into `BookSums`.
 * Loans on which nothing can happen are passed over by bounds (lazy-ratio.ts, signed-basket.ts); the others are followed step
 * by step where it matters (loan-states.ts). Must not know: where prices come from, threads, tails.
 */
import { type BookProduct, bookUnit } from '../plan/product/book.ts';
import type { BookSums } from './book-sums.ts';
import { LazyRatio } from './lazy-ratio.ts';
import { type BookEvents, LoanStates } from './loan-states.ts';
import { PeakDay } from './peak-day.ts';
import type { PreparedBook } from './prepared-book.ts';
import { PriceExtremes } from './price-extremes.ts';
import { SignedBasket } from './signed-basket.ts';
import { WholePaths } from './whole-paths.ts';

/** What was found on a path of the loans with baskets of their own. */
export interface FollowedAlone {
  readonly loss: number;
  readonly unsold: number;
  readonly calledLoans: number;
  readonly forcedSales: number;
  /** Per step index: units of USD sold. */
  readonly soldAt: Float64Array;
}

/** Follows a book along paths, one after another. */
export class BookPath {
  /** Filled by whoever simulates. */
  readonly path: PriceExtremes;
  /** Figures of the last path, USD or counts. */
  loss = 0;
  unsold = 0;
  calledLoans = 0;
  forcedSales = 0;
  sold = 0;
  peakDay = 0;
  /** Step index at which the peak day begins; the earliest where there are several. */
  peakStart = 0;
  private readonly book: PreparedBook;
  private readonly states: LoanStates;
  private readonly ratio: LazyRatio;
  private readonly signed: SignedBasket;
  private readonly whole: WholePaths;
  private readonly peak: PeakDay;
  private readonly unit: number;

  constructor(product: BookProduct, book: PreparedBook, assets: number) {
    this.book = book;
    this.path = new PriceExtremes(assets, product.steps);
    this.ratio = new LazyRatio(this.path, book.collateral, book.loan);
    this.signed = new SignedBasket(this.path, book.terms);
    this.whole = new WholePaths(this.path, book.terms, book.aloneGroups.length);
    this.unit = bookUnit(product);
    this.states = new LoanStates(product, book, this.unit);
    this.peak = new PeakDay(product.daySteps);
  }

  /**
   * Follows all loans along the prices that are there now.
   *
   * @param sums receives what is added up per loan
   * @param events told of losses and sales, where they are wanted
   */
  follow(sums: BookSums, events?: BookEvents): void {
    this.states.begin(events);
    this.states.soldAt.fill(0);
    this.calledLoans = 0;
    this.path.update();
    this.followAlones(sums);
    this.followGroups(sums);
    this.end();
  }

  /**
   * Follows the loans that share their baskets and term; the others have been.
   *
   * @param alone what was found of the others
   */
  followBeside(alone: FollowedAlone, sums: BookSums, events?: BookEvents): void {
    const { states } = this;
    states.begin(events);
    states.loss = alone.loss;
    states.unsold = alone.unsold;
    states.forcedSales = alone.forcedSales;
    states.soldAt.set(alone.soldAt);
    this.calledLoans = alone.calledLoans;
    if (this.book.sharedGroups.length > 0) {
      this.path.update();
      this.followGroups(sums);
    }
    this.end();
  }

  private followGroups(sums: BookSums): void {
    const { groupBasket, groupTerm, groupThreshold } = this.book;
    const { worstRatio } = sums;
    for (const g of this.book.sharedGroups) {
      const threshold = Math.max(groupThreshold[g], worstRatio[g]);
      if (this.ratio.open(groupBasket[g], groupTerm[g], threshold)) this.followGroup(g, threshold, sums);
    }
  }

  private end(): void {
    const { states, unit, peak } = this;
    this.loss = Math.round(states.loss / unit) * unit;
    this.unsold = states.unsold;
    this.forcedSales = states.forcedSales;
    peak.find(states.soldAt, this.forcedSales > 0);
    this.sold = peak.total * unit;
    this.peakDay = peak.largest * unit;
    this.peakStart = peak.start;
  }

  private followAlones(sums: BookSums): void {
    const { whole } = this;
    const { aloneGroups, groupBasket, groupFirst, callAt } = this.book;
    const { worstRatio } = sums;
    whole.begin();
    for (let i = 0; i < aloneGroups.length; i++) {
      const g = aloneGroups[i];
      const threshold = Math.max(callAt[groupFirst[g]], worstRatio[g]);
      if (!whole.isAbove(i, groupBasket[g], threshold)) this.followAlone(g, sums);
    }
  }

  /** One loan with baskets of its own: signs of sums tell all but the worst ratio, which is seldom a new one. */
  private followAlone(g: number, sums: BookSums): void {
    const { book, signed, states } = this;
    const place = book.groupFirst[g];
    const term = book.groupTerm[g];
    const basket = book.groupBasket[g];
    const call = book.callAt[place];
    const worst = sums.worstRatio[g];
    if (worst > call) {
      // A call would be the worst so far.
      if (!this.noteWorst(g, worst, 0, sums)) return;
      if (!(sums.worstRatio[g] < call)) return;
    }
    if (!signed.open(basket, call, term)) return;
    const first = signed.firstBelow(call, 0);
    if (first === term) return;
    this.calledLoans += 1;
    states.follow(place, term, sums, signed, first);
    // What is below 1 / N is below M / N, too: nothing before the first call.
    const underAt = book.underAt[place];
    const under = signed.open(basket, underAt, term) ? signed.firstBelow(underAt, first) : term;
    if (under < term) {
      sums.underwater[place] += 1;
      const last = signed.at(term - 1);
      if (book.nominalRatio[place] * last < 1) states.handOver(place, term, last, sums, signed);
    }
    states.forget(place, place + 1);
    if (worst <= call && (under < term || worst > underAt)) this.noteWorst(g, worst, first, sums);
  }

  /** Whether a ratio from `first` on is below `worst`; then the lowest is noted. */
  private noteWorst(g: number, worst: number, first: number, sums: BookSums): boolean {
    const { groupBasket, groupTerm } = this.book;
    if (worst < Number.POSITIVE_INFINITY) {
      if (!this.signed.open(groupBasket[g], worst, groupTerm[g])) return false;
      if (this.signed.firstBelow(worst, first) === groupTerm[g]) return false;
    }
    if (!this.ratio.open(groupBasket[g], groupTerm[g], worst)) return false;
    const minimum = this.ratio.minimumBelow(worst);
    if (!(minimum < worst)) return false;
    sums.worstRatio[g] = minimum;
    return true;
  }

  private followGroup(g: number, threshold: number, sums: BookSums): void {
    const { book, ratio, states } = this;
    const minimum = ratio.minimumBelow(threshold);
    if (minimum < sums.worstRatio[g]) sums.worstRatio[g] = minimum;
    if (!(minimum < book.groupThreshold[g])) return;
    const { callAt, byNominal, underAt, nominalRatio } = book;
    const begin = book.groupFirst[g];
    const end = book.groupFirst[g + 1];
    const term = book.groupTerm[g];
    let called = begin;
    // Thresholds fall from loan to loan, so the first call of one is not before that of the last.
    let first = 0;
    for (; called < end; called++) {
      const call = callAt[called];
      if (!(call > minimum)) break;
      first = ratio.firstBelow(call, first);
      states.follow(called, term, sums, ratio, first);
    }
    this.calledLoans += called - begin;
    let last = Number.NaN;
    for (let i = begin; i < end; i++) {
      const place = byNominal[i];
      if (!(underAt[place] > minimum)) break;
      sums.underwater[place] += 1;
      if (Number.isNaN(last)) last = ratio.at(term - 1);
      if (nominalRatio[place] * last < 1) states.handOver(place, term, last, sums, ratio);
    }
    states.forget(begin, called);
  }
}
