/**
 * What the figures of the interface are called on the page, the units that they are shown in, and what they mean.
 *
 * The name of the interface is shown under the pointer, so that a figure on the page can be found in an answer.
 */

import { ACCOUNT_SHARES } from '#core/figures/account.ts';
import { RATE_FIGURES } from '#core/figures/advance-rate.ts';

import { BOOK_TOTALS, COLUMNS } from '#core/figures/book.ts';
import { BOOK_LENDING_FIGURES, BOOK_LOAN_FIGURES, LOAN_PARTS } from '#core/figures/book-loan.ts';
import { CAPITAL_FIGURES, CAPITAL_PARTS } from '#core/figures/capital.ts';
import { CAPPED_LOAN_FIGURES } from '#core/figures/capped-loan.ts';
import { CREDIT_FIGURES } from '#core/figures/credit.ts';
import type { DescribedFigure, FigureUnit } from '#core/figures/figure.ts';
import { FOUND_RATIOS, ORIGINATION_SCORES } from '#core/figures/origination.ts';
import { POSITION_DISTRIBUTIONS, POSITION_SHARES } from '#core/figures/perpetual.ts';
import { TAIL_FIGURES } from '#core/figures/value-at-risk.ts';
import { LAYER_FIGURES, TRANCHE_FIGURES, TRANCHE_PLACES } from '#core/figures/waterfall.ts';
import { CAPACITY_FIGURES, VOLATILITY_FIGURES, VOLUME_FIGURES } from '#core/figures/window.ts';
import type { CoverageUnit } from './coverage.ts';

/**
 * `share`: a fraction, shown in per cent. `coverage`: a ratio of collateral to debt, shown as the visitor has chosen.
 * `mean-count`: a mean number of things; `count`: a whole number of them.
 */
export type Unit =
  | 'share'
  | 'percent'
  | 'ratio'
  | 'coverage'
  | 'usd'
  | 'million-usd'
  | 'margin'
  | 'mean-count'
  | 'count'
  | 'number';

const SHOWN_UNITS: Readonly<Record<FigureUnit, Unit>> = {
  fraction: 'share',
  'fraction per year': 'share',
  'percent of the loan': 'percent',
  'percent of the debt': 'percent',
  'percent of the tranche': 'percent',
  'collateral value / loan value': 'coverage',
  'debt / collateral value': 'share',
  USD: 'usd',
  'million USD': 'million-usd',
  'margin currency': 'margin',
  loans: 'count',
  episodes: 'count',
  days: 'number',
  none: 'ratio',
};

export interface FigureName {
  readonly label: string;
  readonly unit: Unit;
  readonly meaning: string;
}

interface Shown extends FigureName {
  readonly ltvLabel?: string | undefined;
}

const shown = ({ label, unit, note = '', ltvLabel }: DescribedFigure): Shown => ({
  label,
  unit: SHOWN_UNITS[unit],
  meaning: note,
  ltvLabel,
});

/** Names of the figures of a column of a book, as tables have them: `LossVar`, `PeakDay CVar`, `MarginCalls` for its quantiles. */
const columnNames = COLUMNS.flatMap(([, { within, figures }]) =>
  Object.entries(figures).map(([name, row]) => {
    const key = [within?.name, name === 'Quantiles' ? undefined : name].filter(Boolean).join(' ');
    const unit = row.is === 'mean' && row.unit === 'loans' ? 'mean-count' : SHOWN_UNITS[row.unit];
    return [key, { ...shown(row), unit }] as const;
  }),
);

const rows = (figures: Readonly<Record<string, DescribedFigure>>) =>
  Object.entries(figures).map(([name, row]) => [name, shown(row)] as const);

/** Every figure; where several answers have one of a name, they show it alike. */
const NAMES: ReadonlyMap<string, Shown> = new Map([
  ...rows(RATE_FIGURES),
  ...rows(FOUND_RATIOS),
  ...rows(ACCOUNT_SHARES),
  ...rows(POSITION_SHARES),
  ...rows(ORIGINATION_SCORES),
  ...rows(CAPPED_LOAN_FIGURES),
  ...rows(BOOK_LENDING_FIGURES),
  ...rows(BOOK_LOAN_FIGURES),
  ...rows(VOLATILITY_FIGURES),
  ...rows(CAPACITY_FIGURES),
  ...rows(VOLUME_FIGURES).map(([name, row]) => [`Volume: ${name}`, row] as const),
  ...rows(POSITION_DISTRIBUTIONS),
  ...rows(TAIL_FIGURES),
  ...rows(BOOK_TOTALS),
  ...columnNames,
  ...rows(LOAN_PARTS),
  ...rows({ ...CAPITAL_FIGURES, ...CAPITAL_PARTS }),
  ...rows({ ...TRANCHE_PLACES, ...TRANCHE_FIGURES }).map(([name, row]) => [`Tranche: ${name}`, row] as const),
  ...rows(LAYER_FIGURES).map(([name, row]) => [`Waterfall: ${name}`, row] as const),
  ...rows(CREDIT_FIGURES),
]);

/** What a figure is called, its unit and its meaning. */
export function figureName(name: string, coverage: CoverageUnit = 'ccr'): FigureName {
  const { ltvLabel, ...known } = NAMES.get(name) ?? { label: name, unit: 'number', meaning: '' };
  return coverage === 'ltv' && ltvLabel !== undefined ? { ...known, label: ltvLabel } : known;
}

/** The figure within a sentence: `the chance of a margin call`. */
export const figureWords = (name: string): string => {
  const { label } = figureName(name);
  return `the ${label[0].toLowerCase()}${label.slice(1)}`;
};

/** What people ask for first. */
const FIRST: readonly string[] = [
  ...Object.keys(FOUND_RATIOS),
  'PrMarginCall',
  'PrLiquidation',
  'PrCloseout',
  'PrUnderwater',
  'PrForcedSale',
  'PrTopUp',
  'AvgTopUpPct',
  'AvgLossPct',
  'AvgSurvivalRate',
  'WorstCaseCCR',
  ...Object.keys(VOLATILITY_FIGURES),
];
const ORDER = new Map([...new Set([...FIRST, ...NAMES.keys()])].map((name, place) => [name, place]));

/** Figures in the order in which people ask for them; those without a place last, as they came. */
export const inOrder = (names: readonly string[]): string[] =>
  [...names].sort((a, b) => (ORDER.get(a) ?? ORDER.size) - (ORDER.get(b) ?? ORDER.size));
