/**
 * The prices of all assets along the paths of a packet for the loans of a book, S_i(0) = 1, the steps of each path one after another, and the
 * lowest and highest of each asset by the day and over the path. Bounds of a row are numbered as in src/core/book/price-extremes.ts: the lowest
 * of every asset, then the highest.
 */
import { BEYOND, constant, ZERO } from './constants';
import { GROUP_BYTES, GROUP_SHIFT, LANES, scatter, scatterTurned, VECTOR, VECTOR_SHIFT } from './lanes';
import { PRICES } from './memory';
import { walkModel } from './model';
import { exponentiate } from './price';

const DAY_STEPS: i32 = 24;

/** Row i of path p at prices + p x pathBytes + i x rowBytes. */
let prices: usize;
let rowBytes: usize;
let pathBytes: usize;
/** Row r of path p at days + p x dayPathBytes + r x dayRowBytes. */
let days: usize;
let dayRowBytes: usize;
let dayPathBytes: usize;
/** Row r at bounds + r vectors: a vector, a lane per path. */
let bounds: usize;

/** Sets the addresses of prices and bounds, and the length of a row. */
export function placePrices(
  at: usize,
  row: usize,
  daysAt: usize,
  dayRow: usize,
  boundsAt: usize,
  assets: usize,
): void {
  prices = at;
  rowBytes = row;
  pathBytes = assets * row;
  days = daysAt;
  dayRowBytes = dayRow;
  dayPathBytes = 2 * assets * dayRow;
  bounds = boundsAt;
}

export function pricesOf(path: usize): usize {
  return prices + path * pathBytes;
}

export function daysOf(path: usize): usize {
  return days + path * dayPathBytes;
}

export function priceRowBytes(): usize {
  return rowBytes;
}

export function boundRowBytes(): usize {
  return dayRowBytes;
}

export function boundsAt(): usize {
  return bounds;
}

/** Forgets the bounds of the last packet. */
export function beginPrices(assets: i32): void {
  for (let i: usize = 0; i < <usize>assets; i++) {
    v128.store(bounds + (i << VECTOR_SHIFT), constant(BEYOND));
    v128.store(bounds + ((<usize>assets + i) << VECTOR_SHIFT), constant(ZERO));
  }
}

/** Writes prices and bounds of `count` steps from `firstStep` on, in `groups` draw groups; all assets have normals. */
export function walkPrices(assets: i32, firstStep: i32, count: i32, groups: i32): void {
  const bytes = (<usize>groups) << GROUP_SHIFT;
  for (let i = 0; i < assets; i++) {
    walkModel(i, bytes);
    exponentiate(bytes);
    turn(prices + <usize>i * rowBytes + ((<usize>firstStep) << 2), bytes);
    for (let step = 0; step < count; step += DAY_STEPS) {
      bound(assets, i, (firstStep + step) / DAY_STEPS, step, min(step + DAY_STEPS, count));
    }
  }
}

/** Turns the vectors at PRICES, a lane per path, into rows of steps, one for each path. */
function turn(row: usize, bytes: usize): void {
  let out = row;
  for (let at = PRICES; at < PRICES + bytes; at += GROUP_BYTES) {
    const s0 = v128.load(at);
    const s1 = v128.load(at, VECTOR);
    const s2 = v128.load(at, 2 * VECTOR);
    const s3 = v128.load(at, 3 * VECTOR);
    if (LANES > 4) {
      scatterTurned(out, pathBytes, s0, s1, s2, s3);
    } else {
      const low01 = v128.shuffle<f32>(s0, s1, 0, 4, 1, 5);
      const low23 = v128.shuffle<f32>(s2, s3, 0, 4, 1, 5);
      const high01 = v128.shuffle<f32>(s0, s1, 2, 6, 3, 7);
      const high23 = v128.shuffle<f32>(s2, s3, 2, 6, 3, 7);
      v128.store(out, v128.shuffle<f32>(low01, low23, 0, 1, 4, 5));
      v128.store(out + pathBytes, v128.shuffle<f32>(low01, low23, 2, 3, 6, 7));
      v128.store(out + 2 * pathBytes, v128.shuffle<f32>(high01, high23, 0, 1, 4, 5));
      v128.store(out + 3 * pathBytes, v128.shuffle<f32>(high01, high23, 2, 3, 6, 7));
    }
    out += 16;
  }
}

/** Writes the lowest and highest of the steps `from` .. `to` - 1 at PRICES as those of a day, and into those of the path. */
function bound(assets: i32, asset: i32, day: i32, from: i32, to: i32): void {
  let low = v128.load(PRICES + ((<usize>from) << VECTOR_SHIFT));
  let high = low;
  for (let step = from + 1; step < to; step++) {
    const s = v128.load(PRICES + ((<usize>step) << VECTOR_SHIFT));
    low = f32x4.pmin(low, s);
    high = f32x4.pmax(high, s);
  }
  const lowRow = days + <usize>asset * dayRowBytes + ((<usize>day) << 2);
  const highRow = lowRow + <usize>assets * dayRowBytes;
  if (LANES > 4) {
    scatter(lowRow, dayPathBytes, low);
    scatter(highRow, dayPathBytes, high);
  } else {
    v128.store_lane<f32>(lowRow, low, 0);
    v128.store_lane<f32>(lowRow + dayPathBytes, low, 1);
    v128.store_lane<f32>(lowRow + 2 * dayPathBytes, low, 2);
    v128.store_lane<f32>(lowRow + 3 * dayPathBytes, low, 3);
    v128.store_lane<f32>(highRow, high, 0);
    v128.store_lane<f32>(highRow + dayPathBytes, high, 1);
    v128.store_lane<f32>(highRow + 2 * dayPathBytes, high, 2);
    v128.store_lane<f32>(highRow + 3 * dayPathBytes, high, 3);
  }
  const pathLow = bounds + ((<usize>asset) << VECTOR_SHIFT);
  const pathHigh = bounds + ((<usize>(assets + asset)) << VECTOR_SHIFT);
  v128.store(pathLow, f32x4.pmin(v128.load(pathLow), low));
  v128.store(pathHigh, f32x4.pmax(v128.load(pathHigh), high));
}
