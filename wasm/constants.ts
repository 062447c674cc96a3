/**
 * Constants of the approximations, as vectors in memory.
 *
 * In memory, because the compiler of the host builds a constant vector anew, in three instructions, wherever it is
 * used. Values: test/fixtures/wasm/fit_kernel.py.
 */
import { CONSTANTS } from './memory';

/** Places in the table. */
export const ONE = 0;
/** 2^-31, the scale of a signed word. */
export const WORD_SCALE = 1;
export const HALF = 2;
/** Below it 1 - x^2 belongs to the tails. */
export const CENTRE_FROM = 3;
/** Numerator, lowest power first: 5 places. */
export const CENTRE_P = 4;
/** Denominator without its leading 1, lowest power first: 4 places. */
export const CENTRE_Q = 9;
/** 10 places. */
export const TAIL_R = 13;
export const TAIL_MIDDLE = 23;
/** 8 places, of -log2. */
export const LOG2_S = 24;
/** Powers 1..5; the power 0 is ONE. */
export const EXP2_E = 33;
/** Bounds of the argument of 2^x: beyond them a single has no normal value. */
export const EXP2_LEAST = 38;
export const EXP2_MOST = 39;
/** 1.5 x 2^23: adding it rounds to a whole number. */
export const ROUND = 40;
/** What a value above every threshold is. */
export const BEYOND = 41;
/** Bit patterns. */
export const LOWEST_BIT = 42;
export const TOP_BIT = 43;
export const ALL_BUT_TOP_BIT = 44;
export const SIGNIFICAND = 45;
export const ROOT_HALF = 46;
export const MINUS_ONE = 47;

/** A constant by its place. */
export function constant(place: usize): v128 {
  return v128.load(CONSTANTS + place * 16);
}

function put(place: usize, value: f32): void {
  v128.store(CONSTANTS + place * 16, f32x4.splat(value));
}

function putBits(place: usize, bits: i32): void {
  v128.store(CONSTANTS + place * 16, i32x4.splat(bits));
}

/** Fills the table; once, before anything else. */
export function fillConstants(): void {
  put(ONE, 1);
  put(WORD_SCALE, 4.656612873077393e-10);
  put(HALF, 0.5);
  put(CENTRE_FROM, 0.0590999983);
  put(CENTRE_P, 0.0068658716);
  put(CENTRE_P + 1, 0.40230599);
  put(CENTRE_P + 2, 3.1174407);
  put(CENTRE_P + 3, 4.00855684);
  put(CENTRE_P + 4, 0.468826681);
  put(CENTRE_Q, 0.0021434105);
  put(CENTRE_Q + 1, 0.16797331);
  put(CENTRE_Q + 2, 1.75771558);
  put(CENTRE_Q + 3, 3.45841765);
  put(TAIL_R, 4.32491922);
  put(TAIL_R + 1, 1.22241366);
  put(TAIL_R + 2, -0.00509620691);
  put(TAIL_R + 3, 0.000305989088);
  put(TAIL_R + 4, 9.12697797e-5);
  put(TAIL_R + 5, -5.25801734e-5);
  put(TAIL_R + 6, 1.54116806e-5);
  put(TAIL_R + 7, -3.91189269e-6);
  put(TAIL_R + 8, 2.05236961e-6);
  put(TAIL_R + 9, -6.05317439e-7);
  put(TAIL_MIDDLE, 4);
  put(LOG2_S, -1.44269478);
  put(LOG2_S + 1, 0.721357167);
  put(LOG2_S + 2, -0.480939448);
  put(LOG2_S + 3, 0.360087216);
  put(LOG2_S + 4, -0.286707431);
  put(LOG2_S + 5, 0.250069052);
  put(LOG2_S + 6, -0.23689048);
  put(LOG2_S + 7, 0.145744532);
  put(EXP2_E, 0.693147004);
  put(EXP2_E + 1, 0.240222424);
  put(EXP2_E + 2, 0.0555073358);
  put(EXP2_E + 3, 0.00967151299);
  put(EXP2_E + 4, 0.00132647273);
  put(EXP2_LEAST, -126);
  put(EXP2_MOST, 126);
  put(ROUND, 12582912);
  put(BEYOND, 3e38);
  putBits(LOWEST_BIT, 1);
  putBits(TOP_BIT, 0x80000000);
  putBits(ALL_BUT_TOP_BIT, 0x7fffffff);
  putBits(SIGNIFICAND, 0x7fffff);
  putBits(ROOT_HALF, 0x3f3504f3);
  putBits(MINUS_ONE, -1);
}
