/** How sure the figures of a column are: weighted paths by the definitions of their errors, and beside plain paths where all weigh the same. */
import { describe, expect, it } from 'vitest';
import { shareFigure, weightedShare } from '#src/core/figures/accuracy.js';
import {
  columnAccuracy,
  columnWindowFigures,
  weightedColumnAccuracy,
} from '#src/core/figures/book-columns.js';
import { clopperPearsonInterval } from '#src/core/stats/intervals.js';
import { twoSidedStudentT } from '#src/core/stats/special-functions.js';

const PATHS = 800;
const LEVEL = 0.9;
/** Two-sided quantile of the normal distribution at 90 %. */
const Z = 1.6448536269514722;
const Q = 0.75;
/** 0 on 500 paths, 1 to 300 on the others, in an order that leaves odd and even paths different. */
const VALUES = Float64Array.from({ length: PATHS }, (_, p) => Math.max(0, ((p * 37) % PATHS) - 499));
const WEIGHTS: Float64Array = VALUES.map((x, p) => (p % 2 === 1 ? 0.5 + x / 600 : 1));

const sumOf = (values: ArrayLike<number>) => Array.from(values).reduce((sum, x) => sum + x, 0);
const meanOf = (values: Float64Array, weights: ArrayLike<number> = new Float64Array(PATHS).fill(1)) =>
  sumOf(values.map((x, p) => x * weights[p])) / sumOf(weights);

/** The error of a mean of weighted paths, odd and even ones being strata (docs/decisions/tail-sampling.md). */
function errorOf(values: Float64Array, weights: Float64Array): number {
  const mean = meanOf(values, weights);
  const residuals = values.map((x, p) => weights[p] * (x - mean));
  const strata = [0, 1].map(k => residuals.filter((_, p) => p % 2 === k));
  const within = strata.map(each => sumOf(each.map(r => r * r)) - sumOf(each) ** 2 / each.length);
  return Math.sqrt((sumOf(within) * PATHS) / (PATHS - 2)) / sumOf(weights);
}

const summaryOf = (values: Float64Array, weights?: Float64Array) => ({
  mean: meanOf(values, weights),
  positiveShare: 0,
  // The 600th of the values, and the mean of those above it.
  quantiles: [100],
  tailMeans: [
    100 +
      meanOf(
        values.map(x => Math.max(0, x - 100)),
        weights,
      ) /
        (1 - Q),
  ],
});

const weighted = (weights: Float64Array, values = VALUES) =>
  weightedColumnAccuracy(values, weights, summaryOf(values, weights), LEVEL);

describe('The accuracy of a column of weighted paths', () => {
  it('has the error of a self-normalised mean over two strata, and the number of plain paths with this error', () => {
    const mean = weighted(WEIGHTS).mean(0, Q);
    const error = errorOf(VALUES, WEIGHTS);
    expect(mean.standard_error).toBeCloseTo(error, 10);
    const centre = meanOf(VALUES, WEIGHTS);
    const variance = meanOf(
      VALUES.map(x => (x - centre) ** 2),
      WEIGHTS,
    );
    expect(mean.effective_scenarios).toBeCloseTo(variance / error ** 2, 6);
    const over = VALUES.map(x => Math.max(0, x - 100) / (1 - Q));
    expect(weighted(WEIGHTS).tailMean(0, Q).standard_error).toBeCloseTo(errorOf(over, WEIGHTS), 10);
  });

  it('does not depend on the unit of the weights', () => {
    const [one, three] = [WEIGHTS, WEIGHTS.map(w => 3 * w)].map(weights => weighted(weights));
    for (const is of ['mean', 'share', 'quantile', 'tailMean'] as const)
      for (const [name, value] of Object.entries(one[is](0, Q))) {
        const other = Object.entries(three[is](0, Q)).find(([key]) => key === name)?.[1];
        if (typeof value === 'number') expect(Number(other) / value, `${is} ${name}`).toBeCloseTo(1, 10);
        else expect(other, `${is} ${name}`).toBe(value);
      }
  });

  it('has the interval of plain paths for a mean where all weigh the same, skewness included, and a wider one for a tail', () => {
    const ones = new Float64Array(PATHS).fill(1);
    const plain = columnAccuracy(Float64Array.of(Q), VALUES, summaryOf(VALUES), LEVEL);
    for (const is of ['mean', 'tailMean'] as const) {
      const [a, b] = [plain, weighted(ones)].map(of => of[is](0, Q));
      const estimate = is === 'mean' ? summaryOf(VALUES).mean : summaryOf(VALUES).tailMeans[0];
      for (const end of ['low', 'high'] as const) {
        const reach = (figure: typeof a) =>
          Math.abs(Number(figure[end]) - estimate) / Number(figure.standard_error);
        if (is === 'mean') expect(reach(b), `${is} ${end}`).toBeCloseTo(reach(a), 8);
        else {
          // Student's t of some hundred degrees of freedom.
          expect(reach(b) / reach(a), `${is} ${end}`).toBeGreaterThan(1.001);
          expect(reach(b) / reach(a), `${is} ${end}`).toBeLessThan(1.05);
        }
      }
      // The amounts are skewed to the right: the interval reaches further above than below.
      expect((Number(b.high) - estimate) / Number(b.standard_error)).toBeGreaterThan(Z + 0.04);
      expect((estimate - Number(b.low)) / Number(b.standard_error)).toBeLessThan(Z - 0.04);
    }
  });

  it('of a share is the interval of as many plain paths as have its error, with its own skewness', () => {
    const share = weighted(WEIGHTS).share(0, Q);
    const hits = VALUES.map(x => Number(x > 0));
    const p = meanOf(hits, WEIGHTS);
    const effective = (p * (1 - p)) / errorOf(hits, WEIGHTS) ** 2;
    expect(share.effective_scenarios).toBeCloseTo(effective, 6);
    const residuals = hits.map((x, i) => WEIGHTS[i] * (x - p));
    const skewness = sumOf(residuals.map(r => r ** 3)) / sumOf(residuals.map(r => r * r)) ** 1.5;
    const own = weightedShare({ mean: p, effective, standardError: 0, skewness }, 300, PATHS, LEVEL);
    expect(share.low).toBeCloseTo(Number(own.low), 8);
    expect(share.high).toBeCloseTo(Number(own.high), 8);
  });

  it('of a quantile has its ends at the levels of the ends of the interval of the share above it', () => {
    const ones = new Float64Array(PATHS).fill(1);
    const { low, high } = weighted(ones).quantile(0, Q);
    const above = VALUES.map(x => Number(x > 100));
    const standardError = errorOf(above, ones);
    const effective = (0.25 * 0.75) / standardError ** 2;
    const residuals = above.map(x => x - 0.25);
    const [second, third, fourth] = [2, 3, 4].map(power => sumOf(residuals.map(r => r ** power)));
    // Half of the degrees of freedom of the share's variance.
    const t = twoSidedStudentT(second ** 2 / fourth / 2, LEVEL);
    const mean = { mean: 0.25, effective, standardError, skewness: third / second ** 1.5 };
    const share = weightedShare(mean, PATHS / 4, PATHS, LEVEL, t);
    const plain = clopperPearsonInterval(0.25 * effective, effective, LEVEL);
    expect(Number(share.high)).toBeGreaterThan(plain.high);
    expect(Number(share.low)).toBeLessThan(plain.low);
    const sorted = VALUES.toSorted();
    expect(low).toBe(sorted[Math.ceil(PATHS * (1 - Number(share.high))) - 1]);
    expect(high).toBe(sorted[Math.ceil(PATHS * (1 - Number(share.low))) - 1]);
  });

  it('of a tail is undefined where fewer than 30 paths are inside it, and of its quantile where fewer are outside', () => {
    /** A column of which so many paths are above the quantile. */
    const tail = (hits: number) => {
      const values = Float64Array.from({ length: PATHS }, (_, p) => (p < hits ? 101 + p : 0));
      const of = weighted(new Float64Array(PATHS).fill(1), values);
      return (['quantile', 'tailMean'] as const).map(is => of[is](0, Q).method);
    };
    const refused = ['too-few-events', 'too-few-events'];
    const answered = ['order-statistics', 'normal'];
    expect(tail(29)).toEqual(refused);
    expect(tail(30)).toEqual(answered);
    expect(tail(PATHS - 30)).toEqual(answered);
    expect(tail(PATHS - 29)).toEqual([refused[0], answered[1]]);
    expect(weighted(WEIGHTS, new Float64Array(PATHS)).tailMean(0, Q)).toEqual({
      standard_error: null,
      low: null,
      high: null,
      method: 'too-few-events',
      effective_scenarios: null,
    });
  });
});

describe('The accuracy of a column of independent paths', () => {
  const plain = (values: Float64Array, summary = summaryOf(values)) =>
    columnAccuracy(Float64Array.of(Q), values, summary, LEVEL);

  it('has the share of the paths above 0', () => {
    expect(plain(VALUES).share(0, Q)).toEqual(shareFigure(300, PATHS, LEVEL));
  });

  it('of the mean of a tail is that of the amounts above its quantile, of which there are 100 or more', () => {
    const over = VALUES.map(x => Math.max(0, x - 100));
    const centre = meanOf(over);
    const variance = sumOf(over.map(x => (x - centre) ** 2)) / (PATHS - 1);
    const error = Math.sqrt(variance / PATHS) / (1 - Q);
    expect(plain(VALUES).tailMean(0, Q).standard_error).toBeCloseTo(error, 10);
    // Of the 300 values above 0, 100 are above 200; one that is equal to the quantile is not above it.
    const above = (quantile: number) =>
      plain(VALUES, { ...summaryOf(VALUES), quantiles: [quantile] }).tailMean(0, Q).method;
    expect([200, 201].map(above)).toEqual(['normal', 'too-few-events']);
  });

  it('depends on the unit of the column as the figures do, weighted or not', () => {
    const small = VALUES.map(x => x / 2 ** 30);
    const inSmall = ({ quantiles, tailMeans, ...rest }: ReturnType<typeof summaryOf>) => ({
      ...rest,
      mean: rest.mean / 2 ** 30,
      quantiles: quantiles.map(x => x / 2 ** 30),
      tailMeans: tailMeans.map(x => x / 2 ** 30),
    });
    const pairs = [
      [plain(VALUES), plain(small, inSmall(summaryOf(VALUES)))],
      [weighted(WEIGHTS), weightedColumnAccuracy(small, WEIGHTS, inSmall(summaryOf(VALUES, WEIGHTS)), LEVEL)],
    ];
    for (const [large, own] of pairs)
      for (const is of ['mean', 'quantile', 'tailMean'] as const)
        for (const end of ['standard_error', 'low', 'high'] as const)
          expect(
            (Number(own[is](0, Q)[end]) * 2 ** 30) / Number(large[is](0, Q)[end]),
            `${is} ${end}`,
          ).toBeCloseTo(1, 10);
  });
});

describe('The contributions of windows of history to a figure of a column', () => {
  const summary = summaryOf(VALUES);
  const of = columnWindowFigures(VALUES, summary);

  it('have the figure as their mean', () => {
    const [mean, share, tail] = (['mean', 'share', 'tailMean'] as const).map(is => of[is](0, Q));
    if (mean.kind !== 'mean' || share.kind !== 'share' || tail.kind !== 'tail-mean') throw new Error();
    expect(meanOf(mean.contributions)).toBe(summary.mean);
    expect(meanOf(share.contributions)).toBe(300 / PATHS);
    expect(summary.quantiles[0] + meanOf(tail.contributions)).toBeCloseTo(summary.tailMeans[0], 10);
    expect(tail).toMatchObject({ tail: 'upper', probability: 1 - Q, estimate: summary.tailMeans[0] });
  });

  it('are all values for a quantile, with its level', () => {
    expect(of.quantile(0, Q)).toEqual({
      kind: 'quantile',
      values: VALUES,
      probability: Q,
      quantile: 100,
    });
  });
});
