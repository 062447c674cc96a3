/** The figures of all loans of a book together, by their names in the interface: each is a statistic of a column of the paths. */
import type { BookPathColumns, BookSummaries, ColumnSummary } from '../plan/product/book.ts';
import { BOOK_LOAN_FIGURES, LOAN_PARTS, type TailPart } from './book-loan.ts';
import {
  byQuantile,
  type DescribedFigure,
  type DescribedFigures,
  type FigureUnit,
  type FigureWords,
  NOT_NEGATIVE,
  POSITIVE,
  SHARE,
} from './figure.ts';

/** A column of the paths that has figures. */
export type BookColumn = Exclude<keyof BookPathColumns, 'weight' | 'spread'>;

/** Statistic of a column: its mean, the share of paths above 0, quantiles, or means of the tails above them. */
export type ColumnStatistic = 'mean' | 'share' | 'quantile' | 'tailMean';

export interface ColumnFigure extends DescribedFigure {
  readonly is: ColumnStatistic;
}

/** The figures of a column by name. */
export interface ColumnFigures {
  /** Member of `Book` around the figures. Default: they are members of `Book`. */
  readonly within?: { readonly name: string; readonly words: string };
  /** Present where some books have no such column. */
  readonly optional?: true;
  readonly figures: Readonly<Record<string, ColumnFigure>>;
}

const figure = <S extends ColumnStatistic>(
  is: S,
  unit: FigureUnit,
  words: FigureWords,
): ColumnFigure & { readonly is: S } => ({
  unit,
  range: is === 'share' ? SHARE : NOT_NEGATIVE,
  is,
  ...words,
});

type Labels = Omit<FigureWords, 'words'>;

const losses = (of: string, labels: Record<'ExpectedLoss' | 'PrLoss' | 'LossVar' | 'LossCVar', Labels>) => ({
  ExpectedLoss: figure('mean', 'USD', { words: `Mean ${of}.`, ...labels.ExpectedLoss }),
  PrLoss: figure('share', 'fraction', { words: `Share of the scenarios with any ${of}.`, ...labels.PrLoss }),
  LossVar: figure('quantile', 'USD', { words: `Quantiles of the ${of}.`, ...labels.LossVar }),
  LossCVar: figure('tailMean', 'USD', {
    words: `Mean ${of} over the worst 1 - q of the scenarios.`,
    ...labels.LossCVar,
  }),
});

const counts = (of: string, { label, note }: Labels) => ({
  Mean: figure('mean', 'loans', { words: `Mean number of loans that are ${of}.`, label }),
  Quantiles: figure('quantile', 'loans', {
    words: 'Quantiles of that number.',
    label,
    ...(note && { note }),
  }),
});

const amountMeans = (of: string, labels: Labels) => ({
  Mean: figure('mean', 'USD', { words: `Mean ${of}.`, ...labels }),
  Quantiles: figure('quantile', 'USD', { words: `Quantiles of the ${of}.`, ...labels }),
});

const amounts = (of: string, labels: Labels) => ({
  ...amountMeans(of, labels),
  CVar: figure('tailMean', 'USD', {
    words: `Mean ${of} over the largest 1 - q of the scenarios.`,
    label: 'The same, mean beyond the level',
  }),
});

/** The figures of each column, in the order of the answer. */
export const BOOK_COLUMNS = {
  loss: {
    figures: losses('loss', {
      ExpectedLoss: { label: 'Expected loss', note: 'mean, after forced sales' },
      PrLoss: { label: 'Chance of any loss' },
      LossVar: { label: 'Loss at the level', note: 'value at risk' },
      LossCVar: { label: 'Mean loss beyond the level', note: 'expected shortfall' },
    }),
  },
  unsold: {
    within: { name: 'Unsold', words: 'The book without sales.' },
    figures: losses('loss with nothing sold', {
      ExpectedLoss: { label: 'Expected loss if nothing is sold' },
      PrLoss: { label: 'Chance of a loss if nothing is sold' },
      LossVar: { label: 'Loss at the level, nothing sold' },
      LossCVar: { label: 'Mean loss beyond, nothing sold' },
    }),
  },
  calledLoans: {
    within: { name: 'MarginCalls', words: 'Loans that are called.' },
    figures: counts('called', { label: 'Loans called' }),
  },
  forcedSales: {
    within: { name: 'ForcedSales', words: 'Loans whose collateral is sold.' },
    figures: counts('liquidated or closed out', {
      label: 'Loans sold by force',
      note: 'liquidated or closed out',
    }),
  },
  sold: {
    within: { name: 'ForcedSaleUsd', words: 'Sales over the whole term.' },
    figures: amounts('amount of collateral sold', {
      label: 'Collateral sold by force',
      note: 'over the term',
    }),
  },
  peakDay: {
    within: { name: 'PeakDay', words: 'The 24 hours with the largest sales.' },
    figures: amounts('amount sold within 24 hours', { label: 'Largest sales in 24 hours' }),
  },
  toppedUp: {
    within: { name: 'TopUpUsd', words: 'Collateral that borrowers add; where a loan has top_up.' },
    optional: true,
    figures: amountMeans('amount that answers to calls add', { label: 'Collateral added by borrowers' }),
  },
} as const satisfies Readonly<Record<BookColumn, ColumnFigures>>;

/** The figures of a column in the form of the answer. @typeParam L of a figure that has a value for each quantile */
export type OfColumn<C extends ColumnFigures, L> = {
  readonly [N in keyof C['figures']]: C['figures'][N]['is'] extends 'mean' | 'share' ? number : L;
};

/** The columns with the names of their figures, in the order of the answer. */
export const COLUMNS = Object.entries(BOOK_COLUMNS) as readonly [BookColumn, ColumnFigures][];

/** Figures before the columns, and of a borrower. */
export const BOOK_TOTALS = {
  LoanValue: { unit: 'USD', range: POSITIVE, words: 'Sum of the loan values.', label: 'Lent' },
} as const satisfies DescribedFigures;

/** The figures of a borrower, over all its loans. */
export const BORROWER_FIGURES = { ...BOOK_TOTALS, ExpectedLoss: BOOK_LOAN_FIGURES.ExpectedLoss };
export const BORROWER_PARTS = {
  CVarContribution: { ...LOAN_PARTS.CVarContribution, words: 'Part of the loans in LossCVar of the book.' },
};

/** The figures of an asset of the collateral. */
export const ASSET_FIGURES = {
  CollateralShare: {
    unit: 'fraction',
    range: SHARE,
    words: 'Share of the collateral of the book at the start.',
    label: 'Of the collateral',
  },
} as const satisfies DescribedFigures;
export const ASSET_PARTS = {
  PeakDayCVar: {
    unit: 'USD',
    range: NOT_NEGATIVE,
    words: 'Part of the asset in CVar of PeakDay.',
    label: 'Sold on the peak day',
    ofTail: ({ peakDayByAsset }) => peakDayByAsset,
  },
  LossCVar: {
    unit: 'USD',
    range: NOT_NEGATIVE,
    words: 'Part of the asset in LossCVar, by its weight in the collateral.',
    label: 'Loss',
    ofTail: ({ lossByAsset }) => lossByAsset,
  },
} as const satisfies Readonly<Record<string, TailPart>>;

/** A value for each statistic of a column; `q`, for quantiles and tail means, is the product's level of rank `i`. */
export type OfStatistics<V> = Readonly<Record<ColumnStatistic, (i: number, q: number) => V>>;

/** The values of `of` by the names of the figures of a column. */
export const ofColumn = <V>(
  { figures }: ColumnFigures,
  quantiles: Float64Array,
  of: OfStatistics<V>,
): Record<string, V | Record<string, V>> =>
  Object.fromEntries(
    Object.entries(figures).map(([name, { is }]) => [
      name,
      is === 'mean' || is === 'share' ? of[is](0, 0) : byQuantile(quantiles, of[is]),
    ]),
  );

/** Figures of a column at their place in `Book`. */
export const placed = <V>({ within }: ColumnFigures, figures: Record<string, V>) =>
  within === undefined ? figures : { [within.name]: figures };

/** The figures of all columns of a book. */
export const bookColumnFigures = (summaries: BookSummaries, quantiles: Float64Array) =>
  Object.assign(
    {},
    ...COLUMNS.map(([column, row]) => {
      const summary = summaries[column];
      return summary && placed(row, ofColumn(row, quantiles, statisticsOf(summary)));
    }),
  ) as Record<string, unknown>;

const statisticsOf = (summary: ColumnSummary): OfStatistics<number> => ({
  mean: () => summary.mean,
  share: () => summary.positiveShare,
  quantile: i => summary.quantiles[i],
  tailMean: i => summary.tailMeans[i],
});
