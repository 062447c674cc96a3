/**
 * Words to standard normals, z = Phi^-1 of the word, in single precision; twin of src/random/normal.ts.
 *
 * Takes: WORDS, signed and centred. Gives: normals of one asset over a block. The centre is x P(t) / Q(t) with x the
 * word as a number in (-1, 1) and t = 1 - x^2: neither logarithm nor sign to treat. Vectors in which a path lies in
 * the tails (one draw in 33) are listed without a branch and done again by the tail form. |z| <= 6.34; largest error
 * 1.2e-6, root mean square 2.1e-7; a word and its complement give exactly opposite normals.
 * Coefficients and errors: test/fixtures/wasm/fit_kernel.py.
 */
import {
  ALL_BUT_TOP_BIT,
  CENTRE_FROM,
  CENTRE_P,
  CENTRE_Q,
  constant,
  HALF,
  LOG2_S,
  LOWEST_BIT,
  ONE,
  ROOT_HALF,
  SIGNIFICAND,
  TAIL_MIDDLE,
  TAIL_R,
  TOP_BIT,
  WORD_SCALE,
} from './constants';
import { NOWHERE, TAIL_LANES, TAIL_PLACES, TAIL_WORDS, WORDS } from './memory';

/** One step of Horner's scheme. */
function step(value: v128, variable: v128, place: usize): v128 {
  return f32x4.add(f32x4.mul(value, variable), constant(place));
}

/** c_k + c_k+1 x, with c_k at `place`: a leaf of Estrin's scheme, whose short chains suit what is rarely run. */
function linear(variable: v128, place: usize): v128 {
  return f32x4.add(constant(place), f32x4.mul(constant(place + 1), variable));
}

/** A signed word as a number in (-1, 1). Setting the lowest bit makes complements opposite numbers. */
function centred(word: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(v128.or(word, constant(LOWEST_BIT))), constant(WORD_SCALE));
}

/** Bits 0..3: the paths of the vector that lie in the tails. */
function inTails(t: v128): u32 {
  return i32x4.bitmask(f32x4.lt(t, constant(CENTRE_FROM)));
}

/**
 * Turns `groups` draw groups of WORDS into normals at `out`, those in the tails excepted: they are listed.
 *
 * @param groups 1..16: a block
 * @param listed draws listed so far
 * @returns draws listed by now
 */
export function drawCentre(groups: i32, out: usize, listed: i32): i32 {
  const end = WORDS + ((<usize>groups) << 6);
  let to = out;
  let lanes = TAIL_LANES;
  // One bit per vector that has a tail, the first vector lowest once all groups are in.
  let vectors: u64 = 0;
  for (let from = WORDS; from < end; from += 64) {
    const x0 = centred(v128.load(from, 0));
    const x1 = centred(v128.load(from, 16));
    const x2 = centred(v128.load(from, 32));
    const x3 = centred(v128.load(from, 48));
    const t0 = f32x4.sub(constant(ONE), f32x4.mul(x0, x0));
    const t1 = f32x4.sub(constant(ONE), f32x4.mul(x1, x1));
    const t2 = f32x4.sub(constant(ONE), f32x4.mul(x2, x2));
    const t3 = f32x4.sub(constant(ONE), f32x4.mul(x3, x3));
    let p0 = step(constant(CENTRE_P + 4), t0, CENTRE_P + 3);
    let p1 = step(constant(CENTRE_P + 4), t1, CENTRE_P + 3);
    let p2 = step(constant(CENTRE_P + 4), t2, CENTRE_P + 3);
    let p3 = step(constant(CENTRE_P + 4), t3, CENTRE_P + 3);
    let q0 = f32x4.add(t0, constant(CENTRE_Q + 3));
    let q1 = f32x4.add(t1, constant(CENTRE_Q + 3));
    let q2 = f32x4.add(t2, constant(CENTRE_Q + 3));
    let q3 = f32x4.add(t3, constant(CENTRE_Q + 3));
    p0 = step(p0, t0, CENTRE_P + 2);
    p1 = step(p1, t1, CENTRE_P + 2);
    p2 = step(p2, t2, CENTRE_P + 2);
    p3 = step(p3, t3, CENTRE_P + 2);
    q0 = step(q0, t0, CENTRE_Q + 2);
    q1 = step(q1, t1, CENTRE_Q + 2);
    q2 = step(q2, t2, CENTRE_Q + 2);
    q3 = step(q3, t3, CENTRE_Q + 2);
    p0 = step(p0, t0, CENTRE_P + 1);
    p1 = step(p1, t1, CENTRE_P + 1);
    p2 = step(p2, t2, CENTRE_P + 1);
    p3 = step(p3, t3, CENTRE_P + 1);
    q0 = step(q0, t0, CENTRE_Q + 1);
    q1 = step(q1, t1, CENTRE_Q + 1);
    q2 = step(q2, t2, CENTRE_Q + 1);
    q3 = step(q3, t3, CENTRE_Q + 1);
    p0 = step(p0, t0, CENTRE_P);
    p1 = step(p1, t1, CENTRE_P);
    p2 = step(p2, t2, CENTRE_P);
    p3 = step(p3, t3, CENTRE_P);
    q0 = step(q0, t0, CENTRE_Q);
    q1 = step(q1, t1, CENTRE_Q);
    q2 = step(q2, t2, CENTRE_Q);
    q3 = step(q3, t3, CENTRE_Q);
    v128.store(to, f32x4.div(f32x4.mul(x0, p0), q0), 0);
    v128.store(to, f32x4.div(f32x4.mul(x1, p1), q1), 16);
    v128.store(to, f32x4.div(f32x4.mul(x2, p2), q2), 32);
    v128.store(to, f32x4.div(f32x4.mul(x3, p3), q3), 48);
    const four = inTails(t0) | (inTails(t1) << 8) | (inTails(t2) << 16) | (inTails(t3) << 24);
    store<u32>(lanes, four);
    // A byte that is not 0 becomes a bit: 15 carries any lane into bit 4, the product gathers the four.
    const hits = ((((four + 0x0f0f0f0f) >>> 4) & 0x01010101) * 0x01020408) >>> 24;
    vectors = (vectors >>> 4) | ((<u64>hits) << 60);
    lanes += 4;
    to += 64;
  }
  vectors >>>= 64 - (groups << 2);
  let count = <usize>listed;
  while (vectors !== 0) {
    const vector = <usize>ctz(vectors);
    let left = <u32>load<u8>(TAIL_LANES + vector);
    do {
      const offset = (vector << 4) + ((<usize>ctz(left)) << 2);
      store<u32>(TAIL_WORDS + (count << 2), load<u32>(WORDS + offset));
      store<u32>(TAIL_PLACES + (count << 2), <u32>(out + offset));
      count++;
      left &= left - 1;
    } while (left !== 0);
    vectors &= vectors - 1;
  }
  return <i32>count;
}

/** Writes the normals of the `listed` draws in the tails, four at a time. */
export function drawTails(listed: i32): void {
  // What is left over of the last four goes where nobody looks.
  v128.store(TAIL_PLACES + ((<usize>listed) << 2), i32x4.splat(<i32>NOWHERE));
  const bytes = (<usize>listed) << 2;
  for (let offset: usize = 0; offset < bytes; offset += 16) {
    const z = tail(v128.load(TAIL_WORDS + offset));
    const places = TAIL_PLACES + offset;
    v128.store_lane<u32>(<usize>load<u32>(places), z, 0);
    v128.store_lane<u32>(<usize>load<u32>(places, 4), z, 1);
    v128.store_lane<u32>(<usize>load<u32>(places, 8), z, 2);
    v128.store_lane<u32>(<usize>load<u32>(places, 12), z, 3);
  }
}

/** The normals of words that all lie in the tails. */
function tail(word: v128): v128 {
  // Words from the nearer end, counted from 0: exact where the tails are far.
  const nearer = v128.xor(word, v128.xor(i32x4.shr_s(word, 31), constant(ALL_BUT_TOP_BIT)));
  const p = f32x4.mul(f32x4.add(f32x4.convert_i32x4_s(nearer), constant(HALF)), constant(WORD_SCALE));
  const u = f32x4.sub(f32x4.sqrt(minusLog2(p)), constant(TAIL_MIDDLE));
  const u2 = f32x4.mul(u, u);
  const u4 = f32x4.mul(u2, u2);
  const low = f32x4.add(linear(u, TAIL_R), f32x4.mul(linear(u, TAIL_R + 2), u2));
  const high = f32x4.add(linear(u, TAIL_R + 4), f32x4.mul(linear(u, TAIL_R + 6), u2));
  const top = f32x4.mul(linear(u, TAIL_R + 8), f32x4.mul(u4, u4));
  const r = f32x4.add(low, f32x4.add(f32x4.mul(high, u4), top));
  return v128.or(r, v128.and(word, constant(TOP_BIT)));
}

/** -log2 of a positive normal number. */
function minusLog2(value: v128): v128 {
  const bits = i32x4.sub(value, constant(ROOT_HALF));
  const exponent = f32x4.convert_i32x4_s(i32x4.shr_s(bits, 23));
  const f = f32x4.sub(i32x4.add(v128.and(bits, constant(SIGNIFICAND)), constant(ROOT_HALF)), constant(ONE));
  const f2 = f32x4.mul(f, f);
  const low = f32x4.add(linear(f, LOG2_S), f32x4.mul(linear(f, LOG2_S + 2), f2));
  const high = f32x4.add(linear(f, LOG2_S + 4), f32x4.mul(linear(f, LOG2_S + 6), f2));
  const s = f32x4.add(low, f32x4.mul(high, f32x4.mul(f2, f2)));
  return f32x4.sub(f32x4.mul(f, s), exponent);
}
