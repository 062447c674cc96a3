/**
 * How sure the figures of a book are (docs/methodology.md, "Accuracy").
 *
 * Takes: the figures of every path. Gives: figures under the names of the answer. Large books have a million paths: each column
 * is a turn of the event loop of its own.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UNITS_PER_LOAN_VALUE } from '../../core/book/book-sums.ts';
import {
  type AccuracyFigures,
  type FigureAccuracy,
  meanFigure,
  minimumFigure,
  quantileFigure,
  shareFigure,
} from '../../core/figures/accuracy/figures.ts';
import { answersCalls, sellsParts } from '../../core/plan/book-lending.ts';
import type {
  BookLendingSums,
  BookOutcome,
  BookProduct,
  ColumnSummary,
} from '../../core/plan/product/book.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { meanError, quantileRanks, tailMeanError } from '../../core/stats/intervals.ts';
import { placeRanks } from '../../core/stats/selection.ts';
import { skewedReach, skewnessOfMean } from '../../core/stats/skewness.ts';
import { twoSidedNormal } from '../../core/stats/special-functions.ts';
import type { Asker } from '../../core/turns.ts';
import { type WindowFigure, windowFigures } from '../accuracy/windows.ts';
import { byQuantile, COLUMNS, type ColumnNames, MIN_IN_TAIL, NOT_NEGATIVE } from './column-names.ts';
import { weightedFiguresOfColumn, weightedFiguresOfLoan } from './weighted-accuracy.ts';

const PERCENT = 100;
/** The figures of `Book`, and of `Loans` where there are few and their paths are independent. */
export async function bookAccuracy(
  plan: SimulationPlan<BookProduct>,
  outcome: BookOutcome,
  ids: readonly string[],
  level: number,
  asker: Asker,
): Promise<AccuracyFigures> {
  const historical = plan.scenarios.kind === 'historical';
  const { weighted, columns } = outcome;
  const { weight } = columns;
  const book: Record<string, FigureAccuracy | AccuracyFigures> = {};
  for (const names of COLUMNS) {
    asker.signal.throwIfAborted();
    const values = columns[names.column];
    const summary = outcome.summaries[names.column];
    if (values === undefined || summary === undefined) continue;
    const figures = historical
      ? await figuresOfWindows(plan, values, summary, names, level, asker)
      : weight === undefined
        ? figuresOfPaths(plan.product.quantiles, values, summary, names, level)
        : weightedFiguresOfColumn(plan.product.quantiles, values, weight, summary, names, level);
    if (names.within === undefined) Object.assign(book, figures);
    else book[names.within] = figures;
    await nextTurn();
  }
  // Large books keep no squares of their loans.
  if (historical || outcome.loans.squares === undefined) return { Book: book };
  const figuresOf = (k: number) =>
    weighted === undefined
      ? figuresOfLoan(plan.product, outcome, k, level)
      : weightedFiguresOfLoan(plan.product, outcome, weighted, k, level);
  const ofLoans = ids.map((id, k) => [id, figuresOf(k)]);
  return { Loans: Object.fromEntries(ofLoans), Book: book };
}

/** The figures of loan k but for its contributions, whose law is that of a tail of other loans. */
function figuresOfLoan(
  { loanValue, termSteps, lending }: BookProduct,
  { paths, loans }: BookOutcome,
  k: number,
  level: number,
): AccuracyFigures {
  const { squares } = loans;
  if (squares === undefined) return {};
  const share = (hits: Float64Array) => shareFigure(hits[k], paths, level);
  const mean = (
    estimate: number,
    sums: { readonly sum: number; readonly squares: number },
    scale: number,
    events: number,
    range: readonly [number, number],
  ) => {
    const error = meanError({ paths, ...sums });
    return meanFigure(estimate, error && scale * error, events, level, range);
  };
  const unsold = loans.unsoldUnits[k] / UNITS_PER_LOAN_VALUE;
  const loss = loans.lossUnits[k] / UNITS_PER_LOAN_VALUE;
  const missed = loans.missedSteps[k];
  const growth = lending?.debtGrowth[k] ?? 1;
  const sells = sellsParts(lending, k);
  return {
    AvgLossPct: mean(
      (PERCENT * growth * unsold) / paths,
      { sum: unsold, squares: squares.unsold[k] },
      PERCENT * growth,
      squares.unsoldPaths[k],
      [0, PERCENT * growth],
    ),
    // Steps after the end have the spread of those before it, and are 0 on most paths.
    AvgSurvivalRate: mean(
      1 - missed / (paths * termSteps[k]),
      { sum: missed, squares: squares.missedSteps[k] },
      1 / termSteps[k],
      // Where parts are sold, a liquidation or a closeout need not end the loan.
      sells ? Number(loans.lending?.endedPaths[k]) : loans.liquidations[k] + loans.closeouts[k],
      [0, 1],
    ),
    PrCloseout: share(loans.closeouts),
    PrLiquidation: share(loans.liquidations),
    PrMarginCall: share(loans.marginCalls),
    PrUnderwater: share(loans.underwater),
    WorstCaseCCR: minimumFigure(paths, level),
    ExpectedLoss: mean(
      (loss / paths) * loanValue[k],
      { sum: loss, squares: squares.loss[k] },
      loanValue[k],
      squares.lossPaths[k],
      NOT_NEGATIVE,
    ),
    ...(sells && loans.lending && saleAccuracy(loans.lending)),
    ...(answersCalls(lending, k) && loans.lending && topUpAccuracy(loans.lending)),
  };

  function saleAccuracy({ salePaths, sales, saleSquares, sold, soldSquares }: BookLendingSums) {
    const events = salePaths[k];
    return {
      PrSale: share(salePaths),
      AvgSales: mean(sales[k] / paths, { sum: sales[k], squares: saleSquares[k] }, 1, events, NOT_NEGATIVE),
      AvgSoldPct: mean(
        (PERCENT * sold[k]) / paths,
        { sum: sold[k], squares: soldSquares[k] },
        PERCENT,
        events,
        NOT_NEGATIVE,
      ),
    };
  }

  function topUpAccuracy({ topUpPaths, topUp, topUpSquares }: BookLendingSums) {
    return {
      PrTopUp: share(topUpPaths),
      AvgTopUpPct: mean(
        (PERCENT * topUp[k]) / paths,
        { sum: topUp[k], squares: topUpSquares[k] },
        PERCENT,
        topUpPaths[k],
        NOT_NEGATIVE,
      ),
    };
  }
}

/** Figures of a column of independent paths. */
function figuresOfPaths(
  quantiles: Float64Array,
  values: Float64Array,
  summary: ColumnSummary,
  names: ColumnNames,
  level: number,
): AccuracyFigures {
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
  const placed = Float64Array.from(values);
  const wanted = ranks.flatMap(({ low, high }) => [low, high]).filter(rank => rank !== undefined);
  placeRanks(
    placed,
    [...new Set(wanted)].sort((a, b) => a - b),
  );
  const at = (rank: number | undefined) => (rank === undefined ? undefined : placed[rank]);
  const { tailMean } = names;
  return {
    // 0 is the commonest value, or the paths that differ from it are more than are counted.
    [names.mean]: meanFigure(summary.mean, meanError(sums), positive, level, NOT_NEGATIVE, { reach }),
    ...(names.share === undefined ? {} : { [names.share]: shareFigure(positive, paths, level) }),
    [names.quantile]: byQuantile(quantiles, i => quantileFigure(at(ranks[i].low), at(ranks[i].high), level)),
    ...(tailMean === undefined
      ? {}
      : {
          [tailMean]: byQuantile(quantiles, (i, q) =>
            tailMeanAbove(values, summary.quantiles[i], summary.tailMeans[i], q, level),
          ),
        }),
  };
}

/** The mean of the tail above quantile q: its influence function at the quantile. */
function tailMeanAbove(
  values: Float64Array,
  quantile: number,
  estimate: number,
  q: number,
  level: number,
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
  return meanFigure(estimate, error, above, level, NOT_NEGATIVE, {
    leastEvents: MIN_IN_TAIL,
    reach: skewedReach(skewness, twoSidedNormal(level)),
  });
}

/** Figures of a column of overlapping windows. */
async function figuresOfWindows(
  { product, paths }: SimulationPlan<BookProduct>,
  column: Float64Array,
  summary: ColumnSummary,
  names: ColumnNames,
  level: number,
  asker: Asker,
): Promise<AccuracyFigures> {
  // The threads that made the column may not share it further.
  const values = Float64Array.from(column);
  const quantiles = Array.from(product.quantiles);
  const mean: WindowFigure = { kind: 'mean', contributions: values, range: NOT_NEGATIVE };
  const share: WindowFigure = { kind: 'share', contributions: values.map(value => (value > 0 ? 1 : 0)) };
  const found = await windowFigures(
    [
      mean,
      share,
      ...quantiles.map(
        (q, i): WindowFigure => ({
          kind: 'quantile',
          values,
          probability: q,
          quantile: summary.quantiles[i],
        }),
      ),
      ...quantiles.map(
        (q, i): WindowFigure => ({
          kind: 'tail-mean',
          tail: 'upper',
          probability: 1 - q,
          estimate: summary.tailMeans[i],
          contributions: values.map(value => Math.max(0, value - summary.quantiles[i]) / (1 - q)),
          range: NOT_NEGATIVE,
        }),
      ),
    ],
    paths,
    product.steps,
    level,
    asker,
  );
  const first = 2;
  const { tailMean } = names;
  return {
    [names.mean]: found[0],
    ...(names.share === undefined ? {} : { [names.share]: found[1] }),
    [names.quantile]: byQuantile(product.quantiles, i => found[first + i]),
    ...(tailMean === undefined
      ? {}
      : { [tailMean]: byQuantile(product.quantiles, i => found[first + quantiles.length + i]) }),
  };
}
