/**
 * Compares r_t = C_t / L_t of a loan's baskets with a threshold x without a division, by the sign of a sum over assets
 * (signed-terms.ts).
 *
 * The sum has lower bounds over six days, a day and a quarter of a day, from the lowest prices where a_i is positive
 * and the highest where it is negative; only quarters that these bounds leave open are followed by steps. A sum within
 * 1e-12 of zero, by the highest price, is decided by the quotient, so that every decision is that of a division.
 */
import { type DebtGrowth, START } from './debt-growth.ts';
import type { BasketValues } from './path-bookings.ts';
import { DAY_STEPS, DAYS_PER_BLOCK, type PriceExtremes, QUARTER_STEPS } from './price-extremes.ts';
import { type SignedTerms, SPELT } from './signed-terms.ts';

const BLOCK_STEPS = DAYS_PER_BLOCK * DAY_STEPS;
/** Beyond the rounding of a sum of up to 64 terms; a sum closer to zero decides nothing. */
export const ROUNDING = 1e-12;

export class SignedBasket implements BasketValues {
  /** a_i of the threshold in use. */
  private readonly coefficient: Float64Array;
  /** Per term: the row of bounds for its sign, and its asset. */
  private readonly bound: Int32Array;
  private readonly held: Int32Array;
  private first = 0;
  private count = 0;
  private threshold = 0;
  private steps = 0;
  /** Sums closer to zero are decided by the quotient. */
  private near = 0;
  private growth: DebtGrowth | undefined;
  /** Largest growth of the debt in the term. */
  private mostGrowth = 1;

  constructor(
    private readonly path: PriceExtremes,
    private readonly terms: SignedTerms,
  ) {
    const most = 2 * path.assets + SPELT;
    this.coefficient = new Float64Array(most);
    this.bound = new Int32Array(most);
    this.held = new Int32Array(most);
  }

  /** Selects a threshold over the first `steps` steps. @returns false where the bounds of the path exclude it */
  open(basket: number, threshold: number, steps: number, growth?: DebtGrowth): boolean {
    this.turnTo(basket, steps, growth);
    return this.setThreshold(threshold);
  }

  /** Selects baskets: their values can be read; comparisons need `open`. @param growth of the debt */
  turnTo(basket: number, steps: number, growth?: DebtGrowth): void {
    const { start } = this.terms;
    this.growth = growth;
    this.mostGrowth = growth?.mostOver(steps) ?? 1;
    this.first = start[basket];
    this.count = start[basket + 1] - this.first;
    this.steps = steps;
  }

  private setThreshold(threshold: number): boolean {
    const { terms, coefficient, bound, held, first, count } = this;
    const { asset, collateral, loan } = terms;
    const { pathBounds, assets, highest } = this.path;
    const most = threshold * this.mostGrowth;
    let sum = 0;
    let size = 0;
    for (let i = 0; i < count; i++) {
      const a = collateral[first + i] - most * loan[first + i];
      // The lowest prices of all assets come first, then the highest.
      const row = asset[first + i] + (a < 0 ? assets : 0);
      held[i] = asset[first + i];
      coefficient[i] = a;
      bound[i] = row;
      sum += a * pathBounds[row];
      size += Math.abs(a);
    }
    this.threshold = threshold;
    this.near = ROUNDING * highest * size;
    return !(sum >= this.near);
  }

  /**
   * The first index from `from` on whose ratio is below the opened threshold; the number of steps without one. Blocks of
   * six days, days and quarters are skipped where their bounds keep the sum above zero.
   */
  firstBelow(from: number): number {
    const { steps, threshold, near, coefficient, bound, held, count, path } = this;
    const { blocks, days, quarters, blockBounds, dayBounds, quarterBounds, flat } = path;
    const a0 = coefficient[0];
    const a1 = coefficient[1];
    const a2 = coefficient[2];
    const a3 = coefficient[3];
    const b0 = bound[0];
    const b1 = bound[1];
    const b2 = bound[2];
    const b3 = bound[3];
    const s0 = held[0];
    const s1 = held[1];
    const s2 = held[2];
    const s3 = held[3];
    const isLonger = count > SPELT;
    // Coefficients are those of the largest debt: a sum below zero decides nothing for a smaller one.
    const decides = this.growth === undefined;
    for (let t = from; t < steps; ) {
      const block = (t / BLOCK_STEPS) | 0;
      const endOfBlock = Math.min(steps, (block + 1) * BLOCK_STEPS);
      let sum =
        a0 * blockBounds[b0 * blocks + block] +
        a1 * blockBounds[b1 * blocks + block] +
        a2 * blockBounds[b2 * blocks + block] +
        a3 * blockBounds[b3 * blocks + block];
      if (isLonger) sum += this.otherTerms(bound, blockBounds, blocks, block);
      if (sum >= near) t = endOfBlock;
      while (t < endOfBlock) {
        const day = (t / DAY_STEPS) | 0;
        const endOfDay = Math.min(steps, (day + 1) * DAY_STEPS);
        sum =
          a0 * dayBounds[b0 * days + day] +
          a1 * dayBounds[b1 * days + day] +
          a2 * dayBounds[b2 * days + day] +
          a3 * dayBounds[b3 * days + day];
        if (isLonger) sum += this.otherTerms(bound, dayBounds, days, day);
        if (sum >= near) t = endOfDay;
        while (t < endOfDay) {
          const quarter = (t / QUARTER_STEPS) | 0;
          const endOfQuarter = Math.min(steps, (quarter + 1) * QUARTER_STEPS);
          sum =
            a0 * quarterBounds[b0 * quarters + quarter] +
            a1 * quarterBounds[b1 * quarters + quarter] +
            a2 * quarterBounds[b2 * quarters + quarter] +
            a3 * quarterBounds[b3 * quarters + quarter];
          if (isLonger) sum += this.otherTerms(bound, quarterBounds, quarters, quarter);
          if (sum >= near) t = endOfQuarter;
          for (; t < endOfQuarter; t++) {
            sum =
              a0 * flat[s0 * path.steps + t] +
              a1 * flat[s1 * path.steps + t] +
              a2 * flat[s2 * path.steps + t] +
              a3 * flat[s3 * path.steps + t];
            if (isLonger) sum += this.otherTerms(held, flat, path.steps, t);
            if (sum >= near) continue;
            if ((decides && sum < -near) || this.at(t) < threshold) return t;
          }
        }
      }
    }
    return steps;
  }

  /** The terms behind those that are written out. @param rows per term: its row of `values`, of `width` columns */
  private otherTerms(rows: Int32Array, values: Float64Array, width: number, column: number): number {
    const { coefficient, count } = this;
    let sum = 0;
    for (let i = SPELT; i < count; i++) sum += coefficient[i] * values[rows[i] * width + column];
    return sum;
  }

  /** The lowest ratio from `from` on, if it is below the opened threshold, else the threshold, which each lower ratio becomes. */
  lowestBelow(from: number): number {
    for (let t = this.firstBelow(from); t < this.steps; t = this.firstBelow(t + 1))
      this.setThreshold(this.at(t));
    return this.threshold;
  }

  /** C / L at an index: the quotient that decides everywhere else. */
  at(index: number): number {
    return this.collateralAt(index) / this.loanAt(index);
  }

  /** The value of a side at an index, or at `START`. */
  collateralAt(index: number): number {
    return this.sideAt(this.terms.collateral, index);
  }

  loanAt(index: number): number {
    const sum = this.sideAt(this.terms.loan, index);
    return this.growth === undefined ? sum : sum * this.growth.at(index);
  }

  /** Assets of no weight on a side add exactly 0. */
  private sideAt(weight: Float64Array, index: number): number {
    const { first, count, path } = this;
    // Prices are 1.
    if (index === START) {
      let whole = 0;
      for (let i = first; i < first + count; i++) whole += weight[i];
      return whole;
    }
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
    const certainlyInsideLow = low * (1 + ROUNDING) * (this.growth?.mostOf(from, to) ?? 1);
    const certainlyInsideHigh = high * (1 - ROUNDING) * (this.growth?.leastOf(from, to) ?? 1);
    for (let t = from; t <= to; t++) {
      let c = 0;
      let l = 0;
      for (let i = first; i < first + count; i++) {
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

  /** Whether the bounds of the days from `from` to `to` allow a ratio below `ratio`. */
  mayFallBelow(ratio: number, from: number, to: number): boolean {
    const { count, first, path } = this;
    const threshold = ratio * (this.growth?.mostOf(from, to) ?? 1);
    const { asset, collateral, loan } = this.terms;
    const { assets, days, dayBounds, highest } = path;
    const a0 = collateral[first] - threshold * loan[first];
    const a1 = collateral[first + 1] - threshold * loan[first + 1];
    const a2 = collateral[first + 2] - threshold * loan[first + 2];
    const a3 = collateral[first + 3] - threshold * loan[first + 3];
    const r0 = (a0 < 0 ? assets + asset[first] : asset[first]) * days;
    const r1 = (a1 < 0 ? assets + asset[first + 1] : asset[first + 1]) * days;
    const r2 = (a2 < 0 ? assets + asset[first + 2] : asset[first + 2]) * days;
    const r3 = (a3 < 0 ? assets + asset[first + 3] : asset[first + 3]) * days;
    const four = Math.abs(a0) + Math.abs(a1) + Math.abs(a2) + Math.abs(a3);
    const last = (to / DAY_STEPS) | 0;
    for (let d = (from / DAY_STEPS) | 0; d <= last; d++) {
      let sum =
        a0 * dayBounds[r0 + d] + a1 * dayBounds[r1 + d] + a2 * dayBounds[r2 + d] + a3 * dayBounds[r3 + d];
      let size = four;
      for (let i = first + SPELT; i < first + count; i++) {
        const a = collateral[i] - threshold * loan[i];
        sum += a * dayBounds[(a < 0 ? assets + asset[i] : asset[i]) * days + d];
        size += Math.abs(a);
      }
      if (!(sum >= ROUNDING * size * highest)) return true;
    }
    return false;
  }

  /** The first index from `from` to `to` whose ratio is not below `ratio`; `to + 1` where there is none. */
  firstNotBelow(ratio: number, from: number, to: number): number {
    const { count, first, path } = this;
    const threshold = ratio * (this.growth?.leastOf(from, to) ?? 1);
    const { asset, collateral, loan } = this.terms;
    const { assets, steps, flat, quarters, quarterBounds, highest } = path;
    const a0 = collateral[first] - threshold * loan[first];
    const a1 = collateral[first + 1] - threshold * loan[first + 1];
    const a2 = collateral[first + 2] - threshold * loan[first + 2];
    const a3 = collateral[first + 3] - threshold * loan[first + 3];
    const s0 = asset[first];
    const s1 = asset[first + 1];
    const s2 = asset[first + 2];
    const s3 = asset[first + 3];
    // The highest prices where a_i is positive, the lowest where it is negative.
    const q0 = (a0 < 0 ? s0 : assets + s0) * quarters;
    const q1 = (a1 < 0 ? s1 : assets + s1) * quarters;
    const q2 = (a2 < 0 ? s2 : assets + s2) * quarters;
    const q3 = (a3 < 0 ? s3 : assets + s3) * quarters;
    let size = Math.abs(a0) + Math.abs(a1) + Math.abs(a2) + Math.abs(a3);
    for (let i = first + SPELT; i < first + count; i++) size += Math.abs(collateral[i] - threshold * loan[i]);
    const near = -ROUNDING * highest * size;
    for (let t = from; t <= to; ) {
      const q = (t / QUARTER_STEPS) | 0;
      const end = Math.min(to, (q + 1) * QUARTER_STEPS - 1);
      let most =
        a0 * quarterBounds[q0 + q] +
        a1 * quarterBounds[q1 + q] +
        a2 * quarterBounds[q2 + q] +
        a3 * quarterBounds[q3 + q];
      for (let i = first + SPELT; i < first + count; i++) {
        const a = collateral[i] - threshold * loan[i];
        most += a * quarterBounds[(a < 0 ? asset[i] : assets + asset[i]) * quarters + q];
      }
      if (most < near) t = end + 1;
      for (; t <= end; t++) {
        let sum =
          a0 * flat[s0 * steps + t] +
          a1 * flat[s1 * steps + t] +
          a2 * flat[s2 * steps + t] +
          a3 * flat[s3 * steps + t];
        for (let i = first + SPELT; i < first + count; i++)
          sum += (collateral[i] - threshold * loan[i]) * flat[asset[i] * steps + t];
        if (!(sum < near) && this.at(t) >= ratio) return t;
      }
    }
    return to + 1;
  }
}
