/** The figures of a perpetual position, by their names in the interface (methodology part 7). */
import { FLAG_LIQUIDATION, FLAG_MARGIN_CALL, type PathRecords, type PerpetualOutcome } from '../engine.ts';
import type { PerpetualProduct } from '../plan/simulation-plan.ts';
import { quantileRanks } from '../stats/intervals.ts';
import { quantilesType7 } from '../stats/quantile.ts';
import { valuesAtRanks } from '../stats/selection.ts';
import { type FigureAccuracy, quantileFigure, type WindowFigure } from './accuracy.ts';
import {
  ANY_NUMBER,
  type DescribedFigure,
  type FigureRange,
  type Figures,
  NOT_NEGATIVE,
  type Sums,
  share,
  withFlag,
} from './figure.ts';
import { accuracyOf, figuresOf, windowFiguresOf } from './of-sums.ts';

/** Quantiles of every distribution, by name. */
export const QUANTILES = {
  q01: 0.01,
  q05: 0.05,
  q10: 0.1,
  q25: 0.25,
  q50: 0.5,
  q75: 0.75,
  q90: 0.9,
  q95: 0.95,
  q99: 0.99,
};
const PROBABILITIES = Object.values(QUANTILES);

/** Terms of the figures beside the outcome, in the margin currency. */
export type PositionTerms = Pick<PerpetualProduct, 'initialMargin' | 'unrealizedPnl' | 'equityBefore'>;

type PositionSum = 'marginCalls' | 'liquidations';
const sumsOf = (outcome: PerpetualOutcome): Sums<PositionSum> => outcome;

/** Shares of the paths. */
export const POSITION_SHARES = {
  PrMarginCall: share(
    'marginCalls',
    {
      words: 'Share of the scenarios in which equity falls to 1.25 times the maintenance margin.',
      label: 'Chance of a margin call',
    },
    withFlag(FLAG_MARGIN_CALL),
  ),
  PrLiquidation: share(
    'liquidations',
    {
      words: 'Share of the scenarios in which equity falls to the maintenance margin.',
      label: 'Chance of a liquidation',
    },
    withFlag(FLAG_LIQUIDATION),
  ),
} as const satisfies Figures<PositionSum, unknown>;

/** A number of each path; the answer has its quantiles. */
interface PositionDistribution extends DescribedFigure {
  /** An array of the outcome, or a new one: not to be changed. */
  readonly values: (outcome: PerpetualOutcome, terms: PositionTerms) => Float64Array;
}

const NOT_POSITIVE: FigureRange = [Number.NEGATIVE_INFINITY, 0];

export const POSITION_DISTRIBUTIONS = {
  Roi: {
    unit: 'fraction',
    range: ANY_NUMBER,
    words: 'Change of equity over the trade, relative to initial_margin.',
    label: 'Return',
    note: 'on the initial margin',
    // From the equity before a price shock.
    values: (
      { finalEquity },
      { initialMargin, unrealizedPnl, equityBefore = initialMargin + unrealizedPnl },
    ) => finalEquity.map(equity => (equity - equityBefore) / initialMargin),
  },
  AccFunding: {
    unit: 'margin currency',
    range: ANY_NUMBER,
    words: 'Funding received, less funding paid.',
    label: 'Funding',
    note: 'received; below 0: paid',
    values: ({ accumulatedFunding }) => accumulatedFunding,
  },
  MaxEquityDrawDown: {
    unit: 'margin currency',
    range: NOT_POSITIVE,
    words: 'Largest fall of equity below its earlier maximum within a scenario.',
    label: 'Largest fall of equity',
    note: 'from its peak',
    values: ({ maxEquityDrawdown }) => maxEquityDrawdown,
  },
  Leverage: {
    unit: 'none',
    range: NOT_NEGATIVE,
    words: 'Median of notional over equity within a scenario.',
    label: 'Leverage',
    note: 'median over the hours of a scenario',
    values: ({ medianLeverage }) => medianLeverage,
  },
  FinalEquity: {
    unit: 'margin currency',
    range: NOT_NEGATIVE,
    words: 'Equity at the end, 0 after a liquidation.',
    label: 'Equity at the end',
    values: ({ finalEquity }) => finalEquity,
  },
} as const satisfies Readonly<Record<string, PositionDistribution>>;

type Quantiles<V> = Record<keyof typeof QUANTILES, V>;
type OfPosition<V> = Record<keyof typeof POSITION_SHARES, V> &
  Record<keyof typeof POSITION_DISTRIBUTIONS, Quantiles<V>>;

/** One value for each quantile of each distribution, by name. */
function perQuantile<V>(
  outcome: PerpetualOutcome,
  terms: PositionTerms,
  of: (values: Float64Array) => readonly V[],
) {
  const entries = Object.entries<PositionDistribution>(POSITION_DISTRIBUTIONS).map(([name, { values }]) => {
    const each = of(values(outcome, terms));
    return [name, Object.fromEntries(Object.keys(QUANTILES).map((quantile, i) => [quantile, each[i]]))];
  });
  return Object.fromEntries(entries) as Record<keyof typeof POSITION_DISTRIBUTIONS, Quantiles<V>>;
}

/** Two shares and the quantiles of the distributions. */
export const positionFigures = (outcome: PerpetualOutcome, terms: PositionTerms): OfPosition<number> => ({
  ...figuresOf(POSITION_SHARES, sumsOf(outcome), undefined),
  ...perQuantile(outcome, terms, values => [...quantilesType7(values.slice(), PROBABILITIES)]),
});

/** Their accuracy on independent paths. @param level of the intervals, in (0, 1) */
export function positionAccuracy(
  outcome: PerpetualOutcome,
  terms: PositionTerms,
  level: number,
): OfPosition<FigureAccuracy> {
  const ranks = PROBABILITIES.map(u => quantileRanks(outcome.paths, u, level));
  return {
    ...accuracyOf(POSITION_SHARES, sumsOf(outcome), undefined, level),
    ...perQuantile(outcome, terms, values =>
      valuesAtRanks(values.slice(), ranks).map(({ low, high }) => quantileFigure(low, high, level)),
    ),
  };
}

/** Contributions of windows of history to each. @param records one per window, in the order of their ends */
export const positionWindowFigures = (
  outcome: PerpetualOutcome,
  terms: PositionTerms,
  records: PathRecords,
): OfPosition<WindowFigure> => ({
  ...windowFiguresOf(POSITION_SHARES, sumsOf(outcome), records, undefined),
  ...perQuantile(outcome, terms, values => {
    const found = quantilesType7(values.slice(), PROBABILITIES);
    return PROBABILITIES.map((probability, i) => ({
      kind: 'quantile' as const,
      values,
      probability,
      quantile: found[i],
    }));
  }),
});
