/**
 * The words of the engine: sfc32 streams of 96 steps, each seeded by one Threefry block, with two words for every step: the first for the
 * radius, the second for the angle (docs/decisions/random-numbers.md). Twins: shaders/lib/draw.wgsl, kernel/stream.ts. `draws.ts` has the same
 * steps unrolled; tests compare both, bit for bit.
 * Source of sfc32: Doty-Humphrey, PractRand 0.95 ("small fast chaotic", 32 bits).
 */
import { threefry4x32 } from './threefry.ts';

/** Steps of one stream. */
export const BLOCK_STEPS = 96;

/** The stream of a block of steps, for a pair of assets along one path. */
export class WordStream {
  private a: number;
  private b: number;
  private c: number;
  private counter: number;

  /**
   * @param seed any 32 bits
   * @param path path number, 0..2^32-1
   * @param pair assets 2 pair and 2 pair + 1
   * @param block floor(step / BLOCK_STEPS)
   */
  constructor(seed: number, path: number, pair: number, block: number) {
    [this.a, this.b, this.c, this.counter] = threefry4x32([path, block, pair, 0], [seed, 0, 0, 0]);
  }

  /** The next word, 0..2^32-1. */
  next(): number {
    const { a, b, c } = this;
    const word = (a + b + this.counter) >>> 0;
    this.counter = (this.counter + 1) >>> 0;
    this.a = (b ^ (b >>> 9)) >>> 0;
    this.b = (c + (c << 3)) >>> 0;
    this.c = (((c << 21) | (c >>> 11)) + word) >>> 0;
    return word;
  }
}
