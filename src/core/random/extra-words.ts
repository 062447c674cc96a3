/**
 * Words of a path beside its normals: for models that draw once a day, or once a row, for all assets, and for points.
 *
 * Word k of path p under seed s is word k mod 4 of the Threefry block with counter (p, floor(k / 4), 0, 0) and key
 * (s, EXTRA_KEY, 0, 0). No block of the normals has that key: the two streams share no block.
 */
import { threefry4x32, type Words4 } from './threefry.ts';

/** Second key word of this stream: "extr" in ASCII; the normals have 0. */
export const EXTRA_KEY = 0x65787472;

/** The words of one path after another, a block at a time. */
export class ExtraWords {
  private readonly key: number;
  private path = 0;
  private block = -1;
  private words: Words4 = [0, 0, 0, 0];

  /** @param seed any 32 bits @param key second key word: another key is another stream */
  constructor(
    private readonly seed: number,
    key = EXTRA_KEY,
  ) {
    this.key = key;
  }

  /** Begins path `path`. */
  start(path: number): void {
    this.path = path;
    this.block = -1;
  }

  /** Word `index` of the path, 0..2^32-1; cheapest in rising order. */
  word(index: number): number {
    const block = index >>> 2;
    if (block !== this.block) {
      this.block = block;
      this.words = threefry4x32([this.path, block, 0, 0], [this.seed, this.key, 0, 0]);
    }
    return this.words[index & 3];
  }
}
