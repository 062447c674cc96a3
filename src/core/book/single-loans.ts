/**
 * Loans of a book with the terms of real loans, one by one along one path (core/lending/follow-lending.ts).
 *
 * Loans of equal baskets, term and growth of the debt share a ratio, whose bounds exclude loans without a possible
 * event. A loan that is alone with its baskets is followed from its first call on, which book-path.ts finds.
 */
import { followLending } from '../lending/follow-lending.ts';
import { emptyCourse, forget, type LendingTerms, openState, reopen } from '../lending/lending-terms.ts';
import { type BookLending, isByAsset, LOAN_START } from '../plan/book-lending.ts';
import { startOfRatio } from '../plan/loan-terms.ts';
import type { BookProduct } from '../plan/product/book.ts';
import type { BookSums } from './book-sums.ts';
import { type DebtGrowth, debtGrowths } from './debt-growth.ts';
import type { LazyRatio } from './lazy-ratio.ts';
import { LazySeries } from './lazy-series.ts';
import { beginLoan, isCallAnswered, lendingTerms } from './lending-loan.ts';
import type { PathBookings } from './path-bookings.ts';
import type { PreparedBook } from './prepared-book.ts';
import type { SignedBasket } from './signed-basket.ts';
import { SignedSeries } from './signed-series.ts';

export class SingleLoans {
  calledLoans = 0;
  private readonly series: LazySeries;
  private readonly signed: SignedSeries;
  private readonly state = openState();
  private readonly course = emptyCourse();
  /** Per single group: the terms of its loans, and their common properties. */
  private readonly groups: readonly SingleGroup[];
  /** Per alone group: the terms of its loan, if it is followed here. */
  private readonly alone: readonly (LendingTerms | undefined)[];
  private path = 0;
  private loan = 0;

  constructor(
    product: BookProduct,
    private readonly lending: BookLending,
    private readonly book: PreparedBook,
    private readonly ratio: LazyRatio,
    signed: SignedBasket,
    private readonly bookings: PathBookings,
    /** Per alone group. */
    private readonly aloneGrowth: readonly (DebtGrowth | undefined)[],
    private readonly seed: number,
  ) {
    this.series = new LazySeries(ratio);
    this.signed = new SignedSeries(signed);
    this.alone = Array.from(book.aloneGroups, (g, i) =>
      book.singleFromCall[i] === 1
        ? lendingTerms(product, lending, book.byCall[book.groupFirst[g]])
        : undefined,
    );
    const growths = debtGrowths(book.singleGroups, book.groupGrowth, product.steps);
    this.groups = Array.from(book.singleGroups, (g, i) =>
      singleGroup(product, lending, book, g, growths[i], ratio),
    );
  }

  /** Follows the loans along the current prices. @param path its number */
  follow(path: number, sums: BookSums): void {
    this.path = path;
    this.calledLoans = 0;
    for (const group of this.groups) this.followGroup(group, sums);
  }

  /**
   * Follows the loan of an alone group from its first call on.
   *
   * @param i number of the alone group
   * @param first index of the first step at which its ratio is below M / N
   */
  followCalled(path: number, i: number, first: number, sums: BookSums): void {
    const { book, state, course, signed } = this;
    const terms = this.alone[i];
    if (terms === undefined) throw new RangeError(`The loan of alone group ${i} has no terms of its own`);
    const g = book.aloneGroups[i];
    const place = book.groupFirst[g];
    this.path = path;
    this.loan = book.byCall[place];
    reopen(state);
    forget(course);
    signed.turnTo(book.groupBasket[g], terms.steps, this.aloneGrowth[i], terms.callAt, first + 1);
    const last = terms.steps + terms.saleDelaySteps;
    followLending(terms, signed, this.isAnswered, state, first + 1, last, course);
    this.bookings.addCourse(place, course, terms, sums, signed);
  }

  private followGroup(
    { g, growth, terms, threshold: matters, hasEventAtStart, sellsParts }: SingleGroup,
    sums: BookSums,
  ): void {
    const { book, ratio, series, lending } = this;
    const { worstRatio } = sums;
    const term = book.groupTerm[g];
    const basket = book.groupBasket[g];
    const worst = worstRatio[g];
    const threshold = Math.max(matters, worst);
    // After the sale of a part a loan can be called at a higher ratio than before: every day needs a bound.
    const bounded = sellsParts ? Number.POSITIVE_INFINITY : threshold;
    if (ratio.open(basket, term, bounded, growth, hasEventAtStart)) {
      const lowest = ratio.minimumBelow(worst);
      if (lowest < worst) worstRatio[g] = lowest;
    } else if (!hasEventAtStart) return;
    if (!hasEventAtStart && !ratio.isBelow(matters)) return;
    series.turnTo(basket, term);
    const first = book.groupFirst[g];
    for (let i = 0; i < terms.length; i++) {
      const place = first + i;
      const k = book.byCall[place];
      const start = lending.start[k];
      const under = book.underAt[place];
      const { callAt, liquidationAt } = terms[i];
      const mayBeCalled = start >= LOAN_START.called || ratio.isBelow(Math.max(callAt, liquidationAt));
      // Losses of a called loan are booked with its course.
      const isBooked = mayBeCalled && this.followSingle(terms[i], place, k, sums);
      const begins =
        start !== LOAN_START.none && startOfRatio(series.at(0), book.nominalRatio[place]) < under;
      if (begins || ratio.isBelow(under)) sums.underwater[place] += 1;
      else continue;
      const last = ratio.at(term - 1);
      if (book.nominalRatio[place] * last < 1)
        this.bookings.handOver(place, term, last, isBooked, sums, ratio, terms[i].saleCost);
    }
  }

  /** @returns whether the loan was called, and its course booked */
  private followSingle(terms: LendingTerms, place: number, k: number, sums: BookSums): boolean {
    const { state, course, series, lending } = this;
    this.loan = k;
    series.takeLoan(isByAsset(lending, k));
    const from = beginLoan(lending, k, terms, series, state, course, () => this.isAnswered(0));
    followLending(terms, series, this.isAnswered, state, from, terms.steps + terms.saleDelaySteps, course);
    if (!course.called) return false;
    this.calledLoans += 1;
    this.bookings.addCourse(place, course, terms, sums, series);
    return true;
  }

  private readonly isAnswered = (call: number): boolean =>
    isCallAnswered(this.lending, this.loan, this.seed, this.path, call);
}

interface SingleGroup {
  readonly g: number;
  readonly growth: DebtGrowth | undefined;
  /** The largest ratio at which a loan can have an event, except after partial sales. */
  readonly threshold: number;
  /** By place from the first of the group on. */
  readonly terms: readonly LendingTerms[];
  /** Whether one of its loans begins called, liquidated or under water: then it is followed on every path. */
  readonly hasEventAtStart: boolean;
  readonly sellsParts: boolean;
}

function singleGroup(
  product: BookProduct,
  lending: BookLending,
  book: PreparedBook,
  g: number,
  growth: DebtGrowth | undefined,
  ratio: LazyRatio,
): SingleGroup {
  const places = Array.from(
    { length: book.groupFirst[g + 1] - book.groupFirst[g] },
    (_, i) => book.groupFirst[g] + i,
  );
  const terms = places.map(place => lendingTerms(product, lending, book.byCall[place]));
  const startOf = (place: number) => lending.start[book.byCall[place]];
  // A loan that is liquidated at the start is not called again, unless a part of it remains.
  const isOver = (place: number, { partialSale }: LendingTerms) =>
    startOf(place) === LOAN_START.liquidated && partialSale === undefined;
  const basket = book.groupBasket[g];
  const atStart = ratio.collateralAtStart(basket) / ratio.loanAtStart(basket);
  const beginsUnderWater = (place: number) =>
    startOf(place) !== LOAN_START.none &&
    startOfRatio(atStart, book.nominalRatio[place]) < book.underAt[place];
  const thresholds = terms.map((each, i) => {
    // A loan that begins under water is so on every path.
    const ofWater = beginsUnderWater(places[i]) ? 0 : book.underAt[places[i]];
    return isOver(places[i], each) ? ofWater : Math.max(each.callAt, each.liquidationAt, ofWater);
  });
  return {
    g,
    growth,
    threshold: Math.max(...thresholds),
    terms,
    hasEventAtStart: places.some(place => startOf(place) >= LOAN_START.called || beginsUnderWater(place)),
    sellsParts: terms.some(({ partialSale }) => partialSale !== undefined),
  };
}
