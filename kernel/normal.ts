/**
 * Box-Muller in single precision: the words of a step to two normals, or to one projection of them; twin of
 * src/core/random/box-muller.ts.
 *
 * RADIUS_WORDS and ANGLE_WORDS, the words of one pair over a block, become RADII, then normals or shocks.
 * Largest error of a normal 1.6e-6, root mean square 1.6e-7. Coefficients and errors: test/fixtures/draws/fit_draws.py.
 */

import {
  COSINE_C,
  constant,
  HALF_WORD,
  LOG2_L,
  ONE,
  ROOT_HALF,
  SIGNIFICAND,
  SINE_S,
  step,
  TOP_BIT,
  TURN_SCALE,
  WORD_SCALE,
} from './constants';
import { GROUP_BYTES, GROUP_SHIFT, VECTOR } from './lanes';
import { ANGLE_WORDS, RADII, RADIUS_WORDS } from './memory';

/** f with u = 1 + f for words from 2^31 on and u = f below: exact near both ends. */
function signedPart(word: v128): v128 {
  return f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(word), constant(WORD_SCALE)), constant(HALF_WORD));
}

/** 1 for words from 2^31 on, 0 below. */
function wholePart(word: v128): v128 {
  return v128.and(i32x4.shr_s(word, 31), constant(ONE));
}

/** Bits of u, counted from those of the root of 1/2. */
function fromRootHalf(u: v128): v128 {
  return i32x4.sub(u, constant(ROOT_HALF));
}

/** The exponent of u, for a significand from the root of 1/2 on. */
function exponent(bits: v128): v128 {
  return f32x4.convert_i32x4_s(i32x4.shr_s(bits, 23));
}

/** The significand less 1. */
function fraction(bits: v128): v128 {
  const significand = i32x4.add(v128.and(bits, constant(SIGNIFICAND)), constant(ROOT_HALF));
  return f32x4.sub(significand, constant(ONE));
}

/** -log2 u of numbers that are exact, as 1 - u is near 1. */
export function negativeLog2(u: v128): v128 {
  const bits = fromRootHalf(u);
  const g = fraction(bits);
  let l = step(constant(LOG2_L + 6), g, LOG2_L + 5);
  l = step(l, g, LOG2_L + 4);
  l = step(l, g, LOG2_L + 3);
  l = step(l, g, LOG2_L + 2);
  l = step(l, g, LOG2_L + 1);
  l = step(l, g, LOG2_L);
  return f32x4.sub(f32x4.mul(l, g), exponent(bits));
}

/**
 * Writes RADII: sqrt(-log2 u) times the root of a scale.
 *
 * @param groups vectors, in fours
 * @param scaleAt address of the scale: 2 ln 2 for the radii of standard normals
 */
export function formRadii(groups: i32, scaleAt: usize): void {
  const scale = v128.load(scaleAt);
  const end = RADIUS_WORDS + ((<usize>groups) << GROUP_SHIFT);
  for (let at = RADIUS_WORDS; at < end; at += GROUP_BYTES) {
    const w0 = v128.load(at);
    const w1 = v128.load(at, VECTOR);
    const w2 = v128.load(at, 2 * VECTOR);
    const w3 = v128.load(at, 3 * VECTOR);
    const f0 = signedPart(w0);
    const f1 = signedPart(w1);
    const f2 = signedPart(w2);
    const f3 = signedPart(w3);
    const whole0 = wholePart(w0);
    const whole1 = wholePart(w1);
    const whole2 = wholePart(w2);
    const whole3 = wholePart(w3);
    const u0 = f32x4.add(whole0, f0);
    const u1 = f32x4.add(whole1, f1);
    const u2 = f32x4.add(whole2, f2);
    const u3 = f32x4.add(whole3, f3);
    const bits0 = fromRootHalf(u0);
    const bits1 = fromRootHalf(u1);
    const bits2 = fromRootHalf(u2);
    const bits3 = fromRootHalf(u3);
    // Adds the rounding of 1 + f, which matters near u = 1.
    const g0 = f32x4.add(fraction(bits0), f32x4.sub(f0, f32x4.sub(u0, whole0)));
    const g1 = f32x4.add(fraction(bits1), f32x4.sub(f1, f32x4.sub(u1, whole1)));
    const g2 = f32x4.add(fraction(bits2), f32x4.sub(f2, f32x4.sub(u2, whole2)));
    const g3 = f32x4.add(fraction(bits3), f32x4.sub(f3, f32x4.sub(u3, whole3)));
    let l0 = step(constant(LOG2_L + 6), g0, LOG2_L + 5);
    let l1 = step(constant(LOG2_L + 6), g1, LOG2_L + 5);
    let l2 = step(constant(LOG2_L + 6), g2, LOG2_L + 5);
    let l3 = step(constant(LOG2_L + 6), g3, LOG2_L + 5);
    l0 = step(l0, g0, LOG2_L + 4);
    l1 = step(l1, g1, LOG2_L + 4);
    l2 = step(l2, g2, LOG2_L + 4);
    l3 = step(l3, g3, LOG2_L + 4);
    l0 = step(l0, g0, LOG2_L + 3);
    l1 = step(l1, g1, LOG2_L + 3);
    l2 = step(l2, g2, LOG2_L + 3);
    l3 = step(l3, g3, LOG2_L + 3);
    l0 = step(l0, g0, LOG2_L + 2);
    l1 = step(l1, g1, LOG2_L + 2);
    l2 = step(l2, g2, LOG2_L + 2);
    l3 = step(l3, g3, LOG2_L + 2);
    l0 = step(l0, g0, LOG2_L + 1);
    l1 = step(l1, g1, LOG2_L + 1);
    l2 = step(l2, g2, LOG2_L + 1);
    l3 = step(l3, g3, LOG2_L + 1);
    l0 = step(l0, g0, LOG2_L);
    l1 = step(l1, g1, LOG2_L);
    l2 = step(l2, g2, LOG2_L);
    l3 = step(l3, g3, LOG2_L);
    l0 = f32x4.sub(f32x4.mul(l0, g0), exponent(bits0));
    l1 = f32x4.sub(f32x4.mul(l1, g1), exponent(bits1));
    l2 = f32x4.sub(f32x4.mul(l2, g2), exponent(bits2));
    l3 = f32x4.sub(f32x4.mul(l3, g3), exponent(bits3));
    const to = at + (RADII - RADIUS_WORDS);
    v128.store(to, f32x4.sqrt(f32x4.mul(l0, scale)));
    v128.store(to, f32x4.sqrt(f32x4.mul(l1, scale)), VECTOR);
    v128.store(to, f32x4.sqrt(f32x4.mul(l2, scale)), 2 * VECTOR);
    v128.store(to, f32x4.sqrt(f32x4.mul(l3, scale)), 3 * VECTOR);
  }
}

/** An angle folded to -1..1, in quarter turns: cos(angle) = -sin(pi/2 x), |sin(angle)| = cos(pi/2 x). */
function folded(word: v128): v128 {
  const turns = f32x4.mul(f32x4.convert_i32x4_s(word), constant(TURN_SCALE));
  return f32x4.sub(f32x4.abs(turns), constant(ONE));
}

/** The number with its sign changed where the top bit of `word` is set. */
function signed(value: v128, word: v128): v128 {
  return v128.xor(value, v128.and(word, constant(TOP_BIT)));
}

/** Writes radius times cosine of the angle less the phase at `phaseAt` to `out`. */
export function formCosines(groups: i32, phaseAt: usize, out: usize): void {
  const phase = v128.load(phaseAt);
  const end = ANGLE_WORDS + ((<usize>groups) << GROUP_SHIFT);
  let to = out;
  for (let at = ANGLE_WORDS; at < end; at += GROUP_BYTES) {
    const x0 = folded(i32x4.sub(v128.load(at), phase));
    const x1 = folded(i32x4.sub(v128.load(at, VECTOR), phase));
    const x2 = folded(i32x4.sub(v128.load(at, 2 * VECTOR), phase));
    const x3 = folded(i32x4.sub(v128.load(at, 3 * VECTOR), phase));
    const s0 = f32x4.mul(x0, x0);
    const s1 = f32x4.mul(x1, x1);
    const s2 = f32x4.mul(x2, x2);
    const s3 = f32x4.mul(x3, x3);
    let c0 = step(constant(COSINE_C + 4), s0, COSINE_C + 3);
    let c1 = step(constant(COSINE_C + 4), s1, COSINE_C + 3);
    let c2 = step(constant(COSINE_C + 4), s2, COSINE_C + 3);
    let c3 = step(constant(COSINE_C + 4), s3, COSINE_C + 3);
    c0 = step(c0, s0, COSINE_C + 2);
    c1 = step(c1, s1, COSINE_C + 2);
    c2 = step(c2, s2, COSINE_C + 2);
    c3 = step(c3, s3, COSINE_C + 2);
    c0 = step(c0, s0, COSINE_C + 1);
    c1 = step(c1, s1, COSINE_C + 1);
    c2 = step(c2, s2, COSINE_C + 1);
    c3 = step(c3, s3, COSINE_C + 1);
    c0 = step(c0, s0, COSINE_C);
    c1 = step(c1, s1, COSINE_C);
    c2 = step(c2, s2, COSINE_C);
    c3 = step(c3, s3, COSINE_C);
    const radii = at + (RADII - ANGLE_WORDS);
    v128.store(to, f32x4.mul(v128.load(radii), f32x4.mul(x0, c0)));
    v128.store(to, f32x4.mul(v128.load(radii, VECTOR), f32x4.mul(x1, c1)), VECTOR);
    v128.store(to, f32x4.mul(v128.load(radii, 2 * VECTOR), f32x4.mul(x2, c2)), 2 * VECTOR);
    v128.store(to, f32x4.mul(v128.load(radii, 3 * VECTOR), f32x4.mul(x3, c3)), 3 * VECTOR);
    to += GROUP_BYTES;
  }
}

/** Writes radius times sine of the angle to `out`. */
export function formSines(groups: i32, out: usize): void {
  const end = ANGLE_WORDS + ((<usize>groups) << GROUP_SHIFT);
  let to = out;
  for (let at = ANGLE_WORDS; at < end; at += GROUP_BYTES) {
    const w0 = v128.load(at);
    const w1 = v128.load(at, VECTOR);
    const w2 = v128.load(at, 2 * VECTOR);
    const w3 = v128.load(at, 3 * VECTOR);
    const x0 = folded(w0);
    const x1 = folded(w1);
    const x2 = folded(w2);
    const x3 = folded(w3);
    const s0 = f32x4.mul(x0, x0);
    const s1 = f32x4.mul(x1, x1);
    const s2 = f32x4.mul(x2, x2);
    const s3 = f32x4.mul(x3, x3);
    let c0 = step(constant(SINE_S + 3), s0, SINE_S + 2);
    let c1 = step(constant(SINE_S + 3), s1, SINE_S + 2);
    let c2 = step(constant(SINE_S + 3), s2, SINE_S + 2);
    let c3 = step(constant(SINE_S + 3), s3, SINE_S + 2);
    c0 = step(c0, s0, SINE_S + 1);
    c1 = step(c1, s1, SINE_S + 1);
    c2 = step(c2, s2, SINE_S + 1);
    c3 = step(c3, s3, SINE_S + 1);
    c0 = step(c0, s0, SINE_S);
    c1 = step(c1, s1, SINE_S);
    c2 = step(c2, s2, SINE_S);
    c3 = step(c3, s3, SINE_S);
    c0 = step(c0, s0, ONE);
    c1 = step(c1, s1, ONE);
    c2 = step(c2, s2, ONE);
    c3 = step(c3, s3, ONE);
    const radii = at + (RADII - ANGLE_WORDS);
    v128.store(to, signed(f32x4.mul(v128.load(radii), c0), w0));
    v128.store(to, signed(f32x4.mul(v128.load(radii, VECTOR), c1), w1), VECTOR);
    v128.store(to, signed(f32x4.mul(v128.load(radii, 2 * VECTOR), c2), w2), 2 * VECTOR);
    v128.store(to, signed(f32x4.mul(v128.load(radii, 3 * VECTOR), c3), w3), 3 * VECTOR);
    to += GROUP_BYTES;
  }
}
