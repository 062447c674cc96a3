/**
 * Medians of four columns of positive numbers side by side, each of a length of its own.
 *
 * From a vector per entry, with larger numbers behind the end of a column, and the length, lowest and highest of each: the two entries in the
 * middle. Positive singles are in the order of their bits: a bisection of the bits finds a place between the two in a dozen passes.
 */
import { VECTOR } from './lanes';

/**
 * Writes the entries of ranks (n - 1) / 2 and n / 2, rounded down and counted from 0, to `result`.
 *
 * @param bytes of the vectors
 * @param counts n of each column, 1 or more
 */
export function placeMedians(
  values: usize,
  bytes: usize,
  counts: v128,
  lowest: v128,
  highest: v128,
  result: usize,
): void {
  const one = i32x4.splat(1);
  const wanted = i32x4.shr_u(i32x4.add(counts, one), 1);
  let low = lowest;
  let high = highest;
  let pivot = highest;
  let done = i32x4.splat(0);
  while (!i32x4.all_true(done)) {
    const middle = i32x4.add(low, i32x4.shr_u(i32x4.sub(high, low), 1));
    pivot = v128.bitselect(pivot, middle, done);
    const count = countUpTo(values, bytes, pivot);
    const enough = i32x4.ge_s(count, wanted);
    high = v128.bitselect(pivot, high, enough);
    low = v128.bitselect(low, i32x4.add(pivot, one), enough);
    // As many as wanted lie up to the pivot, or it is the entry itself.
    done = v128.or(done, i32x4.eq(count, wanted));
    pivot = v128.bitselect(pivot, high, done);
    done = v128.or(done, i32x4.eq(low, high));
  }
  placeAround(values, bytes, pivot, i32x4.shr_u(counts, 1), result);
}

/** How many entries of each column are not above its pivot. */
function countUpTo(values: usize, bytes: usize, pivot: v128): v128 {
  let even = i32x4.splat(0);
  let odd = even;
  const end = values + bytes;
  let at = values;
  for (; at + 2 * VECTOR <= end; at += 2 * VECTOR) {
    even = i32x4.sub(even, f32x4.le(v128.load(at), pivot));
    odd = i32x4.sub(odd, f32x4.le(v128.load(at, VECTOR), pivot));
  }
  if (at < end) even = i32x4.sub(even, f32x4.le(v128.load(at), pivot));
  return i32x4.add(even, odd);
}

/** Writes the highest entry up to the pivot, and that of rank `upper`: the same where it is up to the pivot, else the lowest above. */
function placeAround(values: usize, bytes: usize, pivot: v128, upper: v128, result: usize): void {
  let below = f32x4.splat(0);
  let above = f32x4.splat(f32.MAX_VALUE);
  for (let at = values; at < values + bytes; at += VECTOR) {
    const value = v128.load(at);
    const isAbove = f32x4.gt(value, pivot);
    above = f32x4.pmin(above, v128.bitselect(value, above, isAbove));
    below = f32x4.pmax(below, v128.bitselect(below, value, isAbove));
  }
  const isBelow = i32x4.gt_s(countUpTo(values, bytes, pivot), upper);
  v128.store(result, below);
  v128.store(result, v128.bitselect(below, above, isBelow), VECTOR);
}
