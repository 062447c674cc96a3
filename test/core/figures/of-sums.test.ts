/** The figures of sums, one of each shape, by hand. */
import { expect, it } from 'vitest';
import type { PathRecords } from '#src/core/engine.js';
import { minimumFigure, shareFigure, withoutWeighted } from '#src/core/figures/accuracy.js';
import { ANY_NUMBER, type Figures, NOT_NEGATIVE, share } from '#src/core/figures/figure.js';
import {
  accuracyOf,
  figuresOf,
  figuresUnderWeights,
  figureValue,
  weightedAccuracyOf,
  weightedFiguresOf,
  windowFiguresOf,
} from '#src/core/figures/of-sums.js';
import { skewedReach } from '#src/core/stats/skewness.js';
import { weightedMean, weightedSkewness } from '#src/core/stats/weighted.js';

type Name = 'hits' | 'none' | 'amount' | 'squares' | 'events' | 'count' | 'counts' | 'products' | 'lowest';
interface Terms {
  readonly unit: number;
}

const WORDS = { words: 'A figure.', label: 'Figure' };
const CONTRIBUTIONS = Float64Array.of(0, 1);
const mean = {
  shape: 'mean',
  sum: 'amount',
  squares: 'squares',
  events: 'events',
  scale: ({ unit }: Terms) => -unit,
  unit: 'USD',
  range: ANY_NUMBER,
  ...WORDS,
} as const;
const ROWS = {
  Share: share<Name>('hits', WORDS, () => CONTRIBUTIONS),
  Count: share<Name>('hits', WORDS),
  Absent: { ...share<Name>('none', WORDS), optional: true },
  Mean: { ...mean, offset: 5, most: ({ unit }: Terms) => 5 * unit, ofWindows: () => CONTRIBUTIONS },
  Rounded: { ...mean, value: () => 7, error: (error: number) => 3 * error, range: NOT_NEGATIVE },
  Ratio: {
    shape: 'ratio',
    amount: 'amount',
    amountSquares: 'squares',
    count: 'count',
    countSquares: 'counts',
    products: 'products',
    events: 'events',
    scale: ({ unit }: Terms) => unit,
    unit: 'USD',
    range: NOT_NEGATIVE,
    ...WORDS,
  },
  Lowest: { shape: 'minimum', lowest: 'lowest', unit: 'none', range: ANY_NUMBER, ...WORDS },
} as const satisfies Figures<Name, Terms>;

/** A hundred paths: 40 with an amount of 1 and an event, 60 with none. */
const SUMS = {
  paths: 100,
  hits: 25,
  none: undefined,
  amount: 40,
  squares: 40,
  events: 40,
  count: 80,
  counts: 160,
  products: 80,
  lowest: 0.75,
};
const TERMS = { unit: 2 };
const LEVEL = 0.95;
const Z = 1.959963984540054;

it('Values follow from the sums, in the unit of the terms', () => {
  expect(figuresOf<Name, Terms, typeof ROWS>(ROWS, SUMS, TERMS)).toEqual({
    Share: 0.25,
    Count: 0.25,
    Mean: 5 - 0.8,
    Rounded: 7,
    Ratio: 1,
    Lowest: 0.75,
  });
  expect(figureValue<Name, Terms>(ROWS.Ratio, { ...SUMS, count: 0 }, TERMS)).toBe(0);
  expect(() => figureValue<Name, Terms>(ROWS.Ratio, { ...SUMS, count: undefined }, TERMS)).toThrow(
    'The run adds up no count.',
  );
});

it('Values under weights are within the range of the figure, whatever the rounding of their sums', () => {
  const underWeights = (hits: number) => {
    const rows = { Share: ROWS.Share, NotNegative: { ...mean, range: NOT_NEGATIVE } } as const;
    return figuresUnderWeights<Name, Terms, typeof rows>(rows, { ...SUMS, hits }, TERMS);
  };
  expect([100 + 1e-9, -1e-9, 99].map(hits => underWeights(hits).Share)).toEqual([1, 0, 0.99]);
  expect(underWeights(99).NotNegative).toBe(0);
  expect(figureValue<Name, Terms>(ROWS.Share, { ...SUMS, hits: 101 }, TERMS)).toBe(1.01);
});

it('Errors are those of the sums, in the unit of the terms, within the range of the figure', () => {
  const got = accuracyOf<Name, Terms, typeof ROWS>(ROWS, SUMS, TERMS, LEVEL);
  expect(Object.keys(got)).toEqual(['Share', 'Count', 'Mean', 'Rounded', 'Ratio', 'Lowest']);
  expect(got.Share).toEqual(shareFigure(25, 100, LEVEL));
  expect(got.Lowest).toEqual(minimumFigure(100, LEVEL));
  // The variance of 40 ones and 60 zeros is 24 / 99.
  const error = 2 * Math.sqrt(24 / 99 / 100);
  expect(got.Mean.standard_error).toBeCloseTo(error, 12);
  expect(got.Mean.low).toBeCloseTo(4.2 - Z * error, 12);
  expect(got.Mean.high).toBeCloseTo(4.2 + Z * error, 12);
  expect(got.Rounded.standard_error).toBeCloseTo((3 * error) / 2, 12);
  // Two events on each of the paths with an amount of 1: the amount of an event is always a half.
  expect(got.Ratio.standard_error).toBeCloseTo(0, 12);
  // The largest value under the terms.
  const cut = { ...ROWS, Mean: { ...ROWS.Mean, most: () => 4.3 } };
  expect(accuracyOf<Name, Terms, typeof cut>(cut, SUMS, TERMS, LEVEL).Mean.high).toBe(4.3);
});

it('Contributions of windows are those of shares and means that have them', () => {
  const of = (rows: Figures<Name, Terms>) => windowFiguresOf(rows, SUMS, {} as PathRecords, TERMS);
  expect(of(ROWS)).toEqual({
    Share: { kind: 'share', contributions: CONTRIBUTIONS },
    Mean: { kind: 'mean', contributions: CONTRIBUTIONS, range: [Number.NEGATIVE_INFINITY, 10] },
  });
});

it('Means of weighted paths are scaled as those of plain ones', () => {
  const weights = { once: 100, odd: 50, twice: 110 };
  const hits = { once: 40, odd: 22, twice: 45 };
  const sums = { paths: weights, hits, amount: hits, squares: hits, none: hits };
  const run = { counts: { ...SUMS, hits: 40 }, sums };
  const plain = weightedMean({ paths: 100, weights, sum: hits, squares: hits });
  const rows = ROWS as Figures<Name, Terms>;
  const { Share, Mean, ...others } = weightedFiguresOf<Name, Terms, typeof rows>(rows, run as never, TERMS);
  expect(Share).toEqual(plain);
  expect(Mean.mean).toBeCloseTo(5 - 2 * plain.mean, 12);
  expect(Mean.standardError).toBeCloseTo(2 * Number(plain.standardError), 12);
  expect(Object.keys(others)).toEqual(['Count', 'Rounded']);
  const accuracy = weightedAccuracyOf<Name, Terms, typeof rows>(rows, run as never, TERMS, LEVEL);
  expect([accuracy.Ratio, accuracy.Lowest]).toEqual([withoutWeighted(), withoutWeighted()]);
  expect(accuracy.Share.effective_scenarios).toBe(plain.effective);
  expect(accuracy.Mean.standard_error).toBeCloseTo(2 * Number(plain.standardError), 12);
  const skewness = weightedSkewness({ paths: 100, weights, sum: hits, squares: hits }, plain, 40, false);
  const reach = skewedReach(-skewness, Z);
  expect(accuracy.Mean.low).toBeCloseTo(Mean.mean - reach.below * Number(Mean.standardError), 12);
  expect(accuracy.Mean.high).toBeCloseTo(Mean.mean + reach.above * Number(Mean.standardError), 12);
});

it('The mean of an amount that all paths have is without an interval', () => {
  const sums = { ...SUMS, amount: 100, squares: 100, events: 100 };
  const { Mean } = accuracyOf<Name, Terms, Figures<Name, Terms>>({ Mean: mean }, sums, TERMS, LEVEL);
  expect(Mean.method).toBe('too-few-events');
});
