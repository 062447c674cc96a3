/** The number of values that differ from the commonest one, against the longest run of equal values in their order. */
import { expect, it } from 'vitest';
import { uncommonValues } from '#src/core/stats/uncommon.js';
import { Dice } from '../../support/random-plans.ts';

function longestRun(values: Float64Array): number {
  const sorted = values.slice().sort();
  let [longest, length] = [0, 0];
  for (let i = 0; i < sorted.length; i++) {
    length = sorted[i] === sorted[i - 1] ? length + 1 : 1;
    longest = Math.max(longest, length);
  }
  return longest;
}

it('is exact, up to the number that is enough', () => {
  const dice = new Dice(3);
  for (let k = 0; k < 300; k++) {
    const [common, often] = [dice.whole(0, 3), dice.whole(0, 9)];
    const values = Float64Array.from({ length: dice.whole(1, 400) }, () =>
      dice.whole(0, 9) < often ? common : dice.whole(0, 5),
    );
    const uncommon = values.length - longestRun(values);
    expect(uncommonValues(values), `${values}`).toBe(uncommon);
    expect(uncommonValues(values, 30), `${values}`).toBe(Math.min(30, uncommon));
  }
  expect(uncommonValues(new Float64Array(50_000).fill(0.1))).toBe(0);
  expect(uncommonValues(new Float64Array(0))).toBe(0);
});
