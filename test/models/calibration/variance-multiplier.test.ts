/** The multiplier of a day's variance against chi-square quantiles and moments. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ExtraWords } from '#src/core/random/extra-words.js';
import { multiplierOfWord } from '#src/core/random/multiplier-table.js';
import { chiSquareQuantile } from '#src/core/stats/special-functions.js';
import {
  LARGEST_RATIO,
  unitMeanFactor,
  varianceMultiplier,
} from '#src/models/calibration/variance-multiplier.js';

const { quantiles } = JSON.parse(
  readFileSync(new URL('../../fixtures/model/student-t.json', import.meta.url), 'utf8'),
) as { quantiles: readonly (readonly [number, number, number])[] };

describe('The multiplier of a variance', () => {
  it.each([3, 3.2, 5, 17, 100])('with %d degrees of freedom is right to 1e-6 at every word', nu => {
    const { table } = varianceMultiplier(nu);
    const scale = unitMeanFactor(nu) * (nu - 2);
    let worst = 0;
    let state = 12345;
    for (let i = 0; i < 4000; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      // Words of every octave of both ends.
      const small = state >>> (i % 32);
      for (const word of [state, small, ~small >>> 0]) {
        const lower = (word + 0.5) / 2 ** 32;
        const upper = (2 ** 32 - word - 0.5) / 2 ** 32;
        const exact = scale / chiSquareQuantile(nu, lower, upper);
        worst = Math.max(worst, Math.abs(multiplierOfWord(table, word) / exact - 1));
      }
    }
    expect(worst).toBeLessThan(1e-6);
  });

  it('equals that of SciPy', () => {
    expect(quantiles.length).toBeGreaterThan(20);
    for (const [nu, u, ratio] of quantiles) {
      const word = Math.floor(u * 2 ** 32) >>> 0;
      const at = (w: number) => multiplierOfWord(varianceMultiplierOf(nu).table, w) / unitMeanFactor(nu);
      // The word's probability is u to half a unit: SciPy's figure is between those of its two neighbours.
      const [high, low] = [at(Math.max(0, word - 1)), at(Math.min(2 ** 32 - 1, word + 1))];
      expect(ratio, `nu = ${nu}, u = ${u}`).toBeLessThanOrEqual(high * (1 + 1e-6));
      expect(ratio, `nu = ${nu}, u = ${u}`).toBeGreaterThanOrEqual(low * (1 - 1e-6));
    }
  });

  it.each([3, 4, 10, 100])('with %d degrees of freedom has mean 1', nu => {
    const { table, cap } = varianceMultiplier(nu);
    expect(cap).toBe(LARGEST_RATIO * unitMeanFactor(nu));
    // Midpoints of equal probability, finer towards the tail where W is large: one word of every 4099 is enough.
    let sum = 0;
    let count = 0;
    for (let word = 2049; word < 2 ** 32; word += 4099, count++)
      sum += Math.min(cap, multiplierOfWord(table, word));
    // The tail beyond the last midpoint has W^(1 - nu/2) of the mean: at nu = 3 a few parts in 1e4.
    expect(Math.abs(sum / count - 1)).toBeLessThan(1e-3);
    expect(Math.abs(unitMeanFactor(nu) - 1)).toBeLessThan(nu === 3 ? 0.05 : 0.01);
  });

  it('makes normals Student t: kurtosis and share beyond quantiles of simulated days', () => {
    const nu = 6;
    const { table, cap } = varianceMultiplier(nu);
    const words = new ExtraWords(7);
    let fourth = 0;
    const days = 400_000;
    for (let path = 0; path < days / 4; path++) {
      words.start(path);
      for (let day = 0; day < 4; day++)
        fourth += Math.min(cap, multiplierOfWord(table, words.word(day))) ** 2;
    }
    // E W^2 = (nu - 2) / (nu - 4), the kurtosis over that of the normal; heavy tails leave 3 % at this number.
    expect(fourth / days).toBeGreaterThan(((nu - 2) / (nu - 4)) * 0.94);
    expect(fourth / days).toBeLessThan(((nu - 2) / (nu - 4)) * 1.06);
  });
});

const made = new Map<number, ReturnType<typeof varianceMultiplier>>();

function varianceMultiplierOf(nu: number) {
  const known = made.get(nu) ?? varianceMultiplier(nu);
  made.set(nu, known);
  return known;
}
