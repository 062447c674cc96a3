/** Preconditions of statistics. */
import { expect, it } from 'vitest';
import { requireFinite, requireInnerProbability, requireProbability } from '#src/core/stats/preconditions.js';

it('A number that is not finite is refused by its name at every place', () => {
  for (let length = 1; length < 10; length++) {
    for (const size of [1e308, 3, 0.1])
      expect(() =>
        requireFinite(
          'x',
          Float64Array.from({ length }, (_, i) => size * ((1 + i) / length)),
        ),
      ).not.toThrow();
    for (let at = 0; at < length; at++)
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        const values = new Float64Array(length).fill(2);
        values[at] = bad;
        expect(() => requireFinite('x', values)).toThrow(
          new RangeError(`x[${at}] is ${bad}, must be finite`),
        );
      }
  }
});

it('Too few values are refused; at least one is needed by default', () => {
  expect(() => requireFinite('x', [])).toThrow('x has 0 values, at least 1 needed');
  expect(() => requireFinite('x', [1, 2], 3)).toThrow('x has 2 values, at least 3 needed');
  expect(() => requireFinite('x', [1, 2, 3], 3)).not.toThrow();
});

it('A probability outside 0 to 1 is refused; both ends are accepted', () => {
  for (const p of [0, 0.5, 1]) expect(() => requireProbability('p', p)).not.toThrow();
  for (const p of [-1e-9, 1.000001, Number.NaN]) expect(() => requireProbability('p', p)).toThrow(RangeError);
});

it('A probability that must be within 0 and 1 is refused at both ends', () => {
  for (const p of [1e-300, 0.5, 1 - 2 ** -53]) expect(() => requireInnerProbability('p', p)).not.toThrow();
  for (const p of [0, 1, -0.5, 1.5, Number.NaN])
    expect(() => requireInnerProbability('p', p)).toThrow(
      new RangeError(`p is ${p}, must be above 0 and below 1`),
    );
});
