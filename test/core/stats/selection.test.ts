/** Order statistics in their places, against sorting. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { placeRanks, valuesAtRanks } from '#src/core/stats/selection.js';

/** Whether each rank has its value, with no larger one before it and no smaller one after it. */
function requirePlaced(values: readonly number[], ranks: readonly number[]): void {
  const sorted = Float64Array.from(values).sort();
  const placed = Float64Array.from(values);
  placeRanks(placed, ranks);
  for (const rank of ranks) {
    expect(placed[rank], `rank ${rank}`).toBe(sorted[rank]);
    expect(placed.subarray(0, rank).every(value => value <= placed[rank])).toBe(true);
    expect(placed.subarray(rank).every(value => value >= placed[rank])).toBe(true);
  }
  expect(placed.sort()).toEqual(sorted);
}

/** Values of which many, some or none are equal, and some of their ranks. */
const cases = (minLength: number, maxLength: number) =>
  fc
    .integer({ min: 0, max: 20 })
    .chain(bits => fc.array(fc.integer({ min: 0, max: 2 ** bits }), { minLength, maxLength }))
    .chain(values =>
      fc.tuple(
        fc.constant(values),
        fc.uniqueArray(fc.nat({ max: values.length - 1 }), { minLength: 1, maxLength: 8 }),
      ),
    )
    .map(([values, ranks]) => [values, ranks.sort((a, b) => a - b)] as const);

it.each([
  [1, 30, 300],
  [700, 3000, 20],
])('Ranks of %i to %i values are those of sorted values', (least, most, numRuns) => {
  fc.assert(
    fc.property(cases(least, most), ([values, ranks]) => requirePlaced(values, ranks)),
    { numRuns },
  );
});

it('All ranks at once sort the values, and no rank changes nothing', () => {
  const values = Array.from({ length: 50 }, (_, i) => (i * 17) % 50);
  requirePlaced(values, [...values.keys()]);
  const left = Float64Array.from(values);
  placeRanks(left, []);
  expect([...left]).toEqual(values);
});

it('The values at ranks are those of sorted values, and absent where a rank is', () => {
  const values = Float64Array.from({ length: 50 }, (_, i) => (i * 17) % 50);
  const ranks = [
    { low: 30, high: 4 },
    { low: undefined, high: 30 },
    { low: 49, high: undefined },
  ];
  expect(valuesAtRanks(values, ranks)).toEqual(ranks);
});
