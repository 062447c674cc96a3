/**
 * Sums of column values at or below given values, on the device; the order of additions has no effect.
 *
 * The values between two bounds are added in fixed point with 64 bits, in units of 2^-32 of the power of two above the
 * largest magnitude there: a value's rounding is at most 2^-32 of that magnitude. Their squares are those of the upper 24
 * bits: a value's rounding is at most 2^-23 of that magnitude.
 */
import { integerSum, keyOfNumber } from '../results.ts';
import type { ScratchRun } from '../scratch.ts';
import type { GpuSession } from '../session.ts';
import { array, wordsOf } from '../struct-layout.ts';
import { type Columns, passOver } from './columns.ts';
import { INTERVAL, INTERVAL_SUMS, MAX_INTERVALS } from './kernels.ts';

/** The bounds of the sums of one column. */
export interface ColumnBounds {
  /** Strictly rising single-precision numbers, at least one. */
  readonly bounds: readonly number[];
  /** At or below every value of the column. */
  readonly lowerBound: number;
}

/** The values above one key and up to another. */
interface Interval {
  readonly lastKey: number;
  /** log2 of the units per 1. */
  readonly unitBits: number;
  readonly negative: boolean;
  /** Number of the bound at its end; undefined for an interval that ends at zero to separate the signs. */
  readonly bound: number | undefined;
}

/** Words of an interval's sums: the magnitudes, and the squares of 2^12 a + b as a^2, a b and b^2. */
const SUM_WORDS = 8;
/** Bits of a magnitude that are not squared. */
const SQUARE_SHIFT = 8;

/** Running sums of one column, per bound. */
export interface BoundedSums {
  /** Of the values at or below. */
  readonly sums: Float64Array;
  /** Of their squares. */
  readonly squares: Float64Array;
}

/** Key of -0: no negative number is above it. */
const LAST_NEGATIVE_KEY = 0x7fffffff;

/**
 * Per column and bound, the sums of all values at or below it, and of their squares.
 *
 * @throws RangeError for more bounds than the kernel takes
 */
export async function sumsAtOrBelow(
  session: GpuSession,
  scratch: ScratchRun,
  columns: Columns,
  wanted: readonly ColumnBounds[],
  signal: AbortSignal | undefined,
): Promise<BoundedSums[]> {
  const intervals = wanted.map(intervalsOf);
  const entries = Math.max(...intervals.map(list => list.length));
  if (entries > MAX_INTERVALS) throw new RangeError(`${entries} intervals, at most ${MAX_INTERVALS} fit`);
  const list = intervals.flatMap(own =>
    Array.from({ length: entries }, (_, k) => {
      // Shorter lists repeat their last interval.
      const { lastKey, unitBits } = own[Math.min(k, own.length - 1)];
      return { last_key: lastKey, units: 2 ** unitBits };
    }),
  );
  const words = await passOver(
    session,
    scratch,
    {
      kernel: INTERVAL_SUMS,
      columns,
      list: wordsOf(array(INTERVAL, list.length), list),
      entries,
      resultWords: SUM_WORDS * entries * columns.count,
    },
    signal,
  );
  return intervals.map((own, column) => runningSums(own, words.subarray(SUM_WORDS * column * entries)));
}

/** The intervals that end at the bounds, split at zero so that each has one sign. */
function intervalsOf({ bounds, lowerBound }: ColumnBounds): Interval[] {
  const intervals: Interval[] = [];
  let previous = lowerBound;
  for (const [bound, value] of bounds.entries()) {
    if (previous < 0 && value >= 0) {
      intervals.push({
        lastKey: LAST_NEGATIVE_KEY,
        unitBits: unitBitsOf(-previous),
        negative: true,
        bound: undefined,
      });
    }
    intervals.push({
      lastKey: keyOfNumber(value === 0 ? 0 : value),
      unitBits: unitBitsOf(value < 0 ? -previous : value),
      negative: value < 0,
      bound,
    });
    previous = value;
  }
  return intervals;
}

/** Bits such that every magnitude up to `largest` stays below 2^32 units; a single-precision power of two. */
function unitBitsOf(largest: number): number {
  if (largest === 0) return 0;
  return Math.max(-126, Math.min(126, 31 - Math.floor(Math.log2(largest))));
}

function runningSums(intervals: readonly Interval[], words: Uint32Array): BoundedSums {
  const bounds = intervals.filter(({ bound }) => bound !== undefined).length;
  const sums = new Float64Array(bounds);
  const squares = new Float64Array(bounds);
  let sum = 0;
  let square = 0;
  for (const [k, { unitBits, negative, bound }] of intervals.entries()) {
    const at = (part: number) => integerSum(words, (SUM_WORDS / 2) * k + part);
    const magnitude = at(0) * 2 ** -unitBits;
    sum += negative ? -magnitude : magnitude;
    square += (at(1) * 2 ** 24 + at(2) * 2 ** 13 + at(3)) * 4 ** (SQUARE_SHIFT - unitBits);
    if (bound !== undefined) {
      sums[bound] = sum;
      squares[bound] = square;
    }
  }
  return { sums, squares };
}
