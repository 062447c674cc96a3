/** The prices of all assets along one path, and their bounds over a quarter of a day, a day, six days, and the path. */

/** Steps of the shortest blocks, a quarter of a day. */
export const QUARTER_STEPS = 6;
const QUARTERS_PER_DAY = 4;
export const DAY_STEPS = QUARTERS_PER_DAY * QUARTER_STEPS;
/** Days in a long block. */
export const DAYS_PER_BLOCK = 6;

/** High word of Infinity. */
const INFINITE = 0x7ff00000;

/** One path; index t - 1 is step t. Bounds have 2 n rows: n of lower bounds, then n of upper bounds. */
export class PriceExtremes {
  readonly quarters: number;
  readonly days: number;
  readonly blocks: number;
  /** n x steps: S_i(t), S_i(0) = 1. */
  readonly flat: Float64Array;
  /** The rows of `flat`; the caller fills them, then calls `update`. */
  readonly prices: readonly Float64Array[];
  /** 2 n x quarters. */
  readonly quarterBounds: Float64Array;
  /** 2 n x days. */
  readonly dayBounds: Float64Array;
  /** 2 n x blocks. */
  readonly blockBounds: Float64Array;
  /** 2 n. */
  readonly pathBounds: Float64Array;
  /** Above every price of the path. */
  highest = 0;
  /** The same memory as whole numbers: the high word of a double is the second of its two. */
  private readonly words: Int32Array;
  private readonly quarterWords: Int32Array;
  private readonly dayWords: Int32Array;
  private readonly blockWords: Int32Array;
  private readonly pathWords: Int32Array;

  constructor(
    /** n */
    readonly assets: number,
    readonly steps: number,
  ) {
    this.quarters = Math.ceil(steps / QUARTER_STEPS);
    this.days = Math.ceil(steps / DAY_STEPS);
    this.blocks = Math.ceil(this.days / DAYS_PER_BLOCK);
    this.flat = new Float64Array(assets * steps);
    this.quarterBounds = new Float64Array(2 * assets * this.quarters);
    this.dayBounds = new Float64Array(2 * assets * this.days);
    this.blockBounds = new Float64Array(2 * assets * this.blocks);
    this.pathBounds = new Float64Array(2 * assets);
    this.words = new Int32Array(this.flat.buffer);
    this.quarterWords = new Int32Array(this.quarterBounds.buffer);
    this.dayWords = new Int32Array(this.dayBounds.buffer);
    this.blockWords = new Int32Array(this.blockBounds.buffer);
    this.pathWords = new Int32Array(this.pathBounds.buffer);
    this.prices = Array.from({ length: assets }, (_, i) => this.flat.subarray(i * steps, (i + 1) * steps));
  }

  /**
   * Finds the bounds of the current prices: the high words of the lowest and highest, which have the order of the
   * prices and differ from them by less than 1e-6. Whole numbers are compared without a branch, which a processor could
   * not predict here.
   */
  update(): void {
    const { assets, quarters, days, blocks, pathBounds } = this;
    const { quarterWords, dayWords, blockWords, pathWords } = this;
    const rows = 2 * assets;
    for (let i = 0; i < assets; i++) this.boundQuarters(i);
    for (let row = 0; row < rows; row++) {
      const isLow = row < assets;
      extremes(quarterWords, row * quarters, quarters, QUARTERS_PER_DAY, isLow, dayWords, row * days);
      extremes(dayWords, row * days, days, DAYS_PER_BLOCK, isLow, blockWords, row * blocks);
      extremes(blockWords, row * blocks, blocks, blocks, isLow, pathWords, row);
    }
    this.highest = 0;
    for (let row = assets; row < rows; row++) this.highest = Math.max(this.highest, pathBounds[row]);
  }

  private boundQuarters(asset: number): void {
    const { words, quarterWords, steps, quarters, assets } = this;
    const whole = (steps / QUARTER_STEPS) | 0;
    const lowRow = 2 * asset * quarters + 1;
    const highRow = 2 * (assets + asset) * quarters + 1;
    let at = 2 * asset * steps + 1;
    for (let q = 0; q < whole; q++, at += 2 * QUARTER_STEPS) {
      // The lower and the higher of three pairs, then the lowest and the highest.
      const less0 = negative(words[at] - words[at + 2]);
      const less1 = negative(words[at + 4] - words[at + 6]);
      const less2 = negative(words[at + 8] - words[at + 10]);
      const low = lower(lower(words[at + 2] + less0, words[at + 6] + less1), words[at + 10] + less2);
      const high = higher(higher(words[at] - less0, words[at + 4] - less1), words[at + 8] - less2);
      quarterWords[lowRow + 2 * q] = low;
      quarterWords[highRow + 2 * q] = high < INFINITE ? high + 1 : high;
    }
    if (whole === quarters) return;
    let low = words[at];
    let high = low;
    for (let t = at + 2; t < 2 * (asset + 1) * steps; t += 2) {
      low = lower(low, words[t]);
      high = higher(high, words[t]);
    }
    quarterWords[lowRow + 2 * whole] = low;
    quarterWords[highRow + 2 * whole] = high < INFINITE ? high + 1 : high;
  }
}

/** `difference` where it is below 0, else 0. */
const negative = (difference: number) => difference & (difference >> 31);
const lower = (a: number, b: number) => (b + negative(a - b)) | 0;
const higher = (a: number, b: number) => (a - negative(a - b)) | 0;

/** The lowest, or the highest, of every `width` of `count` high words of doubles from double `first` on. */
function extremes(
  words: Int32Array,
  first: number,
  count: number,
  width: number,
  isLow: boolean,
  out: Int32Array,
  to: number,
): void {
  for (let begin = 0, b = to; begin < count; begin += width, b++) {
    const end = Math.min(count, begin + width);
    let extreme = words[2 * (first + begin) + 1];
    if (isLow) for (let t = begin + 1; t < end; t++) extreme = lower(extreme, words[2 * (first + t) + 1]);
    else for (let t = begin + 1; t < end; t++) extreme = higher(extreme, words[2 * (first + t) + 1]);
    out[2 * b + 1] = extreme;
  }
}
