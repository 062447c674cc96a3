/** Settlements per hour, counted by hand: floor(t / interval + 1e-9) up to hour t. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settlementsPerStep } from '#src/core/plan/product/perpetual.js';

const BY_HAND: readonly [string, number, number, number[]][] = [
  ['20 minutes', 1 / 3, 5, [3, 3, 3, 3, 3]],
  ['half an hour', 0.5, 4, [2, 2, 2, 2]],
  ['40 minutes', 2 / 3, 6, [1, 2, 1, 2, 1, 2]],
  ['42 minutes', 0.7, 7, [1, 1, 2, 1, 2, 1, 2]],
  ['an hour', 1, 4, [1, 1, 1, 1]],
  ['an hour and a half', 1.5, 6, [0, 1, 1, 0, 1, 1]],
  ['7 hours', 7, 15, [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0]],
  ['8 hours', 8, 16, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]],
  ['a day', 24, 25, [...new Array(23).fill(0), 1, 0]],
  ['longer than the trade', 30, 25, new Array(25).fill(0)],
  ['a tenth, which is not a binary fraction', 0.1, 3, [10, 10, 10]],
  ['six seconds', 1 / 600, 3, [600, 600, 600]],
];

describe('settlementsPerStep', () => {
  it.each(BY_HAND)('counts intervals of %s', (_, interval, steps, expected) => {
    expect([...settlementsPerStep(steps, interval)]).toEqual(expected);
  });

  it('counts every settlement once over a year of whole fractions of an hour', () => {
    for (const perHour of [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 15, 20, 30, 49, 60, 97, 600]) {
      const counts = settlementsPerStep(8760, 1 / perHour);
      expect(
        counts.every(count => count === perHour),
        `${perHour} an hour`,
      ).toBe(true);
    }
  });

  it('counts all settlements of a trade, and differs by one at most from an even distribution', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 2000, noNaN: true }),
        fc.integer({ min: 3, max: 3000 }),
        (h, n) => {
          const counts = settlementsPerStep(n, h);
          const total = counts.reduce((a, b) => a + b, 0);
          expect(Math.abs(total - n / h)).toBeLessThanOrEqual(1);
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
