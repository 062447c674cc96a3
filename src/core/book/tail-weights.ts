/** The upper tail of losses: weights of its paths that add up to 1, so that contributions add up to its mean. */
import { firstTrue } from '../stats/first-true.ts';
import { tailRank } from '../stats/quantile.ts';
import { placeRanks } from '../stats/selection.ts';

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
  return tailOf(n, q, { level, equal: firstAbove - firstAt, higher: n - firstAbove });
}

/** The same tails of a column in any order, by selection: a sort of a million figures takes a tenth of a second. */
export function upperTails(column: Float64Array, quantiles: ArrayLike<number>): UpperTail[] {
  const n = column.length;
  const ranks = Array.from(quantiles, q => tailRank(n, q) - 1);
  const placed = column.slice();
  placeRanks(placed, Float64Array.from(new Set(ranks)).sort());
  return ranks.map((rank, i) => {
    const level = placed[rank];
    let equal = 0;
    let higher = 0;
    for (let p = 0; p < n; p++) {
      if (column[p] > level) higher += 1;
      else if (column[p] === level) equal += 1;
    }
    return tailOf(n, quantiles[i], { level, equal, higher });
  });
}

/** @param counts of the paths at the level, and above it */
function tailOf(
  n: number,
  q: number,
  { level, equal, higher }: Readonly<Record<'level' | 'equal' | 'higher', number>>,
): UpperTail {
  const above = 1 / (n * (1 - q));
  return { level, above, at: (1 - higher * above) / equal };
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
