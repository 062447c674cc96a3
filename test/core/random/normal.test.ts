/** The inverse normal distribution function of a word. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lowerNormalQuantile } from '#src/core/random/inverse-normal.js';
import { normalFromWord } from '#src/core/random/normal.js';
import { normalCdf, normalQuantile } from '../../support/closed-forms/normal.ts';
import { Dice } from '../../support/random-plans.ts';

/** Words and their normals, by test/fixtures/normal/make_table.py. */
const table = JSON.parse(
  readFileSync(new URL('../../fixtures/normal/normal_table.json', import.meta.url), 'utf8'),
) as [number, number][];

describe('the normal of a word', () => {
  it('is that of a table in 40 digits', () => {
    for (const [word, z] of table) {
      expect(Math.abs(normalFromWord(word) - z), `word ${word}`).toBeLessThan(2e-12);
    }
  });

  it('is the quantile of its midpoint, in the centre and in both tails', () => {
    const dice = new Dice(1);
    const words = [
      ...Array.from({ length: 4000 }, () => dice.whole(0, 2 ** 31 - 1)),
      ...Array.from({ length: 4000 }, () => Math.floor(2 ** dice.between(0, 31))),
      ...Array.from({ length: 200 }, (_, i) => i),
      2 ** 31 - 1,
    ];
    for (const word of words) {
      const p = (word + 0.5) / 2 ** 32;
      // The table's polynomials are good to 2e-13, the reference to 1e-13 relative.
      expect(Math.abs(normalFromWord(word) - normalQuantile(p)), `word ${word}`).toBeLessThan(2e-12);
      expect(Math.abs(lowerNormalQuantile(p) - normalQuantile(p)), `p ${p}`).toBeLessThan(1e-12);
    }
  });

  it('is the quantile of smaller probabilities than those of words, too', () => {
    for (let exponent = 9; exponent <= 300; exponent++) {
      const p = 10 ** -exponent;
      expect(normalCdf(lowerNormalQuantile(p)) / p, `p ${p}`).toBeCloseTo(1, 11);
    }
  });

  it('changes its sign with the complement of the word and is never infinite', () => {
    const dice = new Dice(2);
    for (const word of [
      0,
      1,
      2 ** 31 - 1,
      ...Array.from({ length: 2000 }, () => dice.whole(0, 2 ** 31 - 1)),
    ]) {
      expect(normalFromWord(~word)).toBe(-normalFromWord(word));
      expect(Math.abs(normalFromWord(word))).toBeLessThan(6.34);
    }
  });

  it('rises with the word', () => {
    const dice = new Dice(3);
    for (let i = 0; i < 5000; i++) {
      const word = dice.whole(0, 2 ** 32 - 2);
      expect(normalFromWord(word + 1), `word ${word}`).toBeGreaterThanOrEqual(normalFromWord(word));
    }
  });
});
