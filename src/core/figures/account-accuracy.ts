/** Accuracy of the figures of a cross-margined account: of independent paths, and of windows of history. */
import { summaryOf } from '../book/weighted-tails.ts';
import type { AccountOutcome, PathRecords } from '../engine.ts';
import type { AccountProduct } from '../plan/product/account.ts';
import { meanError, quantileRanks } from '../stats/intervals.ts';
import { quantilesType7 } from '../stats/quantile.ts';
import { valuesAtRanks } from '../stats/selection.ts';
import {
  ACCOUNT_AMOUNTS,
  ACCOUNT_SHARES,
  type AccountNames,
  lossesOf,
  ofColumns,
  PROBABILITIES,
  sumsOf,
} from './account.ts';
import {
  type AccuracyFigures,
  type FigureAccuracy,
  meanFigure,
  quantileFigure,
  shareFigure,
  type WindowFigure,
} from './accuracy.ts';
import { columnAccuracy, columnWindowFigures } from './book-columns.ts';
import { ANY_NUMBER, byQuantile, type FigureRange, NOT_NEGATIVE, SHARE } from './figure.ts';
import { accuracyOf, windowFiguresOf } from './of-sums.ts';

/** Accuracy on independent paths. @param level of the intervals, in (0, 1) */
export function accountAccuracy(
  outcome: AccountOutcome,
  product: AccountProduct,
  { ids, quantiles }: AccountNames,
  level: number,
): AccuracyFigures {
  const { paths } = outcome;
  const ranks = PROBABILITIES.map(u => quantileRanks(paths, u, level));
  const ofColumn = (values: Float64Array, range: FigureRange) =>
    columnAccuracy(quantiles, values, summaryOf(values, quantiles, undefined), level, range);
  const losses = ofColumn(lossesOf(outcome, product), ANY_NUMBER);
  const meanOf = (sum: number, squares: number, events: number, range: FigureRange): FigureAccuracy =>
    meanFigure(sum / paths, meanError({ paths, sum, squares }), events, level, range);
  const amounts = Object.entries(ACCOUNT_AMOUNTS).map(([name, { values, range }]) => {
    const column = ofColumn(values(outcome, product), range);
    return [name, { Mean: column.mean(0, 0), CVar: byQuantile(quantiles, column.tailMean) }];
  });
  const { takenOver, takenOverSquares, takenOverPaths } = outcome;
  const { deleveraged, deleveragedSquares, deleveragedPaths } = outcome;
  return {
    ...accuracyOf(ACCOUNT_SHARES, sumsOf(outcome), undefined, level),
    ...ofColumns(outcome, product, values =>
      valuesAtRanks(values.slice(), ranks).map(({ low, high }) => quantileFigure(low, high, level)),
    ),
    Loss: byQuantile(quantiles, (i, q) => ({ Var: losses.quantile(i, q), CVar: losses.tailMean(i, q) })),
    ...Object.fromEntries(amounts),
    TakenOver: { Mean: meanOf(takenOver, takenOverSquares, takenOverPaths, NOT_NEGATIVE) },
    Deleveraged: { Mean: meanOf(deleveraged, deleveragedSquares, deleveragedPaths, NOT_NEGATIVE) },
    Positions: Object.fromEntries(
      ids.map((id, i) => [
        id,
        {
          PrForcedClose: shareFigure(outcome.rowCloses[i], paths, level),
          ShareClosed: meanOf(outcome.rowClosed[i], outcome.rowClosedSquares[i], outcome.rowCloses[i], SHARE),
          // Funding differs from path to path unless none is paid.
          Funding: meanOf(outcome.rowFunding[i], outcome.rowFundingSquares[i], paths, ANY_NUMBER),
        },
      ]),
    ),
  };
}

/** Contributions of windows of history. @param records one per window, in the order of their ends */
export function accountWindowFigures(
  outcome: AccountOutcome,
  product: AccountProduct,
  { ids, quantiles }: AccountNames,
  records: PathRecords,
) {
  const meanOf = (contributions: Float64Array, range: FigureRange): WindowFigure => ({
    kind: 'mean',
    contributions,
    range,
  });
  const ofColumn = (values: Float64Array, range: FigureRange) =>
    columnWindowFigures(values, summaryOf(values, quantiles, undefined), range);
  const losses = ofColumn(lossesOf(outcome, product), ANY_NUMBER);
  const amounts = Object.entries(ACCOUNT_AMOUNTS).map(([name, { values, range }]) => {
    const column = ofColumn(values(outcome, product), range);
    return [name, { Mean: column.mean(0, 0), CVar: byQuantile(quantiles, column.tailMean) }] as const;
  });
  const quantilesOf = (values: Float64Array): WindowFigure[] => {
    const found = quantilesType7(values.slice(), PROBABILITIES);
    return PROBABILITIES.map((probability, i) => ({
      kind: 'quantile',
      values,
      probability,
      quantile: found[i],
    }));
  };
  return {
    ...windowFiguresOf(ACCOUNT_SHARES, sumsOf(outcome), records, undefined),
    ...ofColumns(outcome, product, quantilesOf),
    Loss: byQuantile(quantiles, (i, q) => ({ Var: losses.quantile(i, q), CVar: losses.tailMean(i, q) })),
    ...Object.fromEntries(amounts),
    TakenOver: { Mean: meanOf(records.takenOver, NOT_NEGATIVE) },
    Deleveraged: { Mean: meanOf(records.deleveraged, NOT_NEGATIVE) },
    Positions: Object.fromEntries(
      ids.map((id, i) => [
        id,
        {
          PrForcedClose: { kind: 'share', contributions: records[`forced.${i}`] } as WindowFigure,
          ShareClosed: meanOf(records[`closed.${i}`], SHARE),
          Funding: meanOf(records[`funding.${i}`], ANY_NUMBER),
        },
      ]),
    ),
  };
}
