/**
 * Gains C - C_0 and L - L_0 of both baskets at the horizons of value at risk, under GBM in exact steps from horizon to horizon: a basket that
 * hardly moves is not rounded to a few values. Twin of shaders/model/gbm_horizons.wgsl with shaders/portfolio/gain.wgsl.
 *
 * Parameters are those of a year; `years` and `roots` have the years of each step and their roots.
 */
import { VECTOR, VECTOR_SHIFT } from './lanes';
import {
  BLOCK_BYTES,
  COLLATERAL_WEIGHT,
  DRIFT,
  FACTOR,
  FACTOR_ROW_BYTES,
  LOAN_WEIGHT,
  LOG_PRICE,
  NORMALS,
  PRICES,
} from './memory';
import { addPrices, formGains, gain } from './price';

/** Adds the gains of all assets over `bytes` of steps to the vectors at `collateral` and `loan`. */
export function walkGains(
  assets: i32,
  bytes: usize,
  years: usize,
  roots: usize,
  collateral: usize,
  loan: usize,
): void {
  for (let i = 0; i < assets; i++) {
    walkAsset(i, bytes, years, roots);
    formGains(bytes, PRICES);
    addPrices(COLLATERAL_WEIGHT + ((<usize>i) << VECTOR_SHIFT), bytes, collateral);
    addPrices(LOAN_WEIGHT + ((<usize>i) << VECTOR_SHIFT), bytes, loan);
  }
}

/** Writes the log prices of one asset to PRICES; the steps behind the last horizon have no length. */
function walkAsset(asset: i32, bytes: usize, years: usize, roots: usize): void {
  const at = (<usize>asset) << VECTOR_SHIFT;
  const row = FACTOR + <usize>asset * FACTOR_ROW_BYTES;
  const rowEnd = row + at;
  const drift = v128.load(DRIFT + at);
  let x = v128.load(LOG_PRICE + at);
  for (let offset: usize = 0; offset < bytes; offset += VECTOR) {
    let shock = f32x4.splat(0);
    let z = NORMALS + offset;
    for (let place = row; place <= rowEnd; place += VECTOR) {
      shock = f32x4.add(shock, f32x4.mul(v128.load(place), v128.load(z)));
      z += BLOCK_BYTES;
    }
    const drifted = f32x4.mul(drift, v128.load(years + offset));
    x = f32x4.add(x, f32x4.add(drifted, f32x4.mul(shock, v128.load(roots + offset))));
    v128.store(PRICES + offset, x);
  }
  v128.store(LOG_PRICE + at, x);
}

/** The correlated shock of an asset at place `place` of a block. */
export function shockAt(asset: i32, place: usize): v128 {
  const row = FACTOR + <usize>asset * FACTOR_ROW_BYTES;
  let shock = f32x4.splat(0);
  for (let j = 0; j <= asset; j++) {
    const z = v128.load(NORMALS + <usize>j * BLOCK_BYTES + place);
    shock = f32x4.add(shock, f32x4.mul(v128.load(row + ((<usize>j) << VECTOR_SHIFT)), z));
  }
  return shock;
}

/** Adds the gain of an asset with log price `x` to the vectors at `collateral` and `loan`. */
export function addGains(asset: i32, x: v128, collateral: usize, loan: usize): void {
  const at = (<usize>asset) << VECTOR_SHIFT;
  const gained = gain(x);
  const ofCollateral = f32x4.mul(v128.load(COLLATERAL_WEIGHT + at), gained);
  const ofLoan = f32x4.mul(v128.load(LOAN_WEIGHT + at), gained);
  v128.store(collateral, f32x4.add(v128.load(collateral), ofCollateral));
  v128.store(loan, f32x4.add(v128.load(loan), ofLoan));
}
