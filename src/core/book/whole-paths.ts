/**
 * Passes over the loans with baskets of their own on which nothing can happen, by the lowest and highest prices of the whole path.
 *
 * Something can happen where r_t falls below max(M / N, the lowest ratio so far), which is seldom another number than on the
 * path before: the terms of its sum (signed-terms.ts) and what rounding may do to it are kept. Must not know: steps, states.
 */
import type { PriceExtremes } from './price-extremes.ts';
import { ROUNDING } from './signed-basket.ts';
import { type SignedTerms, SPELT } from './signed-terms.ts';

export class WholePaths {
  private readonly path: PriceExtremes;
  private readonly terms: SignedTerms;
  /** Per loan, `SPELT` entries: a_i, and the row of bounds that its sign asks for. */
  private readonly coefficient: Float64Array;
  private readonly row: Uint8Array;
  /** Per loan: the threshold that they are of. */
  private readonly threshold: Float64Array;
  /** Per loan: what rounding may do to the sum at prices of 1; Infinity where it has more terms and is never passed over. */
  private readonly rounding: Float64Array;
  private highest = 0;

  constructor(path: PriceExtremes, terms: SignedTerms, loans: number) {
    this.path = path;
    this.terms = terms;
    this.coefficient = new Float64Array(SPELT * loans);
    this.row = new Uint8Array(SPELT * loans);
    this.threshold = new Float64Array(loans).fill(Number.NaN);
    this.rounding = new Float64Array(loans).fill(Number.POSITIVE_INFINITY);
  }

  /** Takes the bounds of the path that is there now. */
  begin(): void {
    const { pathBounds, assets } = this.path;
    this.highest = 0;
    for (let i = assets; i < 2 * assets; i++) this.highest = Math.max(this.highest, pathBounds[i]);
  }

  /** Whether no ratio of loan `i`, which has baskets `basket`, is below `threshold` for certain. */
  isAbove(i: number, basket: number, threshold: number): boolean {
    const { coefficient, row } = this;
    const { pathBounds } = this.path;
    if (this.threshold[i] !== threshold) this.take(i, basket, threshold);
    const at = SPELT * i;
    const sum =
      coefficient[at] * pathBounds[row[at]] +
      coefficient[at + 1] * pathBounds[row[at + 1]] +
      coefficient[at + 2] * pathBounds[row[at + 2]] +
      coefficient[at + 3] * pathBounds[row[at + 3]];
    return sum >= this.rounding[i] * this.highest;
  }

  private take(i: number, basket: number, threshold: number): void {
    const { start, asset, collateral, loan } = this.terms;
    const { assets } = this.path;
    this.threshold[i] = threshold;
    this.rounding[i] = Number.POSITIVE_INFINITY;
    const first = start[basket];
    if (start[basket + 1] > first + SPELT || threshold === Number.POSITIVE_INFINITY) return;
    let size = 0;
    for (let t = 0; t < SPELT; t++) {
      const a = collateral[first + t] - threshold * loan[first + t];
      this.coefficient[SPELT * i + t] = a;
      // The lowest prices of all assets come first, then the highest.
      this.row[SPELT * i + t] = asset[first + t] + (a < 0 ? assets : 0);
      size += Math.abs(a);
    }
    this.rounding[i] = ROUNDING * size;
  }
}
