/** The ratios of a loan from its first call on, by step. */
import { expect, it } from 'vitest';
import { PriceExtremes } from '#src/core/book/price-extremes.js';
import { SignedBasket } from '#src/core/book/signed-basket.js';
import { SignedSeries } from '#src/core/book/signed-series.js';
import { signedTerms, sparseWeights } from '#src/core/book/signed-terms.js';

const STEPS = 60;
/** A collateral of 1 but for some steps, against a debt of 1. */
function seriesOf(ratios: Readonly<Record<number, number>>): SignedSeries {
  const path = new PriceExtremes(2, STEPS);
  for (const prices of path.prices) prices.fill(1);
  for (const [step, ratio] of Object.entries(ratios)) path.prices[0][Number(step) - 1] = ratio;
  path.update();
  const side = (...weights: number[]) => sparseWeights(Float64Array.from(weights), 2);
  return new SignedSeries(new SignedBasket(path, signedTerms(side(1, 0), side(0, 1))));
}

it('The first step below a ratio is looked for, but for the known one of the first call', () => {
  const series = seriesOf({ 10: 0.7, 20: 0.5, 40: 0.7 });
  series.turnTo(0, STEPS, undefined, 0.8, 10);
  expect(series.firstBelow(0.8, 10, STEPS)).toBe(10);
  // Another ratio from there on, and the same ratio from another step on.
  expect(series.firstBelow(0.6, 10, STEPS)).toBe(20);
  expect(series.firstBelow(0.8, 11, STEPS)).toBe(20);
  expect(series.firstBelow(0.8, 21, STEPS)).toBe(40);
  expect(series.firstBelow(0.8, 21, 39)).toBe(40);
  expect(series.firstBelow(0.8, 41, STEPS)).toBe(STEPS + 1);
  expect(series.firstBelow(0.4, 1, STEPS)).toBe(STEPS + 1);
  expect([series.at(20), series.collateralAt(20), series.debtAt(20)]).toEqual([0.5, 0.5, 1]);
});

it('The first step outside two ratios is below the one, or not below the other', () => {
  const series = seriesOf({ 10: 0.7, 20: 0.5, 40: 1.5 });
  series.turnTo(0, STEPS, undefined, 0.8, 10);
  expect(series.firstOutside(0.6, 2, 1, STEPS)).toBe(20);
  expect(series.firstOutside(0.5, 2, 1, STEPS)).toBe(STEPS + 1);
  expect(series.firstOutside(0.5, 1.5, 1, STEPS)).toBe(40);
  expect(series.firstOutside(0.5, 1.25, 21, STEPS)).toBe(40);
  expect(series.firstOutside(0.5, 1.25, 21, 30)).toBe(31);
  expect(series.firstOutside(0.6, 2, 20, 20)).toBe(20);
  expect(series.firstOutside(0.6, 2, 31, 30)).toBe(31);
});
