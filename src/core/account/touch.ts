/**
 * Touches of the line within an hour: the lowest point of a Brownian bridge between the excess E - M at two hours, linear in the log prices
 * (docs/accounts.md, "One hour").
 */
import { ExtraWords } from '../random/extra-words.ts';
import type { AccountState } from './account-state.ts';
import type { HourLaw } from './hour-law.ts';

/** Second key word of this stream: "touc" in ASCII. */
export const TOUCH_KEY = 0x746f7563;
/** Bits of U that are never 0. */
const BITS = 24;
/** A bridge touches where v (-2 ln U) is at least 4 d0 d1, so U reaches half of sqrt(-2 ln U) standard deviations. With room for rounding. */
export const REACH_OF_ROOT = 0.5005;
/** Standard deviations beyond which no U of 24 bits touches. */
export const REACH = REACH_OF_ROOT * Math.sqrt(2 * BITS * Math.LN2);

/** The lowest point of a bridge from d0 to d1 of variance v, by U in (0, 1]. */
export const lowestOfBridge = (d0: number, d1: number, v: number, u: number): number =>
  (d0 + d1 - Math.sqrt((d1 - d0) ** 2 - 2 * v * Math.log(u))) / 2;

/** U of a word. */
export const touchUniform = (word: number): number => ((word >>> (32 - BITS)) + 1) / 2 ** BITS;

export class Touches {
  /** C D of the hour, and D' C D. */
  readonly spread: Float64Array;
  variance = 0;
  /** Of the day, and of a bound of what its hours reach. */
  private deviations: Float64Array = new Float64Array();
  private largest = 0;
  private readonly slopes: Float64Array;
  private readonly words: ExtraWords;

  constructor(
    seed: number,
    private readonly assets: number,
    private readonly scale: number,
  ) {
    this.spread = new Float64Array(assets);
    this.slopes = new Float64Array(assets + 1);
    this.words = new ExtraWords(seed, TOUCH_KEY);
  }

  start(path: number): void {
    this.words.start(path);
  }

  /** Begins a day. @param deviations of its hours */
  startDay(deviations: Float64Array): void {
    this.largest = 0;
    for (let i = 0; i < this.assets; i++) this.largest = Math.max(this.largest, deviations[i]);
    this.deviations = deviations;
  }

  /** Whether an account with such an excess at both ends can touch in an hour, from 0, at all: a bound that costs less than the slopes. */
  mayReach(hour: number, nearest: number, { slopeBound }: AccountState): boolean {
    const most = this.largest * slopeBound;
    return nearest <= REACH * Math.sqrt(this.scale) * most && nearest <= this.reachIn(hour) * most;
  }

  /** Standard deviations of the excess below which the hour may touch. */
  private reachIn(hour: number): number {
    return REACH_OF_ROOT * Math.sqrt(-2 * this.scale * Math.log(touchUniform(this.words.word(hour))));
  }

  /**
   * Sets the spread of the excess within the hour `hour`, from 0, which begins at `prices`.
   *
   * @param state evaluated there
   * @returns whether anything can touch
   */
  prepare(
    hour: number,
    state: AccountState,
    prices: Float64Array,
    { correlation }: HourLaw,
    nearest: number,
  ): boolean {
    const { slopes, spread, assets, deviations } = this;
    state.slopesAt(prices, slopes);
    let reach = 0;
    this.variance = 0;
    for (let i = 0; i < assets; i++) {
      let sum = 0;
      for (let j = 0; j < assets; j++) sum += correlation[i * assets + j] * deviations[j] * slopes[j];
      spread[i] = deviations[i] * sum;
      this.variance += slopes[i] * spread[i];
      reach += Math.abs(slopes[i]) * deviations[i];
    }
    return nearest <= this.reachIn(hour) * reach;
  }

  /** The lowest point of the hour `hour`, from 0, between d0 and d1. */
  lowest(hour: number, d0: number, d1: number): number {
    return lowestOfBridge(d0, d1, this.scale * this.variance, touchUniform(this.words.word(hour)));
  }

  /**
   * The prices of the touch, where E = M to first order.
   *
   * @param from prices at the beginning of the hour, where the excess is d0 > 0
   * @param to prices at its end, with d1
   */
  pricesAt(from: Float64Array, to: Float64Array, d0: number, d1: number, at: Float64Array): void {
    const { spread, variance, assets } = this;
    const part = d0 / (d0 + Math.abs(d1));
    const fall = d1 > 0 && variance > 0 ? (2 * d0 * d1) / ((d0 + d1) * variance) : 0;
    for (let i = 0; i < assets; i++)
      at[i] = from[i] * Math.exp(part * Math.log(to[i] / from[i]) - spread[i] * fall);
  }
}

/** Prices on the straight line in ln S where the excess, d0 > 0 at `from` and d1 < 0 at `to`, is 0. */
export function pricesBetween(
  from: Float64Array,
  to: Float64Array,
  d0: number,
  d1: number,
  at: Float64Array,
): void {
  const part = d0 / (d0 - d1);
  for (let i = 0; i < at.length; i++) at[i] = from[i] * (to[i] / from[i]) ** part;
}
