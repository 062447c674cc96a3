/** First passages and lognormal laws against recomputation by another route. */
import { describe, expect, it } from 'vitest';
import { firstPassageError, firstPassageProbability } from '#src/core/stats/first-passage.js';
import { expectedShortfallBelow, lognormalLowerTail } from '#src/core/stats/lognormal.js';
import { normalCdf } from '#src/core/stats/special-functions.js';
import { expectedLoss } from '../../support/closed-forms/expected-loss.ts';
import { lognormalTail } from '../../support/closed-forms/lognormal-tail.ts';
import { scipyNumbers } from '../../support/scipy-figures.ts';

/** The probability that a walk with steps of deviation 1 is below a level, by Simpson's rule on its density at or above the level. */
function plainPassage(drift: number, level: number, steps: number): number {
  const normal = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  const width = 0.1;
  const top = Math.max(level, 0, drift * steps) + 7 * Math.sqrt(steps) + 7;
  const points = 2 * Math.ceil((top - level) / (2 * width)) + 1;
  const weight = (i: number) => (width / 3) * (i === 0 || i === points - 1 ? 1 : 2 + 2 * (i % 2));
  // The density of a step, by the number of points between its ends.
  const kernel = Float64Array.from({ length: 2 * points }, (_, i) => normal((i - points) * width - drift));
  let density = Float64Array.from({ length: points }, (_, i) => normal(level + i * width - drift));
  for (let step = 2; step <= steps; step++) {
    const before = density.map((value, i) => weight(i) * value);
    density = density.map((_, i) =>
      before.reduce((sum, value, k) => sum + value * kernel[i - k + points], 0),
    );
  }
  return 1 - density.reduce((sum, value, i) => sum + weight(i) * value, 0);
}

/** More steps take seconds. */
const isQuick = ([, , steps]: readonly number[]) => steps <= 240;

describe('The first passage of a Gaussian walk', () => {
  const agrees = (drift: number, level: number, steps: number, expected: number) => {
    const got = firstPassageProbability({ drift, deviation: 1, steps }, level);
    // The fixture itself is good to about 1e-7.
    expect(Math.abs(got - expected)).toBeLessThan(1e-6);
  };
  it.each(scipyNumbers('passages').filter(isQuick))(
    'with drift %d below %d within %d steps agrees with a fine grid and FFTs',
    agrees,
  );
  it.each(scipyNumbers('passages').filter(each => !isQuick(each)))(
    'with drift %d below %d within %d steps agrees with a fine grid and FFTs',
    { tags: ['slow'] },
    agrees,
  );

  it.each([
    [0, -1, 2],
    [0, 1, 3],
    [0.7, -0.5, 5],
    [-0.7, -9, 12],
    [2.5, 0.5, 3],
    [2.5, 6, 8],
    [-2.5, -14, 6],
    [-2.5, -38, 16],
    [1.2, 3, 10],
    [-1.2, -16, 10],
  ])(
    'with drift %d below %d within %d steps agrees with a plain sum over its density',
    (drift, level, steps) => {
      agrees(drift, level, steps, plainPassage(drift, level, steps));
    },
  );

  it('in one step is a normal probability', () => {
    const got = firstPassageProbability({ drift: -0.001, deviation: 0.02, steps: 1 }, -0.03);
    expect(got).toBeCloseTo(normalCdf((-0.03 + 0.001) / 0.02), 9);
  });

  it.each([
    // SciPy's quad over the first of two steps.
    [0, -1, 2, 0.2903376421620424],
    [0, -10, 2, 7.687298972175303e-13],
    // A grid of 0.05 with Gregory's end correction, relative error some 1e-7.
    [0, -60, 72, 1.0288093234891776e-12],
    [-0.002, -128, 336, 3.035127755446706e-12],
  ])(
    'with drift %d below %d within %d steps is as exact where it is rare',
    (drift, level, steps, expected) => {
      const got = firstPassageProbability({ drift, deviation: 1, steps }, level);
      const ofGrid = steps > 2 ? 3e-7 * expected : 0;
      expect(Math.abs(got - expected)).toBeLessThan(firstPassageError(expected) + ofGrid);
    },
  );

  it('does not depend on the unit of the walk', () => {
    const small = firstPassageProbability({ drift: -1e-5, deviation: 0.004, steps: 300 }, -0.08);
    const large = firstPassageProbability({ drift: -1e-2, deviation: 4, steps: 300 }, -80);
    expect(small).toBeCloseTo(large, 12);
  });

  it('is certain or impossible where the walk does not move or the level is out of reach', () => {
    expect(firstPassageProbability({ drift: 0, deviation: 0, steps: 10 }, -0.1)).toBe(0);
    // A level that is met is not passed.
    expect(firstPassageProbability({ drift: 0, deviation: 0, steps: 10 }, 0)).toBe(0);
    expect(firstPassageProbability({ drift: -0.25, deviation: 0, steps: 4 }, -1)).toBe(0);
    expect(firstPassageProbability({ drift: -0.05, deviation: 0, steps: 10 }, -0.1)).toBe(1);
    expect(firstPassageProbability({ drift: 0, deviation: 0.01, steps: 10 }, -100)).toBe(0);
    expect(firstPassageProbability({ drift: 0, deviation: 0.01, steps: 10 }, 100)).toBe(1);
  });
});

describe('A lognormal value', () => {
  it('has the expected shortfall below a strike of the closed form of the engine tests', () => {
    const ratio = { drift: -0.12, volatility: 0.8 };
    for (const [n, years] of [
      [1.5, 0.25],
      [1.05, 1],
      [3, 2],
    ]) {
      const mean = Math.log(n) + ratio.drift * years;
      const got = expectedShortfallBelow({ mean, deviation: ratio.volatility * Math.sqrt(years) }, 1);
      expect(got, `N = ${n}`).toBeCloseTo(expectedLoss(ratio, n, years), 11);
    }
    expect(expectedShortfallBelow({ mean: -1, deviation: 0 }, 1)).toBeCloseTo(1 - Math.exp(-1), 15);
  });

  it('has the tail of the closed form of the engine tests', () => {
    const expected = lognormalTail(1000, 0.9, 0.3, 0.99);
    const deviation = 0.9 * Math.sqrt(0.3);
    const got = lognormalLowerTail({ mean: Math.log(1000) - deviation ** 2 / 2, deviation }, 1 - 0.99);
    expect(got.quantile).toBeCloseTo(expected.quantile, 8);
    expect(got.tailMean).toBeCloseTo(expected.tailMean, 8);
  });
});
