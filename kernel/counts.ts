/**
 * Counts the ratios of a packet in bins, in 16 bits each, for the distribution of a plan; twin of src/core/product/path-counts.ts.
 */
import { LANES, laneOf, VECTOR_SHIFT } from './lanes';

/** Bytes of the counts of one ratio, and its bins: src/core/distribution/bins.ts. */
const SLOTS: i32 = 1004;
export const ROW_BYTES: usize = <usize>SLOTS * 2;
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
  store<u16>(at, load<u16>(at) + 1);
}

/** Coordinate of a value: `nominal` + `unit` x the value if that is a logarithm, else `nominal` + its logarithm. */
let nominal: v128;
let unit: v128;
let isLog: bool;
/** Offsets of the values that are counted, from that of step 0, and the rows of counts in their order. */
let offsets: usize;
let offsetsEnd: usize;
let rows: usize;
/** The next of them. */
let offset: usize;
let row: usize;

/**
 * Sets what is counted.
 *
 * @param offsetsAt bytes from the value of the first step to those that are counted, rising, one word for each of `times` rows at `rowsAt`
 * @param start logarithm of the nominal ratio
 * @param unitOfLog natural logarithms in a unit of the values
 * @param areLogs whether values are logarithms
 */
export function configureCounts(
  offsetsAt: usize,
  times: i32,
  rowsAt: usize,
  start: f32,
  unitOfLog: f32,
  areLogs: bool,
): void {
  offsets = offsetsAt;
  offsetsEnd = offsetsAt + ((<usize>times) << 2);
  rows = rowsAt;
  nominal = f32x4.splat(start);
  unit = f32x4.splat(unitOfLog);
  isLog = areLogs;
}

/** Counts the value at `at` of each of the first `lanes` lanes in a row of counts. */
export function countRatio(at: usize, counts: usize, lanes: i32): void {
  const value = v128.load(at);
  const coordinate = f32x4.add(nominal, isLog ? f32x4.mul(unit, value) : logarithm(value));
  const bin = f32x4.floor(f32x4.mul(f32x4.splat(BINS_PER_UNIT), coordinate));
  const clamped = f32x4.pmin(f32x4.pmax(bin, f32x4.splat(-HIGHEST - 1)), f32x4.splat(HIGHEST + 1));
  const inBins = i32x4.add(i32x4.trunc_sat_f32x4_s(clamped), i32x4.splat(<i32>HIGHEST + 1));
  // A ratio of 0 has a slot behind all others; a logarithm of 0 is a ratio of 1.
  const isZero = isLog ? i32x4.splat(0) : f32x4.le(value, f32x4.splat(0));
  const slot = i32x4.shl(v128.bitselect(i32x4.splat(SLOTS - 1), inBins, isZero), 1);
  if (LANES > 4) {
    for (let lane = 0; lane < lanes; lane++) countOne(counts, laneOf(slot, lane));
    return;
  }
  countOne(counts, i32x4.extract_lane(slot, 0));
  if (lanes > 1) countOne(counts, i32x4.extract_lane(slot, 1));
  if (lanes > 2) countOne(counts, i32x4.extract_lane(slot, 2));
  if (lanes > 3) countOne(counts, i32x4.extract_lane(slot, 3));
}

/** Begins a packet. */
export function beginCounts(): void {
  offset = offsets;
  row = rows;
}

/** Counts the values at the wanted times of a block of `count` steps behind `step` others. Blocks come in order. */
export function countBlock(values: usize, step: i32, count: i32, lanes: i32): void {
  const from = (<usize>step) << VECTOR_SHIFT;
  const to = from + ((<usize>count) << VECTOR_SHIFT);
  let at = offset;
  let counts = row;
  for (; at < offsetsEnd; at += 4) {
    const place = <usize>load<u32>(at);
    if (place >= to) break;
    countRatio(values + place - from, counts, lanes);
    counts += ROW_BYTES;
  }
  offset = at;
  row = counts;
}
