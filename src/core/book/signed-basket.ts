/**
 * Whether r_t = C_t / L_t of a loan's baskets falls below a threshold x, without a division: by the sign of a sum over assets
 * (signed-terms.ts).
 *
 * The sum is bounded from below over six days, then over a day, by the lowest prices where a_i is positive and the highest
 * where it is negative; only days that the bounds leave open are followed by steps. A sum within 1e-12 of zero, by its largest
 * terms, is decided by the quotient, so that every decision is that of a division. Must not know: loans, states.
 */
import type { RatioSearch } from './loan-states.ts';
import { DAY_STEPS, DAYS_PER_BLOCK, type PriceExtremes } from './price-extremes.ts';
import { type SignedTerms, SPELT } from './signed-terms.ts';

const BLOCK_STEPS = DAY_STEPS * DAYS_PER_BLOCK;
/** Beyond the rounding of a sum of up to 64 terms; closer to zero it proves nothing. */
export const ROUNDING = 1e-12;

/** Looks along the path that is there now. */
export class SignedBasket implements RatioSearch {
  private readonly path: PriceExtremes;
  private readonly terms: SignedTerms;
  /** a_i of the threshold in use. */
  private readonly coefficient: Float64Array;
  /** Per term: the row of bounds that its sign asks for, by its number. */
  private readonly bound: Int32Array;
  private first = 0;
  private count = 0;
  private threshold = 0;
  private steps = 0;
  /** Sums closer to zero are decided by the quotient. */
  private near = 0;

  constructor(path: PriceExtremes, terms: SignedTerms) {
    this.path = path;
    this.terms = terms;
    const most = 2 * path.assets + SPELT;
    this.coefficient = new Float64Array(most);
    this.bound = new Int32Array(most);
  }

  /**
   * Turns to a threshold of the ratio of baskets, over the first `steps` steps.
   *
   * @returns false where no ratio of the path is below it, by the lowest and highest prices of the whole path; nothing need
   *   be asked then
   */
  open(basket: number, threshold: number, steps: number): boolean {
    const { terms, coefficient, bound } = this;
    const { asset, collateral, loan, start } = terms;
    const { pathBounds, assets } = this.path;
    const first = start[basket];
    const count = start[basket + 1] - first;
    let positive = 0;
    let negative = 0;
    let largest = 0;
    for (let i = 0; i < count; i++) {
      const a = collateral[first + i] - threshold * loan[first + i];
      const s = asset[first + i];
      coefficient[i] = a;
      // The lowest prices of all assets come first, then the highest.
      if (a < 0) {
        bound[i] = assets + s;
        negative -= a * pathBounds[assets + s];
      } else {
        bound[i] = s;
        positive += a * pathBounds[s];
        largest += a * pathBounds[assets + s];
      }
    }
    this.first = first;
    this.count = count;
    this.threshold = threshold;
    this.steps = steps;
    this.near = ROUNDING * (largest + negative);
    return !(positive - negative >= this.near);
  }

  /**
   * The first index from `from` on whose ratio is below the threshold that was opened; the number of steps where there is
   * none.
   */
  firstBelow(_: number, from: number): number {
    const { steps } = this;
    const { blocks, days, blockBounds, dayBounds } = this.path;
    const lastBlock = Math.ceil(steps / BLOCK_STEPS);
    const lastDay = Math.ceil(steps / DAY_STEPS);
    for (let b = Math.floor(from / BLOCK_STEPS); b < lastBlock; b++) {
      b = this.firstOpen(blockBounds, blocks, b, lastBlock);
      if (b === lastBlock) return steps;
      const end = Math.min(lastDay, (b + 1) * DAYS_PER_BLOCK);
      for (let d = Math.max(Math.floor(from / DAY_STEPS), b * DAYS_PER_BLOCK); d < end; d++) {
        d = this.firstOpen(dayBounds, days, d, end);
        if (d === end) break;
        const stop = Math.min(steps, (d + 1) * DAY_STEPS);
        const t = this.firstStep(Math.max(from, d * DAY_STEPS), stop);
        if (t < stop) return t;
      }
    }
    return steps;
  }

  /** The first of some long or short blocks whose bound does not keep the sum above zero; `end` where there is none. */
  private firstOpen(bounds: Float64Array, width: number, from: number, end: number): number {
    const { near, coefficient, bound, count } = this;
    const a0 = coefficient[0];
    const a1 = coefficient[1];
    const a2 = coefficient[2];
    const a3 = coefficient[3];
    const r0 = bound[0] * width;
    const r1 = bound[1] * width;
    const r2 = bound[2] * width;
    const r3 = bound[3] * width;
    for (let b = from; b < end; b++) {
      let sum = a0 * bounds[r0 + b] + a1 * bounds[r1 + b] + a2 * bounds[r2 + b] + a3 * bounds[r3 + b];
      for (let i = SPELT; i < count; i++) sum += coefficient[i] * bounds[bound[i] * width + b];
      if (!(sum >= near)) return b;
    }
    return end;
  }

  private firstStep(from: number, end: number): number {
    const { near, coefficient, count, first, path } = this;
    const { asset } = this.terms;
    const { steps, flat } = path;
    const a0 = coefficient[0];
    const a1 = coefficient[1];
    const a2 = coefficient[2];
    const a3 = coefficient[3];
    const r0 = asset[first] * steps;
    const r1 = asset[first + 1] * steps;
    const r2 = asset[first + 2] * steps;
    const r3 = asset[first + 3] * steps;
    for (let t = from; t < end; t++) {
      let sum = a0 * flat[r0 + t] + a1 * flat[r1 + t] + a2 * flat[r2 + t] + a3 * flat[r3 + t];
      for (let i = SPELT; i < count; i++) sum += coefficient[i] * flat[asset[first + i] * steps + t];
      if (sum >= near) continue;
      if (sum < -near || this.at(t) < this.threshold) return t;
    }
    return end;
  }

  /** C / L at an index: the quotient that decides everywhere else. */
  at(index: number): number {
    return this.collateralAt(index) / this.loanAt(index);
  }

  collateralAt(index: number): number {
    return this.sideAt(this.terms.collateral, index);
  }

  loanAt(index: number): number {
    return this.sideAt(this.terms.loan, index);
  }

  /** Assets that one side does not hold add exactly 0. */
  private sideAt(weight: Float64Array, index: number): number {
    const { first, count, path } = this;
    const { asset } = this.terms;
    const { steps, flat } = path;
    let sum = 0;
    for (let i = first; i < first + count; i++) sum += weight[i] * flat[asset[i] * steps + index];
    return sum;
  }

  /** The first index from `from` to `to` whose ratio is below `low` or not below `high`; `to + 1` where there is none. */
  firstOutside(low: number, high: number, from: number, to: number): number {
    const { count, first, path } = this;
    const { asset, collateral, loan } = this.terms;
    const { steps, flat } = path;
    const c0 = collateral[first];
    const c1 = collateral[first + 1];
    const c2 = collateral[first + 2];
    const c3 = collateral[first + 3];
    const l0 = loan[first];
    const l1 = loan[first + 1];
    const l2 = loan[first + 2];
    const l3 = loan[first + 3];
    const r0 = asset[first] * steps;
    const r1 = asset[first + 1] * steps;
    const r2 = asset[first + 2] * steps;
    const r3 = asset[first + 3] * steps;
    const certainlyInsideLow = low * (1 + ROUNDING);
    const certainlyInsideHigh = high * (1 - ROUNDING);
    for (let t = from; t <= to; t++) {
      const s0 = flat[r0 + t];
      const s1 = flat[r1 + t];
      const s2 = flat[r2 + t];
      const s3 = flat[r3 + t];
      let c = c0 * s0 + c1 * s1 + c2 * s2 + c3 * s3;
      let l = l0 * s0 + l1 * s1 + l2 * s2 + l3 * s3;
      for (let i = first + SPELT; i < first + count; i++) {
        const s = flat[asset[i] * steps + t];
        c += collateral[i] * s;
        l += loan[i] * s;
      }
      if (c > certainlyInsideLow * l && c < certainlyInsideHigh * l) continue;
      const r = this.at(t);
      if (r < low || r >= high) return t;
    }
    return to + 1;
  }
}
