/** The words of the generator, against those that its authors publish. */
import { expect, it } from 'vitest';
import { firstThreefryWord, threefry4x32, type Words4 } from '#src/core/random/threefry.js';

const hex = (words: Words4) => words.map(word => word.toString(16).padStart(8, '0')).join(' ');
const all = (word: number): Words4 => [word, word, word, word];
/** The first 256 bits of pi behind the point. */
const PI_COUNTER: Words4 = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344];
const PI_KEY: Words4 = [0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89];

// Source: kat_vectors of Random123.
it.each([
  [13, all(0), all(0), '531c7e4f 39491ee5 2c855a92 3d6abf9a'],
  [20, all(0), all(0), '9c6ca96a e17eae66 fc10ecd4 5256a7d8'],
  [20, all(0xffffffff), all(0xffffffff), '2a881696 57012287 f6c7446e a16a6732'],
  [20, PI_COUNTER, PI_KEY, '59cd1dbb b8879579 86b5d00c ac8b6d84'],
] as const)('%i rounds of counter %j under key %j are the published words', (rounds, counter, key, words) => {
  expect(hex(threefry4x32(counter, key, rounds))).toBe(words);
});

it('The first word alone is that of all four under a key of two words, whatever key came before', () => {
  for (const [k0, k1] of [
    [0, 0],
    [5, 0x616e7377],
  ]) {
    const words = threefry4x32(PI_COUNTER, [k0, k1, 0, 0]);
    threefry4x32(PI_COUNTER, PI_KEY);
    const [a, b, c, d] = PI_COUNTER;
    expect(firstThreefryWord(a, b, c, d, k0, k1)).toBe(words[0]);
  }
});
