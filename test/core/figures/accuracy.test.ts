/** Intervals of figures at the bounds from which they are given. */
import { describe, expect, it } from 'vitest';
import {
  meanFigure,
  minimumFigure,
  quantileFigure,
  shareFigure,
  weightedAmount,
  weightedShare,
  withExact,
  without,
} from '#src/core/figures/accuracy.js';
import { clopperPearsonInterval } from '#src/core/stats/intervals.js';
import { skewedReach } from '#src/core/stats/skewness.js';

/** The normal quantile of 95 % on two sides. */
const Z = 1.959963984540054;
const ANY = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

describe('The interval of a mean', () => {
  it('is given from 30 events on', () => {
    expect(meanFigure(5, 0.5, 29, 0.95, ANY)).toEqual(without('too-few-events'));
    const { standard_error, low, high, method } = meanFigure(5, 0.5, 30, 0.95, ANY);
    expect([standard_error, method]).toEqual([0.5, 'normal']);
    expect(low).toBeCloseTo(5 - 0.5 * Z, 10);
    expect(high).toBeCloseTo(5 + 0.5 * Z, 10);
    expect(meanFigure(5, undefined, 30, 0.95, ANY)).toEqual(without('too-few-events'));
    expect(meanFigure(5, 0.5, 3, 0.95, ANY, { leastEvents: 3 }).method).toBe('normal');
    expect(meanFigure(5, 0.5, 2, 0.95, ANY, { leastEvents: 3 }).method).toBe('too-few-events');
  });

  it('has the reach of a skewed law, and ends at the range of the figure', () => {
    const reach = { below: 1, above: 3 };
    expect(meanFigure(5, 0.5, 30, 0.95, ANY, { reach })).toMatchObject({ low: 4.5, high: 6.5 });
    expect(meanFigure(5, 0.5, 30, 0.95, [4.75, 5.25], { reach })).toMatchObject({ low: 4.75, high: 5.25 });
  });

  it('of weighted paths is given from 30 events on, with the paths of equal weight', () => {
    const mean = { mean: 5, standardError: 0.5, effective: 77 };
    const none = { ...without('too-few-events'), effective_scenarios: null };
    expect(weightedAmount(mean, 29, 0.95, ANY)).toEqual(none);
    expect(weightedAmount({ ...mean, standardError: undefined }, 30, 0.95, ANY)).toEqual(none);
    expect(weightedAmount({ ...mean, effective: undefined }, 30, 0.95, ANY)).toEqual(none);
    const given = weightedAmount(mean, 30, 0.95, ANY);
    expect(given).toMatchObject({ standard_error: 0.5, method: 'normal', effective_scenarios: 77 });
    expect(given.low).toBeCloseTo(5 - 0.5 * Z, 10);
    expect(given.high).toBeCloseTo(5 + 0.5 * Z, 10);
  });
});

describe('The interval of a share', () => {
  it('is that of Clopper and Pearson where events are rare, and of Wilson where they are not', () => {
    expect(shareFigure(2, 1000, 0.95).method).toBe('clopper-pearson');
    expect(shareFigure(500, 1000, 0.95).method).toBe('wilson');
  });

  it('of weighted paths has 30 paths with the event and without it, however few plain paths have its error', () => {
    const none = { ...without('too-few-events'), effective_scenarios: null };
    const of = (events: number, paths: number, mean: number, effective: number | undefined) =>
      weightedShare({ mean, effective, standardError: 0.01, skewness: 0 }, events, paths, 0.95);
    const given = of(30, 60, 0.5, 60);
    const { low, high, standardError } = clopperPearsonInterval(30, 60, 0.95);
    expect(given).toEqual({
      low,
      high,
      standard_error: standardError ?? null,
      method: 'clopper-pearson',
      effective_scenarios: 60,
    });
    expect(of(29, 60, 0.5, 60)).toEqual(none);
    expect(of(30, 59, 0.5, 60)).toEqual(none);
    expect(of(30, 60, 0.5, undefined)).toEqual(none);
    // Samples whose error is large have few effective paths: intervals of the others alone would contain the share too seldom.
    expect(of(30, 60, 0.01, 119).method).toBe('clopper-pearson');
    expect(of(30, 60, 0.99, 119).method).toBe('clopper-pearson');
  });

  it('of weighted paths reaches as much further as its skewness exceeds that of as many plain paths', () => {
    const plain = clopperPearsonInterval(5, 100, 0.95);
    const of = (skewness: number) =>
      weightedShare({ mean: 0.05, effective: 100, standardError: 0.02, skewness }, 30, 1000, 0.95);
    const binomial = 0.9 / Math.sqrt(100 * 0.05 * 0.95);
    expect(of(binomial).low).toBeCloseTo(plain.low, 12);
    expect(of(binomial).high).toBeCloseTo(plain.high, 12);
    const [more, reach] = [of(0.6), skewedReach(0.6, Z)];
    const usual = skewedReach(binomial, Z);
    expect(more.low).toBeCloseTo(0.05 - ((0.05 - plain.low) * reach.below) / usual.below, 12);
    expect(more.high).toBeCloseTo(0.05 + ((plain.high - 0.05) * reach.above) / usual.above, 12);
    expect(Number(more.high)).toBeGreaterThan(plain.high);
    const common = (mean: number, skewness: number) =>
      weightedShare({ mean, effective: 40, standardError: 0.05, skewness }, 300, 600, 0.95);
    expect(common(0.9, 2).high).toBe(1);
    expect(common(0.1, -2).low).toBe(0);
  });
});

describe('The interval of a quantile', () => {
  it('lies between two order statistics, with the error of their distance', () => {
    const { standard_error, low, high, method } = quantileFigure(1, 1 + 2 * Z, 0.95);
    expect(standard_error).toBeCloseTo(1, 10);
    expect([low, high, method]).toEqual([1, 1 + 2 * Z, 'order-statistics']);
    expect(quantileFigure(1, undefined, 0.95)).toMatchObject({ standard_error: null, low: 1, high: null });
    expect(quantileFigure(undefined, 2, 0.95)).toMatchObject({ standard_error: null, low: null, high: 2 });
  });
});

it('Below the lowest of n paths lies a share that they all miss with less than the rest of the confidence', () => {
  const { mass_below, method, low } = minimumFigure(100, 0.95);
  expect([method, low]).toEqual(['tail-mass', null]);
  // The rule of three.
  expect(100 * (mass_below ?? 0)).toBeCloseTo(2.995732273553991, 12);
  expect((1 - (mass_below ?? 0)) ** 100).toBeLessThan(0.05);
});

it('Exact values stand beside the figures that have one', () => {
  const none = without('none');
  const certain = { value: 1, error: 0 };
  const figures = withExact(
    { a: none, b: none, c: none, d: none },
    {
      b: { value: 0.25, error: 0.025 },
      c: { value: 0.24, error: 0.025 },
      d: { value: 0, error: 0 },
      e: certain,
    },
  );
  expect(figures).toEqual({
    a: none,
    b: { ...none, exact: 0.25, exact_error: 0.025 },
    // Less than ten times its error.
    c: { ...none, exact: null, exact_error: 0.025 },
    d: { ...none, exact: 0, exact_error: 0 },
  });
});
