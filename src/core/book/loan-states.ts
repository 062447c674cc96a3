/**
 * What becomes of one loan along one path after its first call, and what of it is booked (methodology part 4).
 *
 * Takes: the ratio of a loan's baskets, and where amounts are added up. Loans are named by their places in a prepared book.
 * Must not know: how a ratio is found, other loans.
 */
import type { BookProduct } from '../plan/product/book.ts';
import { addSquare, type BookSums, UNITS_PER_LOAN_VALUE } from './book-sums.ts';
import type { PreparedBook } from './prepared-book.ts';

/** A loan with a loss, or a sale: what contributions and peak days are made of. */
export interface BookEvents {
  /** The loan lost so much on this path, USD. */
  loss(loan: number, usd: number): void;
  /** Its collateral was sold at step index `index`. */
  sale(loan: number, index: number): void;
}

/** How C / L of a loan's baskets is asked for. */
export interface RatioSearch {
  at(index: number): number;
  /** C, and L, at any index of the path. */
  collateralAt(index: number): number;
  loanAt(index: number): number;
  /** The first index from `from` on below `threshold`, the loan's call; the number of steps where there is none. */
  firstBelow(threshold: number, from: number): number;
  /** The first index from `from` to `to` below `low` or not below `high`; `to + 1` where there is none. */
  firstOutside(low: number, high: number, from: number, to: number): number;
}

/** The loans of a book on the path at hand. */
export class LoanStates {
  /** Figures of the path, USD or counts. */
  loss = 0;
  unsold = 0;
  forcedSales = 0;
  /** Per step index: units of USD sold. */
  readonly soldAt: Float64Array;
  private readonly book: PreparedBook;
  private readonly unit: number;
  private readonly afterCost: number;
  private readonly saleDelaySteps: number;
  /** Per place: 1 where the loan was sold on this path. */
  private readonly ended: Uint8Array;
  private events: BookEvents | undefined;

  /** @param unit of the book, USD */
  constructor({ steps, saleCost, saleDelaySteps }: BookProduct, book: PreparedBook, unit: number) {
    this.book = book;
    this.unit = unit;
    this.afterCost = 1 - saleCost;
    this.saleDelaySteps = saleDelaySteps;
    this.soldAt = new Float64Array(steps);
    this.ended = new Uint8Array(book.byCall.length);
  }

  /** Begins a path. @param events told of losses and sales, where they are wanted */
  begin(events: BookEvents | undefined): void {
    this.loss = 0;
    this.unsold = 0;
    this.forcedSales = 0;
    this.events = events;
  }

  /** Forgets which of some loans were sold. */
  forget(first: number, end: number): void {
    this.ended.fill(0, first, end);
  }

  /** The states of a loan whose ratio falls below M / N: liquidation, cure, call, closeout, in this order at every step. */
  follow(place: number, term: number, sums: BookSums, ratio: RatioSearch, first: number): void {
    const { book } = this;
    const call = book.callAt[place];
    const liquidation = book.liquidationAt[place];
    const recovery = book.recoveryAt[place];
    const topUp = book.topUpSteps[place];
    sums.marginCalls[place] += 1;
    let index = first;
    while (index < term) {
      // A call opens. In its own step only a liquidation, or a deadline of no steps, ends the loan.
      const deadline = index + topUp;
      const opening = ratio.at(index);
      if (opening < liquidation || topUp === 0) {
        this.sell(place, index, term, opening < liquidation, sums, ratio);
        return;
      }
      const lastOpen = Math.min(deadline, term - 1);
      const next = ratio.firstOutside(liquidation, recovery, index + 1, lastOpen);
      if (next > lastOpen) {
        if (deadline < term) this.sell(place, deadline, term, false, sums, ratio);
        return;
      }
      if (ratio.at(next) < liquidation) {
        this.sell(place, next, term, true, sums, ratio);
        return;
      }
      // Cured. With R below M the next call can open in the same step.
      index = ratio.firstBelow(call, next);
    }
  }

  /** A loan that ends its term below its debt; one that was sold before counts as unsold only. */
  handOver(place: number, term: number, last: number, sums: BookSums, ratio: RatioSearch): void {
    const value = this.book.loanValue[place];
    const nominal = this.book.nominalRatio[place];
    const debt = value * ratio.loanAt(term - 1);
    const missing = 1 - nominal * last;
    sums.unsoldUnits[place] += Math.round(missing * UNITS_PER_LOAN_VALUE);
    const { squares } = sums;
    if (squares !== undefined) {
      squares.unsoldPaths[place] += 1;
      addSquare(squares.unsoldHigh, squares.unsoldLow, place, missing);
    }
    this.unsold += debt * missing;
    if (this.ended[place] === 1) return;
    this.bookLoss(place, debt - this.afterCost * (nominal * value * ratio.collateralAt(term - 1)), sums);
  }

  private sell(
    place: number,
    index: number,
    term: number,
    liquidated: boolean,
    sums: BookSums,
    ratio: RatioSearch,
  ): void {
    const { book } = this;
    (liquidated ? sums.liquidations : sums.closeouts)[place] += 1;
    const missed = term - (index + 1);
    sums.missedSteps[place] += missed;
    if (sums.squares !== undefined) sums.squares.missedSteps[place] += missed * missed;
    this.forcedSales += 1;
    this.ended[place] = 1;
    const at = index + this.saleDelaySteps;
    const value = book.loanValue[place];
    const collateral = book.nominalRatio[place] * value * ratio.collateralAt(at);
    const debt = value * ratio.loanAt(at);
    this.soldAt[at] += Math.round(collateral / this.unit);
    this.events?.sale(book.byCall[place], at);
    this.bookLoss(place, debt - this.afterCost * collateral, sums);
  }

  private bookLoss(place: number, usd: number, sums: BookSums): void {
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
    this.events?.loss(this.book.byCall[place], usd);
  }
}
