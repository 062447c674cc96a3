/** The values of a loan's baskets along known prices. */
import { expect, it } from 'vitest';
import { HourlySeries } from '#src/core/stress/hourly-series.js';

/** Two assets: 1, 2, 4 and 1, 1, 0.5 times their first prices. */
const seriesOf = () => new HourlySeries([Float64Array.of(1, 2, 4), Float64Array.of(1, 1, 0.5)]);

it('Baskets have their values, and the debt its growth, at every step', () => {
  const series = seriesOf();
  series.turnTo(Float64Array.of(3, 2), Float64Array.of(0, 1), Math.log(2));
  expect([0, 1, 2].map(step => series.collateralAt(step))).toEqual([5, 8, 13]);
  [1, 2, 2].forEach((debt, step) => {
    expect(series.debtAt(step)).toBeCloseTo(debt, 14);
    expect(series.at(step)).toBeCloseTo([5, 4, 6.5][step], 14);
  });
  // Other baskets, and no growth.
  series.turnTo(Float64Array.of(0, 1), Float64Array.of(1, 0), 0);
  expect([0, 1, 2].map(step => series.at(step))).toEqual([1, 0.5, 0.125]);
  series.growBy(-1);
  expect(series.at(2)).toBeCloseTo(0.125 * Math.exp(2), 14);
});

it.each([1, -1, 0.01])('The debt grows by %f a step from the first selection on', perStep => {
  const series = seriesOf();
  series.turnTo(Float64Array.of(1, 0), Float64Array.of(1, 0), perStep);
  for (const step of [0, 1, 2]) expect(series.at(step)).toBeCloseTo(Math.exp(-perStep * step), 14);
});

it('The first step below a ratio, or outside two, lies within the steps looked at', () => {
  const down = seriesOf();
  down.turnTo(Float64Array.of(0, 1), Float64Array.of(0.5, 0.5), 0);
  // 1, 2 / 3, 2 / 9.
  expect(down.firstBelow(1, 0, 2)).toBe(1);
  expect(down.firstBelow(0.5, 0, 2)).toBe(2);
  expect(down.firstBelow(0.5, 0, 1)).toBe(2);
  expect(down.firstBelow(0.1, 0, 2)).toBe(3);
  expect(down.firstBelow(1, 2, 2)).toBe(2);
  // The lower bound is within, the upper one is not.
  const flat = seriesOf();
  flat.turnTo(Float64Array.of(1, 0), Float64Array.of(1, 0), 0);
  expect(flat.firstOutside(1, 2, 0, 2)).toBe(3);
  expect(flat.firstOutside(1, 1, 0, 2)).toBe(0);
  expect(down.firstOutside(0.5, 2, 0, 2)).toBe(2);
  expect(down.firstOutside(0.5, 2, 0, 1)).toBe(2);
});
