import { expect, test } from 'vitest';
import { NumberList } from '#src/engine/threads/number-list.js';

test('a list has all numbers that were added, also beyond its first memory, and none of before it was emptied', () => {
  const list = new NumberList();
  const fill = (first: number, count: number) => {
    for (let i = 0; i < count; i += 2) list.addTwo(first + i, first + i + 1);
  };
  const numbers = () => Array.from(list.values.subarray(0, list.length));
  fill(0, 5000);
  expect(numbers()).toEqual(Array.from({ length: 5000 }, (_, i) => i));
  list.length = 0;
  fill(100.5, 4);
  expect(numbers()).toEqual([100.5, 101.5, 102.5, 103.5]);
});
