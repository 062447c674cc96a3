/**
 * Loans of a book with the terms of real loans, one by one along one path (core/lending/follow-lending.ts).
 *
 * Takes: prices of a path, its number, and where sales are booked. Gives: sums per loan. Loans with the same baskets, term and growth
 * of the debt share a ratio, whose bounds pass over those to which nothing can happen. Must not know: where prices come from, threads.
 */
import { followLending } from '../lending/follow-lending.ts';
import { emptyCourse, forget, type LendingTerms, openState, reopen } from '../lending/lending-terms.ts';
import { type BookLending, LOAN_START } from '../plan/book-lending.ts';
import type { BookProduct } from '../plan/product/book.ts';
import type { BookSums } from './book-sums.ts';
import { type DebtGrowth, DebtGrowths } from './debt-growth.ts';
import type { LazyRatio } from './lazy-ratio.ts';
import { LazySeries } from './lazy-series.ts';
import { beginLoan, isCallAnswered, lendingTerms } from './lending-loan.ts';
import type { PathBookings } from './path-bookings.ts';
import type { PreparedBook } from './prepared-book.ts';
import { DAY_STEPS } from './price-extremes.ts';

export class SingleLoans {
  /** Loans that were called on the path. */
  calledLoans = 0;
  private readonly book: PreparedBook;
  private readonly product: BookProduct;
  private readonly ratio: LazyRatio;
  private readonly series: LazySeries;
  private readonly bookings: PathBookings;
  private readonly seed: number;
  private readonly state = openState();
  private readonly course = emptyCourse();
  /** Per single group: its loans' terms, and whether the bounds of quiet days do not do for it. */
  private readonly groups: readonly SingleGroup[];
  private path = 0;
  private loan = 0;

  constructor(
    product: BookProduct,
    book: PreparedBook,
    ratio: LazyRatio,
    bookings: PathBookings,
    seed: number,
  ) {
    this.product = product;
    this.book = book;
    this.ratio = ratio;
    this.series = new LazySeries(ratio);
    this.bookings = bookings;
    this.seed = seed;
    const growths = new DebtGrowths(Math.ceil(product.steps / DAY_STEPS));
    this.groups = Array.from(book.singleGroups, g => singleGroup(product, book, g, growths));
  }

  /** Follows the loans along the prices that are there now. @param path its number */
  follow(path: number, sums: BookSums): void {
    const { lending } = this.product;
    if (lending === undefined) return;
    this.path = path;
    this.calledLoans = 0;
    for (const group of this.groups) this.followGroup(group, lending, sums);
  }

  private followGroup(
    { g, growth, mostGrowth, terms, beginsCalled, sellsParts }: SingleGroup,
    lending: BookLending,
    sums: BookSums,
  ): void {
    const { book, ratio, series } = this;
    const { worstRatio } = sums;
    const term = book.groupTerm[g];
    const basket = book.groupBasket[g];
    const threshold = Math.max(book.groupThreshold[g], worstRatio[g]);
    const first = book.groupFirst[g];
    let minimum = Number.POSITIVE_INFINITY;
    if (!beginsCalled && ratio.staysAbove(basket, threshold, mostGrowth)) return;
    // After a sale of a part a loan can be called at a higher ratio than before, and then every day has a bound.
    const bounded = sellsParts || beginsCalled ? Number.POSITIVE_INFINITY : threshold;
    if (ratio.open(basket, term, bounded, growth)) {
      minimum = ratio.minimumBelow(threshold);
      if (minimum < worstRatio[g]) worstRatio[g] = minimum;
    }
    const isQuiet = !(minimum < book.groupThreshold[g]);
    if (isQuiet && !beginsCalled) return;
    series.turnTo(basket, term);
    terms.forEach((each, i) => {
      const place = first + i;
      const k = book.byCall[place];
      const start = lending.start[k];
      if (start >= LOAN_START.called || minimum < each.callAt) this.followLoan(each, place, k, lending, sums);
      const counted = start === LOAN_START.none ? minimum : Math.min(minimum, series.at(0));
      if (counted < book.underAt[place]) sums.underwater[place] += 1;
      if (!(minimum < book.underAt[place])) return;
      const last = ratio.at(term - 1);
      if (book.nominalRatio[place] * last < 1) this.bookings.addUnsold(place, term, last, sums, ratio);
    });
  }

  private followLoan(
    terms: LendingTerms,
    place: number,
    k: number,
    lending: BookLending,
    sums: BookSums,
  ): void {
    const { state, course, series } = this;
    this.loan = k;
    reopen(state);
    forget(course);
    const from = beginLoan(lending, k, terms, series, state, course, () => this.isAnswered(0));
    followLending(terms, series, this.isAnswered, state, from, terms.steps + terms.saleDelaySteps, course);
    if (!course.called) return;
    this.calledLoans += 1;
    this.bookings.addCourse(place, course, terms, sums, series);
  }

  private readonly isAnswered = (call: number): boolean => {
    const { lending } = this.product;
    return lending !== undefined && isCallAnswered(lending, this.loan, this.seed, this.path, call);
  };
}

interface SingleGroup {
  readonly g: number;
  readonly growth: DebtGrowth | undefined;
  /** The debt at its largest up to the term, in units of that at the start. */
  readonly mostGrowth: number;
  /** By place from the first of the group on. */
  readonly terms: readonly LendingTerms[];
  /** Whether a loan begins called or liquidated. */
  readonly beginsCalled: boolean;
  readonly sellsParts: boolean;
}

function singleGroup(product: BookProduct, book: PreparedBook, g: number, growths: DebtGrowths): SingleGroup {
  const { lending } = product;
  const places = Array.from(
    { length: book.groupFirst[g + 1] - book.groupFirst[g] },
    (_, i) => book.groupFirst[g] + i,
  );
  const terms = places.map(place => lendingTerms(product, book.byCall[place]));
  const perStep = book.groupGrowth[g];
  return {
    g,
    growth: growths.of(perStep),
    mostGrowth: Math.max(1, Math.exp(perStep * book.groupTerm[g])),
    terms,
    beginsCalled: places.some(place => Number(lending?.start[book.byCall[place]]) >= LOAN_START.called),
    sellsParts: terms.some(({ partialSale }) => partialSale !== undefined),
  };
}
