/** Weighted quantiles against sorting, and against the plain rank where weights are equal. */
import { describe, expect, it } from 'vitest';
import { weightedQuantile } from '#src/core/stats/weighted-quantile.js';
import { Dice } from '../../support/random-plans.ts';

function bySorting(values: Float64Array, weights: Float64Array, share: number): number {
  const order = [...values.keys()].sort((a, b) => values[a] - values[b]);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let reached = 0;
  for (const p of order) {
    reached += weights[p];
    if (reached >= share * total * (1 - 1e-12)) return values[p];
  }
  return values[order[order.length - 1]];
}

describe('A weighted quantile', () => {
  it('is the first value at which the weights of it and of all lower ones reach the share', () => {
    for (let seed = 0; seed < 60; seed++) {
      const dice = new Dice(seed);
      const n = dice.whole(1, 400);
      // Few distinct values, so that many are equal.
      const values = Float64Array.from({ length: n }, () => dice.whole(0, seed % 3 === 0 ? 5 : 1e6));
      const weights = Float64Array.from({ length: n }, () => dice.between(0.001, 2));
      for (const share of [0, 0.01, 0.3, 0.5, 0.9, 0.999, 1])
        expect(weightedQuantile(values, weights, share), `${seed} ${share}`).toBe(
          bySorting(values, weights, share),
        );
    }
  });

  it('is the value of rank n q where weights are equal, in spite of rounding', () => {
    const values = Float64Array.from({ length: 1000 }, (_, i) => (i * 7919) % 1000);
    const weights = new Float64Array(1000).fill(0.1);
    for (const q of [0.05, 0.35, 0.95, 0.99, 0.999])
      expect(weightedQuantile(values, weights, q)).toBe(Math.round(1000 * q) - 1);
    // Tenths and thirds add up with other roundings.
    for (const [n, weight] of [
      [10, 0.1],
      [300, 1 / 3],
      [1000, 0.7],
    ])
      for (let k = 1; k <= n; k += Math.ceil(n / 100))
        expect(
          weightedQuantile(values.subarray(0, n).toSorted(), new Float64Array(n).fill(weight), k / n),
        ).toBe(values.subarray(0, n).toSorted()[k - 1]);
  });

  it('does not change its arguments', () => {
    const values = Float64Array.of(3, 1, 2);
    const weights = Float64Array.of(1, 5, 1);
    expect(weightedQuantile(values, weights, 0.7)).toBe(1);
    expect([...values]).toEqual([3, 1, 2]);
    expect([...weights]).toEqual([1, 5, 1]);
  });
});
