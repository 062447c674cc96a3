/**
 * The prices of all assets along one path, and the lowest and highest of each over every day and every six days.
 *
 * The extremes bound the ratio of any baskets over many steps at the cost of one. Must not know: loans.
 */

/** Steps of a short block. */
export const DAY_STEPS = 24;
/** Short blocks in a long one. */
export const DAYS_PER_BLOCK = 6;

/** One path; index t - 1 is step t. */
export class PriceExtremes {
  /** n arrays of S_i(t), S_i(0) = 1; whoever simulates fills them, then calls `update`. */
  readonly prices: readonly Float64Array[];
  readonly dayLow: readonly Float64Array[];
  readonly dayHigh: readonly Float64Array[];
  readonly blockLow: readonly Float64Array[];
  readonly blockHigh: readonly Float64Array[];

  constructor(assets: number, steps: number) {
    const columns = (length: number) => Array.from({ length: assets }, () => new Float64Array(length));
    const days = Math.ceil(steps / DAY_STEPS);
    const blocks = Math.ceil(days / DAYS_PER_BLOCK);
    this.prices = columns(steps);
    this.dayLow = columns(days);
    this.dayHigh = columns(days);
    this.blockLow = columns(blocks);
    this.blockHigh = columns(blocks);
  }

  /** Finds the extremes of the prices that are there now. */
  update(): void {
    this.prices.forEach((prices, i) => {
      extremes(prices, prices, DAY_STEPS, this.dayLow[i], this.dayHigh[i]);
      extremes(this.dayLow[i], this.dayHigh[i], DAYS_PER_BLOCK, this.blockLow[i], this.blockHigh[i]);
    });
  }
}

/** The lowest of `low` and the highest of `high` over every `width` entries. */
function extremes(
  low: Float64Array,
  high: Float64Array,
  width: number,
  outLow: Float64Array,
  outHigh: Float64Array,
): void {
  for (let b = 0; b < outLow.length; b++) {
    const end = Math.min(low.length, (b + 1) * width);
    let least = low[b * width];
    let most = high[b * width];
    for (let t = b * width + 1; t < end; t++) {
      if (low[t] < least) least = low[t];
      if (high[t] > most) most = high[t];
    }
    outLow[b] = least;
    outHigh[b] = most;
  }
}
