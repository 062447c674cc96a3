/** Carried closes of two windows of one request. */
import { expect, it } from 'vitest';
import { mergeFilled } from '#src/methodology/window.js';

it('Carried closes of a series in two windows are counted once, by the larger count', () => {
  const days = (symbol: string, count: number) => ({ symbol, unit: 'day' as const, count });
  const hours = (symbol: string, count: number) => ({ symbol, unit: 'hour' as const, count });
  expect(mergeFilled([days('A', 2), days('B', 5)], [days('A', 3), days('B', 4), hours('A', 1)])).toEqual([
    days('A', 3),
    days('B', 5),
    hours('A', 1),
  ]);
});
