/**
 * The normals of a pair of assets along one path, in blocks of 96 steps: the hot loops of the reference. The rounds of
 * `threefry.ts`, the steps of `stream.ts` and the tables of `box-muller.ts` are unrolled: rolled loops and closures ran at less than half the
 * rate. Tests compare them with the plain forms, bit for bit.
 */
import { COSINES, type Projection, RADIUS_COLUMNS, SINES } from './box-muller.ts';

const KEY_PARITY = 0x1bd11bda;
/** Constants of this module: their lengths are constants to the compiler. */
const [R0, R1, R2, R3] = RADIUS_COLUMNS;
const COS = COSINES;
const SIN = SINES;
/** Constants of the layouts of the tables; a test compares them. */
const SIDE_ROWS = 33 * 256;
const ANGLE_SHIFT = 22;
const ANGLE_MASK = 0x3fffff;
const WORD_ANGLE = 2 * Math.PI * 2 ** -32;
const HALF_PART = Math.PI / 1024;

/** State of the stream that was seeded last: a, b, c, counter. */
const state = new Int32Array(4);

/** Puts the beginning of a block's stream into `state`. */
function seedStream(seed: number, path: number, pair: number, block: number): void {
  const k0 = seed | 0;
  const k4 = KEY_PARITY ^ k0;
  // Key words 1..3 and counter word 3 are 0, so the first injection adds to word 0 only.
  let x0 = (path + k0) | 0;
  let x1 = block | 0;
  let x2 = pair | 0;
  let x3 = 0;
  x0 = (x0 + x1) | 0;
  x1 = ((x1 << 10) | (x1 >>> 22)) ^ x0;
  x2 = (x2 + x3) | 0;
  x3 = ((x3 << 26) | (x3 >>> 6)) ^ x2;
  x0 = (x0 + x3) | 0;
  x3 = ((x3 << 11) | (x3 >>> 21)) ^ x0;
  x2 = (x2 + x1) | 0;
  x1 = ((x1 << 21) | (x1 >>> 11)) ^ x2;
  x0 = (x0 + x1) | 0;
  x1 = ((x1 << 13) | (x1 >>> 19)) ^ x0;
  x2 = (x2 + x3) | 0;
  x3 = ((x3 << 27) | (x3 >>> 5)) ^ x2;
  x0 = (x0 + x3) | 0;
  x3 = ((x3 << 23) | (x3 >>> 9)) ^ x0;
  x2 = (x2 + x1) | 0;
  x1 = ((x1 << 5) | (x1 >>> 27)) ^ x2;
  // Injection 1: schedule words 1, 2, 3, 4.
  x3 = (x3 + k4 + 1) | 0;
  x0 = (x0 + x1) | 0;
  x1 = ((x1 << 6) | (x1 >>> 26)) ^ x0;
  x2 = (x2 + x3) | 0;
  x3 = ((x3 << 20) | (x3 >>> 12)) ^ x2;
  x0 = (x0 + x3) | 0;
  x3 = ((x3 << 17) | (x3 >>> 15)) ^ x0;
  x2 = (x2 + x1) | 0;
  x1 = ((x1 << 11) | (x1 >>> 21)) ^ x2;
  x0 = (x0 + x1) | 0;
  x1 = ((x1 << 25) | (x1 >>> 7)) ^ x0;
  x2 = (x2 + x3) | 0;
  x3 = ((x3 << 10) | (x3 >>> 22)) ^ x2;
  x0 = (x0 + x3) | 0;
  x3 = ((x3 << 18) | (x3 >>> 14)) ^ x0;
  x2 = (x2 + x1) | 0;
  x1 = ((x1 << 20) | (x1 >>> 12)) ^ x2;
  // Injection 2: schedule words 2, 3, 4, 0.
  x2 = (x2 + k4) | 0;
  x3 = (x3 + k0 + 2) | 0;
  x0 = (x0 + x1) | 0;
  x1 = ((x1 << 10) | (x1 >>> 22)) ^ x0;
  x2 = (x2 + x3) | 0;
  x3 = ((x3 << 26) | (x3 >>> 6)) ^ x2;
  x0 = (x0 + x3) | 0;
  x3 = ((x3 << 11) | (x3 >>> 21)) ^ x0;
  x2 = (x2 + x1) | 0;
  x1 = ((x1 << 21) | (x1 >>> 11)) ^ x2;
  x0 = (x0 + x1) | 0;
  x1 = ((x1 << 13) | (x1 >>> 19)) ^ x0;
  x2 = (x2 + x3) | 0;
  x3 = ((x3 << 27) | (x3 >>> 5)) ^ x2;
  x0 = (x0 + x3) | 0;
  x3 = ((x3 << 23) | (x3 >>> 9)) ^ x0;
  x2 = (x2 + x1) | 0;
  x1 = ((x1 << 5) | (x1 >>> 27)) ^ x2;
  // Injection 3: schedule words 3, 4, 0, 1.
  state[0] = x0;
  state[1] = x1 + k4;
  state[2] = x2 + k0;
  state[3] = x3 + 3;
}

/**
 * Fills `first` and `second` with the normals of assets 2 pair and 2 pair + 1 over the first steps of a block.
 *
 * @param seed any 32 bits
 * @param block steps 96 block and on
 * @param count steps, 1..96
 * @param first receives `count` standard normals
 * @param second likewise
 */
export function fillPair(
  seed: number,
  path: number,
  pair: number,
  block: number,
  count: number,
  first: Float64Array,
  second: Float64Array,
): void {
  seedStream(seed, path, pair, block);
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let n = state[3];
  for (let t = 0; t < count; t++) {
    const w0 = (a + b + n) | 0;
    const b1 = (c + (c << 3)) | 0;
    const c1 = (((c << 21) | (c >>> 11)) + w0) | 0;
    const w1 = ((b ^ (b >>> 9)) + b1 + n + 1) | 0;
    a = b1 ^ (b1 >>> 9);
    b = (c1 + (c1 << 3)) | 0;
    c = (((c1 << 21) | (c1 >>> 11)) + w1) | 0;
    n = (n + 2) | 0;

    const r = radius(w0);
    const part = w1 >>> ANGLE_SHIFT;
    const delta = (w1 & ANGLE_MASK) * WORD_ANGLE - HALF_PART;
    const squared = delta * delta;
    const sine = delta - delta * squared * (1 / 6);
    const versine = squared * (0.5 - squared * (1 / 24));
    const cos = COS[part];
    const sin = SIN[part];
    first[t] = r * (cos - (cos * versine + sin * sine));
    second[t] = r * (sin - (sin * versine - cos * sine));
  }
}

/**
 * Fills `out` with the pair's normals projected on a direction, over the first steps of a block: half the work of `fillPair`, for one sum
 * of the two. The direction of asset 2 pair alone gives its normals.
 *
 * @param count steps, 1..96
 * @param out receives `count` normals of standard deviation `scale`
 */
export function fillProjected(
  seed: number,
  path: number,
  pair: number,
  block: number,
  count: number,
  { scale, phase, rest }: Projection,
  out: Float64Array,
): void {
  seedStream(seed, path, pair, block);
  const beginning = HALF_PART + rest;
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let n = state[3];
  for (let t = 0; t < count; t++) {
    const w0 = (a + b + n) | 0;
    const b1 = (c + (c << 3)) | 0;
    const c1 = (((c << 21) | (c >>> 11)) + w0) | 0;
    const w1 = ((b ^ (b >>> 9)) + b1 + n + 1) | 0;
    a = b1 ^ (b1 >>> 9);
    b = (c1 + (c1 << 3)) | 0;
    c = (((c1 << 21) | (c1 >>> 11)) + w1) | 0;
    n = (n + 2) | 0;

    const turned = (w1 - phase) | 0;
    const part = turned >>> ANGLE_SHIFT;
    const delta = (turned & ANGLE_MASK) * WORD_ANGLE - beginning;
    const squared = delta * delta;
    const sine = delta - delta * squared * (1 / 6);
    const versine = squared * (0.5 - squared * (1 / 24));
    const cos = COS[part];
    const sin = SIN[part];
    out[t] = scale * (radius(w0) * (cos - (cos * versine + sin * sine)));
  }
}

/** sqrt(-2 ln((word + 1/2) / 2^32)), small enough for the compiler to inline. */
function radius(word: number): number {
  const sign = word >> 31;
  const magnitude = word ^ sign;
  const zeros = Math.clz32(magnitude);
  const shifted = magnitude << zeros;
  const row = ((SIDE_ROWS & sign) + (zeros << 8) + (shifted >>> 24)) | 0;
  const d = shifted & 0xffffff;
  return R0[row] + d * (R1[row] + d * (R2[row] + d * R3[row]));
}
