/**
 * How sure the figures of a book on weighted paths are (docs/decisions/tail-sampling.md).
 *
 * Takes: sums per loan under weights, and the figures of every path with its weight. Gives: figures under the names of the answer.
 */
import { UNITS_PER_LOAN_VALUE } from '../../core/book/book-sums.ts';
import { type AccuracyFigures, type FigureAccuracy, figureOf } from '../../core/figures/accuracy/figures.ts';
import {
  MIN_WEIGHTED_EVENTS,
  weightedAmount,
  weightedShare,
  withoutWeighted,
} from '../../core/figures/accuracy/weighted.ts';
import { answersCalls, sellsParts } from '../../core/plan/book-lending.ts';
import { isShifted } from '../../core/plan/model/gbm-shifted.ts';
import type {
  BookLoanSums,
  BookOutcome,
  BookProduct,
  ColumnSummary,
  WeightedLoanSums,
} from '../../core/plan/product/book.ts';
import { clopperPearsonInterval, errorOfWidth } from '../../core/stats/intervals.ts';
import { skewedReach } from '../../core/stats/skewness.ts';
import { twoSidedNormal } from '../../core/stats/special-functions.ts';
import { type WeightedMean, type WeightedSum, weightedMean } from '../../core/stats/weighted.ts';
import { weightedQuantile } from '../../core/stats/weighted-quantile.ts';
import { byQuantile, type ColumnNames, MIN_IN_TAIL, NOT_NEGATIVE } from './column-names.ts';

const PERCENT = 100;

/** A number of the loan in some sums. */
type Entry = (sums: BookLoanSums) => number | undefined;

/** The figures of loan k but for its contributions; none for large books, which keep no squares of their loans. */
export function weightedFiguresOfLoan(
  { loanValue, termSteps, lending }: BookProduct,
  { paths, loans }: Pick<BookOutcome, 'paths' | 'loans'>,
  weighted: WeightedLoanSums,
  k: number,
  level: number,
): AccuracyFigures {
  const at = (sums: BookLoanSums, entry: Entry) => entry(sums) ?? 0;
  const summed = (entry: Entry): WeightedSum => ({
    once: at(weighted.once, entry),
    odd: at(weighted.odd, entry),
    twice: at(weighted.twice, entry),
  });
  const meanOf = (sum: Entry, squares: Entry): WeightedMean =>
    weightedMean({ paths, weights: weighted.weights, sum: summed(sum), squares: summed(squares) });
  const share = (hits: Entry) => weightedShare(meanOf(hits, hits), at(loans, hits), paths, level);
  const amount = (
    sum: Entry,
    squares: Entry,
    [factor, offset]: readonly [number, number],
    events: number,
    range: readonly [number, number],
  ) => {
    const { mean, standardError, effective } = meanOf(sum, squares);
    const scaled = {
      mean: offset + factor * mean,
      standardError: standardError && Math.abs(factor) * standardError,
      effective,
    };
    return weightedAmount(scaled, events, level, range);
  };
  const growth = lending?.debtGrowth[k] ?? 1;
  const sells = sellsParts(lending, k);
  const ended = sells
    ? at(loans, sums => sums.lending?.endedPaths[k])
    : loans.liquidations[k] + loans.closeouts[k];
  return {
    AvgLossPct: amount(
      sums => sums.unsoldUnits[k] / UNITS_PER_LOAN_VALUE,
      sums => sums.squares?.unsold[k],
      [PERCENT * growth, 0],
      at(loans, sums => sums.squares?.unsoldPaths[k]),
      [0, PERCENT * growth],
    ),
    AvgSurvivalRate: amount(
      sums => sums.missedSteps[k],
      sums => sums.squares?.missedSteps[k],
      [-1 / termSteps[k], 1],
      ended,
      [0, 1],
    ),
    PrCloseout: share(sums => sums.closeouts[k]),
    PrLiquidation: share(sums => sums.liquidations[k]),
    PrMarginCall: share(sums => sums.marginCalls[k]),
    PrUnderwater: share(sums => sums.underwater[k]),
    WorstCaseCCR: withoutWeighted(),
    ExpectedLoss: amount(
      sums => sums.lossUnits[k] / UNITS_PER_LOAN_VALUE,
      sums => sums.squares?.loss[k],
      [loanValue[k], 0],
      at(loans, sums => sums.squares?.lossPaths[k]),
      NOT_NEGATIVE,
    ),
    ...(sells && saleFigures()),
    ...(answersCalls(lending, k) && topUpFigures()),
  };

  function saleFigures() {
    const events = at(loans, sums => sums.lending?.salePaths[k]);
    return {
      PrSale: share(sums => sums.lending?.salePaths[k]),
      AvgSales: amount(
        sums => sums.lending?.sales[k],
        sums => sums.lending?.saleSquares[k],
        [1, 0],
        events,
        NOT_NEGATIVE,
      ),
      AvgSoldPct: amount(
        sums => sums.lending?.sold[k],
        sums => sums.lending?.soldSquares[k],
        [PERCENT, 0],
        events,
        NOT_NEGATIVE,
      ),
    };
  }

  function topUpFigures() {
    return {
      PrTopUp: share(sums => sums.lending?.topUpPaths[k]),
      AvgTopUpPct: amount(
        sums => sums.lending?.topUp[k],
        sums => sums.lending?.topUpSquares[k],
        [PERCENT, 0],
        at(loans, sums => sums.lending?.topUpPaths[k]),
        NOT_NEGATIVE,
      ),
    };
  }
}

/** A mean of paths, how many of them are above 0, and its skewness. */
interface PathMean extends WeightedMean {
  readonly positive: number;
  readonly skewness: number;
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
  for (let p = 0; p < values.length; p++) {
    const residual = weights[p] * (amountOf(values[p]) - found.mean);
    second += residual * residual;
    third += residual * residual * residual;
  }
  return { ...found, positive, skewness: second > 0 ? third / (second * Math.sqrt(second)) : 0 };
}

/** Figures of a column of weighted paths. */
export function weightedFiguresOfColumn(
  quantiles: Float64Array,
  values: Float64Array,
  weights: Float64Array,
  summary: ColumnSummary,
  names: ColumnNames,
  level: number,
): AccuracyFigures {
  const { tailMean } = names;
  const reachOf = ({ skewness }: PathMean) => skewedReach(skewness, twoSidedNormal(level));
  const mean = meanOfPaths(values, weights, value => value);
  const share = meanOfPaths(values, weights, value => Number(value > 0));
  return {
    [names.mean]: weightedAmount(mean, mean.positive, level, NOT_NEGATIVE, reachOf(mean)),
    ...(names.share === undefined
      ? {}
      : { [names.share]: weightedShare(share, share.positive, values.length, level) }),
    [names.quantile]: byQuantile(quantiles, (i, q) =>
      weightedVar(values, weights, summary.quantiles[i], q, level),
    ),
    ...(tailMean === undefined
      ? {}
      : {
          [tailMean]: byQuantile(quantiles, (i, q) => {
            const over = meanOfPaths(
              values,
              weights,
              value => Math.max(0, value - summary.quantiles[i]) / (1 - q),
            );
            const above = meanOfPaths(values, weights, value => Number(value > summary.quantiles[i]));
            if (isThinTail(above, values.length)) return withoutWeighted();
            return weightedAmount(
              { ...over, mean: summary.tailMeans[i] },
              over.positive,
              level,
              NOT_NEGATIVE,
              reachOf(over),
            );
          }),
        }),
  };
}

/**
 * Whether a tail rests on too little: fewer than 30 paths, or fewer than 100 plain paths would be as sure of its share. A few paths of
 * large weight then decide on the error, and most samples have none of them.
 */
const isThinTail = ({ effective = 0, positive, mean }: PathMean, paths: number): boolean =>
  Math.min(positive, paths - positive) < MIN_WEIGHTED_EVENTS || effective * mean < MIN_IN_TAIL;

/**
 * A quantile: between those as far from its level as the interval of the share above it reaches, which is Clopper and Pearson's for as
 * many plain paths as have the error of that share (R. S. Woodruff, JASA 47, 1952, 635-646).
 */
function weightedVar(
  values: Float64Array,
  weights: Float64Array,
  quantile: number,
  q: number,
  level: number,
): FigureAccuracy {
  const above = meanOfPaths(values, weights, value => Number(value > quantile));
  const { effective, mean } = above;
  if (effective === undefined || isThinTail(above, values.length)) return withoutWeighted();
  const { low: least = 0, high: most = 1 } = clopperPearsonInterval(mean * effective, effective, level);
  const low = weightedQuantile(values, weights, Math.max(0, q - (most - mean)));
  const high = weightedQuantile(values, weights, Math.min(1, q + (mean - least)));
  const standardError = errorOfWidth(low, high, level);
  return { ...figureOf({ standardError, low, high }, 'order-statistics'), effective_scenarios: effective };
}
