/**
 * Threefry 4x32, a counter-based generator of 32-bit words; twin of shaders/lib/threefry.wgsl. The meaning of the words is in
 * docs/decisions/random-numbers.md. `draws.ts` has the same rounds unrolled for the hot loop.
 * Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11, section 4.2.
 */

/** Rounds of all streams. */
const THREEFRY_ROUNDS = 12;

/** Parity constant of the key schedule (Skein's, cut to 32 bits). */
const KEY_PARITY = 0x1bd11bda;

/** Rotations of rounds 0..7, repeated: the first word's, and the other's. */
const FIRST_ROTATIONS = Int32Array.of(10, 11, 13, 23, 6, 17, 25, 18);
const SECOND_ROTATIONS = Int32Array.of(26, 21, 27, 5, 20, 11, 10, 20);

/** The key schedule of the current call. */
const schedule = new Int32Array(5);

/** Four 32-bit words, each in 0..2^32-1 on output; any integers (taken mod 2^32) on input. */
export type Words4 = readonly [number, number, number, number];

/** Result of the last call. */
const made = new Int32Array(4);

/**
 * The Threefry 4x32 block function.
 *
 * @param counter four words
 * @param key four words
 * @param rounds 1..72; 12 in this project, 20 in the original recommendation
 * @returns four words in 0..2^32-1
 */
export function threefry4x32(counter: Words4, key: Words4, rounds: number = THREEFRY_ROUNDS): Words4 {
  mix(counter[0], counter[1], counter[2], counter[3], key[0], key[1], key[2], key[3], rounds);
  return [made[0] >>> 0, made[1] >>> 0, made[2] >>> 0, made[3] >>> 0];
}

/** The first word, for a key whose words 2 and 3 are 0, without an allocation. */
export function firstThreefryWord(
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  k0: number,
  k1: number,
): number {
  mix(c0, c1, c2, c3, k0, k1, 0, 0, THREEFRY_ROUNDS);
  return made[0] >>> 0;
}

function mix(
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  k0: number,
  k1: number,
  k2: number,
  k3: number,
  rounds: number,
): void {
  schedule[0] = k0;
  schedule[1] = k1;
  schedule[2] = k2;
  schedule[3] = k3;
  schedule[4] = KEY_PARITY ^ k0 ^ k1 ^ k2 ^ k3;
  let x0 = (c0 + schedule[0]) | 0;
  let x1 = (c1 + schedule[1]) | 0;
  let x2 = (c2 + schedule[2]) | 0;
  let x3 = (c3 + schedule[3]) | 0;
  for (let round = 0; round < rounds; round++) {
    const left = FIRST_ROTATIONS[round % 8];
    const right = SECOND_ROTATIONS[round % 8];
    if (round % 2 === 0) {
      x0 = (x0 + x1) | 0;
      x1 = rotateLeft(x1, left) ^ x0;
      x2 = (x2 + x3) | 0;
      x3 = rotateLeft(x3, right) ^ x2;
    } else {
      x0 = (x0 + x3) | 0;
      x3 = rotateLeft(x3, left) ^ x0;
      x2 = (x2 + x1) | 0;
      x1 = rotateLeft(x1, right) ^ x2;
    }
    if (round % 4 === 3) {
      const injection = (round + 1) / 4;
      x0 = (x0 + schedule[injection % 5]) | 0;
      x1 = (x1 + schedule[(injection + 1) % 5]) | 0;
      x2 = (x2 + schedule[(injection + 2) % 5]) | 0;
      x3 = (x3 + schedule[(injection + 3) % 5] + injection) | 0;
    }
  }
  made[0] = x0;
  made[1] = x1;
  made[2] = x2;
  made[3] = x3;
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
