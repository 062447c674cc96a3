/**
 * Jumps of a price that no market makes: a return of 20 times the usual one or more, as of a coin that was redenominated.
 *
 * Must not know: stores, requests.
 */
import { medianOf } from './median.ts';

/** A jump is a return beyond this many scales of its window. */
export const JUMP_SCALES = 20;
/** A counterpart in another asset is a return beyond this many scales of its own, in the same direction. */
const COUNTERPART_SCALES = 5;
/** Smallest factor of a jump: a stablecoin that loses its peg for a day moves by less. */
const MIN_FACTOR = 1.5;
/** Median of the size of a normal variable with a standard deviation of 1. */
const NORMAL_MEDIAN = 0.6745;

/** A jump in a window. */
export interface PriceJump {
  /** Point of the close after it. */
  readonly point: number;
  /** That close over the one before it. */
  readonly factor: number;
  /** Its return in scales of the window. */
  readonly scales: number;
}

/** The usual size of the returns of some closes, as a standard deviation; closes that stay as they are do not count. */
function scaleOf(closes: ArrayLike<number>): number {
  const sizes: number[] = [];
  for (let i = 1; i < closes.length; i++) {
    const size = Math.abs(Math.log(closes[i] / closes[i - 1]));
    if (size > 0) sizes.push(size);
  }
  return medianOf(sizes) / NORMAL_MEDIAN;
}

/** Returns from which a scale follows. */
const MIN_RETURNS = 5;

/** The jumps of a window of closes. */
export function priceJumps(closes: ArrayLike<number>): readonly PriceJump[] {
  const far: number[] = [];
  for (let i = 1; i < closes.length; i++)
    if (closes[i] > MIN_FACTOR * closes[i - 1] || closes[i - 1] > MIN_FACTOR * closes[i]) far.push(i);
  if (far.length === 0 || closes.length <= MIN_RETURNS) return [];
  const scale = scaleOf(closes);
  return far
    .map(point => {
      const factor = closes[point] / closes[point - 1];
      return { point, factor, scales: Math.abs(Math.log(factor)) / scale };
    })
    .filter(({ scales }) => scales > JUMP_SCALES);
}

/** Whether other closes of the same points move with a jump. */
export function movesWith(closes: ArrayLike<number>, { point, factor }: PriceJump): boolean {
  const move = Math.log(closes[point] / closes[point - 1]);
  return move * Math.log(factor) > 0 && Math.abs(move) > COUNTERPART_SCALES * scaleOf(closes);
}

/** The factor that brings the closes before a jump to those after it: the power of ten that is near, if any. */
export function rescalingOf({ factor }: Pick<PriceJump, 'factor'>): number {
  const round = 10 ** Math.round(Math.log10(factor));
  const isNear = factor < 2 * round && round < 2 * factor && round !== 1;
  return isNear ? Number(round.toPrecision(1)) : Number(factor.toPrecision(3));
}
