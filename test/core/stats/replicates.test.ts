/** Intervals of tails from replicates, against their definition by sorting. */
import { describe, expect, it } from 'vitest';
import { replicateTails } from '#src/core/stats/replicates.js';
import { Dice } from '../../support/random-plans.ts';

/** t with P(|T| <= t) = 0.95 for 15 degrees of freedom, as tables have it. */
const T15 = 2.131449545559323;

/** Type-7 quantile of sorted values. */
function type7(sorted: Float64Array, p: number): number {
  const h = (sorted.length - 1) * p;
  const low = Math.floor(h);
  return sorted[low] + (h - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
}

/** Quantile of sorted values, each in the middle of its 1 / n. */
function middle(sorted: Float64Array, p: number): number | undefined {
  const h = sorted.length * p - 0.5;
  if (h < 0 || h > sorted.length - 1) return undefined;
  const low = Math.floor(h);
  return sorted[low] + (h - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
}

const meanOf = (figures: readonly number[]) => figures.reduce((sum, x) => sum + x, 0) / figures.length;

function errorOf(figures: readonly number[]) {
  const mean = meanOf(figures);
  const squares = figures.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (figures.length - 1) / figures.length);
}

/** Skewness of figures over the root of their number. */
function skewnessOf(figures: readonly number[]) {
  const mean = meanOf(figures);
  const moment = (power: number) => meanOf(figures.map(figure => (figure - mean) ** power));
  return moment(3) / moment(2) ** 1.5 / Math.sqrt(figures.length);
}

/** Parts of different spread, in the order of the parts. */
function sample(seed: number, size: number, spreads: readonly number[]): Float64Array {
  const dice = new Dice(seed);
  return Float64Array.from(
    spreads.flatMap(s => Array.from({ length: size }, () => s * dice.between(-1, 1) ** 3)),
  );
}

describe('intervals from replicates', () => {
  it.each([
    ['alike', 257, (_: number) => 1],
    ['of a few values', 8, (_: number) => 1],
    // The lowest values lie in a few parts: more of those are sorted than at first.
    ['unlike', 300, (r: number) => (r < 3 ? 100 : 0.1)],
  ])('are those of sorted values, for parts %s', (_, size, spread) => {
    const PARTS = 16;
    const values = sample(
      1,
      size,
      Array.from({ length: PARTS }, (_, r) => spread(r)),
    );
    const quantiles = [0.9, 0.99, 0.5, 0.2];
    const sorted = values.toSorted();
    const parts = Array.from({ length: PARTS }, (_, r) => values.slice(r * size, (r + 1) * size));
    const expected = quantiles.map(q => {
      const level = type7(sorted, 1 - q);
      const half = T15 * errorOf(parts.map(part => part.filter(x => x <= level).length / size));
      const start = sorted[sorted.length - Math.ceil(sorted.length * q)];
      const shortfalls = parts.map(part => meanOf(Array.from(part, x => Math.max(0, start - x))) / (1 - q));
      return {
        low: middle(sorted, 1 - q - half),
        high: middle(sorted, 1 - q + half),
        tailMeanError: errorOf(shortfalls),
        skewness: skewnessOf(shortfalls),
      };
    });
    replicateTails(values, quantiles, PARTS, 0.95).forEach((found, i) => {
      for (const name of ['low', 'high', 'tailMeanError', 'skewness'] as const) {
        const wanted = expected[i][name];
        const told = `${name} at ${quantiles[i]}: ${found[name]}, ${wanted}`;
        if (wanted === undefined) expect(found[name], told).toBeUndefined();
        else expect(Math.abs((found[name] ?? Number.NaN) - wanted), told).toBeLessThan(1e-9);
      }
    });
    expect(values.toSorted()).toEqual(sorted);
  });

  it('reach one value to either side where all parts have equally many below the level', () => {
    // Sixteen nets: one value of each part in every stratum of 1 / 64.
    const dice = new Dice(5);
    const values = Float64Array.from({ length: 16 * 64 }, (_, i) => ((i % 64) + dice.between(0, 1)) / 64);
    const sorted = values.toSorted();
    for (const q of [0.25, 0.5, 0.75]) {
      const [{ low, high }] = replicateTails(values.slice(), [q], 16, 0.95);
      expect(low).toBe(middle(sorted, 1 - q - 1 / 1024));
      expect(high).toBe(middle(sorted, 1 - q + 1 / 1024));
      // The quantile of the law is the border of two strata.
      expect(low).toBeLessThan(1 - q);
      expect(high).toBeGreaterThan(1 - q);
    }
  });

  it('move no value to another part', () => {
    const values = Float64Array.from({ length: 40 }, (_, i) => 10 * Math.floor(i / 10) + ((7 * i) % 10));
    replicateTails(values, [0.75], 4, 0.95);
    for (let r = 0; r < 4; r++)
      expect(Array.from(values.subarray(10 * r, 10 * r + 10)).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 10 }, (_, i) => 10 * r + i),
      );
  });

  it('have no width where all values are equal', () => {
    expect(replicateTails(new Float64Array(64).fill(0.1), [0.75], 16, 0.95)).toEqual([
      { low: 0.1, high: 0.1, tailMeanError: 0, skewness: 0 },
    ]);
  });

  it.each([
    [10, 3],
    [10, 1],
    [0, 2],
  ])('are refused for %i values in %i parts', (length, parts) => {
    expect(() => replicateTails(new Float64Array(length), [0.5], parts, 0.95)).toThrow();
  });
});
