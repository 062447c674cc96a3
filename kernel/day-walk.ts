/**
 * Log prices, in base 2, of one asset over a day of constant variance at PRICES, or of a pair, from the normals of all assets and the root and
 * drift of the day's steps; for the models that change by the day.
 */
import { GROUP_BYTES, VECTOR, VECTOR_SHIFT } from './lanes';
import {
  BLOCK_BYTES,
  DAY_SUM,
  FACTOR,
  FACTOR_ROW_BYTES,
  LOG_PRICE,
  LOG_RATIO,
  NORMALS,
  PRICES,
  SHOCKS,
} from './memory';

/**
 * Walks an asset from `from` to `to` (bytes of the block): every step adds `drift` and `root` times its shock, row `asset` of the factor
 * times the normals. Writes the sum of the shocks to DAY_SUM.
 */
export function walkDay(asset: i32, from: usize, to: usize, root: v128, drift: v128): void {
  const at = (<usize>asset) << VECTOR_SHIFT;
  const row = FACTOR + <usize>asset * FACTOR_ROW_BYTES;
  const rowEnd = row + at;
  const drift2 = f32x4.add(drift, drift);
  const drift3 = f32x4.add(drift2, drift);
  const drift4 = f32x4.add(drift2, drift2);
  let x = v128.load(LOG_PRICE + at);
  let sum = f32x4.splat(0);
  for (let offset = from; offset < to; offset += GROUP_BYTES) {
    let z = NORMALS + offset;
    const first = v128.load(row);
    let s0 = f32x4.mul(first, v128.load(z));
    let s1 = f32x4.mul(first, v128.load(z, VECTOR));
    let s2 = f32x4.mul(first, v128.load(z, 2 * VECTOR));
    let s3 = f32x4.mul(first, v128.load(z, 3 * VECTOR));
    for (let place = row + VECTOR; place <= rowEnd; place += VECTOR) {
      z += BLOCK_BYTES;
      const f = v128.load(place);
      s0 = f32x4.add(s0, f32x4.mul(f, v128.load(z)));
      s1 = f32x4.add(s1, f32x4.mul(f, v128.load(z, VECTOR)));
      s2 = f32x4.add(s2, f32x4.mul(f, v128.load(z, 2 * VECTOR)));
      s3 = f32x4.add(s3, f32x4.mul(f, v128.load(z, 3 * VECTOR)));
    }
    // Sums within the group first: the walk itself waits for one addition per group, and rounds once.
    s1 = f32x4.add(s1, s0);
    s2 = f32x4.add(s2, s1);
    s3 = f32x4.add(s3, s2);
    sum = f32x4.add(sum, s3);
    const out = PRICES + offset;
    v128.store(out, f32x4.add(x, f32x4.add(drift, f32x4.mul(root, s0))));
    v128.store(out, f32x4.add(x, f32x4.add(drift2, f32x4.mul(root, s1))), VECTOR);
    v128.store(out, f32x4.add(x, f32x4.add(drift3, f32x4.mul(root, s2))), 2 * VECTOR);
    x = f32x4.add(x, f32x4.add(drift4, f32x4.mul(root, s3)));
    v128.store(out, x, 3 * VECTOR);
  }
  v128.store(LOG_PRICE + at, x);
  v128.store(DAY_SUM, sum);
}

/** The same for ln(C/L) of a pair whose shocks are at SHOCKS; writes it to `values`. */
export function walkPairDay(from: usize, to: usize, root: v128, drift: v128, values: usize): void {
  const drift2 = f32x4.add(drift, drift);
  const drift3 = f32x4.add(drift2, drift);
  const drift4 = f32x4.add(drift2, drift2);
  let y = v128.load(LOG_RATIO);
  for (let offset = from; offset < to; offset += GROUP_BYTES) {
    const shock = SHOCKS + offset;
    const s0 = v128.load(shock);
    const s1 = f32x4.add(s0, v128.load(shock, VECTOR));
    const s2 = f32x4.add(s1, v128.load(shock, 2 * VECTOR));
    const s3 = f32x4.add(s2, v128.load(shock, 3 * VECTOR));
    const out = values + offset;
    v128.store(out, f32x4.add(y, f32x4.add(drift, f32x4.mul(root, s0))));
    v128.store(out, f32x4.add(y, f32x4.add(drift2, f32x4.mul(root, s1))), VECTOR);
    v128.store(out, f32x4.add(y, f32x4.add(drift3, f32x4.mul(root, s2))), 2 * VECTOR);
    y = f32x4.add(y, f32x4.add(drift4, f32x4.mul(root, s3)));
    v128.store(out, y, 3 * VECTOR);
  }
  v128.store(LOG_RATIO, y);
}
