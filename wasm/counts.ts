/**
 * Counts the ratios of a packet in bins, for the distribution that a plan asks for; twin of src/core/product/path-counts.ts.
 *
 * Takes: where the values of a packet lie. Gives: counts. Prices within the range of singles only, so that no ratio is 0.
 */

/** Bytes of the counts of one ratio, and its bins: src/core/distribution/bins.ts. */
export const ROW_BYTES: usize = 1004 * 4;
const HIGHEST: f32 = 500;
const BINS_PER_UNIT: f32 = 100;

/** ln x of normal numbers, error 1e-7 and a rounding: by the powers of t = (m - 1)/(m + 1), m within sqrt(1/2) and sqrt 2. */
function logarithm(x: v128): v128 {
  const exponent = i32x4.shr_s(i32x4.sub(x, i32x4.splat(0x3f3504f3)), 23);
  const m = i32x4.sub(x, i32x4.shl(exponent, 23));
  const one = f32x4.splat(1);
  const t = f32x4.div(f32x4.sub(m, one), f32x4.add(m, one));
  const s = f32x4.mul(t, t);
  let series = f32x4.add(f32x4.mul(s, f32x4.splat(0.14285714)), f32x4.splat(0.2));
  series = f32x4.add(f32x4.mul(s, series), f32x4.splat(0.33333334));
  series = f32x4.add(f32x4.mul(s, series), one);
  const whole = f32x4.mul(f32x4.convert_i32x4_s(exponent), f32x4.splat(<f32>Math.LN2));
  return f32x4.add(whole, f32x4.mul(f32x4.add(t, t), series));
}

function countOne(row: usize, offset: i32): void {
  const at = row + <usize>offset;
  store<i32>(at, load<i32>(at) + 1);
}

/**
 * Counts the value at `at` of each of the first `lanes` lanes in a row of counts.
 *
 * @param nominal logarithm of the nominal ratio
 * @param isLog whether values are ln(C/L), else C/L
 */
export function countRatio(at: usize, row: usize, nominal: f32, isLog: bool, lanes: i32): void {
  const value = v128.load(at);
  const coordinate = f32x4.add(f32x4.splat(nominal), isLog ? value : logarithm(value));
  const bin = f32x4.floor(f32x4.mul(f32x4.splat(BINS_PER_UNIT), coordinate));
  const held = f32x4.pmin(f32x4.pmax(bin, f32x4.splat(-HIGHEST - 1)), f32x4.splat(HIGHEST + 1));
  const slot = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(held), i32x4.splat(<i32>HIGHEST + 1)), 2);
  countOne(row, i32x4.extract_lane(slot, 0));
  if (lanes > 1) countOne(row, i32x4.extract_lane(slot, 1));
  if (lanes > 2) countOne(row, i32x4.extract_lane(slot, 2));
  if (lanes > 3) countOne(row, i32x4.extract_lane(slot, 3));
}

/**
 * Counts several values, a row of counts for each.
 *
 * @param values where the byte offsets at `offsets` count from
 * @param rows number of offsets, and of rows at `counts`
 */
export function countRatios(
  values: usize,
  offsets: usize,
  rows: i32,
  counts: usize,
  nominal: f32,
  isLog: bool,
  lanes: i32,
): void {
  let row = counts;
  const end = offsets + ((<usize>rows) << 2);
  for (let place = offsets; place < end; place += 4) {
    countRatio(values + load<u32>(place), row, nominal, isLog, lanes);
    row += ROW_BYTES;
  }
}
