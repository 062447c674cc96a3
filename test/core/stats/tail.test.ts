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

  it('count every value equal to the level', () => {
    // (1 - 0.75) x 4 = rank 1, value 2: mean of 1, 2, 2, 2.
    expect(lowerTail(Float64Array.of(2, 2, 9, 1, 2), 0.75)).toEqual({
      quantile: 2,
      tailMean: 1.75,
      atOrBelow: 4,
      shortfallSquares: 1,
      shortfallCubes: 1,
    });
  });

  it('include the order statistic at the level, in spite of binary fractions', () => {
    const values = Float64Array.from({ length: 11 }, (_, i) => i);
    expect(lowerTail(values, 0.9)).toEqual({
      quantile: 1,
      tailMean: 0.5,
      atOrBelow: 2,
      shortfallSquares: 1,
      shortfallCubes: 1,
    });
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
            const below = values.filter(x => x <= quantile);
            const recount = below.reduce((a, b) => a + b, 0) / below.length;
            // Sixty terms of size up to 1e9: a few hundred units in the last place of 1e9.
            expect(Math.abs(tailMean - recount)).toBeLessThanOrEqual(1e-4);
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
      atOrBelow: 33,
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
