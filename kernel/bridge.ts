/**
 * The hours of a day with a given shock, four paths side by side; twin of src/core/reference/day-bridge.ts.
 *
 * There the hour with m hours and R of the shock left moves by R/m + a s_m y. So R/m falls by a s_m y / (m - 1) each hour: after hour k of the day
 * the bridge is at k/24 of the shock plus a (24 - k) times the sum of s_m y / (m - 1) so far, and no step depends on the one before.
 */
import { VECTOR, VECTOR_SHIFT } from './lanes';
import {
  BLOCK_BYTES,
  BRIDGE_HOUR,
  BRIDGE_LEFT,
  BRIDGE_WEIGHT,
  DAY_BYTES,
  DAY_STEPS,
  FACTOR,
  FACTOR_ROW_BYTES,
  LOG_PRICE,
  NORMALS,
  PRICES,
} from './memory';

/** Fills the tables of the hours of a day: k, 24 - k, and s_m / (m - 1) with m = 25 - k; once, before anything else. */
export function fillBridge(): void {
  for (let k = 1; k <= DAY_STEPS; k++) {
    const at = (<usize>(k - 1)) << VECTOR_SHIFT;
    const left = DAY_STEPS - k;
    // s_m^2 = (m - 1) / m / 24; the last hour moves by the rest.
    const weight = left === 0 ? 0 : sqrt<f64>(1 / (<f64>left * <f64>(left + 1) * <f64>DAY_STEPS));
    v128.store(BRIDGE_HOUR + at, f32x4.splat(<f32>k));
    v128.store(BRIDGE_LEFT + at, f32x4.splat(<f32>left));
    v128.store(BRIDGE_WEIGHT + at, f32x4.splat(<f32>weight));
  }
}

/**
 * Walks an asset over a day from `from` on, or its first hours up to `to` (bytes of the block), and writes its log prices to PRICES.
 *
 * @param hourly an hour's part of the day's shock, and drift
 * @param deviation a, that of a day
 */
export function walkBridge(asset: i32, from: usize, to: usize, hourly: v128, deviation: v128): void {
  const at = (<usize>asset) << VECTOR_SHIFT;
  const row = FACTOR + <usize>asset * FACTOR_ROW_BYTES;
  const rowEnd = row + at;
  const start = v128.load(LOG_PRICE + at);
  let sum = f32x4.splat(0);
  for (let offset = from; offset < to; offset += VECTOR) {
    let z = NORMALS + offset;
    let shock = f32x4.mul(v128.load(row), v128.load(z));
    for (let place = row + VECTOR; place <= rowEnd; place += VECTOR) {
      z += BLOCK_BYTES;
      shock = f32x4.add(shock, f32x4.mul(v128.load(place), v128.load(z)));
    }
    const hour = offset - from;
    sum = f32x4.add(sum, f32x4.mul(v128.load(BRIDGE_WEIGHT + hour), shock));
    const gone = f32x4.mul(v128.load(BRIDGE_HOUR + hour), hourly);
    const noise = f32x4.mul(deviation, f32x4.mul(v128.load(BRIDGE_LEFT + hour), sum));
    v128.store(PRICES + offset, f32x4.add(start, f32x4.add(gone, noise)));
  }
  // A day that is cut short is the last of its path.
  v128.store(LOG_PRICE + at, v128.load(PRICES + from + DAY_BYTES - VECTOR));
}
