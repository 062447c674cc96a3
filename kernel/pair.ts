/**
 * The walk of a pair of single assets under GBM: ln(C/L) is one Gaussian walk, no price is formed.
 * Twin of GbmPairPaths in src/core/reference/pair-paths.ts.
 */
import { GROUP_BYTES, GROUP_SHIFT, VECTOR } from './lanes';
import { LOG_RATIO, PAIR, SHOCKS } from './memory';

/** Places of PAIR; for assets one by one, the first two are the coefficients of the logarithms of assets 0 and 1 in ln(C/L). */
export const PAIR_VARIANCE: usize = 0;
export const PAIR_PHASE: usize = VECTOR;
export const PAIR_DRIFT: usize = 2 * VECTOR;
export const PAIR_START: usize = 3 * VECTOR;

/** Puts the packet to ln(C/L) at the start. */
export function beginPair(): void {
  v128.store(LOG_RATIO, v128.load(PAIR, PAIR_START));
}

/** Writes ln(C/L) of the steps of `groups` draw groups to `values`; SHOCKS must be there. */
export function walkPair(groups: i32, values: usize): void {
  const drift = v128.load(PAIR, PAIR_DRIFT);
  const end = SHOCKS + ((<usize>groups) << GROUP_SHIFT);
  let y = v128.load(LOG_RATIO);
  let out = values;
  for (let shock = SHOCKS; shock < end; shock += GROUP_BYTES) {
    const step0 = f32x4.add(drift, v128.load(shock));
    const step1 = f32x4.add(drift, v128.load(shock, VECTOR));
    const step2 = f32x4.add(drift, v128.load(shock, 2 * VECTOR));
    const step3 = f32x4.add(drift, v128.load(shock, 3 * VECTOR));
    // Sums within the group first: the walk itself waits for one addition per group, and rounds once.
    const two = f32x4.add(step0, step1);
    const three = f32x4.add(two, step2);
    const four = f32x4.add(three, step3);
    v128.store(out, f32x4.add(y, step0));
    v128.store(out, f32x4.add(y, two), VECTOR);
    v128.store(out, f32x4.add(y, three), 2 * VECTOR);
    y = f32x4.add(y, four);
    v128.store(out, y, 3 * VECTOR);
    out += GROUP_BYTES;
  }
  v128.store(LOG_RATIO, y);
}
