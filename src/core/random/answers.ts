/**
 * The words that determine the answered margin calls of a borrower (docs/decisions/random-numbers.md, "Answers").
 *
 * The word of call k of a name on path p under seed s is word 0 of the Threefry block with counter (p, k, name[0], name[1]) and key
 * (s, ANSWER_KEY, 0, 0), which no other stream has. It depends neither on the loan's place in a book nor on the split of the paths nor on
 * the share of answered calls. Twin: shaders/lib/answer_words.wgsl.
 */
import { firstThreefryWord } from './threefry.ts';

/** Second key word of this stream: "answ" in ASCII. */
export const ANSWER_KEY = 0x616e7377;

/** The first 64 bits of the SHA-256 of a name: two words, the first bits first. */
export type NameKey = readonly [number, number];

const WORDS = 2 ** 32;

/**
 * The word of a call.
 *
 * @param seed any 32 bits
 * @param path path number, 0..2^32-1
 * @param call number of the call on that path: 0 for one open before the start, then 1, 2, ...
 * @returns 0..2^32-1
 */
export function answerWord(seed: number, path: number, name: NameKey, call: number): number {
  return firstThreefryWord(path, call, name[0], name[1], seed, ANSWER_KEY);
}

/** Number of the 2^32 words that answer a call: 0 for a share of 0, 2^32 for a share of 1. @param share 0..1 */
export function answeringWords(share: number): number {
  return Math.ceil(share * WORDS);
}

/** Whether a call is answered. @param answering of `answeringWords` */
export function isAnswered(word: number, answering: number): boolean {
  return word < answering;
}
