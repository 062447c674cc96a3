/**
 * Baskets under GBM: every asset's price, weighted and summed; log prices in base 2.
 * Twin of shaders/model/gbm.wgsl with shaders/portfolio/ratio.wgsl.
 */
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
import { addPrices, exponentiate } from './price';

/** Puts all log prices of the packet to 0. */
export function beginBasket(assets: i32): void {
  for (let i = 0; i < assets; i++) v128.store(LOG_PRICE + ((<usize>i) << 4), f32x4.splat(0));
}

/** Writes C and L of the steps of `groups` draw groups; all assets must have normals. */
export function walkBasket(assets: i32, groups: i32, collateral: usize, loan: usize): void {
  const bytes = (<usize>groups) << 6;
  memory.fill(collateral, 0, bytes);
  memory.fill(loan, 0, bytes);
  for (let i = 0; i < assets; i++) {
    walkAsset(i, bytes);
    exponentiate(bytes);
    addPrices(COLLATERAL_WEIGHT + ((<usize>i) << 4), bytes, collateral);
    addPrices(LOAN_WEIGHT + ((<usize>i) << 4), bytes, loan);
  }
}

/** Writes the log prices of one asset to PRICES: row `asset` of the factor times the normals of assets 0..asset. */
export function walkAsset(asset: i32, bytes: usize): void {
  const at = (<usize>asset) << 4;
  const row = FACTOR + <usize>asset * FACTOR_ROW_BYTES;
  const rowEnd = row + at;
  const drift = v128.load(DRIFT + at);
  let x = v128.load(LOG_PRICE + at);
  for (let offset: usize = 0; offset < bytes; offset += 64) {
    let x0 = drift;
    let x1 = drift;
    let x2 = drift;
    let x3 = drift;
    let z = NORMALS + offset;
    for (let place = row; place <= rowEnd; place += 16) {
      const f = v128.load(place);
      x0 = f32x4.add(x0, f32x4.mul(f, v128.load(z)));
      x1 = f32x4.add(x1, f32x4.mul(f, v128.load(z, 16)));
      x2 = f32x4.add(x2, f32x4.mul(f, v128.load(z, 32)));
      x3 = f32x4.add(x3, f32x4.mul(f, v128.load(z, 48)));
      z += BLOCK_BYTES;
    }
    // Sums within the group first: the walk itself waits for one addition per group, and rounds once.
    x1 = f32x4.add(x1, x0);
    x2 = f32x4.add(x2, x1);
    x3 = f32x4.add(x3, x2);
    const out = PRICES + offset;
    v128.store(out, f32x4.add(x, x0));
    v128.store(out, f32x4.add(x, x1), 16);
    v128.store(out, f32x4.add(x, x2), 32);
    x = f32x4.add(x, x3);
    v128.store(out, x, 48);
  }
  v128.store(LOG_PRICE + at, x);
}

/** Writes C / L of the steps of `groups` draw groups to `values`. */
export function divide(groups: i32, collateral: usize, loan: usize, values: usize): void {
  const bytes = (<usize>groups) << 6;
  for (let offset: usize = 0; offset < bytes; offset += 64) {
    const c = collateral + offset;
    const l = loan + offset;
    v128.store(values + offset, f32x4.div(v128.load(c), v128.load(l)));
    v128.store(values + offset, f32x4.div(v128.load(c, 16), v128.load(l, 16)), 16);
    v128.store(values + offset, f32x4.div(v128.load(c, 32), v128.load(l, 32)), 32);
    v128.store(values + offset, f32x4.div(v128.load(c, 48), v128.load(l, 48)), 48);
  }
}
