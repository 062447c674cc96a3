/**
 * The stationary bootstrap, four paths side by side: rows of joint returns in blocks of random length; twin of
 * src/core/reference/bootstrap-paths.ts.
 *
 * From rows of rows.ts, parameters and normals: log prices of an asset over a block at PRICES, or the gains of the baskets at horizons. Returns,
 * drifts and deviations are in base 2.
 */

import { walkBridge } from './bridge';
import { drawExtraWords } from './extra';
import { addGains } from './horizons';
import { GROUP_BYTES, VECTOR, VECTOR_SHIFT } from './lanes';
import { DAY_BYTES, FIRST_VARIANCE, LOG_PRICE, PRICES, ROW_SUM } from './memory';
import { entriesOf, nextRows } from './rows';

const PER_HOUR: f32 = 1.0 / 24.0;

/** A power of two: rows on the way to a horizon that are summed together. */
const ROWS_OF_SUM: i32 = 64;

let drifts: usize;
let driftRows: i32;
/** Number of the next row of the horizons. */
let walked: i32;

/** Sets the address of the drifts of asset 0, and the number of rows that have one of their own. */
export function placeDrifts(at: usize, rows: i32): void {
  drifts = at;
  driftRows = rows;
}

/** Drift of an asset in row `number` of a path; that of the last from there on. */
function driftOf(asset: i32, number: i32): v128 {
  const at = asset * driftRows + min(number, driftRows - 1);
  return f32x4.splat(f32.load(drifts + ((<usize>at) << 2)));
}

/** Moves to row `number` of the path, for place `place` of ROWS; rows come in order. */
export function drawRow(seed: i32, path: i32, number: i32, place: usize): void {
  if ((number & 1) === 0) drawExtraWords(seed, path, number >>> 1);
  nextRows(number === 0, (<usize>(number & 1)) << (VECTOR_SHIFT + 1), place);
}

/** Walks an asset over a block of days whose rows are drawn; the first is row `number`. */
export function walkDayRows(asset: i32, bytes: usize, number: i32): void {
  const deviation = v128.load(FIRST_VARIANCE + ((<usize>asset) << VECTOR_SHIFT));
  let place: usize = 0;
  for (let from: usize = 0; from < bytes; from += DAY_BYTES) {
    const moved = f32x4.add(entriesOf(asset, place), driftOf(asset, number++));
    const hourly = f32x4.mul(moved, f32x4.splat(PER_HOUR));
    walkBridge(asset, from, min(from + DAY_BYTES, bytes), hourly, deviation);
    place += VECTOR;
  }
}

/** Walks an asset over a block of hours whose rows are drawn; the first is row `number`. */
export function walkHourRows(asset: i32, bytes: usize, number: i32): void {
  const at = (<usize>asset) << VECTOR_SHIFT;
  let x = v128.load(LOG_PRICE + at);
  let row = number;
  for (let offset: usize = 0; offset < bytes; offset += GROUP_BYTES) {
    const s0 = f32x4.add(entriesOf(asset, offset), driftOf(asset, row));
    const s1 = f32x4.add(s0, f32x4.add(entriesOf(asset, offset + VECTOR), driftOf(asset, row + 1)));
    const s2 = f32x4.add(s1, f32x4.add(entriesOf(asset, offset + 2 * VECTOR), driftOf(asset, row + 2)));
    const s3 = f32x4.add(s2, f32x4.add(entriesOf(asset, offset + 3 * VECTOR), driftOf(asset, row + 3)));
    const out = PRICES + offset;
    v128.store(out, f32x4.add(x, s0));
    v128.store(out, f32x4.add(x, s1), VECTOR);
    v128.store(out, f32x4.add(x, s2), 2 * VECTOR);
    x = f32x4.add(x, s3);
    v128.store(out, x, 3 * VECTOR);
    row += 4;
  }
  v128.store(LOG_PRICE + at, x);
}

/** Puts the packet before its first row. */
export function beginRowHorizons(): void {
  walked = 0;
}

/** Adds the sum of the last rows to the log price of an asset. */
function addRowSum(at: usize): void {
  v128.store(LOG_PRICE + at, f32x4.add(v128.load(LOG_PRICE + at), v128.load(ROW_SUM + at)));
  v128.store(ROW_SUM + at, f32x4.splat(0));
}

/**
 * Walks the rows up to a horizon and adds the gains there to the vectors at `collateral` and `loan`. Rows are summed in parts of
 * ROWS_OF_SUM, each begun at 0: the rounding is that of the parts, not of as many sums as there are rows.
 */
export function walkRowsTo(
  seed: i32,
  path: i32,
  assets: i32,
  rows: i32,
  collateral: usize,
  loan: usize,
): void {
  memory.fill(ROW_SUM, 0, (<usize>assets) << VECTOR_SHIFT);
  for (; walked < rows; walked++) {
    drawRow(seed, path, walked, 0);
    const isLast = (walked & (ROWS_OF_SUM - 1)) === ROWS_OF_SUM - 1;
    for (let i = 0; i < assets; i++) {
      const at = (<usize>i) << VECTOR_SHIFT;
      const moved = f32x4.add(entriesOf(i, 0), driftOf(i, walked));
      v128.store(ROW_SUM + at, f32x4.add(v128.load(ROW_SUM + at), moved));
      if (isLast) addRowSum(at);
    }
  }
  for (let i = 0; i < assets; i++) {
    const at = (<usize>i) << VECTOR_SHIFT;
    addRowSum(at);
    addGains(i, v128.load(LOG_PRICE + at), collateral, loan);
  }
}
