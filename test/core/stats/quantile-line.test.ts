/** The line of a quantile against all lines through two points, one of which is the best. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quantileLine } from '#src/core/stats/shortfall/quantile-line.js';

interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly weights: Float64Array;
}

/** The sum of w (y - q)(a - 1{y < q}), which the line minimises. */
function scoreOf({ x, y, weights }: Points, probability: number, intercept: number, slope: number): number {
  return weights.reduce((sum, w, i) => {
    const over = y[i] - intercept - slope * x[i];
    return sum + w * over * (probability - Number(over < 0));
  }, 0);
}

/** The least score of all lines through two of the points. */
function leastScore(points: Points, probability: number): number {
  const { x, y } = points;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < x.length; i++)
    for (let j = 0; j < i; j++) {
      const slope = (y[i] - y[j]) / (x[i] - x[j]);
      least = Math.min(least, scoreOf(points, probability, y[i] - slope * x[i], slope));
    }
  return least;
}

const unit = fc.double({ min: 0, max: 1, noNaN: true });

it.each([-3, 0, 0.2, 1, 1.4, 8])('has no larger score than any of them, about a slope of %f', slope => {
  const drawn = fc.array(fc.tuple(unit, unit, unit), { minLength: 12, maxLength: 24 });
  fc.assert(
    fc.property(drawn, fc.constantFrom(0.1, 0.5, 0.9), (rows, probability) => {
      const x = Float64Array.from(rows, ([u], i) => -1 - i - u / 2);
      const points = {
        x,
        y: Float64Array.from(rows, ([, u], i) => slope * x[i] + u),
        weights: Float64Array.from(rows, ([, , u]) => 0.5 + u),
      };
      const line = quantileLine(x, points.y, points.weights, probability, true);
      const score = scoreOf(points, probability, line.intercept, line.slope);
      expect(score).toBeLessThan(leastScore(points, probability) + 1e-8);
    }),
    { numRuns: 60 },
  );
});

it.each([-3, 0.2, 1, 8])('is the line on which all points lie, of slope %f', slope => {
  const x = Float64Array.from({ length: 300 }, (_, i) => -0.01 - ((i * 7) % 300) / 100);
  const y = x.map(each => 0.5 + slope * each);
  const line = quantileLine(x, y, new Float64Array(300).fill(2), 0.05, true);
  expect(line.slope).toBeCloseTo(slope, 8);
  expect(line.intercept).toBeCloseTo(0.5, 8);
});

it('is the weighted quantile where its slope is fixed', () => {
  const y = Float64Array.of(5, 1, 4, 2, 3);
  const of = (probability: number, ...weights: number[]) =>
    quantileLine(new Float64Array(5).fill(-1), y, Float64Array.from(weights), probability, false);
  expect(of(0.5, 1, 1, 1, 1, 1)).toEqual({ intercept: 3, slope: 0 });
  expect(of(0.3, 1, 1, 1, 1, 1)).toEqual({ intercept: 2, slope: 0 });
  expect(of(0.5, 1, 8, 1, 1, 1)).toEqual({ intercept: 1, slope: 0 });
});
