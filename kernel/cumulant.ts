/**
 * ln mean exp(a z) of the residuals of an asset, four paths side by side, by a table of cubics, relative error 1e-6; twin of
 * src/core/random/cumulant-table.ts.
 */
import { gathered, LANES } from './lanes';

/** Rows of an asset, sixteenths of an octave of a from 2^-10 up to 2^4. */
const ROWS_OF_ASSET: i32 = 224;
const LEAST: f32 = 0.0009765625;
const LARGEST: f32 = 16;
/** The largest single below that: it lies in the last row. */
const BELOW_LARGEST: f32 = 15.999999046325684;
/** Bits of a place within a row, and the bits of LEAST above them. */
const PLACE_BITS: i32 = 19;
const MIN_ROW: i32 = (127 - 10) << 4;
const PLACE_SCALE: f32 = 1.9073486328125e-6;

/** @param a daily deviations, 0 or more */
export function logMeanExponential(table: usize, asset: i32, a: v128): v128 {
  const inside = f32x4.pmin(f32x4.pmax(a, f32x4.splat(LEAST)), f32x4.splat(BELOW_LARGEST));
  const row = i32x4.sub(i32x4.shr_u(inside, PLACE_BITS), i32x4.splat(MIN_ROW));
  const place = v128.and(inside, i32x4.splat((1 << PLACE_BITS) - 1));
  const d = f32x4.mul(f32x4.convert_i32x4_s(place), f32x4.splat(PLACE_SCALE));
  const at = table + ((<usize>(asset * ROWS_OF_ASSET)) << 4);
  if (LANES > 4) {
    const offsets = i32x4.shl(row, 4);
    let wide = f32x4.mul(d, gathered(at + 12, offsets));
    wide = f32x4.mul(d, f32x4.add(gathered(at + 8, offsets), wide));
    wide = f32x4.mul(d, f32x4.add(gathered(at + 4, offsets), wide));
    return scaled(f32x4.add(gathered(at, offsets), wide), a);
  }
  const r0 = v128.load(at + ((<usize>i32x4.extract_lane(row, 0)) << 4));
  const r1 = v128.load(at + ((<usize>i32x4.extract_lane(row, 1)) << 4));
  const r2 = v128.load(at + ((<usize>i32x4.extract_lane(row, 2)) << 4));
  const r3 = v128.load(at + ((<usize>i32x4.extract_lane(row, 3)) << 4));
  const low01 = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5);
  const low23 = v128.shuffle<f32>(r2, r3, 0, 4, 1, 5);
  const high01 = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7);
  const high23 = v128.shuffle<f32>(r2, r3, 2, 6, 3, 7);
  let overSquare = f32x4.mul(d, v128.shuffle<f32>(high01, high23, 2, 3, 6, 7));
  overSquare = f32x4.mul(d, f32x4.add(v128.shuffle<f32>(high01, high23, 0, 1, 4, 5), overSquare));
  overSquare = f32x4.mul(d, f32x4.add(v128.shuffle<f32>(low01, low23, 2, 3, 6, 7), overSquare));
  overSquare = f32x4.add(v128.shuffle<f32>(low01, low23, 0, 1, 4, 5), overSquare);
  return scaled(overSquare, a);
}

/** The logarithm from its quotient by the square of `a`: beyond the table it grows in proportion to `a`. */
function scaled(overSquare: v128, a: v128): v128 {
  return f32x4.mul(f32x4.mul(overSquare, a), f32x4.pmin(a, f32x4.splat(LARGEST)));
}
