/** The search for the smallest move at which a figure reaches a bound, and the direction of the most likely loss. */
import { describe, expect, it } from 'vitest';
import {
  deviationPoints,
  type FigureAt,
  fallPoints,
  likelyDirection,
  REVERSE_POINTS,
  reverseSearch,
} from '#src/core/stress/reverse-search.js';

/** A search over falls, with the moves that it looked at. */
async function search(of: (at: number) => number, bound: number, error = 0) {
  const seen: number[] = [];
  const found = await reverseSearch(fallPoints(0.95), bound, 1e-4, async (at): Promise<FigureAt> => {
    seen.push(at);
    const value = of(at);
    return { at, value, low: error > 0 ? value - error : null, high: error > 0 ? value + error : null };
  });
  return { found, seen };
}

describe('The search for a move', () => {
  it('looks at 17 points first, even in logarithms, and at no more than 29 moves', async () => {
    const { seen, found } = await search(at => at, 0.41);
    expect(seen.slice(0, REVERSE_POINTS)).toEqual(fallPoints(0.95));
    const steps = fallPoints(0.95).map(at => Math.log1p(-at));
    steps.forEach((step, k) => {
      expect(step).toBeCloseTo((k / 16) * Math.log(0.05), 12);
    });
    expect(seen.length).toBeLessThanOrEqual(29);
    expect(found.found?.at).toBeGreaterThanOrEqual(0.41);
    expect(Number(found.found?.at) - 0.41).toBeLessThan(1e-4);
    expect(found.before?.value).toBeLessThan(0.41);
    expect([found.crossings, found.low, found.high]).toEqual([1, null, null]);
    for (const largest of [0.99, 0.5]) expect(fallPoints(largest).at(-1)).toBe(largest);
    expect(deviationPoints(12)[1]).toBe(0.75);
  });

  it('has the moves at which an interval leaves the bound', async () => {
    const { found } = await search(at => at, 0.41, 0.02);
    // Between two points the ends lie on a line, as the figure here does.
    expect(found.low).toBeCloseTo(0.39, 9);
    expect(found.high).toBeCloseTo(0.43, 9);
    const wide = await search(at => at, 0.41, 1);
    expect([wide.found.low, wide.found.high]).toEqual([null, null]);
  });

  it('ends at no move where the bound is reached there, and nowhere where it is never reached', async () => {
    const reached = await search(at => at + 1, 0.5);
    expect([reached.found.found?.at, reached.found.before, reached.seen.length]).toEqual([0, undefined, 17]);
    const never = await search(at => at, 2);
    expect([never.found.found, never.found.last.at, never.found.crossings]).toEqual([undefined, 0.95, 0]);
  });

  it('finds the first crossing of several, and counts them', async () => {
    const { found } = await search(at => ((at > 0.3 && at < 0.6) || at > 0.9 ? 1 : 0), 0.5);
    expect(found.found?.at).toBeCloseTo(0.3, 3);
    expect(found.crossings).toBe(3);
  });
});

describe('The most likely loss of a value', () => {
  const [a, b, rho] = [0.9, 1.2, 0.75];
  const covariance = Float64Array.of(a * a, rho * a * b, 0, rho * a * b, b * b, 0, 0, 0, 0);
  const delta = Float64Array.of(0.9, 0.6, -1);

  it.each([
    [0.8, 3.655945, [-0.149912, -0.191799]],
    [1, 8.147082, [-0.303672, -0.377826]],
  ])(
    'of two coins has the deviations of another program: a loan-to-value of %d',
    async (ltv, deviations, shocks) => {
      const direction = likelyDirection(covariance, delta) ?? new Float64Array();
      const shockAt = (x: number) => direction.map(each => Math.expm1(-x * Math.sqrt(24 / 8760) * each));
      const { found } = await reverseSearch(deviationPoints(12), ltv, 1e-7, async at => {
        const [first, second] = shockAt(at);
        return { at, value: 1 / (0.9 * (1 + first) + 0.6 * (1 + second)), low: null, high: null };
      });
      expect(found?.at).toBeCloseTo(deviations, 6);
      const [first, second, cash] = shockAt(Number(found?.at));
      expect([first, second]).toEqual(shocks.map(shock => expect.closeTo(shock, 6)));
      expect(Math.abs(cash)).toBe(0);
    },
  );

  it('is undefined for a book that no price moves', () => {
    expect(likelyDirection(new Float64Array(4), Float64Array.of(1, -1))).toBeUndefined();
  });
});
