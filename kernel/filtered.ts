/**
 * Filtered historical simulation, four paths side by side: a day's shock is a row of residuals times each asset's deviation by GARCH; twin of
 * src/core/reference/filtered-historical-paths.ts.
 *
 * From rows of rows.ts, parameters and normals: log prices of an asset over a block at PRICES, or the gains of the baskets at horizons.
 * Deviations and residuals are natural, log prices in base 2.
 */

import { walkBridge } from './bridge';
import { logMeanExponential } from './cumulant';
import { drawExtraWords } from './extra';
import { addGains, shockAt } from './horizons';
import { VECTOR, VECTOR_SHIFT } from './lanes';
import {
  ALPHA,
  BETA,
  DAY_BYTES,
  DAY_ROOTS,
  GONE,
  LOG_PRICE,
  MAX_ASSETS,
  OMEGA,
  SCALE,
  VARIANCE,
} from './memory';
import { drawRows, entriesOf } from './rows';

const LOG2_E: f32 = <f32>Math.LOG2E;
const HOURLY: f32 = <f32>(Math.LOG2E / 24);
/** Deviation of an hour per that of a day. */
const PER_ROOT_HOURS: f32 = 0.20412414523193150818;

let cumulants: usize;
/** Day that the horizons have reached. */
let day: i32;

/** Sets the address of the table of ln mean exp(a z). */
export function placeCumulants(at: usize): void {
  cumulants = at;
}

function deviationOf(asset: i32): v128 {
  return f32x4.mul(v128.load(SCALE), f32x4.sqrt(v128.load(VARIANCE + ((<usize>asset) << VECTOR_SHIFT))));
}

/** Moves the variance to the next day, by its residuals. */
function endDay(asset: i32, z: v128): void {
  const at = (<usize>asset) << VECTOR_SHIFT;
  const kept = f32x4.add(f32x4.mul(v128.load(ALPHA + at), f32x4.mul(z, z)), v128.load(BETA + at));
  v128.store(VARIANCE + at, f32x4.add(v128.load(OMEGA + at), f32x4.mul(kept, v128.load(VARIANCE + at))));
}

/** Walks an asset over a block whose days' rows are drawn. */
export function walkFiltered(asset: i32, bytes: usize): void {
  let place: usize = 0;
  const roots = DAY_ROOTS + ((<usize>asset) << (VECTOR_SHIFT + 1));
  for (let from: usize = 0; from < bytes; from += DAY_BYTES) {
    const a = deviationOf(asset);
    v128.store(roots + place, f32x4.mul(a, f32x4.splat(PER_ROOT_HOURS)));
    const z = entriesOf(asset, place);
    const moved = f32x4.sub(f32x4.mul(a, z), logMeanExponential(cumulants, asset, a));
    const hourly = f32x4.mul(moved, f32x4.splat(HOURLY));
    walkBridge(asset, from, min(from + DAY_BYTES, bytes), hourly, f32x4.mul(a, f32x4.splat(LOG2_E)));
    endDay(asset, z);
    place += VECTOR;
  }
}

/** Draws the rows of day `next` for place `place` of ROWS; days come in order. */
export function drawDay(seed: i32, path: i32, next: i32, place: usize): void {
  if ((next & 3) === 0) drawExtraWords(seed, path, next >>> 2);
  drawRows((<usize>(next & 3)) << VECTOR_SHIFT, place);
}

/** Puts the packet to its first day. */
export function beginFilteredHorizons(seed: i32, path: i32): void {
  day = 0;
  memory.fill(GONE, 0, MAX_ASSETS << VECTOR_SHIFT);
  drawDay(seed, path, 0, 0);
}

/**
 * Walks to horizon `place` of a block and adds the gains there to the vectors at `collateral` and `loan`.
 *
 * @param program the horizon's days that end before it; the fraction of its day; the part of what is left of the day's bridge that it takes, and the
 *   spread of that part, in days' deviations
 */
export function walkFilteredTo(
  seed: i32,
  path: i32,
  assets: i32,
  program: usize,
  place: usize,
  collateral: usize,
  loan: usize,
): void {
  for (let ends = i32.load(program); ends > 0; ends--) {
    for (let i = 0; i < assets; i++) {
      const at = (<usize>i) << VECTOR_SHIFT;
      const a = deviationOf(i);
      const z = entriesOf(i, 0);
      const moved = f32x4.sub(f32x4.mul(a, z), logMeanExponential(cumulants, i, a));
      v128.store(LOG_PRICE + at, f32x4.add(v128.load(LOG_PRICE + at), f32x4.mul(moved, f32x4.splat(LOG2_E))));
      v128.store(GONE + at, f32x4.splat(0));
      endDay(i, z);
    }
    drawDay(seed, path, ++day, 0);
  }
  const fraction = f32.load(program, 4);
  const part = f32.load(program, 8);
  for (let i = 0; i < assets; i++) {
    const at = (<usize>i) << VECTOR_SHIFT;
    const a = deviationOf(i);
    let gone = v128.load(GONE + at);
    if (part > 0) {
      const left = f32x4.sub(f32x4.mul(a, entriesOf(i, 0)), gone);
      const spread = f32x4.mul(a, f32x4.splat(f32.load(program, 12)));
      gone = f32x4.add(gone, f32x4.mul(f32x4.splat(part), left));
      gone = f32x4.add(gone, f32x4.mul(spread, shockAt(i, place)));
      v128.store(GONE + at, gone);
    }
    let moved = gone;
    if (fraction > 0) {
      moved = f32x4.sub(gone, f32x4.mul(f32x4.splat(fraction), logMeanExponential(cumulants, i, a)));
    }
    const x = f32x4.add(v128.load(LOG_PRICE + at), f32x4.mul(moved, f32x4.splat(LOG2_E)));
    addGains(i, x, collateral, loan);
  }
}
