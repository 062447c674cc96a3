/** Z2, the test of expected shortfall: its statistic, and its p-value by the laws that it draws from. */
import { describe, expect, it } from 'vitest';
import type { JudgedTails } from '#src/core/stats/shortfall/judged.js';
import { z2Test } from '#src/core/stats/shortfall/z2.js';
import { normals } from '../../support/simulated-garch.ts';
import { LEVEL, PROBABILITY, simulated } from '../../support/simulated-tails.ts';

describe('Z2', () => {
  const small: JudgedTails = {
    returns: Float64Array.of(0.01, -0.05, -0.02, -0.09),
    levels: Float64Array.of(-0.04, -0.05, -0.03, -0.06),
    shortfalls: Float64Array.of(-0.05, -0.06, -0.04, -0.08),
    spreads: Float64Array.of(0.01, 0.01, 0.01, 0.01),
    probability: 0.25,
  };

  it('is one less the exceedances in units of their shortfalls over the expected number', () => {
    const { statistic } = z2Test(small, { resamples: 10, seed: 1, stream: 0 });
    // The second and the fourth day are at or below their level; one of four is expected.
    expect(statistic).toBeCloseTo(1 - 0.05 / 0.06 - 0.09 / 0.08, 12);
  });

  it('has the p-value of histories that are drawn from the law itself', { tags: ['slow'] }, () => {
    for (const [seed, factor] of [
      [3, 1],
      [4, 0.93],
      [5, 1.05],
    ] as const) {
      const judged = simulated(1500, seed, factor);
      const { statistic, pValue } = z2Test(judged, { resamples: 10_000, seed: 7, stream: 0 });
      const draw = normals(99);
      const histories = 2000;
      let asLow = 0;
      for (let r = 0; r < histories; r++) {
        let sum = 0;
        judged.levels.forEach((level, t) => {
          const y = (level / LEVEL) * draw();
          if (y <= level) sum += y / judged.shortfalls[t];
        });
        if (1 - sum / (PROBABILITY * 1500) <= statistic) asLow++;
      }
      // Four standard errors of 2,000 histories, and of 10,000.
      const share = asLow / histories;
      const error = Math.sqrt((share * (1 - share) + 0.001) * (1 / histories + 1 / 10_000));
      expect(Math.abs(pValue - share), `${pValue} against ${share}`).toBeLessThan(4 * error);
    }
  });

  it.each([
    ['heavy', 0.02],
    ['exponential', 0.01],
    ['light', 0.008],
    ['almost none', 1e-9],
  ])('has the p-value of the generalised Pareto law of a %s spread', (_, spread) => {
    // The mean excess is 0.01; a day is beyond its level with probability 0.3.
    const shape = Math.max(-1e6, (1 - (0.01 / spread) ** 2) / 2);
    const scale = 0.01 * (1 - shape);
    const survival = (y: number) =>
      Math.abs(shape) < 1e-12 ? Math.exp(-y / scale) : Math.max(0, 1 + (shape * y) / scale) ** (-1 / shape);
    const resamples = 40_000;
    for (const excess of [0.003, 0.009, 0.011, 0.03]) {
      const day = {
        returns: Float64Array.of(-0.04 - excess),
        levels: Float64Array.of(-0.04),
        shortfalls: Float64Array.of(-0.05),
        spreads: Float64Array.of(spread),
        probability: 0.3,
      };
      const { pValue } = z2Test(day, { resamples, seed: 5, stream: 1 });
      const expected = 0.3 * survival(excess);
      const error = Math.sqrt((expected * (1 - expected) + 1e-3) / resamples);
      expect(Math.abs(pValue - expected), `excess ${excess}`).toBeLessThan(4 * error);
    }
    // Without an exceedance 0.7 of the histories have none, and all are as bad.
    const quiet = {
      ...small,
      returns: Float64Array.of(0, 0, 0, 0),
      spreads: small.spreads.map(() => spread),
    };
    expect(z2Test(quiet, { resamples, seed: 5, stream: 1 }).pValue).toBe(1);
  });

  it('counts exceedances on every day of several, each by its own shortfall', () => {
    // Two days without a spread, whose exceedances have 1.5 and 2.5 shortfalls of the other day.
    const days = {
      returns: Float64Array.of(-0.02, 0),
      levels: Float64Array.of(-0.02, -0.05),
      shortfalls: Float64Array.of(-0.02, -0.05),
      spreads: new Float64Array(2),
      probability: 0.25,
    };
    // One exceedance, on either day, is as bad: 1 - 0.75^2.
    const { statistic, pValue } = z2Test(days, { resamples: 4000, seed: 3, stream: 0 });
    expect(statistic).toBeCloseTo(1 - 1 / 0.5, 12);
    expect(Math.abs(pValue - 0.4375)).toBeLessThan(4 * Math.sqrt((0.4375 * 0.5625) / 4000));
    const both = { ...days, returns: Float64Array.of(-0.02, -0.05) };
    const worst = z2Test(both, { resamples: 4000, seed: 3, stream: 0 });
    expect(worst.statistic).toBeCloseTo(1 - 2 / 0.5, 12);
    expect(Math.abs(worst.pValue - 0.0625)).toBeLessThan(4 * Math.sqrt((0.0625 * 0.9375) / 4000));
  });

  it('has a p-value that depends on seed and stream only', () => {
    const judged = simulated(500, 6);
    const p = (seed: number, stream: number) => z2Test(judged, { resamples: 500, seed, stream }).pValue;
    expect(p(1, 0)).toBe(p(1, 0));
    expect(new Set([p(1, 0), p(2, 0), p(1, 1)]).size).toBeGreaterThan(1);
  });

  it('has the least p-value where no history is as bad, and 1 without an exceedance', () => {
    const quiet = { ...small, returns: new Float64Array(4) };
    expect(z2Test(quiet, { resamples: 99, seed: 1, stream: 0 })).toEqual({ statistic: 1, pValue: 1 });
    const worst = { ...small, returns: small.returns.map(() => -0.9) };
    expect(z2Test(worst, { resamples: 99, seed: 1, stream: 0 }).pValue).toBe(0.01);
  });

  it('treats a tail without a spread as its mean', () => {
    const flat = { ...simulated(400, 8), spreads: new Float64Array(400) };
    expect(z2Test(flat, { resamples: 200, seed: 1, stream: 0 }).pValue).toBeGreaterThan(0);
  });

  it('refuses forecasts that are no losses', () => {
    const [resampling, wrong] = [{ resamples: 1, seed: 1, stream: 0 }, small.levels.with(1, 0)];
    expect(() => z2Test({ ...small, levels: wrong }, resampling)).toThrow('shortfall <= level < 0');
    expect(() => z2Test({ ...small, shortfalls: small.levels.map(v => v / 2) }, resampling)).toThrow('<=');
    expect(() => z2Test({ ...small, spreads: Float64Array.of(1) }, resampling)).toThrow('as many of each');
    expect(() => z2Test({ ...small, probability: 0 }, resampling)).toThrow('probability is 0');
  });
});
