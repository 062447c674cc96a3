/** The sums of a range of paths: whole numbers, so that any split of a run adds up to the same words. */
import { concatenate } from '../plan/merge-outcomes.ts';

/** A range of paths; plain data. */
export interface RangeSums {
  /** The words of the sums: two for each, low and high, then the largest inverted order key (results.ts). */
  readonly words: Uint32Array;
  /** Counts of paths, or differences of such counts; whole numbers. */
  readonly counts?: Float64Array;
  /** A number for each path, by name, in path order. */
  readonly columns?: Readonly<Record<string, Float64Array>>;
}

/** The ranges of one plan as one; at least one, in path order. */
export function addRanges(ranges: readonly RangeSums[]): RangeSums {
  const [first, ...others] = ranges;
  if (others.length === 0) return first;
  const words = first.words.slice();
  for (const other of others) addWords(words, other.words);
  const { counts, columns } = first;
  return {
    words,
    ...(counts && { counts: counts.map((_, k) => ranges.reduce((sum, range) => sum + range.counts![k], 0)) }),
    ...(columns && {
      columns: Object.fromEntries(
        Object.keys(columns).map(name => [name, concatenate(ranges.map(range => range.columns![name]))]),
      ),
    }),
  };
}

/** Adds sums with their carry; takes the larger key. */
function addWords(words: Uint32Array, other: Uint32Array): void {
  const last = words.length - 1;
  for (let low = 0; low < last; low += 2) {
    const sum = words[low] + other[low];
    words[low] = sum;
    words[low + 1] += other[low + 1] + (sum >= 2 ** 32 ? 1 : 0);
  }
  words[last] = Math.max(words[last], other[last]);
}
