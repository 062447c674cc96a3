/** One asset under GBM over a block: constant drift and volatility. Twin of shaders/model/gbm.wgsl. */
import { GROUP_BYTES, VECTOR, VECTOR_SHIFT } from './lanes';
import { BLOCK_BYTES, DRIFT, FACTOR, FACTOR_ROW_BYTES, LOG_PRICE, NORMALS, PRICES } from './memory';

/** Writes the log prices of one asset to PRICES: row `asset` of the factor times the normals of assets 0..asset. */
export function walkGbm(asset: i32, bytes: usize): void {
  const at = (<usize>asset) << VECTOR_SHIFT;
  const row = FACTOR + <usize>asset * FACTOR_ROW_BYTES;
  const rowEnd = row + at;
  const drift = v128.load(DRIFT + at);
  let x = v128.load(LOG_PRICE + at);
  for (let offset: usize = 0; offset < bytes; offset += GROUP_BYTES) {
    let x0 = drift;
    let x1 = drift;
    let x2 = drift;
    let x3 = drift;
    let z = NORMALS + offset;
    for (let place = row; place <= rowEnd; place += VECTOR) {
      const f = v128.load(place);
      x0 = f32x4.add(x0, f32x4.mul(f, v128.load(z)));
      x1 = f32x4.add(x1, f32x4.mul(f, v128.load(z, VECTOR)));
      x2 = f32x4.add(x2, f32x4.mul(f, v128.load(z, 2 * VECTOR)));
      x3 = f32x4.add(x3, f32x4.mul(f, v128.load(z, 3 * VECTOR)));
      z += BLOCK_BYTES;
    }
    // Sums within the group first: the walk itself waits for one addition per group, and rounds once.
    x1 = f32x4.add(x1, x0);
    x2 = f32x4.add(x2, x1);
    x3 = f32x4.add(x3, x2);
    const out = PRICES + offset;
    v128.store(out, f32x4.add(x, x0));
    v128.store(out, f32x4.add(x, x1), VECTOR);
    v128.store(out, f32x4.add(x, x2), 2 * VECTOR);
    x = f32x4.add(x, x3);
    v128.store(out, x, 3 * VECTOR);
  }
  v128.store(LOG_PRICE + at, x);
}
