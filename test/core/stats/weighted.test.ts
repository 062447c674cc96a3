/** Self-normalised means of two strata against sums written out, and against plain means where all weights are 1. */
import { describe, expect, it } from 'vitest';
import { weightedMean, weightedSkewness } from '#src/core/stats/weighted.js';

function sumsOf(values: readonly number[], weights: readonly number[]) {
  const sums = (x: (value: number) => number) => {
    const sum = (term: (w: number, p: number) => number) =>
      values.reduce((total, value, p) => total + term(weights[p], p) * x(value), 0);
    return { once: sum(w => w), odd: sum((w, p) => (p % 2 === 1 ? w : 0)), twice: sum(w => w * w) };
  };
  return { paths: values.length, weights: sums(() => 1), sum: sums(x => x), squares: sums(x => x * x) };
}

const VALUES = [0, 0, 3, 1, 0.5, 7];
const WEIGHTS = [2, 1, 0.1, 0.4, 1.2, 0.02];

describe('A mean under weights', () => {
  it('is the plain mean where all weights are 1, with the error of two strata', () => {
    const { mean, standardError, effective } = weightedMean(
      sumsOf(
        VALUES,
        VALUES.map(() => 1),
      ),
    );
    expect(mean).toBeCloseTo(11.5 / 6, 12);
    // Even: 0, 3, 0.5; odd: 0, 1, 7. Squared deviations from the means of their strata.
    const even = (7 / 6) ** 2 + (11 / 6) ** 2 + (2 / 3) ** 2;
    const odd = (8 / 3) ** 2 + (5 / 3) ** 2 + (13 / 3) ** 2;
    const variance = ((even + odd) / 36) * (6 / 4);
    expect(standardError).toBeCloseTo(Math.sqrt(variance), 12);
    const spread = (9 + 1 + 0.25 + 49) / 6 - (11.5 / 6) ** 2;
    expect(effective).toBeCloseTo(spread / variance, 10);
  });

  it('is sum w x / sum w, with the error of w (x - mean) within both strata', () => {
    const total = 4.72;
    const mean = (0.3 + 0.4 + 0.6 + 0.14) / total;
    const residuals = VALUES.map((x, i) => WEIGHTS[i] * (x - mean));
    const within = [0, 1]
      .map(odd => residuals.filter((_, p) => p % 2 === odd))
      .reduce((sum, own) => {
        const middle = own.reduce((a, b) => a + b, 0) / own.length;
        return sum + own.reduce((a, b) => a + (b - middle) ** 2, 0);
      }, 0);
    const spread = VALUES.reduce((sum, x, i) => sum + (WEIGHTS[i] * (x - mean) ** 2) / total, 0);
    const variance = (within / total ** 2) * (6 / 4);
    const found = weightedMean(sumsOf(VALUES, WEIGHTS));
    expect(found.mean).toBeCloseTo(mean, 12);
    expect(found.standardError).toBeCloseTo(Math.sqrt(variance), 12);
    expect(found.effective).toBeCloseTo(spread / variance, 10);
  });

  it.each([239 / 240, 239, 1e9 / 3])(
    'has no error of rounding where all paths have the amount %d',
    amount => {
      const weights = Array.from({ length: 4001 }, (_, p) => 1 / (1 + ((p * 7919) % 4001) / 1000));
      const found = weightedMean(
        sumsOf(
          weights.map(() => amount),
          weights,
        ),
      );
      expect(found.mean / amount).toBeCloseTo(1, 12);
      expect(found).toMatchObject({ standardError: 0, effective: undefined });
    },
  );

  it('does not depend on the unit of the weights', () => {
    const one = weightedMean(sumsOf(VALUES, WEIGHTS));
    const other = weightedMean(
      sumsOf(
        VALUES,
        WEIGHTS.map(w => 1000 * w),
      ),
    );
    expect(other.mean).toBeCloseTo(one.mean, 12);
    expect(other.standardError).toBeCloseTo(Number(one.standardError), 12);
    expect(other.effective).toBeCloseTo(Number(one.effective), 9);
  });

  it('has no error below four paths, and no effective number where all values are equal', () => {
    expect(weightedMean(sumsOf([3, 3, 1], [0.5, 0.5, 0.5]))).toMatchObject({
      standardError: undefined,
      effective: undefined,
    });
    expect(weightedMean(sumsOf([1, 1, 1, 1], [1, 1, 1, 1]))).toEqual({
      mean: 1,
      standardError: 0,
      effective: undefined,
    });
  });

  it('has no error where only the strata differ', () => {
    const { standardError } = weightedMean(sumsOf([0, 1, 0, 1, 0, 1], [1, 1, 1, 1, 1, 1]));
    expect(standardError).toBeCloseTo(0, 12);
  });
});

describe('The skewness of a mean under weights', () => {
  /** By the definition, from every path. */
  const skewnessOf = (values: readonly number[], weights: readonly number[]) => {
    const { mean, standardError = 0 } = weightedMean(sumsOf(values, weights));
    const total = weights.reduce((sum, w) => sum + w, 0);
    return (
      values.reduce((sum, x, p) => sum + (weights[p] * (x - mean)) ** 3, 0) / (standardError * total) ** 3
    );
  };
  const of = (values: readonly number[], weights: readonly number[]) => {
    const sums = sumsOf(values, weights);
    const events = values.filter(x => x > 0).length;
    const isShare = values.every(x => x === 0 || x === 1);
    return weightedSkewness(sums, weightedMean(sums), events, isShare);
  };
  const paths = Array.from({ length: 4000 }, (_, p) => p);

  it('is that of w (x - mean) where weights and amounts above 0 are equal', () => {
    const ones = paths.map(() => 1);
    for (const amount of [1, 0.3]) {
      const values = paths.map(p => (p % 10 < 2 ? amount : 0));
      expect(of(values, ones)).toBeCloseTo(skewnessOf(values, ones), 10);
    }
  });

  it('is about that of w (x - mean) where few paths of unequal weight have amounts', () => {
    // Products w x are the quantiles of an exponential law.
    const amounts = paths.map(p => (p % 20 < 2 ? -Math.log(((p * 7919) % 4000) / 4000 + 1e-3) : 0));
    const weights = paths.map(p => 0.2 + ((p * 31) % 7) / 10);
    const [got, exact] = [of(amounts, weights), skewnessOf(amounts, weights)];
    expect(got / exact).toBeGreaterThan(0.85);
    expect(got / exact).toBeLessThan(1.15);
    const share = amounts.map(x => Number(x > 0));
    expect(of(share, weights) / skewnessOf(share, weights)).toBeCloseTo(1, 1);
  });

  it('does not depend on the units of weights and amounts, and is 0 without an error', () => {
    const one = of(VALUES, WEIGHTS);
    expect(
      of(
        VALUES.map(x => 5 * x),
        WEIGHTS.map(w => 3 * w),
      ),
    ).toBeCloseTo(one, 10);
    expect(of([1, 1, 1, 1], [1, 1, 1, 1])).toBe(0);
    expect(of([3, 0, 1], [1, 1, 1])).toBe(0);
  });
});
