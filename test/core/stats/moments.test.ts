import { describe, expect, it } from 'vitest';
import {
  mean,
  meanSquaredDeviation,
  sampleStandardDeviation,
  sampleVariance,
} from '#src/core/stats/moments.js';
import reference from '../../fixtures/stats/stats.json' with { type: 'json' };

describe('moments', () => {
  it('agree with figures computed by numpy and mpmath', () => {
    // A hundred terms: a few units in the last place of the sum.
    expect(mean(reference.sample)).toBeCloseTo(reference.mean, 14);
    expect(sampleVariance(reference.sample)).toBeCloseTo(reference.sampleVariance, 12);
    expect(sampleStandardDeviation(reference.sample)).toBeCloseTo(Math.sqrt(reference.sampleVariance), 12);
    expect(meanSquaredDeviation(reference.sample)).toBeCloseTo((reference.sampleVariance * 100) / 101, 12);
  });

  it('lose no digits where the mean is large against the spread', () => {
    expect(sampleVariance(reference.shifted)).toBe(reference.shiftedVariance);
    // The mean lies a third of the way from one double to the next.
    const far = [2 ** 50, 2 ** 50, 2 ** 50 + 1];
    expect(sampleVariance(far)).toBeCloseTo(1 / 3, 14);
    expect(meanSquaredDeviation(far)).toBeCloseTo(2 / 9, 14);
  });

  it('of equal values are that value and exactly zero spread', () => {
    const equal = new Float64Array(97).fill(0.1);
    expect(mean(equal)).toBe(0.1);
    expect(sampleVariance(equal)).toBe(0);
    expect(meanSquaredDeviation(equal)).toBe(0);
  });

  it('refuse an empty sample, a single value for n - 1, and values that are not finite', () => {
    expect(() => mean([])).toThrow(/values has 0 values, at least 1/);
    expect(() => sampleVariance([1])).toThrow(/values has 1 values, at least 2/);
    expect(() => mean([1, Number.NaN])).toThrow(/values\[1\] is NaN/);
    expect(() => meanSquaredDeviation([Number.POSITIVE_INFINITY])).toThrow(/values\[0\] is Infinity/);
  });
});
