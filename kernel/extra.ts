/**
 * Words beside the normals, four paths side by side: Threefry 4x32 with 12 rounds and another key; twin of
 * src/core/random/extra-words.ts. Word k of a block is vector k of its place.
 */
import { laneNumbers, VECTOR } from './lanes';
import { EXTRA_WORDS } from './memory';
import { KEY_PARITY, rotated } from './threefry';

/** Second key word of this stream. */
const EXTRA_KEY: i32 = 0x65787472;

/** Where the words are. */
let at: usize;

/** Writes words 4 `block` .. 4 `block` + 3 of paths `path` .. `path` + 3. */
export function drawExtraWords(seed: i32, path: i32, block: i32): void {
  drawKeyedWords(EXTRA_KEY, seed, path, block, 0, EXTRA_WORDS);
}

/** The same of the stream of another key, and of a rank where it has several, to `to`. */
export function drawKeyedWords(key: i32, seed: i32, path: i32, block: i32, rank: i32, to: usize): void {
  at = to;
  const parity = KEY_PARITY ^ seed ^ key;
  store(
    i32x4.add(i32x4.splat(path + seed), laneNumbers()),
    i32x4.splat(block + key),
    i32x4.splat(rank),
    i32x4.splat(0),
  );
  // Key words 2 and 3 are 0.
  oddRounds();
  inject(key, 0, 0, parity + 1);
  evenRounds();
  inject(0, 0, parity, seed + 2);
  oddRounds();
  inject(0, parity, seed, key + 3);
}

function store(x0: v128, x1: v128, x2: v128, x3: v128): void {
  v128.store(at, x0);
  v128.store(at, x1, VECTOR);
  v128.store(at, x2, 2 * VECTOR);
  v128.store(at, x3, 3 * VECTOR);
}

function inject(k0: i32, k1: i32, k2: i32, k3: i32): void {
  store(
    i32x4.add(v128.load(at), i32x4.splat(k0)),
    i32x4.add(v128.load(at, VECTOR), i32x4.splat(k1)),
    i32x4.add(v128.load(at, 2 * VECTOR), i32x4.splat(k2)),
    i32x4.add(v128.load(at, 3 * VECTOR), i32x4.splat(k3)),
  );
}

/** Rounds 0 to 3, and 8 to 11. */
function oddRounds(): void {
  let x0 = v128.load(at);
  let x1 = v128.load(at, VECTOR);
  let x2 = v128.load(at, 2 * VECTOR);
  let x3 = v128.load(at, 3 * VECTOR);
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
  store(x0, x1, x2, x3);
}

/** Rounds 4 to 7. */
function evenRounds(): void {
  let x0 = v128.load(at);
  let x1 = v128.load(at, VECTOR);
  let x2 = v128.load(at, 2 * VECTOR);
  let x3 = v128.load(at, 3 * VECTOR);
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
  store(x0, x1, x2, x3);
}
