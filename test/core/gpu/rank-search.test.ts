import { describe, expect, it } from 'vitest';
import { RankSearch } from '#src/core/gpu/order/rank-search.js';
import { Dice } from '../../support/random-plans.ts';

const DIGITS = [11, 11, 10];

/** The counts that the device would bring back. */
function countDigits(keys: readonly number[], prefixes: readonly number[], shift: number, bits: number) {
  const counts = new Uint32Array(prefixes.length * 2 ** bits);
  for (const key of keys) {
    const entry = prefixes.indexOf(Math.floor(key / 2 ** (shift + bits)));
    if (entry >= 0) counts[entry * 2 ** bits + (Math.floor(key / 2 ** shift) % 2 ** bits)] += 1;
  }
  return counts;
}

function search(keys: readonly number[], ranks: readonly number[]) {
  const ranked = new RankSearch(ranks, keys.length);
  let shift = 32;
  for (const bits of DIGITS) {
    shift -= bits;
    ranked.narrow(countDigits(keys, ranked.prefixes(), shift, bits), bits);
  }
  return ranked.keys();
}

describe('RankSearch', () => {
  it('finds the key at every rank and counts the keys up to it', () => {
    const dice = new Dice(5);
    for (const range of [1, 3, 2 ** 11, 2 ** 22, 2 ** 32 - 1]) {
      const keys = Array.from({ length: 300 }, () => dice.whole(0, range));
      const sorted = keys.toSorted((a, b) => a - b);
      const found = search(keys, [...keys.keys()]);
      for (const [rank, { key, atOrBelow }] of found.entries()) {
        const message = `rank ${rank} of keys up to ${range}`;
        expect(key, message).toBe(sorted[rank]);
        expect(atOrBelow, message).toBe(sorted.lastIndexOf(key) + 1);
      }
    }
  });

  it('finds a single key and the largest possible key', () => {
    expect(search([0xffffffff], [0])).toEqual([{ key: 0xffffffff, atOrBelow: 1 }]);
    expect(search([0, 0xffffffff], [0, 1])).toEqual([
      { key: 0, atOrBelow: 1 },
      { key: 0xffffffff, atOrBelow: 2 },
    ]);
  });

  it('lists no prefix twice', () => {
    const ranked = new RankSearch([0, 1, 2], 3);
    expect(ranked.prefixes()).toEqual([0]);
    ranked.narrow(countDigits([7, 7, 2 ** 31], [0], 21, 11), 11);
    expect(ranked.prefixes()).toEqual([0, 1024]);
  });
});
