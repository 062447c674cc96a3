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
  /** n */
  readonly assets: number;
  readonly steps: number;
  /** Number of short blocks. */
  readonly days: number;
  /** Number of long blocks. */
  readonly blocks: number;
  /** n x steps: S_i(t), S_i(0) = 1. */
  readonly flat: Float64Array;
  /** The rows of `flat`; whoever simulates fills them, then calls `update`. */
  readonly prices: readonly Float64Array[];
  /** 2 n x days: the lowest of every asset, then the highest. */
  readonly dayBounds: Float64Array;
  /** 2 n x blocks. */
  readonly blockBounds: Float64Array;
  /** 2 n: the lowest price of every asset on the path, then the highest. */
  readonly pathBounds: Float64Array;
  readonly dayLow: readonly Float64Array[];
  readonly dayHigh: readonly Float64Array[];
  readonly blockLow: readonly Float64Array[];
  readonly blockHigh: readonly Float64Array[];

  constructor(assets: number, steps: number) {
    this.assets = assets;
    this.steps = steps;
    this.days = Math.ceil(steps / DAY_STEPS);
    this.blocks = Math.ceil(this.days / DAYS_PER_BLOCK);
    this.flat = new Float64Array(assets * steps);
    this.dayBounds = new Float64Array(2 * assets * this.days);
    this.blockBounds = new Float64Array(2 * assets * this.blocks);
    this.pathBounds = new Float64Array(2 * assets);
    const rows = (all: Float64Array, width: number, first: number) =>
      Array.from({ length: assets }, (_, i) => all.subarray((first + i) * width, (first + i + 1) * width));
    this.prices = rows(this.flat, steps, 0);
    this.dayLow = rows(this.dayBounds, this.days, 0);
    this.dayHigh = rows(this.dayBounds, this.days, assets);
    this.blockLow = rows(this.blockBounds, this.blocks, 0);
    this.blockHigh = rows(this.blockBounds, this.blocks, assets);
  }

  /** Finds the extremes of the prices that are there now. */
  update(): void {
    this.prices.forEach((prices, i) => {
      extremes(prices, prices, DAY_STEPS, this.dayLow[i], this.dayHigh[i]);
      extremes(this.dayLow[i], this.dayHigh[i], DAYS_PER_BLOCK, this.blockLow[i], this.blockHigh[i]);
      const { pathBounds, assets, blocks } = this;
      const low = pathBounds.subarray(i, i + 1);
      const high = pathBounds.subarray(assets + i, assets + i + 1);
      extremes(this.blockLow[i], this.blockHigh[i], blocks, low, high);
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
