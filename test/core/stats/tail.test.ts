import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import reference from '../../fixtures/stats/stats.json' with { type: 'json' };
import { lowerTail, lowerTails } from '../../support/lower-tails.ts';

describe('lowerTails', () => {
  it('agree with numpy', () => {
    const tails = lowerTails(Float64Array.from(reference.sample), reference.levels);
    reference.levels.forEach((q, i) => {
      expect(tails[i].quantile, `q ${q}`).toBeCloseTo(reference.tails[i][0], 13);
      expect(tails[i].tailMean, `q ${q}`).toBeCloseTo(reference.tails[i][1], 13);
    });
  });

  it('count values equal to the level in part', () => {
    // 5 (1 - 0.75) = 1.25 values: 1 and a quarter of 2.
    expect(lowerTail(Float64Array.of(2, 2, 9, 1, 2), 0.75)).toEqual({
      quantile: 2,
      tailMean: 1.2,
      level: 2,
      shortfallSquares: 1,
      shortfallCubes: 1,
    });
  });

  it('have whole numbers of values in spite of binary fractions', () => {
    const values = Float64Array.from({ length: 10 }, (_, i) => i * i);
    expect(lowerTail(values, 0.7)).toMatchObject({ tailMean: expect.closeTo(5 / 3, 14), level: 9 });
    expect(lowerTail(values, 0.9)).toMatchObject({ tailMean: expect.closeTo(0, 14), level: 1 });
  });

  it('of a sample whose values each occur many times are those of the sample', () => {
    const rows = Float64Array.from({ length: 200 }, (_, i) => Math.sin(i) * i);
    const many = Float64Array.from({ length: 200 * 7 }, (_, i) => rows[i % 200]);
    const lowest = rows.toSorted().subarray(0, 10);
    const mean = lowest.reduce((sum, x) => sum + x, 0) / 10;
    expect(lowerTail(rows, 0.95).tailMean).toBeCloseTo(mean, 10);
    expect(lowerTail(many, 0.95).tailMean).toBeCloseTo(mean, 10);
  });

  it('have a mean never above the level, both rising as the confidence falls, equal to a plain recount', () => {
    const value = fc.oneof(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), fc.constantFrom(0.1, 0.3));
    const level = fc.double({ noNaN: true, min: 0.001, max: 0.999 });
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 60 }),
        fc.array(level, { minLength: 1, maxLength: 5 }),
        (values, levels) => {
          const falling = levels.sort((a, b) => b - a);
          const tails = lowerTails(Float64Array.from(values), falling);
          tails.forEach(({ quantile, tailMean }, i) => {
            expect(tailMean).toBeLessThanOrEqual(quantile);
            if (i > 0) expect(quantile).toBeGreaterThanOrEqual(tails[i - 1].quantile);
            const size = values.length * (1 - falling[i]);
            const sorted = Float64Array.from(values).sort();
            const recount = sorted.reduce((a, x, k) => a + Math.max(0, Math.min(1, size - k)) * x, 0) / size;
            // Sixty terms of size up to 1e9 over a size of 0.001 or more: a few hundred units in the last place of 1e12.
            expect(Math.abs(tailMean - recount)).toBeLessThanOrEqual(1e-4 / Math.min(1, size));
          });
        },
      ),
    );
  });

  it('have the same digits alone and among others, with and without intervals', () => {
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 50, maxLength: 400 }), sample => {
        const among = lowerTails(Float64Array.from(sample), [0.99, 0.5, 0.9], 0.95);
        [0.99, 0.5, 0.9].forEach((level, i) => {
          const { low: _, high: __, ...tail } = among[i];
          expect(lowerTail(Float64Array.from(sample), level)).toEqual(tail);
        });
      }),
    );
  });

  it('of zeros of both signs are zero without a sign, alone and among other tails', () => {
    for (const sample of [
      [0, -0, 0, -0, -0, 0, 0, -0],
      [-0, -0, -0],
      [0, 0, -0, 1],
    ]) {
      for (const levels of [[0.9], [0.99, 0.6, 0.9], [0.6, 0.7]]) {
        for (const { quantile, tailMean, low, high } of lowerTails(Float64Array.from(sample), levels, 0.5)) {
          for (const level of [quantile, tailMean, low ?? 0, high ?? 0])
            expect(level, `${sample}, ${levels}`).toBe(0);
        }
      }
    }
  });

  it('of equal values are exactly that value', () => {
    expect(lowerTail(new Float64Array(33).fill(0.1), 0.95)).toEqual({
      quantile: 0.1,
      tailMean: 0.1,
      level: 0.1,
      shortfallSquares: 0,
      shortfallCubes: 0,
    });
  });

  it('refuse an empty sample, values that are not finite and levels outside (0, 1)', () => {
    expect(() => lowerTail(new Float64Array(0), 0.95)).toThrow(/at least 1/);
    expect(() => lowerTail(Float64Array.of(Number.NaN), 0.95)).toThrow(/values\[0\] is NaN/);
    for (const q of [0, 1, Number.NaN]) expect(() => lowerTail(Float64Array.of(1), q)).toThrow(/quantile is/);
  });
});
