import { expect, it } from 'vitest';
import { logReturns } from '#src/models/calibration/log-returns.js';

it('Log returns are one fewer than the closes', () => {
  expect([...logReturns([1, Math.E])]).toEqual([1]);
  expect([...logReturns([4, 2, 2])]).toEqual([-Math.LN2, 0]);
});

it('A single close is refused, and one that is not positive and finite', () => {
  expect(() => logReturns([1])).toThrow('closes has 1 prices, at least 2 needed');
  expect(() => logReturns([1, 0])).toThrow('closes[1] is 0, must be positive and finite');
  for (const bad of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => logReturns([1, 2, bad])).toThrow(`closes[2] is ${bad}`);
  expect(() => logReturns([Number.POSITIVE_INFINITY, 1])).toThrow('closes[0] is Infinity');
});
