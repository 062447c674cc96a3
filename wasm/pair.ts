/**
 * The walk of a pair of single assets under GBM: ln(C/L) is one Gaussian walk, no price is formed.
 * Twin of GbmPairPaths in src/engine/reference/pair-paths.ts.
 */
import { LOG_RATIO, PAIR, SHOCKS } from './memory';

/** Places of PAIR; where assets are walked one by one, the first two hold what ln(C/L) takes of the logarithms of assets 0 and 1. */
export const PAIR_VARIANCE: usize = 0;
export const PAIR_PHASE: usize = 16;
export const PAIR_DRIFT: usize = 32;
export const PAIR_START: usize = 48;

/** Puts the packet to ln(C/L) at the start. */
export function beginPair(): void {
  v128.store(LOG_RATIO, v128.load(PAIR, PAIR_START));
}

/** Writes ln(C/L) of the steps of `groups` draw groups to `values`; SHOCKS must be there. */
export function walkPair(groups: i32, values: usize): void {
  const drift = v128.load(PAIR, PAIR_DRIFT);
  const end = SHOCKS + ((<usize>groups) << 6);
  let y = v128.load(LOG_RATIO);
  let out = values;
  for (let shock = SHOCKS; shock < end; shock += 64) {
    const step0 = f32x4.add(drift, v128.load(shock));
    const step1 = f32x4.add(drift, v128.load(shock, 16));
    const step2 = f32x4.add(drift, v128.load(shock, 32));
    const step3 = f32x4.add(drift, v128.load(shock, 48));
    // Sums within the group first: the walk itself waits for one addition per group, and rounds once.
    const two = f32x4.add(step0, step1);
    const three = f32x4.add(two, step2);
    const four = f32x4.add(three, step3);
    v128.store(out, f32x4.add(y, step0));
    v128.store(out, f32x4.add(y, two), 16);
    v128.store(out, f32x4.add(y, three), 32);
    y = f32x4.add(y, four);
    v128.store(out, y, 48);
    out += 64;
  }
  v128.store(LOG_RATIO, y);
}
