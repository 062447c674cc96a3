/**
 * Constants of the approximations, as vectors in memory: the compiler of the host builds a constant vector in three instructions at every use.
 * Values: test/fixtures/draws/fit_draws.py and test/fixtures/wasm/fit_kernel.py.
 */
import { VECTOR } from './lanes';
import { CONSTANTS } from './memory';

/** Places in the table. */
export const ONE = 0;
/** 2^-32, the scale of a word as a probability, and half of it. */
export const WORD_SCALE = 1;
export const HALF_WORD = 2;
/** 2^-30, the scale of a word as quarter turns. */
export const TURN_SCALE = 3;
/** Powers 0..6, of -log2. */
export const LOG2_L = 4;
/** 2 ln 2. */
export const TWICE_LN2 = 11;
/** Powers 0..4 of the cosine of a folded angle. */
export const COSINE_C = 12;
/** Powers 1..4 of its sine; the power 0 is ONE. */
export const SINE_S = 17;
/** Powers 1..5 of 2^x; the power 0 is ONE. */
export const EXP2_E = 21;
/** Bounds of the argument of 2^x: beyond them a single has no normal value. */
export const EXP2_LEAST = 26;
export const EXP2_MOST = 27;
/** 1.5 x 2^23: adding it rounds to a whole number. */
export const ROUND = 28;
/** A value above every threshold. */
export const BEYOND = 29;
/** Bit patterns. */
export const TOP_BIT = 30;
export const SIGNIFICAND = 31;
export const ROOT_HALF = 32;
export const MINUS_ONE = 33;
export const COUNT_ONE = 34;
export const ZERO = 35;

export function constant(place: usize): v128 {
  return v128.load(addressOf(place));
}

/** One step of Horner's scheme with the constant at a place. */
export function step(value: v128, variable: v128, place: usize): v128 {
  return f32x4.add(f32x4.mul(value, variable), constant(place));
}

export function addressOf(place: usize): usize {
  return CONSTANTS + place * VECTOR;
}

function put(place: usize, value: f32): void {
  v128.store(CONSTANTS + place * VECTOR, f32x4.splat(value));
}

function putBits(place: usize, bits: i32): void {
  v128.store(CONSTANTS + place * VECTOR, i32x4.splat(bits));
}

/** Fills the table; once, before anything else. */
export function fillConstants(): void {
  put(ONE, 1);
  put(WORD_SCALE, 2.3283064365386963e-10);
  put(HALF_WORD, 1.1641532182693481e-10);
  put(TURN_SCALE, 9.313225746154785e-10);
  put(LOG2_L, -1.44269633);
  put(LOG2_L + 1, 0.721367717);
  put(LOG2_L + 2, -0.480648696);
  put(LOG2_L + 3, 0.359184772);
  put(LOG2_L + 4, -0.295099765);
  put(LOG2_L + 5, 0.270977646);
  put(LOG2_L + 6, -0.176167309);
  put(TWICE_LN2, 1.3862943611198906);
  put(COSINE_C, -1.57079625);
  put(COSINE_C + 1, 0.645963371);
  put(COSINE_C + 2, -0.079688482);
  put(COSINE_C + 3, 0.00467222789);
  put(COSINE_C + 4, -0.000150820546);
  put(SINE_S, -1.23369884);
  put(SINE_S + 1, 0.253653198);
  put(SINE_S + 2, -0.0208139662);
  put(SINE_S + 3, 0.000859689957);
  put(EXP2_E, 0.693147004);
  put(EXP2_E + 1, 0.240222424);
  put(EXP2_E + 2, 0.0555073358);
  put(EXP2_E + 3, 0.00967151299);
  put(EXP2_E + 4, 0.00132647273);
  put(EXP2_LEAST, -126);
  put(EXP2_MOST, 126);
  put(ROUND, 12582912);
  put(BEYOND, 3e38);
  putBits(TOP_BIT, 0x80000000);
  putBits(SIGNIFICAND, 0x7fffff);
  putBits(ROOT_HALF, 0x3f3504f3);
  putBits(MINUS_ONE, -1);
  putBits(COUNT_ONE, 1);
  putBits(ZERO, 0);
}
