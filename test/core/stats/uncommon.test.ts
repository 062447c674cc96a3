/** The number of values that differ from the commonest one, against plain counts. */
import { expect, it } from 'vitest';
import { uncommonValues } from '#src/core/stats/uncommon.js';
import { Dice } from '../../support/random-plans.ts';

it('is exact for fewer than 200 values, and where one value is more than half of them', () => {
  const dice = new Dice(3);
  for (let k = 0; k < 300; k++) {
    const count = dice.whole(1, k < 200 ? 199 : 400);
    const common = dice.whole(0, 3);
    const values = Float64Array.from({ length: count }, () =>
      dice.whole(0, 9) < (k < 200 ? dice.whole(0, 9) : 8) ? common : dice.whole(0, 5),
    );
    const counts = new Map<number, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    expect(uncommonValues(values), `${values}`).toBe(count - Math.max(...counts.values()));
  }
});

it('is at least half of 200 values or more without such a value, and 0 of equal values', () => {
  expect(uncommonValues(Float64Array.from({ length: 1000 }, (_, i) => i % 7))).toBeGreaterThanOrEqual(500);
  expect(uncommonValues(new Float64Array(50_000).fill(0.1))).toBe(0);
  expect(uncommonValues(new Float64Array(0))).toBe(0);
  // The commonest value is neither 0 nor the first.
  expect(uncommonValues(Float64Array.of(0, ...new Float64Array(300).fill(4), 0, 5))).toBe(3);
});
