/**
 * Selection: moves chosen order statistics to their places without sorting the rest.
 *
 * Source: Floyd and Rivest, "Algorithm 489: SELECT", Communications of the ACM 18 (1975), 173, with the partition of
 * Hoare's FIND (Algorithm 65, 1961), which is linear where many values are equal.
 */
import type { QuantileRanks } from './intervals.ts';

/** Below this many values the sampling step of SELECT costs more than it saves (the authors' figure). */
const SAMPLING_SIZE = 600;

/**
 * Reorders `values`: every wanted rank has its value of the sorted array, no larger values before it and no smaller ones behind
 * it. Expected time O(n log ranks).
 *
 * @param values finite numbers, reordered in place; the same input always gives the same order
 * @param ranks strictly rising, each in 0..values.length-1
 */
export function placeRanks(values: Float64Array, ranks: ArrayLike<number>): void {
  placeBetween(values, ranks, 0, ranks.length - 1, 0, values.length - 1);
}

/** The order statistics around several quantiles, from their ranks. @param values finite numbers, REORDERED in place */
export function valuesAtRanks(values: Float64Array, ranks: readonly QuantileRanks[]): QuantileRanks[] {
  const wanted = ranks.flatMap(({ low, high }) => [low, high]).filter(rank => rank !== undefined);
  placeRanks(values, Float64Array.from(new Set(wanted)).sort());
  const at = (rank: number | undefined) => (rank === undefined ? undefined : values[rank]);
  return ranks.map(({ low, high }) => ({ low: at(low), high: at(high) }));
}

function placeBetween(
  values: Float64Array,
  ranks: ArrayLike<number>,
  firstRank: number,
  lastRank: number,
  left: number,
  right: number,
): void {
  if (firstRank > lastRank) return;
  const middle = (firstRank + lastRank) >> 1;
  const rank = ranks[middle];
  select(values, rank, left, right);
  placeBetween(values, ranks, firstRank, middle - 1, left, rank - 1);
  placeBetween(values, ranks, middle + 1, lastRank, rank + 1, right);
}

function select(values: Float64Array, rank: number, left: number, right: number): void {
  while (left < right) {
    if (right - left > SAMPLING_SIZE) narrow(values, rank, left, right);
    const pivot = values[rank];
    let i = left;
    let j = right;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i <= j) {
        const swapped = values[i];
        values[i++] = values[j];
        values[j--] = swapped;
      }
    }
    if (j < rank) left = i;
    if (rank < i) right = j;
  }
}

/** Selects within a small subrange around the rank, so that the pivot is close to the value of the rank. */
function narrow(values: Float64Array, rank: number, left: number, right: number): void {
  const count = right - left + 1;
  const position = rank - left + 1;
  const logCount = Math.log(count);
  const sample = 0.5 * Math.exp((2 * logCount) / 3);
  const spread =
    0.5 * Math.sqrt((logCount * sample * (count - sample)) / count) * Math.sign(position - count / 2);
  select(
    values,
    rank,
    Math.max(left, Math.floor(rank - (position * sample) / count + spread)),
    Math.min(right, Math.floor(rank + ((count - position) * sample) / count + spread)),
  );
}

/** Median of at least one value; reorders them. */
export function medianInPlace(values: Float64Array): number {
  const lower = (values.length - 1) >> 1;
  const upper = values.length >> 1;
  placeRanks(values, lower === upper ? [lower] : [lower, upper]);
  return (values[lower] + values[upper]) / 2;
}
