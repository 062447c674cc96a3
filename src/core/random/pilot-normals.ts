/**
 * Normals of pilot paths, which choose where other paths are drawn (docs/decisions/tail-sampling.md).
 *
 * Normal k of pilot path p under seed s is that of word k mod 4 of the Threefry block with counter (p, floor(k / 4), 0, 0) and key
 * (s, PILOT_KEY, 0, 0). No other stream has that key, so that nothing chosen by them depends on the paths that are weighed.
 */
import { normalFromWord } from './normal.ts';
import { threefry4x32, type Words4 } from './threefry.ts';

/** Second key word of this stream: "pilo" in ASCII. */
export const PILOT_KEY = 0x70696c6f;

/** The first `count` normals of a pilot path. @param seed any 32 bits */
export function pilotNormals(seed: number, path: number, count: number): Float64Array {
  const normals = new Float64Array(count);
  let words: Words4 = [0, 0, 0, 0];
  for (let k = 0; k < count; k++) {
    if (k % 4 === 0) words = threefry4x32([path, k >>> 2, 0, 0], [seed, PILOT_KEY, 0, 0]);
    normals[k] = normalFromWord(words[k % 4]);
  }
  return normals;
}
