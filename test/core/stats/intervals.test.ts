/** Intervals against SciPy, and against figures worked out by hand. */
import { describe, expect, it } from 'vitest';
import {
  binomialAtMost,
  clopperPearsonInterval,
  errorOfWidth,
  intervalOfReach,
  isRareShare,
  massBelowMinimum,
  meanError,
  normalReach,
  quantileRanks,
  ratioError,
  tailMeanError,
  wilsonInterval,
} from '#src/core/stats/intervals.js';
import { sampleStandardDeviation } from '#src/core/stats/moments.js';
import { relativeError, scipyNumbers, scipyRows } from '../../support/scipy-figures.ts';

describe('Intervals of a share', () => {
  it('lie within 0 and 1', () => {
    for (let n = 1; n <= 100; n++)
      for (const level of [0.5, 0.95, 0.99]) {
        expect(wilsonInterval(n, n, level).high).toBeLessThanOrEqual(1);
        expect(wilsonInterval(0, n, level).low).toBeGreaterThanOrEqual(0);
      }
  });

  it.each(scipyNumbers('shares'))('of %d in %d at level %d are those of SciPy', (k, n, level, ...ends) => {
    const wilson = wilsonInterval(k, n, level);
    const exact = clopperPearsonInterval(k, n, level);
    const got = [wilson.low, wilson.high, exact.low, exact.high] as number[];
    // SciPy's exact interval is found by a root finder with tolerance 1e-12.
    got.forEach((end, i) => {
      expect(Math.abs(end - ends[i]), `end ${i}: ${end} for ${ends[i]}`).toBeLessThan(3e-12);
    });
    expect(wilson.standardError).toBeCloseTo(Math.sqrt(((k / n) * (1 - k / n)) / n), 15);
  });

  it('are exact below ten hits or misses, and not from ten on', () => {
    const rare = [0, 9, 10, 990, 991, 1000].map(hits => isRareShare(hits, 1000));
    expect(rare).toEqual([true, true, false, false, true, true]);
  });

  it('of fractional numbers are between those of whole numbers', () => {
    const between = clopperPearsonInterval(3.5, 40, 0.95);
    expect(between.low).toBeGreaterThan(clopperPearsonInterval(3, 40, 0.95).low as number);
    expect(between.high).toBeLessThan(clopperPearsonInterval(4, 40, 0.95).high as number);
  });
});

describe('Ranks around a quantile', () => {
  it.each(scipyRows('ranks'))(
    'of %d values at %d, level %d, are those of exact binomial tails',
    (n, u, level, low, high) => {
      const ranks = quantileRanks(n as number, u as number, level as number);
      expect([ranks.low ?? null, ranks.high ?? null]).toEqual([low, high]);
    },
  );

  it('contain the quantile with the stated probability', () => {
    for (const [n, u, level] of [
      [59, 0.05, 0.9],
      [1000, 0.01, 0.95],
      [200, 0.5, 0.8],
    ]) {
      const { low, high } = quantileRanks(n, u, level);
      // The quantile is between the order statistics of ranks l <= r (from 0) where l < Bin(n, u) + 1 and r >= Bin.
      const above = low === undefined ? 0 : binomialAtMost(low, n, u);
      const upTo = high === undefined ? 1 : binomialAtMost(high, n, u);
      expect(upTo - above, `${n} values at ${u}`).toBeGreaterThanOrEqual(level - 1e-12);
    }
  });
});

describe('Standard errors', () => {
  const values = [3, 0, 0, 7, 1, 0, 2.5, 4];
  const sums = {
    paths: values.length,
    sum: values.reduce((a, b) => a + b, 0),
    squares: values.reduce((a, b) => a + b * b, 0),
  };

  it('of a mean are s / sqrt(n)', () => {
    expect(meanError(sums)).toBeCloseTo(sampleStandardDeviation(values) / Math.sqrt(values.length), 14);
    expect(meanError({ paths: 1, sum: 3, squares: 9 })).toBeUndefined();
    // 0.1 and 0.3.
    expect(meanError({ paths: 2, sum: 0.4, squares: 0.1 })).toBeCloseTo(0.1, 14);
    expect(meanError({ paths: 3, sum: 0.3, squares: 0.03 })).toBeCloseTo(0, 8);
  });

  it('of a ratio are those of its linearised residuals', () => {
    const events = [1, 0, 0, 2, 1, 0, 1, 1];
    const ratio = sums.sum / events.reduce((a, b) => a + b, 0);
    const residuals = values.map((a, i) => (a - ratio * events[i]) ** 2).reduce((a, b) => a + b, 0);
    const n = values.length;
    const expected = Math.sqrt(residuals / (n * (n - 1))) / (events.reduce((a, b) => a + b, 0) / n);
    const got = ratioError({
      paths: n,
      events: events.reduce((a, b) => a + b, 0),
      eventSquares: events.reduce((a, b) => a + b * b, 0),
      amount: sums.sum,
      amountSquares: sums.squares,
      products: values.reduce((a, b, i) => a + b * events[i], 0),
    });
    expect(got).toBeCloseTo(expected, 13);
    expect(
      ratioError({ paths: 5, events: 0, eventSquares: 0, amount: 0, amountSquares: 0, products: 0 }),
    ).toBeUndefined();
    // An event each on two paths, with 0.1 and 0.3.
    const two = { paths: 2, events: 2, eventSquares: 2, amount: 0.4, amountSquares: 0.1, products: 0.4 };
    expect(ratioError(two)).toBeCloseTo(0.1, 14);
    expect(ratioError({ ...two, paths: 1 })).toBeUndefined();
  });

  it('of a mean beyond a quantile are those of the shortfalls, over the share of the tail', () => {
    const shortfalls = values.map(x => Math.max(0, 1.5 - x));
    const got = tailMeanError(
      {
        paths: values.length,
        shortfall: shortfalls.reduce((a, b) => a + b, 0),
        shortfallSquares: shortfalls.reduce((a, b) => a + b * b, 0),
      },
      0.05,
    );
    expect(got).toBeCloseTo(sampleStandardDeviation(shortfalls) / Math.sqrt(values.length) / 0.05, 12);
  });

  it('around an estimate have a reach below and a reach above, and end at the range of the figure', () => {
    const reach = { below: 2, above: 3 };
    expect(intervalOfReach(10, 0.5, reach)).toEqual({ standardError: 0.5, low: 9, high: 11.5 });
    expect(intervalOfReach(10, 0.5, reach, [9.5, 11])).toEqual({ standardError: 0.5, low: 9.5, high: 11 });
    expect(normalReach(0.95).below).toBeCloseTo(1.959963984540054, 12);
    expect(normalReach(0.95).above).toBe(normalReach(0.95).below);
  });

  it('between order statistics have the standard error of a normal interval of that width', () => {
    expect(errorOfWidth(1, 1 + 4 * 1.959963984540054, 0.95)).toBeCloseTo(2, 12);
  });

  it('of a minimum are a share of the paths: three in n at 95 %', () => {
    expect(relativeError(massBelowMinimum(1000, 0.95), 2.995732e-3)).toBeLessThan(1e-6);
    expect(massBelowMinimum(1, 0.95)).toBe(1);
  });
});
