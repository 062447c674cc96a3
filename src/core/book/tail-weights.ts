/** The upper tail of losses: weights of its paths that add up to 1, so that contributions add up to its mean. */
import { firstTrue } from '../stats/first-true.ts';
import { tailRank } from '../stats/quantile.ts';

/** The upper 1 - q of n paths. */
export interface UpperTail {
  /** v = x_(ceil(n q)) in rising order. */
  readonly level: number;
  /** Weight of a path above `level`: 1 / (n (1 - q)). */
  readonly above: number;
  /** Weight of a path at `level`: an equal share of the weight that those above leave of 1. */
  readonly at: number;
}

/** The tail above quantile `q`; paths at its level share the rest. @param sorted n >= 1 finite numbers, rising */
export function upperTail(sorted: Float64Array, q: number): UpperTail {
  const n = sorted.length;
  const level = sorted[tailRank(n, q) - 1];
  const firstAt = firstTrue(n, k => sorted[k] >= level);
  const firstAbove = firstTrue(n, k => sorted[k] > level);
  const above = 1 / (n * (1 - q));
  return { level, above, at: (1 - (n - firstAbove) * above) / (firstAbove - firstAt) };
}

export const tailWeight = ({ level, above, at }: UpperTail, value: number) =>
  value > level ? above : value === level ? at : 0;

/** Mean of the tail. @param sorted as the tail was made from */
export function tailMean(tail: UpperTail, sorted: Float64Array): number {
  let sum = 0;
  for (let i = sorted.length - 1; i >= 0 && sorted[i] >= tail.level; i--)
    sum += tailWeight(tail, sorted[i]) * sorted[i];
  return sum;
}
