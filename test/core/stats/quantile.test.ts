import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interpolate, quantilePosition, quantilesType7, quantileType7 } from '#src/core/stats/quantile.js';
import { placeRanks } from '#src/core/stats/selection.js';
import reference from '../../fixtures/stats/stats.json' with { type: 'json' };

const finite = fc.double({ noNaN: true, min: -1e6, max: 1e6 });
const sample = fc.oneof(
  fc.array(finite, { minLength: 1, maxLength: 200 }),
  // Many ties: the case that a careless partition handles badly.
  fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 2000 }),
);

describe('quantiles of type 7', () => {
  it('agree with numpy, sorted or selected', () => {
    const sorted = Float64Array.from(reference.sample).sort();
    const selected = quantilesType7(Float64Array.from(reference.sample), reference.probabilities);
    reference.probabilities.forEach((p, i) => {
      // numpy may interpolate from the upper end: one rounding apart.
      expect(quantileType7(sorted, p), `p ${p}`).toBeCloseTo(reference.quantiles[i], 14);
      expect(selected[i], `p ${p}`).toBe(quantileType7(sorted, p));
    });
  });

  it('of one value are that value', () => {
    expect([...quantilesType7(Float64Array.of(7), [0, 0.3, 1])]).toEqual([7, 7, 7]);
    expect(quantileType7([7], 0.5)).toBe(7);
  });

  it('have a whole rank where the position is within rounding of it', () => {
    expect(10_000 * (1 - 0.9)).toBeLessThan(1000); // binary fractions: the reason for the rule
    expect(quantilePosition(10_001, 1 - 0.9)).toEqual({ rank: 1000, fraction: 0 });
    expect(quantilePosition(10_000_001, 1 - 0.99)).toEqual({ rank: 100_000, fraction: 0 });
    expect(quantilePosition(2, 1 - 2 ** -51)).toEqual({ rank: 1, fraction: 0 });
    expect(quantilePosition(2, 1 - 2 ** -50)).toEqual({ rank: 0, fraction: 1 - 2 ** -50 });
    expect(quantilePosition(5, 0.3).rank).toBe(1);
    expect(quantilePosition(5, 0.3).fraction).toBeCloseTo(0.2, 14);
  });

  it('are never outside the two order statistics', () => {
    fc.assert(
      fc.property(
        finite,
        finite,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (a, b, f) => {
          const [lower, upper] = a < b ? [a, b] : [b, a];
          const value = interpolate(lower, upper, f);
          expect(value >= lower && value <= upper).toBe(true);
        },
      ),
    );
  });

  it('at a whole rank are its order statistic, whatever follows', () => {
    for (const next of [Number.NaN, Number.POSITIVE_INFINITY]) expect(interpolate(3, next, 0)).toBe(3);
  });

  it('selected equal sorted for any sample and probabilities', () => {
    const probabilities = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
    fc.assert(
      fc.property(sample, probabilities, (values, ps) => {
        const sorted = Float64Array.from(values).sort();
        const selected = quantilesType7(Float64Array.from(values), ps);
        // == treats 0 and -0 as equal, which sorting orders and selection does not.
        ps.forEach((p, i) => {
          expect(selected[i] === quantileType7(sorted, p)).toBe(true);
        });
      }),
    );
  });

  it('refuse an empty sample, values that are not finite and probabilities outside [0, 1]', () => {
    expect(() => quantileType7([], 0.5)).toThrow(/count is 0/);
    expect(() => quantileType7([1, Number.NaN], 0.5)).toThrow(/NaN/);
    expect(() => quantilesType7(new Float64Array(0), [0.5])).toThrow(/at least 1/);
    expect(() => quantilesType7(Float64Array.of(1, Number.NaN), [0.5])).toThrow(/values\[1\] is NaN/);
    expect(() => quantilesType7(Float64Array.of(1), [1.1])).toThrow(/probability is 1.1/);
    expect(() => quantileType7([1], Number.NaN)).toThrow(/probability is NaN/);
  });
});

describe('placeRanks', () => {
  it('splits the array at every wanted rank without a change of its values', () => {
    fc.assert(
      fc.property(sample, fc.array(fc.nat(), { maxLength: 6 }), (values, wanted) => {
        const ranks = [...new Set(wanted.map(r => r % values.length))].sort((a, b) => a - b);
        const placed = Float64Array.from(values);
        placeRanks(placed, ranks);
        const sorted = Float64Array.from(values).sort();
        for (const rank of ranks) {
          expect(placed[rank] === sorted[rank]).toBe(true);
          expect(placed.subarray(0, rank).every(x => x <= placed[rank])).toBe(true);
          expect(placed.subarray(rank).every(x => x >= placed[rank])).toBe(true);
        }
        expect([...placed.sort()].every((x, i) => x === sorted[i])).toBe(true);
      }),
    );
  });

  it('handles sorted, reversed, constant and large inputs', () => {
    const n = 200_000;
    const shapes: Record<string, (i: number) => number> = {
      rising: i => i,
      falling: i => -i,
      constant: () => 1,
      organPipe: i => Math.min(i, n - i),
      scattered: i => (i * 7919) % 100_003,
    };
    for (const [name, shape] of Object.entries(shapes)) {
      const values = Float64Array.from({ length: n }, (_, i) => shape(i));
      const sorted = values.slice().sort();
      const ranks = [0, 1, 1999, 2000, 100_000, n - 1];
      placeRanks(values, ranks);
      for (const rank of ranks) expect(values[rank], `${name}, rank ${rank}`).toBe(sorted[rank]);
    }
  });
});
