/**
 * Threefry 4x32 with 12 rounds for four paths; twin of src/random/threefry.ts.
 *
 * Takes: seed, quad, asset, draw groups. Gives: the words of consecutive steps, a vector each, with the top bit
 * flipped (so that, read as signed integers, they rise with the normals). Two groups, named a and b, are computed side
 * by side: one alone leaves the processor waiting, more want more registers than there are.
 */
import { constant, TOP_BIT } from './constants';
import { KEYS, WORDS } from './memory';

const KEY_PARITY: i32 = 0x1bd11bda;

/** Places of KEYS. */
const PATHS: usize = 0;
const ASSET: usize = 16;
const ASSET_TURNED: usize = 32;
const INJECT_1_WORD_3: usize = 48;
const INJECT_2_WORD_2: usize = 64;
const INJECT_2_WORD_3: usize = 80;
const INJECT_3_WORD_1: usize = 96;
const INJECT_3_WORD_2: usize = 112;
const INJECT_3_WORD_3: usize = 128;

function turned(x: v128, bits: i32): v128 {
  return v128.or(i32x4.shl(x, bits), i32x4.shr_u(x, 32 - bits));
}

/** Sets the generator to paths `path` .. `path` + 3 and one asset. */
function setKeys(seed: i32, path: i32, asset: i32): void {
  const parity = KEY_PARITY ^ seed;
  // Key words 1..3 and counter word 3 are 0: the first injection adds to word 0 only.
  v128.store(KEYS + PATHS, i32x4.add(i32x4.splat(path + seed), i32x4(0, 1, 2, 3)));
  v128.store(KEYS + ASSET, i32x4.splat(asset));
  v128.store(KEYS + ASSET_TURNED, i32x4.splat(rotl(asset, 11)));
  v128.store(KEYS + INJECT_1_WORD_3, i32x4.splat(parity + 1));
  v128.store(KEYS + INJECT_2_WORD_2, i32x4.splat(parity));
  v128.store(KEYS + INJECT_2_WORD_3, i32x4.splat(seed + 2));
  // Injection 3, with the top bit of every word flipped; adding the top bit flips it.
  v128.store(KEYS + INJECT_3_WORD_1, i32x4.splat(parity ^ 0x80000000));
  v128.store(KEYS + INJECT_3_WORD_2, i32x4.splat(seed ^ 0x80000000));
  v128.store(KEYS + INJECT_3_WORD_3, i32x4.splat(3 ^ 0x80000000));
}

/**
 * Writes the words of steps 4 firstGroup .. 4 (firstGroup + groups) - 1 to WORDS.
 *
 * @param groups an even number
 */
export function drawWords(seed: i32, path: i32, asset: i32, firstGroup: i32, groups: i32): void {
  setKeys(seed, path, asset);
  const paths = v128.load(KEYS + PATHS);
  const assetWord = v128.load(KEYS + ASSET);
  const end = firstGroup + groups;
  let out = WORDS;
  for (let group = firstGroup; group < end; group += 2) {
    // Round 0 of words 2 and 3 leaves the asset in both.
    let a0 = i32x4.add(paths, i32x4.splat(group));
    let a1 = v128.xor(i32x4.splat(rotl(group, 10)), a0);
    let a2 = assetWord;
    let a3 = assetWord;
    let b0 = i32x4.add(paths, i32x4.splat(group + 1));
    let b1 = v128.xor(i32x4.splat(rotl(group + 1, 10)), b0);
    let b2 = assetWord;
    let b3 = assetWord;
    a0 = i32x4.add(a0, a3);
    a3 = v128.xor(v128.load(KEYS + ASSET_TURNED), a0);
    a2 = i32x4.add(a2, a1);
    a1 = v128.xor(turned(a1, 21), a2);
    b0 = i32x4.add(b0, b3);
    b3 = v128.xor(v128.load(KEYS + ASSET_TURNED), b0);
    b2 = i32x4.add(b2, b1);
    b1 = v128.xor(turned(b1, 21), b2);
    a0 = i32x4.add(a0, a1);
    a1 = v128.xor(turned(a1, 13), a0);
    a2 = i32x4.add(a2, a3);
    a3 = v128.xor(turned(a3, 27), a2);
    b0 = i32x4.add(b0, b1);
    b1 = v128.xor(turned(b1, 13), b0);
    b2 = i32x4.add(b2, b3);
    b3 = v128.xor(turned(b3, 27), b2);
    a0 = i32x4.add(a0, a3);
    a3 = v128.xor(turned(a3, 23), a0);
    a2 = i32x4.add(a2, a1);
    a1 = v128.xor(turned(a1, 5), a2);
    b0 = i32x4.add(b0, b3);
    b3 = v128.xor(turned(b3, 23), b0);
    b2 = i32x4.add(b2, b1);
    b1 = v128.xor(turned(b1, 5), b2);
    a3 = i32x4.add(a3, v128.load(KEYS + INJECT_1_WORD_3));
    b3 = i32x4.add(b3, v128.load(KEYS + INJECT_1_WORD_3));
    a0 = i32x4.add(a0, a1);
    a1 = v128.xor(turned(a1, 6), a0);
    a2 = i32x4.add(a2, a3);
    a3 = v128.xor(turned(a3, 20), a2);
    b0 = i32x4.add(b0, b1);
    b1 = v128.xor(turned(b1, 6), b0);
    b2 = i32x4.add(b2, b3);
    b3 = v128.xor(turned(b3, 20), b2);
    a0 = i32x4.add(a0, a3);
    a3 = v128.xor(turned(a3, 17), a0);
    a2 = i32x4.add(a2, a1);
    a1 = v128.xor(turned(a1, 11), a2);
    b0 = i32x4.add(b0, b3);
    b3 = v128.xor(turned(b3, 17), b0);
    b2 = i32x4.add(b2, b1);
    b1 = v128.xor(turned(b1, 11), b2);
    a0 = i32x4.add(a0, a1);
    a1 = v128.xor(turned(a1, 25), a0);
    a2 = i32x4.add(a2, a3);
    a3 = v128.xor(turned(a3, 10), a2);
    b0 = i32x4.add(b0, b1);
    b1 = v128.xor(turned(b1, 25), b0);
    b2 = i32x4.add(b2, b3);
    b3 = v128.xor(turned(b3, 10), b2);
    a0 = i32x4.add(a0, a3);
    a3 = v128.xor(turned(a3, 18), a0);
    a2 = i32x4.add(a2, a1);
    a1 = v128.xor(turned(a1, 20), a2);
    b0 = i32x4.add(b0, b3);
    b3 = v128.xor(turned(b3, 18), b0);
    b2 = i32x4.add(b2, b1);
    b1 = v128.xor(turned(b1, 20), b2);
    a2 = i32x4.add(a2, v128.load(KEYS + INJECT_2_WORD_2));
    a3 = i32x4.add(a3, v128.load(KEYS + INJECT_2_WORD_3));
    b2 = i32x4.add(b2, v128.load(KEYS + INJECT_2_WORD_2));
    b3 = i32x4.add(b3, v128.load(KEYS + INJECT_2_WORD_3));
    a0 = i32x4.add(a0, a1);
    a1 = v128.xor(turned(a1, 10), a0);
    a2 = i32x4.add(a2, a3);
    a3 = v128.xor(turned(a3, 26), a2);
    b0 = i32x4.add(b0, b1);
    b1 = v128.xor(turned(b1, 10), b0);
    b2 = i32x4.add(b2, b3);
    b3 = v128.xor(turned(b3, 26), b2);
    a0 = i32x4.add(a0, a3);
    a3 = v128.xor(turned(a3, 11), a0);
    a2 = i32x4.add(a2, a1);
    a1 = v128.xor(turned(a1, 21), a2);
    b0 = i32x4.add(b0, b3);
    b3 = v128.xor(turned(b3, 11), b0);
    b2 = i32x4.add(b2, b1);
    b1 = v128.xor(turned(b1, 21), b2);
    a0 = i32x4.add(a0, a1);
    a1 = v128.xor(turned(a1, 13), a0);
    a2 = i32x4.add(a2, a3);
    a3 = v128.xor(turned(a3, 27), a2);
    b0 = i32x4.add(b0, b1);
    b1 = v128.xor(turned(b1, 13), b0);
    b2 = i32x4.add(b2, b3);
    b3 = v128.xor(turned(b3, 27), b2);
    a0 = i32x4.add(a0, a3);
    a3 = v128.xor(turned(a3, 23), a0);
    a2 = i32x4.add(a2, a1);
    a1 = v128.xor(turned(a1, 5), a2);
    b0 = i32x4.add(b0, b3);
    b3 = v128.xor(turned(b3, 23), b0);
    b2 = i32x4.add(b2, b1);
    b1 = v128.xor(turned(b1, 5), b2);
    v128.store(out, v128.xor(a0, constant(TOP_BIT)), 0);
    v128.store(out, i32x4.add(a1, v128.load(KEYS + INJECT_3_WORD_1)), 16);
    v128.store(out, i32x4.add(a2, v128.load(KEYS + INJECT_3_WORD_2)), 32);
    v128.store(out, i32x4.add(a3, v128.load(KEYS + INJECT_3_WORD_3)), 48);
    v128.store(out, v128.xor(b0, constant(TOP_BIT)), 64);
    v128.store(out, i32x4.add(b1, v128.load(KEYS + INJECT_3_WORD_1)), 80);
    v128.store(out, i32x4.add(b2, v128.load(KEYS + INJECT_3_WORD_2)), 96);
    v128.store(out, i32x4.add(b3, v128.load(KEYS + INJECT_3_WORD_3)), 112);
    out += 128;
  }
}
