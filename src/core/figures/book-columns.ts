/**
 * Accuracy of the figures of a book column, one number a path: of independent paths (docs/methodology.md, "Accuracy"), of
 * weighted ones (docs/decisions/tail-sampling.md), and the contributions of windows of history.
 */
import { isShifted } from '../plan/model/gbm-shifted.ts';
import type { ColumnSummary } from '../plan/product/book.ts';
import { errorOfWidth, meanError, quantileRanks, tailMeanError } from '../stats/intervals.ts';
import { valuesAtRanks } from '../stats/selection.ts';
import { skewedReach, skewnessOfMean } from '../stats/skewness.ts';
import { twoSidedNormal, twoSidedStudentT } from '../stats/special-functions.ts';
import { uncommonValues } from '../stats/uncommon.ts';
import { weightedMean } from '../stats/weighted.ts';
import { weightedQuantile } from '../stats/weighted-quantile.ts';
import {
  type FigureAccuracy,
  figureOf,
  MIN_IN_TAIL,
  meanFigure,
  quantileFigure,
  type SkewedMean,
  shareFigure,
  type WindowFigure,
  weightedAmount,
  weightedShare,
} from './accuracy.ts';
import type { OfStatistics } from './book.ts';
import { type FigureRange, NOT_NEGATIVE } from './figure.ts';

/**
 * Of independent paths.
 *
 * @param quantiles levels of the product
 * @param level of the intervals, in (0, 1)
 * @param range of the values
 */
export function columnAccuracy(
  quantiles: Float64Array,
  values: Float64Array,
  summary: ColumnSummary,
  level: number,
  range: FigureRange = NOT_NEGATIVE,
): OfStatistics<FigureAccuracy> {
  const paths = values.length;
  let squares = 0;
  let cubes = 0;
  let positive = 0;
  for (const value of values) {
    squares += value * value;
    cubes += value * value * value;
    if (value > 0) positive += 1;
  }
  const sums = { paths, sum: summary.mean * paths, squares, cubes };
  const reach = skewedReach(skewnessOfMean(sums), twoSidedNormal(level));
  const ranks = Array.from(quantiles, q => quantileRanks(paths, q, level));
  const ends = valuesAtRanks(values.slice(), ranks);
  return {
    mean: () => meanFigure(summary.mean, meanError(sums), eventsOf(values), level, range, { reach }),
    share: () => shareFigure(positive, paths, level),
    quantile: i => quantileFigure(ends[i].low, ends[i].high, level),
    tailMean: (i, q) => tailMeanAbove(values, summary.quantiles[i], summary.tailMeans[i], q, level, range),
  };
}

/** The mean of the tail above quantile q: its influence function at the quantile. */
function tailMeanAbove(
  values: Float64Array,
  quantile: number,
  estimate: number,
  q: number,
  level: number,
  range: FigureRange,
): FigureAccuracy {
  let shortfall = 0;
  let shortfallSquares = 0;
  let cubes = 0;
  let above = 0;
  for (const value of values) {
    if (value <= quantile) continue;
    above += 1;
    shortfall += value - quantile;
    shortfallSquares += (value - quantile) ** 2;
    cubes += (value - quantile) ** 3;
  }
  const paths = values.length;
  const error = tailMeanError({ paths, shortfall, shortfallSquares }, 1 - q);
  const skewness = skewnessOfMean({ paths, sum: shortfall, squares: shortfallSquares, cubes });
  return meanFigure(estimate, error, above, level, range, {
    leastEvents: MIN_IN_TAIL,
    reach: skewedReach(skewness, twoSidedNormal(level)),
  });
}

/** Contributions of windows of history. */
export const columnWindowFigures = (
  values: Float64Array,
  { quantiles, tailMeans }: ColumnSummary,
  range: FigureRange = NOT_NEGATIVE,
): OfStatistics<WindowFigure> => ({
  mean: () => ({ kind: 'mean', contributions: values, range }),
  share: () => ({ kind: 'share', contributions: values.map(value => (value > 0 ? 1 : 0)) }),
  quantile: (i, q) => ({ kind: 'quantile', values, probability: q, quantile: quantiles[i] }),
  tailMean: (i, q) => ({
    kind: 'tail-mean',
    tail: 'upper',
    probability: 1 - q,
    estimate: tailMeans[i],
    contributions: values.map(value => Math.max(0, value - quantiles[i]) / (1 - q)),
    range,
  }),
});

/** Paths that differ from the commonest value; more than any mean asks for are not counted. */
const eventsOf = (values: Float64Array): number => uncommonValues(values, MIN_IN_TAIL);

/** Of weighted paths. @param level of the intervals, in (0, 1) */
export function weightedColumnAccuracy(
  values: Float64Array,
  weights: Float64Array,
  summary: ColumnSummary,
  level: number,
): OfStatistics<FigureAccuracy> {
  const reachOf = ({ skewness }: PathMean) => skewedReach(skewness, twoSidedNormal(level));
  const meanOf = (amountOf: (value: number) => number) => meanOfPaths(values, weights, amountOf);
  return {
    mean() {
      const mean = meanOf(value => value);
      return weightedAmount(mean, eventsOf(values), level, NOT_NEGATIVE, reachOf(mean));
    },
    share() {
      const share = meanOf(value => Number(value > 0));
      return weightedShare(share, share.positive, values.length, level);
    },
    quantile: (i, q) => weightedVar(values, weights, summary.quantiles[i], q, level),
    tailMean(i, q) {
      const quantile = summary.quantiles[i];
      const over = meanOf(value => Math.max(0, value - quantile) / (1 - q));
      const mean = { ...over, mean: summary.tailMeans[i] };
      const reach = skewedReach(over.skewness, twoSidedStudentT(over.degreesOfFreedom, level));
      return weightedAmount(mean, over.positive, level, NOT_NEGATIVE, reach);
    },
  };
}

/** A mean of paths, and how many of them are above 0. */
interface PathMean extends SkewedMean {
  readonly positive: number;
  /**
   * Of its variance: (sum r^2)^2 / sum r^4, r = w (x - mean), 1 or more. F. E. Satterthwaite, "An approximate distribution of estimates of
   * variance components", Biometrics Bulletin 2 (1946), 110-114.
   */
  readonly degreesOfFreedom: number;
}

/** The mean under weights of a number of every path. */
function meanOfPaths(
  values: Float64Array,
  weights: Float64Array,
  amountOf: (value: number) => number,
): PathMean {
  const none = () => ({ once: 0, odd: 0, twice: 0 });
  const sums = { paths: values.length, weights: none(), sum: none(), squares: none() };
  const add = (to: ReturnType<typeof none>, path: number, x: number) => {
    const weighed = weights[path] * x;
    to.once += weighed;
    if (isShifted(path)) to.odd += weighed;
    to.twice += weights[path] * weighed;
  };
  let positive = 0;
  for (let p = 0; p < values.length; p++) {
    const x = amountOf(values[p]);
    if (x > 0) positive += 1;
    add(sums.weights, p, 1);
    add(sums.sum, p, x);
    add(sums.squares, p, x * x);
  }
  const found = weightedMean(sums);
  // Of the linearised mean, whose terms are w (x - mean).
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let p = 0; p < values.length; p++) {
    const residual = weights[p] * (amountOf(values[p]) - found.mean);
    const square = residual * residual;
    second += square;
    third += square * residual;
    fourth += square * square;
  }
  return {
    ...found,
    positive,
    skewness: second > 0 ? third / (second * Math.sqrt(second)) : 0,
    degreesOfFreedom: fourth > 0 ? Math.max(1, (second * second) / fourth) : 1,
  };
}

/**
 * A quantile, between the quantiles at the ends of the interval of the share above it (R. S. Woodruff, JASA 47, 1952, 635-646), with half
 * of the degrees of freedom of the share: the quantile is of the same paths. A few paths of large weight may determine the share; a
 * condition on its estimated error would leave out the samples in which they occur.
 */
function weightedVar(
  values: Float64Array,
  weights: Float64Array,
  quantile: number,
  q: number,
  level: number,
): FigureAccuracy {
  const above = meanOfPaths(values, weights, value => Number(value > quantile));
  const { mean, positive, degreesOfFreedom } = above;
  const t = twoSidedStudentT(Math.max(1, degreesOfFreedom / 2), level);
  const share = weightedShare(above, positive, values.length, level, t);
  if (share.low === null || share.high === null) return share;
  const low = weightedQuantile(values, weights, Math.max(0, q - (share.high - mean)));
  const high = weightedQuantile(values, weights, Math.min(1, q + (mean - share.low)));
  const standardError = errorOfWidth(low, high, level);
  return { ...share, ...figureOf({ standardError, low, high }, 'order-statistics') };
}
