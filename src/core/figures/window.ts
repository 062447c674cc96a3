/** Figures of the window of prices, by their names in the interface; they have no sampling error. */
import { type DescribedFigures, NOT_NEGATIVE } from './figure.ts';

/** Annual volatilities of both baskets; absent for HISTORICAL, which has no model. */
export const VOLATILITY_FIGURES = {
  'Collateral Volatility': {
    unit: 'fraction per year',
    range: NOT_NEGATIVE,
    words: 'Volatility of the collateral basket; absent for HISTORICAL.',
    label: 'Volatility of the collateral',
    note: 'a year, of the window',
    optional: true,
  },
  'Loan Volatility': {
    unit: 'fraction per year',
    range: NOT_NEGATIVE,
    words: 'Volatility of the loan basket; absent for HISTORICAL.',
    label: 'Volatility of the debt',
    note: 'a year, of the window',
    optional: true,
  },
  'Collateral/Loan Correlation': {
    unit: 'none',
    range: [-1, 1],
    words: 'Correlation of the log returns of both baskets; absent for HISTORICAL.',
    label: 'Correlation of both',
    note: 'of the window',
    optional: true,
  },
} as const satisfies DescribedFigures;

/** Values of the figures above, by name. */
export type VolatilityFigures = { readonly [N in keyof typeof VOLATILITY_FIGURES]?: number };

const volume = (label: string, words: string) =>
  ({ unit: 'million USD', range: NOT_NEGATIVE, words, label, note: 'a day' }) as const;

/** Statistics of the markets' daily volume, in answer order. */
export const VOLUME_FIGURES = {
  Mean: volume('Volume, Mean', 'Mean of the daily volumes.'),
  Minimum: volume('Volume, Minimum', 'Lowest daily volume.'),
  '25% Quantile': volume('Volume, 25% Quantile', 'First quartile of the daily volumes.'),
  Median: volume('Volume, Median', 'Median of the daily volumes.'),
  '75% Quantile': volume('Volume, 75% Quantile', 'Third quartile of the daily volumes.'),
  Maximum: volume('Volume, Maximum', 'Highest daily volume.'),
} as const satisfies DescribedFigures;

/** Capacity of a market. */
export const CAPACITY_FIGURES = {
  'Maximum Market Daily Liquidation': {
    unit: 'USD',
    range: NOT_NEGATIVE,
    words: 'Most that can be sold in a day: median daily volume x participation_ratio.',
    label: 'What the market takes in a day',
  },
} as const satisfies DescribedFigures;
