/** The unrolled draw loop against the plain generator and the plain table look-up. */
import { describe, expect, it } from 'vitest';
import { lowerNormalQuantile } from '#src/random/inverse-normal.js';
import { normalFromWord } from '#src/random/normal.js';
import { fillNormals } from '#src/random/normal-stream.js';
import { threefry4x32 } from '#src/random/threefry.js';
import { normalQuantile } from '../../support/closed-forms/normal.ts';
import { Dice } from '../../support/random-plans.ts';

const SEEDS = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff];

describe('the draw loop', () => {
  it.each(SEEDS)('draws with seed %i what the plain generator draws, bit for bit', seed => {
    for (const [path, asset, firstGroup] of [
      [0, 0, 0],
      [4_294_967_295, 31, 0],
      [123_456, 7, 180],
      [9_999_999, 1, 21_899],
    ]) {
      const out = new Float64Array(4 * 50 + 2);
      fillNormals(seed, path, asset, firstGroup, 50, out, 2);
      for (let g = 0; g < 50; g++) {
        const words = threefry4x32([path, firstGroup + g, asset, 0], [seed, 0, 0, 0], 12);
        const expected = words.map(normalFromWord);
        const inputs = JSON.stringify({ seed, path, asset, group: firstGroup + g });
        expect([...out.subarray(2 + 4 * g, 6 + 4 * g)], inputs).toEqual(expected);
      }
      expect([...out.subarray(0, 2)]).toEqual([0, 0]);
    }
  });

  it('draws normals with the moments of a standard normal, uncorrelated across steps, assets, paths and seeds', () => {
    const n = 400_000;
    const draws = (seed: number, asset: number, firstPath: number) => {
      const out = new Float64Array(n);
      for (let p = 0; p < n / 400; p++) fillNormals(seed, firstPath + p, asset, 0, 100, out, 400 * p);
      return out;
    };
    const z = draws(1, 0, 0);
    const moment = (k: number) => z.reduce((sum, x) => sum + x ** k, 0) / n;
    // Standard errors of the first four moments of n normals: sqrt(1, 2, 15, 96 over n).
    for (const [k, truth, variance] of [
      [1, 0, 1],
      [2, 1, 2],
      [3, 0, 15],
      [4, 3, 96],
    ]) {
      expect(Math.abs(moment(k) - truth) / Math.sqrt(variance / n), `moment ${k}`).toBeLessThan(4.5);
    }
    const others = {
      'the next step': Float64Array.from(z, (_, i) => z[(i + 1) % n]),
      'four steps on': Float64Array.from(z, (_, i) => z[(i + 4) % n]),
      'another asset': draws(1, 1, 0),
      'another path': draws(1, 0, n),
      'another seed': draws(2, 0, 0),
    };
    for (const [what, other] of Object.entries(others)) {
      const correlation = z.reduce((sum, x, i) => sum + x * other[i], 0) / n;
      expect(Math.abs(correlation) * Math.sqrt(n), what).toBeLessThan(4.5);
    }
  });
});

describe('the normal of a word', () => {
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
