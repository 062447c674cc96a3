/**
 * Excludes loans with baskets of their own that have no possible event, by the lowest and highest prices of the whole
 * path.
 *
 * An event needs r_t below max(M / N, the lowest ratio so far), which seldom changes from path to path. The terms of
 * its sum (signed-terms.ts) and its rounding error are stored close together in memory, since every path reads those of
 * all loans.
 */
import { LOAN_START } from '../plan/book-lending.ts';
import type { DebtGrowth } from './debt-growth.ts';
import type { PreparedBook } from './prepared-book.ts';
import type { PriceExtremes } from './price-extremes.ts';
import { ROUNDING } from './signed-basket.ts';

export class WholePaths {
  /** Terms of loan i have indices first[i] .. first[i + 1] - 1. */
  private readonly first: Uint32Array;
  /** a_i, and the row of bounds for its sign. */
  private readonly coefficient: Float64Array;
  private readonly row: Uint8Array;
  /** Per loan: largest rounding error of the sum at prices of 1; Infinity where the loan is never excluded. */
  private readonly rounding: Float64Array;
  /** Per loan: largest growth of its debt in the term. */
  private readonly mostGrowth: Float64Array;
  /** Per loan: the threshold of the terms. */
  private readonly threshold: Float64Array;

  /** @param growth per alone group that of its debt */
  constructor(
    private readonly path: PriceExtremes,
    private readonly book: PreparedBook,
    growth: readonly (DebtGrowth | undefined)[],
  ) {
    const { aloneGroups, groupBasket, groupTerm, terms } = book;
    const loans = aloneGroups.length;
    this.mostGrowth = new Float64Array(loans);
    this.first = new Uint32Array(loans + 1);
    for (let i = 0; i < loans; i++) {
      const g = aloneGroups[i];
      const b = groupBasket[g];
      this.mostGrowth[i] = growth[i]?.mostOver(groupTerm[g]) ?? 1;
      this.first[i + 1] = this.first[i] + terms.start[b + 1] - terms.start[b];
    }
    this.coefficient = new Float64Array(this.first[loans]);
    this.row = new Uint8Array(this.first[loans]);
    this.rounding = new Float64Array(loans).fill(Number.POSITIVE_INFINITY);
    this.threshold = new Float64Array(loans).fill(Number.POSITIVE_INFINITY);
  }

  /** Sets the lowest ratios so far, per group. */
  begin(worstRatio: Float64Array): void {
    for (let i = 0; i < this.threshold.length; i++) this.take(i, worstRatio);
  }

  /** Whether the loan of alone group `i` certainly has no event. */
  isAbove(i: number): boolean {
    const { coefficient, row } = this;
    const { pathBounds, highest } = this.path;
    const at = this.first[i];
    const end = this.first[i + 1];
    let sum = 0;
    for (let t = at; t < end; t++) sum += coefficient[t] * pathBounds[row[t]];
    return sum >= this.rounding[i] * highest;
  }

  /** Sets the lowest ratio so far of the loan of alone group `i`. */
  take(i: number, worstRatio: Float64Array): void {
    const { aloneGroups, callAt, groupBasket, groupFirst, terms } = this.book;
    const g = aloneGroups[i];
    const threshold = Math.max(callAt[groupFirst[g]], worstRatio[g]);
    if (this.threshold[i] === threshold) return;
    this.threshold[i] = threshold;
    const end = this.first[i + 1];
    // A growing debt is below its largest value: a sum above zero for that decides for all.
    const most = threshold * this.mostGrowth[i];
    let size = 0;
    for (let t = this.first[i], j = terms.start[groupBasket[g]]; t < end; t++, j++) {
      const a = terms.collateral[j] - most * terms.loan[j];
      this.coefficient[t] = a;
      // The lowest prices of all assets come first, then the highest.
      this.row[t] = terms.asset[j] + (a < 0 ? this.path.assets : 0);
      size += Math.abs(a);
    }
    // A loan that is called or liquidated at the start is followed on every path.
    this.rounding[i] =
      this.book.aloneStart[i] === LOAN_START.none ? ROUNDING * size : Number.POSITIVE_INFINITY;
  }
}
