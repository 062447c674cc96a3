/** The weights of an upper tail. */
import { describe, expect, it } from 'vitest';
import { tailMean, tailWeight, upperTail, upperTails } from '#src/core/book/tail-weights.js';

describe('An upper tail', () => {
  it('has weights that add up to 1, wherever the quantile falls', () => {
    for (const n of [1, 2, 3, 10, 997, 1000])
      for (const q of [0.001, 0.5, 0.9, 0.95, 0.975, 0.999]) {
        const sorted = Float64Array.from({ length: n }, (_, i) => Math.floor(i / 3));
        const tail = upperTail(sorted, q);
        const sum = sorted.reduce((total, value) => total + tailWeight(tail, value), 0);
        expect(Math.abs(sum - 1), `n ${n} q ${q}`).toBeLessThan(1e-12);
      }
  });

  it('is the same of a column that is not sorted', () => {
    // Ties, and an order that is neither rising nor falling.
    const column = Float64Array.from({ length: 1000 }, (_, i) => ((i * 617) % 1000) >> 2);
    const quantiles = [0.99, 0.5, 0.9, 0.5, 0.001];
    const sorted = Float64Array.from(column).sort();
    expect(upperTails(column, quantiles)).toEqual(quantiles.map(q => upperTail(sorted, q)));
    expect(column[1]).toBe(617 >> 2);
  });

  it('contains an atom at its level only with the rest of its weight', () => {
    // 2 of 100 paths lose 50: the worst 5 % lose 20 on average, and not 50.
    const sorted = Float64Array.from({ length: 100 }, (_, i) => (i < 98 ? 0 : 50));
    const tail = upperTail(sorted, 0.95);
    expect([tail.level, tailMean(tail, sorted)]).toEqual([0, expect.closeTo(20, 12)]);
  });

  it('has the mean of the worst paths, the last in part, where the quantile falls between two ranks', () => {
    // 4 paths, q = 0.6: the upper 1.6 paths are the worst whole and 0.6 of the next.
    const tail = upperTail(Float64Array.of(1, 2, 3, 7), 0.6);
    expect(tailMean(tail, Float64Array.of(1, 2, 3, 7))).toBeCloseTo((7 + 0.6 * 3) / 1.6, 12);
  });

  it('contains all paths where the quantile is next to 0', () => {
    const sorted = Float64Array.of(1, 2, 3, 7);
    const tail = upperTail(sorted, 1e-17);
    expect([tail.level, tailMean(tail, sorted)]).toEqual([1, 13 / 4]);
  });

  it('begins at rank n q where that is whole, although its product in double precision is not', () => {
    const faults: string[] = [];
    for (const n of [100, 1000, 9000, 100_000]) {
      const ranks = Float64Array.from({ length: n }, (_, i) => i + 1);
      for (let permille = 1; permille < 1000; permille++) {
        const expected = Math.ceil((n * permille) / 1000);
        const { level } = upperTail(ranks, permille / 1000);
        if (level !== expected) faults.push(`n ${n} q ${permille / 1000}: ${level} for ${expected}`);
      }
    }
    expect(faults).toEqual([]);
    // The largest difference that counts as rounding, and one beyond it.
    expect(upperTail(Float64Array.of(1, 2), 0.5 + Number.EPSILON).level).toBe(1);
    expect(upperTail(Float64Array.of(1, 2), 0.5 + 2 * Number.EPSILON).level).toBe(2);
    // 100 x 0.07 = 7.000000000000001.
    expect(100 * 0.07).toBeGreaterThan(7);
  });
});
