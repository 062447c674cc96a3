/**
 * Streams of words for four paths: sfc32, seeded by Threefry 4x32 with 12 rounds, with two words for each step; twin of
 * src/core/random/stream.ts.
 */

import { COUNT_ONE, constant } from './constants';
import { laneNumbers, VECTOR, VECTOR_SHIFT } from './lanes';
import { ANGLE_WORDS, RADIUS_WORDS, STREAM_BYTES, STREAMS } from './memory';
import { KEY_PARITY, rotated } from './threefry';

/**
 * Puts the streams of one pair of assets along paths `path` .. `path` + 3 to the beginning of a block.
 *
 * The rounds are those of extra.ts, written out: their words stay in registers, since every pair is seeded once per block.
 */
export function seedStreams(seed: i32, path: i32, pair: i32, block: i32): void {
  const parity = KEY_PARITY ^ seed;
  // Key words 1..3 and counter word 3 are 0: the first injection adds to word 0 only.
  // Round 0 of words 2 and 3 leaves the pair in both.
  let x0 = i32x4.add(i32x4.splat(path + seed + block), laneNumbers());
  let x1 = v128.xor(i32x4.splat(rotl(block, 10)), x0);
  let x2 = i32x4.splat(pair);
  let x3 = i32x4.splat(pair);
  x0 = i32x4.add(x0, x3);
  x3 = v128.xor(i32x4.splat(rotl(pair, 11)), x0);
  x2 = i32x4.add(x2, x1);
  x1 = v128.xor(rotated(x1, 21), x2);
  x0 = i32x4.add(x0, x1);
  x1 = v128.xor(rotated(x1, 13), x0);
  x2 = i32x4.add(x2, x3);
  x3 = v128.xor(rotated(x3, 27), x2);
  x0 = i32x4.add(x0, x3);
  x3 = v128.xor(rotated(x3, 23), x0);
  x2 = i32x4.add(x2, x1);
  x1 = v128.xor(rotated(x1, 5), x2);
  x3 = i32x4.add(x3, i32x4.splat(parity + 1));
  x0 = i32x4.add(x0, x1);
  x1 = v128.xor(rotated(x1, 6), x0);
  x2 = i32x4.add(x2, x3);
  x3 = v128.xor(rotated(x3, 20), x2);
  x0 = i32x4.add(x0, x3);
  x3 = v128.xor(rotated(x3, 17), x0);
  x2 = i32x4.add(x2, x1);
  x1 = v128.xor(rotated(x1, 11), x2);
  x0 = i32x4.add(x0, x1);
  x1 = v128.xor(rotated(x1, 25), x0);
  x2 = i32x4.add(x2, x3);
  x3 = v128.xor(rotated(x3, 10), x2);
  x0 = i32x4.add(x0, x3);
  x3 = v128.xor(rotated(x3, 18), x0);
  x2 = i32x4.add(x2, x1);
  x1 = v128.xor(rotated(x1, 20), x2);
  x2 = i32x4.add(x2, i32x4.splat(parity));
  x3 = i32x4.add(x3, i32x4.splat(seed + 2));
  x0 = i32x4.add(x0, x1);
  x1 = v128.xor(rotated(x1, 10), x0);
  x2 = i32x4.add(x2, x3);
  x3 = v128.xor(rotated(x3, 26), x2);
  x0 = i32x4.add(x0, x3);
  x3 = v128.xor(rotated(x3, 11), x0);
  x2 = i32x4.add(x2, x1);
  x1 = v128.xor(rotated(x1, 21), x2);
  x0 = i32x4.add(x0, x1);
  x1 = v128.xor(rotated(x1, 13), x0);
  x2 = i32x4.add(x2, x3);
  x3 = v128.xor(rotated(x3, 27), x2);
  x0 = i32x4.add(x0, x3);
  x3 = v128.xor(rotated(x3, 23), x0);
  x2 = i32x4.add(x2, x1);
  x1 = v128.xor(rotated(x1, 5), x2);
  const at = STREAMS + <usize>pair * STREAM_BYTES;
  v128.store(at, x0);
  v128.store(at, i32x4.add(x1, i32x4.splat(parity)), VECTOR);
  v128.store(at, i32x4.add(x2, i32x4.splat(seed)), 2 * VECTOR);
  v128.store(at, i32x4.add(x3, i32x4.splat(3)), 3 * VECTOR);
}

/** Writes the words of the next `steps` steps of a pair to RADIUS_WORDS and ANGLE_WORDS. */
export function drawWords(pair: i32, steps: i32): void {
  const at = STREAMS + <usize>pair * STREAM_BYTES;
  const end = RADIUS_WORDS + ((<usize>steps) << VECTOR_SHIFT);
  const one = constant(COUNT_ONE);
  let a = v128.load(at);
  let b = v128.load(at, VECTOR);
  let c = v128.load(at, 2 * VECTOR);
  let count = v128.load(at, 3 * VECTOR);
  for (let out = RADIUS_WORDS; out < end; out += VECTOR) {
    const radius = i32x4.add(i32x4.add(a, b), count);
    const a1 = v128.xor(b, i32x4.shr_u(b, 9));
    const b1 = i32x4.add(c, i32x4.shl(c, 3));
    const c1 = i32x4.add(rotated(c, 21), radius);
    count = i32x4.add(count, one);
    const angle = i32x4.add(i32x4.add(a1, b1), count);
    a = v128.xor(b1, i32x4.shr_u(b1, 9));
    b = i32x4.add(c1, i32x4.shl(c1, 3));
    c = i32x4.add(rotated(c1, 21), angle);
    count = i32x4.add(count, one);
    v128.store(out, radius);
    v128.store(out, angle, ANGLE_WORDS - RADIUS_WORDS);
  }
  v128.store(at, a);
  v128.store(at, b, VECTOR);
  v128.store(at, c, 2 * VECTOR);
  v128.store(at, count, 3 * VECTOR);
}
