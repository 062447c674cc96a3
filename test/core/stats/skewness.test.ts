/** Intervals of means of skewed amounts: against the inverted transformation, and their coverage. */
import { describe, expect, it } from 'vitest';
import { meanError } from '#src/core/stats/intervals.js';
import { gammaCubes, skewedReach, skewnessOfMean } from '#src/core/stats/skewness.js';
import { Dice } from '../../support/random-plans.ts';

/** Two-sided quantile of the normal law at 95 %, as tables have it. */
const Z = 1.959963984540054;

const sumsOf = (values: readonly number[]) => {
  const sum = (power: number) => values.reduce((total, value) => total + value ** power, 0);
  return { paths: values.length, sum: sum(1), squares: sum(2), cubes: sum(3) };
};

describe('The skewness of a mean', () => {
  it('is that of the amounts over the root of their number', () => {
    // Of 0, 0, 0, 4: mean 1, second moment 3, third moment 6.
    expect(skewnessOfMean(sumsOf([0, 0, 0, 4]))).toBeCloseTo(6 / 3 ** 1.5 / 2, 14);
    expect(skewnessOfMean(sumsOf([0, 0, 0, -4]))).toBeCloseTo(-6 / 3 ** 1.5 / 2, 14);
    expect(skewnessOfMean(sumsOf([1, 2, 3]))).toBeCloseTo(0, 14);
  });

  it('is that of amounts that differ by a hundredth', () => {
    // One in a hundred of 10,000 paths has 1.01, the others 1.
    const amounts = Array.from({ length: 10_000 }, (_, p) => (p % 100 === 0 ? 1.01 : 1));
    expect(skewnessOfMean(sumsOf(amounts))).toBeCloseTo(0.98 / Math.sqrt(0.0099) / 100, 6);
  });

  it('is 0 where all amounts are equal', () => {
    expect(skewnessOfMean(sumsOf(new Array<number>(33).fill(0.1)))).toBe(0);
    expect(skewnessOfMean(sumsOf([0, 0]))).toBe(0);
  });
});

describe('Cubes from a number, a sum and squares', () => {
  it('are exact where all amounts above 0 are equal, and 0 without any', () => {
    expect(gammaCubes(3, 3 * 0.5, 3 * 0.25)).toBeCloseTo(3 * 0.125, 15);
    expect(gammaCubes(0, 0, 0)).toBe(0);
  });

  it.each([0.4, 1, 3])('are those of a gamma law of shape %d', shape => {
    // Raw moments in units of the scale.
    const moment = [1, shape, shape * (shape + 1), shape * (shape + 1) * (shape + 2)];
    expect(gammaCubes(100, 100 * moment[1], 100 * moment[2])).toBeCloseTo(100 * moment[3], 9);
  });
});

describe('The reach of a skewed mean', () => {
  it.each([1e-9, 1e-4, 0.01, 0.3, 1, 2, -0.01, -0.5])("inverts Hall's transformation for %d", a => {
    const g = (t: number) => t + (a * t * t) / 3 + (a * a * t ** 3) / 27 + a / 6;
    for (const quantile of [0.7, Z, 3.3]) {
      const { below, above } = skewedReach(a, quantile);
      expect(g(below)).toBeCloseTo(quantile, 12);
      expect(g(-above)).toBeCloseTo(-quantile, 12);
    }
  });

  it('is the quantile on either side without skewness, and mirrored with its sign', () => {
    expect(skewedReach(0, Z)).toEqual({ below: Z, above: Z });
    const right = skewedReach(0.2, Z);
    const left = skewedReach(-0.2, Z);
    expect(right.above).toBeGreaterThan(Z);
    expect(right.below).toBeLessThan(Z);
    expect(left.below).toBeCloseTo(right.above, 12);
    expect(left.above).toBeCloseTo(right.below, 12);
  });

  it('contains the mean of rare exponential losses more often than the symmetric one', {
    tags: ['slow'],
  }, () => {
    const SEEDS = 3000;
    const PATHS = 600;
    const SHARE = 0.06;
    const dice = new Dice(5);
    let skewed = 0;
    let symmetric = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      const losses = Array.from({ length: PATHS }, () =>
        dice.between(0, 1) < SHARE ? -Math.log(dice.between(0, 1)) : 0,
      );
      const sums = sumsOf(losses);
      const error = meanError(sums) ?? Number.NaN;
      const off = (sums.sum / PATHS - SHARE) / error;
      const { below, above } = skewedReach(skewnessOfMean(sums), Z);
      if (off <= below && off >= -above) skewed += 1;
      if (Math.abs(off) <= Z) symmetric += 1;
    }
    // Standard error of a coverage of 95 % from 3,000 seeds: 0.4 points; five of them.
    expect(skewed / SEEDS).toBeGreaterThan(0.93);
    expect(skewed).toBeGreaterThan(symmetric);
  });
});
