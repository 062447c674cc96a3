/**
 * How the columns of the paths of a book stand in the answer.
 */

import type { FigureAccuracy } from '../../core/figures/accuracy/figures.ts';
import type { BookPathColumns } from '../../core/plan/product/book.ts';

/** Fewest paths above a quantile for the mean of the tail to be taken for normal. */
export const MIN_IN_TAIL = 100;
/** The range of amounts. */
export const NOT_NEGATIVE = [0, Number.POSITIVE_INFINITY] as const;

/** How a column of the paths stands in the answer: the names of its figures, '' for the member itself. */
export interface ColumnNames {
  readonly column: Exclude<keyof BookPathColumns, 'weight'>;
  /** Members of `Book` around its figures. */
  readonly within: string | undefined;
  readonly mean: string;
  readonly share?: string;
  readonly quantile: string;
  readonly tailMean?: string;
}

const LOSSES = {
  mean: 'ExpectedLoss',
  share: 'PrLoss',
  quantile: 'LossVar',
  tailMean: 'LossCVar',
} as const;
const COUNTS = { mean: 'Mean', quantile: 'Quantiles' } as const;
const AMOUNTS = { ...COUNTS, tailMean: 'CVar' } as const;

/** The columns in the order of the answer. */
export const COLUMNS: readonly ColumnNames[] = [
  { column: 'loss', within: undefined, ...LOSSES },
  { column: 'unsold', within: 'Unsold', ...LOSSES },
  { column: 'calledLoans', within: 'MarginCalls', ...COUNTS },
  { column: 'forcedSales', within: 'ForcedSales', ...COUNTS },
  { column: 'sold', within: 'ForcedSaleUsd', ...AMOUNTS },
  { column: 'peakDay', within: 'PeakDay', ...AMOUNTS },
  { column: 'toppedUp', within: 'TopUpUsd', ...COUNTS },
];

/** One figure per quantile, under the keys of the answer. */
export const byQuantile = (quantiles: Float64Array, figure: (i: number, q: number) => FigureAccuracy) =>
  Object.fromEntries(Array.from(quantiles, (q, i) => [String(q), figure(i, q)]));
