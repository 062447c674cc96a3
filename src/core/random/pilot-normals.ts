/**
 * Normals of pilot paths, which determine the shift of other paths (docs/decisions/tail-sampling.md): words of a stream with another key,
 * so that the shift is independent of the weighted paths.
 */
import { ExtraWords } from './extra-words.ts';
import { normalFromWord } from './normal.ts';

/** Second key word of this stream: "pilo" in ASCII. */
export const PILOT_KEY = 0x70696c6f;

/** The first `count` normals of a pilot path. @param seed any 32 bits */
export function pilotNormals(seed: number, path: number, count: number): Float64Array {
  const words = new ExtraWords(seed, PILOT_KEY);
  words.start(path);
  return Float64Array.from({ length: count }, (_, k) => normalFromWord(words.word(k)));
}
