/** Standard errors over overlapping windows: against the formula term by term, and against a law that is known. */
import { describe, expect, it } from 'vitest';
import { clopperPearsonInterval, massBelowMinimum } from '#src/core/stats/intervals.js';
import {
  cosineVariance,
  enoughEventfulWindows,
  enoughWindows,
  overlapOf,
  overlappingShareInterval,
  windowMean,
} from '#src/core/stats/overlapping-windows.js';
import { skewedReach } from '#src/core/stats/skewness.js';
import { twoSidedNormal, twoSidedStudentT } from '#src/core/stats/special-functions.js';

/** Independent standard normals of a small generator. */
function normals(count: number, seed: number): number[] {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return Array.from(
    { length: count },
    () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
  );
}

describe('Windows that overlap', () => {
  it('have the number of windows without overlap, and half as many cosines', () => {
    expect(overlapOf(1000, 24)).toEqual({ windows: 1000, independent: 1000 / 24, cosines: 20 });
    expect(enoughWindows(overlapOf(240, 24))).toBe(true);
    expect(enoughWindows(overlapOf(239, 24))).toBe(false);
  });

  it('have the variance of the formula, term by term', () => {
    const x = normals(700, 3).map((value, t) => value + 0.5 * Math.sin(t / 40));
    const overlap = overlapOf(x.length, 50);
    const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
    let expected = 0;
    for (let j = 1; j <= 7; j++) {
      const terms = x.map((value, t) => Math.cos((Math.PI * j * (t + 0.5)) / x.length) * (value - mean));
      const weight = Math.sqrt(2 / x.length) * terms.reduce((sum, term) => sum + term, 0);
      expected += weight ** 2 / (x.length * 7);
    }
    expect(overlap.cosines).toBe(7);
    expect(cosineVariance(x, overlap)).toBeCloseTo(expected, 12);
  });

  it('have on average the variance of their mean: moving sums of independent numbers', () => {
    const steps = 20;
    const windows = 2000;
    const samples = Array.from({ length: 200 }, (_, sample) => {
      const z = normals(windows + steps, sample + 1);
      const x = Array.from({ length: windows }, (_, t) =>
        z.slice(t, t + steps).reduce((sum, value) => sum + value, 0),
      );
      return cosineVariance(x, overlapOf(windows, steps));
    });
    const average = samples.reduce((sum, value) => sum + value, 0) / samples.length;
    // The mean of so many sums of 20 has variance close to 20^2 / 2000. Each sample has a relative standard deviation of
    // sqrt(2 / 50), their average of 1.4 %; the cosines smooth the spectrum, which takes some per cent off.
    expect(average / (steps ** 2 / windows)).toBeGreaterThan(0.75);
    expect(average / (steps ** 2 / windows)).toBeLessThan(1.05);
  });

  it.each([
    ['as its variance says', 0.004, (spread: number) => spread / 0.004],
    ['1.5 independent windows at most', 1e-9, () => (1.5 * 1000) / 24],
  ])(
    'have, for a mean, as many effective windows %s, with the quantile of t and the skewness of so many',
    (_, variance, trials) => {
      const overlap = overlapOf(1000, 24);
      // 250 amounts of 1, the others 0: spread p (1 - p), skewness (1 - 2 p) / sqrt(p (1 - p)).
      const amounts = Array.from({ length: 1000 }, (_, t) => (t % 4 === 0 ? 1 : 0));
      const spread = 0.25 * 0.75;
      const effective = trials(spread);
      const mean = windowMean(amounts, variance, overlap, 0.9);
      expect(mean?.standardError).toBeCloseTo(Math.sqrt(spread / effective), 12);
      const reach = skewedReach(0.5 / Math.sqrt(spread * effective), twoSidedStudentT(20, 0.9));
      expect(mean?.reach.below).toBeCloseTo(reach.below, 10);
      expect(mean?.reach.above).toBeCloseTo(reach.above, 10);
      expect(reach.above).toBeGreaterThan(reach.below);
    },
  );

  it('have no error for a mean of equal amounts', () => {
    expect(windowMean(new Float64Array(1000).fill(0.1), 0, overlapOf(1000, 24), 0.9)).toBeUndefined();
  });

  it('are enough for a mean where one of those that do not overlap is in the tail', () => {
    expect(enoughEventfulWindows(overlapOf(240, 24), 1 - 0.9)).toBe(true);
    expect(enoughEventfulWindows(overlapOf(240, 24), 0.099)).toBe(false);
  });

  it.each([
    ['as many trials as have its variance', 0.2, 0.004],
    ['twice the independent windows at most', 0.2, 1e-9],
    ['the windows themselves at most', 0.2, 1e-9],
    ['the independent windows where nothing varies', 0, 0],
  ])('have, for a share, the exact interval of %s', (name, share, variance) => {
    const overlap = name.startsWith('the windows') ? overlapOf(30, 1) : overlapOf(1000, 24);
    const { windows, independent, cosines } = overlap;
    const quantiles = twoSidedNormal(0.95) / twoSidedStudentT(cosines, 0.95);
    const trials =
      share === 0
        ? independent
        : Math.min(windows, 2 * independent, ((share * (1 - share)) / variance) * quantiles ** 2);
    const { low, high } = clopperPearsonInterval(share * trials, trials, 0.95);
    const interval = overlappingShareInterval(share, variance, overlap, 0.95);
    expect(interval).toEqual({ standardError: Math.sqrt(variance), low, high });
  });

  it('have the mass below the lowest of their independent number', () => {
    expect(massBelowMinimum(overlapOf(1000, 24).independent, 0.95)).toBeCloseTo(
      (-Math.log(0.05) * 24) / 1000,
      12,
    );
  });
});
