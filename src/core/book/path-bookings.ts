/**
 * What is booked on one path of the sales and losses of a book's loans.
 *
 * Takes: which loans are sold or handed over, and the values of their baskets. Gives: figures of the path, sums per loan, events.
 * Loans are named by their places in a prepared book. Must not know: thresholds, how a ratio is found.
 */
import type { BookProduct } from '../plan/product/book.ts';
import { addSquare, type BookSums, UNITS_PER_LOAN_VALUE } from './book-sums.ts';
import type { PreparedBook } from './prepared-book.ts';
import type { RangeSums } from './range-sums.ts';

/** A loan with a loss, or sales: what contributions and peak days are made of. Loans are named by their places. */
export interface BookEvents {
  /** The loan lost so much on this path, USD. */
  loss(place: number, usd: number): void;
  /** The collateral of loans `first` to `end` - 1, which have the same baskets, was sold at step index `index`. */
  sale(first: number, end: number, index: number): void;
}

/** The values of a loan's baskets at any index of the path. */
export interface BasketValues {
  collateralAt(index: number): number;
  loanAt(index: number): number;
}

/** The bookings of the path at hand. */
export class PathBookings {
  /** Figures of the path, USD or counts. */
  loss = 0;
  unsold = 0;
  forcedSales = 0;
  /** Per step index: units of USD sold. */
  readonly soldAt: Float64Array;
  private readonly book: PreparedBook;
  private readonly afterCost: number;
  private readonly saleDelaySteps: number;
  private events: BookEvents | undefined;

  constructor({ steps, saleCost, saleDelaySteps }: BookProduct, book: PreparedBook) {
    this.book = book;
    this.afterCost = 1 - saleCost;
    this.saleDelaySteps = saleDelaySteps;
    this.soldAt = new Float64Array(steps);
  }

  /** Begins a path. @param events told of losses and sales, where they are wanted */
  begin(events: BookEvents | undefined): void {
    this.loss = 0;
    this.unsold = 0;
    this.forcedSales = 0;
    this.events = events;
  }

  /** One loan is liquidated or closed out at step index `index`. */
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
    const missed = term - (index + 1);
    sums.missedSteps[place] += missed;
    if (sums.squares !== undefined) sums.squares.missedSteps[place] += missed * missed;
    this.forcedSales += 1;
    const at = index + this.saleDelaySteps;
    const value = book.loanValue[place];
    const collateral = book.nominalRatio[place] * value * values.collateralAt(at);
    const debt = value * values.loanAt(at);
    this.soldAt[at] += Math.round(collateral / book.unit);
    this.events?.sale(place, place + 1, at);
    this.lose(place, debt - this.afterCost * collateral, sums);
  }

  /** The same for loans `first` to `end` - 1 of a class (prepared-book.ts). */
  sellRange(
    first: number,
    end: number,
    index: number,
    term: number,
    liquidated: boolean,
    sums: BookSums,
    ranges: RangeSums,
    values: BasketValues,
  ): void {
    const { book } = this;
    ranges.sell(first, end, term - (index + 1), liquidated);
    this.forcedSales += end - first;
    const at = index + this.saleDelaySteps;
    const collateralValue = values.collateralAt(at);
    const loanValue = values.loanAt(at);
    const pledged = book.pledgedBefore[end] - book.pledgedBefore[first];
    this.soldAt[at] += Math.round((pledged * collateralValue) / book.unit);
    this.events?.sale(first, end, at);
    // N rises from loan to loan, so those with a loss come first.
    for (let place = first; place < end; place++) {
      const value = book.loanValue[place];
      const collateral = book.nominalRatio[place] * value * collateralValue;
      const usd = value * loanValue - this.afterCost * collateral;
      if (!(usd > 0)) break;
      this.lose(place, usd, sums);
    }
  }

  /** A loan that ends its term below its debt. @param sold whether it was sold before: then it counts as unsold only */
  handOver(
    place: number,
    term: number,
    last: number,
    sold: boolean,
    sums: BookSums,
    values: BasketValues,
  ): void {
    const value = this.book.loanValue[place];
    const nominal = this.book.nominalRatio[place];
    const debt = value * values.loanAt(term - 1);
    const missing = 1 - nominal * last;
    sums.unsoldUnits[place] += Math.round(missing * UNITS_PER_LOAN_VALUE);
    const { squares } = sums;
    if (squares !== undefined) {
      squares.unsoldPaths[place] += 1;
      addSquare(squares.unsoldHigh, squares.unsoldLow, place, missing);
    }
    this.unsold += debt * missing;
    if (sold) return;
    this.lose(place, debt - this.afterCost * (nominal * value * values.collateralAt(term - 1)), sums);
  }

  private lose(place: number, usd: number, sums: BookSums): void {
    if (!(usd > 0)) return;
    this.loss += usd;
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
