/** Self-normalised means against sums written out, and against plain means where all weights are 1. */
import { describe, expect, it } from 'vitest';
import { meanError } from '#src/core/stats/intervals.js';
import { weightedMean } from '#src/core/stats/weighted.js';

function sumsOf(values: readonly number[], weights: readonly number[]) {
  const sum = (term: (x: number, w: number) => number) =>
    values.reduce((total, x, i) => total + term(x, weights[i]), 0);
  return {
    paths: values.length,
    weights: sum((_, w) => w),
    weightSquares: sum((_, w) => w * w),
    sum: sum((x, w) => w * x),
    sumTwice: sum((x, w) => w * w * x),
    squares: sum((x, w) => w * x * x),
    squaresTwice: sum((x, w) => w * w * x * x),
  };
}

const VALUES = [0, 0, 3, 1, 0.5, 7];

describe('A mean under weights', () => {
  it('is the plain mean with its error where all weights are 1, as sure as its paths', () => {
    const sums = sumsOf(
      VALUES,
      VALUES.map(() => 1),
    );
    const { mean, standardError, effective } = weightedMean(sums);
    expect(mean).toBeCloseTo(11.5 / 6, 12);
    expect(standardError).toBeCloseTo(
      Number(meanError({ paths: 6, sum: sums.sum, squares: sums.squares })),
      12,
    );
    // A sample of n has the error of n - 1 paths of its own spread.
    expect(effective).toBeCloseTo(5, 10);
  });

  it('is sum w x / sum w, with the error of the residuals w (x - mean)', () => {
    const weights = [2, 1, 0.1, 0.4, 1.2, 0.02];
    const total = 4.72;
    const mean = (0.3 + 0.4 + 0.6 + 0.14) / total;
    const residuals = VALUES.reduce((sum, x, i) => sum + (weights[i] * (x - mean)) ** 2, 0);
    const spread = VALUES.reduce((sum, x, i) => sum + (weights[i] * (x - mean) ** 2) / total, 0);
    const variance = (residuals / total ** 2) * (6 / 5);
    const found = weightedMean(sumsOf(VALUES, weights));
    expect(found.mean).toBeCloseTo(mean, 12);
    expect(found.standardError).toBeCloseTo(Math.sqrt(variance), 12);
    expect(found.effective).toBeCloseTo(spread / variance, 10);
  });

  it('does not depend on the unit of the weights', () => {
    const weights = [2, 1, 0.1, 0.4, 1.2, 0.02];
    const one = weightedMean(sumsOf(VALUES, weights));
    const other = weightedMean(
      sumsOf(
        VALUES,
        weights.map(w => 1000 * w),
      ),
    );
    expect(other.mean).toBeCloseTo(one.mean, 12);
    expect(other.standardError).toBeCloseTo(Number(one.standardError), 12);
    expect(other.effective).toBeCloseTo(Number(one.effective), 9);
  });

  it('has no error below two paths, and no effective number where all values are equal', () => {
    expect(weightedMean(sumsOf([3], [0.5]))).toEqual({
      mean: 3,
      standardError: undefined,
      effective: undefined,
    });
    const equal = weightedMean(sumsOf([1, 1, 1], [1, 1, 1]));
    expect(equal).toEqual({ mean: 1, standardError: 0, effective: undefined });
  });
});
