/** The paths of the second pass over a book: the tails of its loss and of its peak day. */
import { type UpperTail, upperTails } from './tail-weights.ts';
import { weightedUpperTail } from './weighted-tails.ts';

/** The tails of a book, per quantile, and the paths in any of them. */
export interface BookTailPaths {
  readonly lossTails: readonly UpperTail[];
  readonly peakTails: readonly UpperTail[];
  /** Numbers of the paths in any of the tails, rising. */
  readonly paths: Uint32Array;
}

/** @param loss per path, and @param peak likewise, USD; @param weights of the paths where they have any */
export function bookTailPaths(
  quantiles: Float64Array,
  loss: Float64Array,
  peak: Float64Array,
  weights?: Float64Array,
): BookTailPaths {
  const tailsOf = (column: Float64Array) =>
    weights === undefined
      ? upperTails(column, quantiles)
      : Array.from(quantiles, q => weightedUpperTail(column, weights, q));
  const lossTails = tailsOf(loss);
  const peakTails = tailsOf(peak);
  const isInLossTail = inAnyTail(lossTails);
  const isInPeakTail = inAnyTail(peakTails);
  const isInTail = (p: number) => isInLossTail(loss[p]) || isInPeakTail(peak[p]);
  let count = 0;
  for (let p = 0; p < loss.length; p++) if (isInTail(p)) count++;
  const paths = new Uint32Array(count);
  let at = 0;
  for (let p = 0; p < loss.length; p++) if (isInTail(p)) paths[at++] = p;
  return { lossTails, peakTails, paths };
}

/** Whether a figure above 0 is in any of the tails: a figure of 0 adds nothing. */
export function inAnyTail(tails: readonly UpperTail[]): (value: number) => boolean {
  const least = Math.min(...tails.map(({ level }) => level));
  return value => value > 0 && value >= least;
}
