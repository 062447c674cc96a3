/**
 * r_t = C_t / (L_t g_t) of one pair of baskets along one path, computed by the day where needed; g_t is the growth of
 * the debt, 1 without interest.
 *
 * A day whose bounds are above a threshold is skipped. The others are divided step by step, so that every comparison
 * uses the same quotient as everywhere else.
 */
import type { DebtGrowth } from './debt-growth.ts';
import { DAY_STEPS, DAYS_PER_BLOCK, type PriceExtremes } from './price-extremes.ts';
import type { SparseWeights } from './signed-terms.ts';

/** Bounds are sums in another order than the quotients: a bound closer to a threshold than this is ignored. */
const ROUNDING = 1 + 1e-12;

/** The day of a step index; a whole division is faster than Math.floor. */
const dayOf = (index: number) => (index / DAY_STEPS) | 0;

export class LazyRatio {
  private readonly ratio: Float64Array;
  /** Per day: a lower bound of its ratios; their lowest once the day is divided. */
  private readonly low: Float64Array;
  private readonly divided: Uint8Array;
  /** C and L at every index of the summed days. */
  private readonly collateralSum: Float64Array;
  private readonly loanSum: Float64Array;
  private readonly summed: Uint8Array;
  private growth: DebtGrowth | undefined;
  private basket = 0;
  private steps = 0;
  private days = 0;
  /** A ratio as low as `foundLow` was found; none is below `noneBelow`. */
  private foundLow = Number.POSITIVE_INFINITY;
  private noneBelow = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly path: PriceExtremes,
    private readonly collateral: SparseWeights,
    private readonly loan: SparseWeights,
    /** Of collateral with the liquidation LTVs of assets; absent where no loan has them. */
    private readonly secured?: SparseWeights,
  ) {
    const { steps, days } = path;
    this.ratio = new Float64Array(steps);
    this.collateralSum = new Float64Array(steps);
    this.loanSum = new Float64Array(steps);
    this.low = new Float64Array(days);
    this.divided = new Uint8Array(days);
    this.summed = new Uint8Array(days);
  }

  /**
   * Selects baskets over their first `steps` steps.
   *
   * @param growth of the debt; absent where it does not grow
   * @param always whether they are selected even where no ratio is below `threshold`
   * @returns false where no ratio is below `threshold` for certain; no other method may be called then, unless `always`
   */
  open(basket: number, steps: number, threshold: number, growth?: DebtGrowth, always = false): boolean {
    const { path, collateral, loan } = this;
    const { assets, dayBounds, blockBounds } = path;
    const days = Math.ceil(steps / DAY_STEPS);
    const blocks = Math.ceil(days / DAYS_PER_BLOCK);
    let opened = false;
    if (always) this.turnTo(basket, steps, days, growth);
    for (let b = 0; b < blocks; b++) {
      const end = Math.min(days, (b + 1) * DAYS_PER_BLOCK);
      const least = basketSum(collateral, basket, blockBounds, path.blocks, 0, b);
      let most = basketSum(loan, basket, blockBounds, path.blocks, assets, b);
      if (growth !== undefined) most *= growth.mostBetween(b * DAYS_PER_BLOCK, end);
      if (least >= threshold * most * ROUNDING) continue;
      if (!opened && !always) this.turnTo(basket, steps, days, growth);
      opened = true;
      for (let d = b * DAYS_PER_BLOCK; d < end; d++) {
        const lowest = basketSum(collateral, basket, dayBounds, path.days, 0, d);
        let highest = basketSum(loan, basket, dayBounds, path.days, assets, d);
        if (growth !== undefined) highest *= growth.mostOfDay[d];
        this.low[d] = lowest / (highest * ROUNDING);
      }
    }
    return opened;
  }

  private turnTo(basket: number, steps: number, days: number, growth: DebtGrowth | undefined): void {
    this.basket = basket;
    this.growth = growth;
    this.steps = steps;
    this.days = days;
    this.divided.fill(0);
    this.summed.fill(0);
    // Callers compare with thresholds up to that of their selection only: days above it need no better bound.
    this.low.fill(Number.POSITIVE_INFINITY, 0, days);
    this.foundLow = Number.POSITIVE_INFINITY;
    this.noneBelow = Number.NEGATIVE_INFINITY;
  }

  /** Whether any ratio is below `threshold`; divides fewer days than a search for the lowest. */
  isBelow(threshold: number): boolean {
    const { low } = this;
    if (this.foundLow < threshold) return true;
    if (threshold <= this.noneBelow) return false;
    for (let d = 0; d < this.days; d++) {
      if (!(low[d] < threshold)) continue;
      if (this.divided[d] === 0) this.divide(d);
      if (!(low[d] < threshold)) continue;
      this.foundLow = low[d];
      return true;
    }
    this.noneBelow = threshold;
    return false;
  }

  /** The lowest ratio, if it is below `threshold`, else Infinity. */
  minimumBelow(threshold: number): number {
    const { low } = this;
    let least = threshold;
    for (let d = 0; d < this.days; d++) {
      if (!(low[d] < least)) continue;
      if (this.divided[d] === 0) this.divide(d);
      least = Math.min(least, low[d]);
    }
    return least < threshold ? least : Number.POSITIVE_INFINITY;
  }

  /** The first index from `from` on whose ratio is below `threshold`; the number of steps where there is none. */
  firstBelow(threshold: number, from: number): number {
    const { low, ratio, steps } = this;
    for (let d = dayOf(from); d < this.days; d++) {
      if (!(low[d] < threshold)) continue;
      if (this.divided[d] === 0) this.divide(d);
      const end = Math.min(steps, (d + 1) * DAY_STEPS);
      for (let t = Math.max(from, d * DAY_STEPS); t < end; t++) if (ratio[t] < threshold) return t;
    }
    return steps;
  }

  /** The first index from `from` to `to` whose ratio is below `low` or not below `high`; `to + 1` where there is none. */
  firstOutside(low: number, high: number, from: number, to: number): number {
    const { ratio } = this;
    for (let t = from; t <= to; ) {
      const d = dayOf(t);
      if (this.divided[d] === 0) this.divide(d);
      const end = Math.min(to, (d + 1) * DAY_STEPS - 1);
      for (; t <= end; t++) if (ratio[t] < low || ratio[t] >= high) return t;
    }
    return to + 1;
  }

  at(index: number): number {
    const d = dayOf(index);
    if (this.divided[d] === 0) this.divide(d);
    return this.ratio[index];
  }

  /** C, and L g, at the start. */
  collateralAtStart(basket: number): number {
    return weightOf(this.collateral, basket);
  }

  loanAtStart(basket: number): number {
    return weightOf(this.loan, basket);
  }

  /** C, and L g, at any index of the path. */
  collateralAt(index: number): number {
    this.sumDay(dayOf(index));
    return this.collateralSum[index];
  }

  loanAt(index: number): number {
    this.sumDay(dayOf(index));
    return this.loanSum[index];
  }

  /** C with the liquidation LTV of each asset as a factor, at any index of the path; -1 is the start. */
  securedAt(basket: number, index: number): number | undefined {
    const { secured, path } = this;
    if (secured === undefined) return undefined;
    if (index < 0) return weightOf(secured, basket);
    let sum = 0;
    for (let i = secured.start[basket]; i < secured.start[basket + 1]; i++)
      sum += secured.weight[i] * path.prices[secured.asset[i]][index];
    return sum;
  }

  private sumDay(day: number): void {
    if (this.summed[day] === 1) return;
    const { path, basket } = this;
    const first = day * DAY_STEPS;
    const end = Math.min(path.steps, first + DAY_STEPS);
    basketSums(this.collateral, basket, path.prices, first, end, this.collateralSum);
    basketSums(this.loan, basket, path.prices, first, end, this.loanSum);
    this.growth?.growDay(this.loanSum, day, first, end);
    this.summed[day] = 1;
  }

  private divide(day: number): void {
    const { ratio, collateralSum, loanSum } = this;
    const first = day * DAY_STEPS;
    const end = Math.min(this.steps, first + DAY_STEPS);
    this.sumDay(day);
    let low = Number.POSITIVE_INFINITY;
    for (let t = first; t < end; t++) {
      const r = collateralSum[t] / loanSum[t];
      ratio[t] = r;
      if (r < low) low = r;
    }
    this.low[day] = low;
    this.divided[day] = 1;
  }
}

/** Sum of the weights of a basket: its value at the start. */
function weightOf({ start, weight }: SparseWeights, basket: number): number {
  let sum = 0;
  for (let i = start[basket]; i < start[basket + 1]; i++) sum += weight[i];
  return sum;
}

/** Writes sum_i w_i S_i of the indices `first` to `end` - 1 over the assets of a basket, an asset at a time. */
function basketSums(
  { start, asset, weight }: SparseWeights,
  basket: number,
  values: readonly Float64Array[],
  first: number,
  end: number,
  out: Float64Array,
): void {
  out.fill(0, first, end);
  for (let i = start[basket]; i < start[basket + 1]; i++) {
    const prices = values[asset[i]];
    const w = weight[i];
    for (let t = first; t < end; t++) out[t] += w * prices[t];
  }
}

/** sum_i w_i x_i over the assets of a basket, x_i in column `column` of row `firstRow` + i. */
function basketSum(
  { start, asset, weight }: SparseWeights,
  basket: number,
  bounds: Float64Array,
  width: number,
  firstRow: number,
  column: number,
): number {
  let sum = 0;
  for (let i = start[basket]; i < start[basket + 1]; i++)
    sum += weight[i] * bounds[(firstRow + asset[i]) * width + column];
  return sum;
}
