/**
 * All loans of a book along one path (methodology part 4, and "Books" for what a sale that takes time brings in).
 *
 * Takes: a prepared book and the prices of a path. Gives: figures of the path; sums per loan go into `BookSums`.
 * Loans on which nothing can happen are passed over by bounds (lazy-ratio.ts); the others are followed step by step where it
 * matters. Must not know: where prices come from, threads, tails.
 */
import { type BookProduct, bookUnit } from '../plan/product/book.ts';
import { type BookSums, UNITS_PER_LOAN_VALUE } from './book-sums.ts';
import { basketSum, LazyRatio } from './lazy-ratio.ts';
import type { PreparedBook } from './prepared-book.ts';
import { PriceExtremes } from './price-extremes.ts';
import { SignedBasket } from './signed-basket.ts';

/** A loan with a loss, or a sale: what contributions and peak days are made of. */
export interface BookEvents {
  /** The loan lost so much on this path, USD. */
  loss(loan: number, usd: number): void;
  /** Its collateral was sold at step index `index`. */
  sale(loan: number, index: number): void;
}

/** What was found on a path of the loans with baskets of their own. */
export interface FollowedAlone {
  readonly loss: number;
  readonly unsold: number;
  readonly calledLoans: number;
  readonly forcedSales: number;
  /** Per step index: units of USD sold. */
  readonly soldAt: Float64Array;
}

/** How the ratio of a loan is asked for. */
interface RatioSearch {
  at(index: number): number;
  /** The first index from `from` on below `threshold`, the loan's call; the number of steps where there is none. */
  firstBelow(threshold: number, from: number): number;
  /** The first index from `from` to `to` below `low` or not below `high`; `to + 1` where there is none. */
  firstOutside(low: number, high: number, from: number, to: number): number;
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
  private readonly product: BookProduct;
  private readonly book: PreparedBook;
  private readonly ratio: LazyRatio;
  private readonly signed: SignedBasket;
  private readonly unit: number;
  /** Per step index: units of USD sold. */
  private readonly soldAt: Float64Array;
  /** Per loan: 1 where it was sold on this path. */
  private readonly ended: Uint8Array;
  private events: BookEvents | undefined;
  constructor(product: BookProduct, book: PreparedBook, assets: number) {
    this.product = product;
    this.book = book;
    this.path = new PriceExtremes(assets, product.steps);
    this.ratio = new LazyRatio(this.path, book.collateral, book.loan, product.steps);
    this.signed = new SignedBasket(this.path, book.collateral, book.loan, book.terms);
    this.unit = bookUnit(product);
    this.soldAt = new Float64Array(product.steps);
    this.ended = new Uint8Array(product.loanValue.length);
  }

  /**
   * Follows all loans along the prices that are there now.
   *
   * @param sums receives what is added up per loan
   * @param events told of losses and sales, where they are wanted
   */
  follow(sums: BookSums, events?: BookEvents): void {
    this.loss = 0;
    this.unsold = 0;
    this.calledLoans = 0;
    this.forcedSales = 0;
    this.soldAt.fill(0);
    this.events = events;
    this.path.update();
    for (const g of this.book.aloneGroups) this.followAlone(g, sums);
    this.followGroups(sums);
    this.end();
  }

  /**
   * Follows the loans that share their baskets and term; the others have been.
   *
   * @param alone what was found of the others
   */
  followBeside(alone: FollowedAlone, sums: BookSums, events?: BookEvents): void {
    this.loss = alone.loss;
    this.unsold = alone.unsold;
    this.calledLoans = alone.calledLoans;
    this.forcedSales = alone.forcedSales;
    this.soldAt.set(alone.soldAt);
    this.events = events;
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
    this.loss = Math.round(this.loss / this.unit) * this.unit;
    this.findPeakDay();
  }

  /** One loan with baskets of its own: signs of sums tell all but the worst ratio, which is seldom a new one. */
  private followAlone(g: number, sums: BookSums): void {
    const { book, signed } = this;
    const k = book.byCall[book.groupFirst[g]];
    const term = book.groupTerm[g];
    const basket = book.groupBasket[g];
    const nominal = this.product.nominalRatio[k];
    const call = this.product.marginCallRatio[k] / nominal;
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
    this.followLoan(k, g, sums, signed, first);
    // What is below 1 / N is below M / N, too: nothing before the first call.
    const under = signed.open(basket, 1 / nominal, term) ? signed.firstBelow(1 / nominal, first) : term;
    if (under < term) {
      sums.underwater[k] += 1;
      const last = signed.at(term - 1);
      if (nominal * last < 1) this.handOver(k, g, last, sums);
    }
    this.ended[k] = 0;
    if (worst <= call && (under < term || worst > 1 / nominal)) this.noteWorst(g, worst, first, sums);
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
    const minimum = this.ratio.minimumBelow(threshold);
    if (minimum < sums.worstRatio[g]) sums.worstRatio[g] = minimum;
    if (!(minimum < this.book.groupThreshold[g])) return;
    const { groupFirst, byCall, byNominal } = this.book;
    const { nominalRatio, marginCallRatio } = this.product;
    const end = groupFirst[g + 1];
    let called = groupFirst[g];
    // Thresholds fall from loan to loan, so the first call of one is not before that of the last.
    let first = 0;
    for (; called < end; called++) {
      const k = byCall[called];
      const call = marginCallRatio[k] / nominalRatio[k];
      if (!(call > minimum)) break;
      first = this.ratio.firstBelow(call, first);
      this.followLoan(k, g, sums, this.ratio, first);
    }
    this.calledLoans += called - groupFirst[g];
    let last = Number.NaN;
    for (let i = groupFirst[g]; i < end; i++) {
      const k = byNominal[i];
      if (!(1 / nominalRatio[k] > minimum)) break;
      sums.underwater[k] += 1;
      if (Number.isNaN(last)) last = this.ratio.at(this.book.groupTerm[g] - 1);
      if (nominalRatio[k] * last < 1) this.handOver(k, g, last, sums);
    }
    for (let i = groupFirst[g]; i < called; i++) this.ended[byCall[i]] = 0;
  }

  /** A loan that ends its term below its debt; one that was sold before counts as unsold only. */
  private handOver(k: number, g: number, last: number, sums: BookSums): void {
    const { loanValue, nominalRatio, saleCost } = this.product;
    const basket = this.book.groupBasket[g];
    const index = this.book.groupTerm[g] - 1;
    const debt = loanValue[k] * basketSum(this.book.loan, basket, this.path.prices, index);
    const missing = 1 - nominalRatio[k] * last;
    sums.unsoldUnits[k] += Math.round(missing * UNITS_PER_LOAN_VALUE);
    this.unsold += debt * missing;
    if (this.ended[k] === 1) return;
    const collateral =
      nominalRatio[k] * loanValue[k] * basketSum(this.book.collateral, basket, this.path.prices, index);
    this.bookLoss(k, debt - (1 - saleCost) * collateral, sums);
  }

  private bookLoss(k: number, usd: number, sums: BookSums): void {
    if (!(usd > 0)) return;
    this.loss += usd;
    sums.lossUnits[k] += Math.round((usd / this.product.loanValue[k]) * UNITS_PER_LOAN_VALUE);
    this.events?.loss(k, usd);
  }

  /** The states of a loan whose ratio falls below M / N: liquidation, cure, call, closeout, in this order at every step. */
  private followLoan(k: number, g: number, sums: BookSums, ratio: RatioSearch, first: number): void {
    const { product } = this;
    const n = product.nominalRatio[k];
    const call = product.marginCallRatio[k] / n;
    const liquidation = product.liquidationRatio[k] / n;
    const recovery = product.recoveryRatio[k] / n;
    const topUp = product.topUpSteps[k];
    const term = this.book.groupTerm[g];
    sums.marginCalls[k] += 1;
    let index = first;
    while (index < term) {
      // A call opens. In its own step only a liquidation, or a deadline of no steps, ends the loan.
      const deadline = index + topUp;
      const opening = ratio.at(index);
      if (opening < liquidation || topUp === 0) {
        this.sell(k, g, index, opening < liquidation, sums);
        return;
      }
      const lastOpen = Math.min(deadline, term - 1);
      const next = ratio.firstOutside(liquidation, recovery, index + 1, lastOpen);
      if (next > lastOpen) {
        if (deadline < term) this.sell(k, g, deadline, false, sums);
        return;
      }
      if (ratio.at(next) < liquidation) {
        this.sell(k, g, next, true, sums);
        return;
      }
      // Cured. With R below M the next call can open in the same step.
      index = ratio.firstBelow(call, next);
    }
  }

  private sell(k: number, g: number, index: number, liquidated: boolean, sums: BookSums): void {
    const { loanValue, nominalRatio, saleCost, saleDelaySteps } = this.product;
    const basket = this.book.groupBasket[g];
    (liquidated ? sums.liquidations : sums.closeouts)[k] += 1;
    sums.missedSteps[k] += this.book.groupTerm[g] - (index + 1);
    this.forcedSales += 1;
    this.ended[k] = 1;
    const at = index + saleDelaySteps;
    const collateral =
      nominalRatio[k] * loanValue[k] * basketSum(this.book.collateral, basket, this.path.prices, at);
    const debt = loanValue[k] * basketSum(this.book.loan, basket, this.path.prices, at);
    this.soldAt[at] += Math.round(collateral / this.unit);
    this.events?.sale(k, at);
    this.bookLoss(k, debt - (1 - saleCost) * collateral, sums);
  }

  /** Sums of whole units: a window that only loses steps without a sale has the same sum, and the earliest counts. */
  private findPeakDay(): void {
    const { soldAt, unit } = this;
    this.peakDay = 0;
    this.peakStart = 0;
    this.sold = 0;
    if (this.forcedSales === 0) return;
    const width = Math.min(this.product.daySteps, soldAt.length);
    let total = 0;
    let window = 0;
    let peak = 0;
    for (let t = 0; t < soldAt.length; t++) {
      total += soldAt[t];
      window += soldAt[t] - (t >= width ? soldAt[t - width] : 0);
      if (t >= width - 1 && window > peak) {
        peak = window;
        this.peakStart = t - width + 1;
      }
    }
    this.sold = total * unit;
    this.peakDay = peak * unit;
  }
}
