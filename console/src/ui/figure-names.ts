/**
 * What the figures of the interface are called on the page, the units that they are shown in, and what they mean.
 *
 * The name of the interface stands small beside the plain one, so that a figure on the page is found in an answer.
 */
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

export interface FigureName {
  readonly label: string;
  readonly unit: Unit;
  readonly meaning: string;
}

type Row = readonly [label: string, unit: Unit, meaning?: string];

const NAMES: Readonly<Record<string, Row>> = {
  N: ['Initial coverage', 'coverage', 'that meets the target'],
  M: ['Margin call', 'coverage', 'at that start'],
  R: ['Call is over', 'coverage', 'at that start'],
  PrMarginCall: ['Chance of a margin call', 'share'],
  PrLiquidation: ['Chance of a liquidation', 'share'],
  PrCloseout: ['Chance of a closeout', 'share', 'called, and not cured in time'],
  PrUnderwater: ['Chance of being under water', 'share', 'debt above the collateral at some time'],
  PrForcedSale: ['Chance of a forced sale', 'share', 'liquidated or closed out'],
  PrTopUp: ['Chance that a call is answered', 'share'],
  AvgTopUpPct: ['Collateral added by answers', 'percent', 'mean, of the loan'],
  AvgLossPct: ['Mean shortfall', 'percent', 'of the loan, at the end, if nothing is sold'],
  AvgSurvivalRate: ['Part of the term that the loan runs', 'share', 'mean'],
  WorstCaseCCR: ['Lowest coverage', 'coverage', 'of any scenario'],
  'Collateral Volatility': ['Volatility of the collateral', 'share', 'a year, of the window'],
  'Loan Volatility': ['Volatility of the debt', 'share', 'a year, of the window'],
  'Collateral/Loan Correlation': ['Correlation of both', 'ratio', 'of the window'],
  'Market Volatility': ['Volatility', 'share', 'a year, of the window'],
  AvgMarginCall: ['Mean amount of a call', 'usd'],
  AvgLiquidation: ['Mean amount sold', 'usd', 'where anything is sold'],
  'Maximum Market Daily Liquidation': ['What the market takes in a day', 'usd'],
  Roi: ['Return', 'share', 'on the initial margin'],
  AccFunding: ['Funding', 'margin', 'received; below 0: paid'],
  MaxEquityDrawDown: ['Largest fall of equity', 'margin', 'from its peak'],
  Leverage: ['Leverage', 'ratio', 'median over the hours of a scenario'],
  FinalEquity: ['Equity at the end', 'margin'],
  LoanValue: ['Lent', 'usd'],
  ExpectedLoss: ['Expected loss', 'usd', 'mean, after forced sales'],
  PrLoss: ['Chance of any loss', 'share'],
  'Unsold ExpectedLoss': ['Expected loss if nothing is sold', 'usd'],
  'Unsold PrLoss': ['Chance of a loss if nothing is sold', 'share'],
  LossVar: ['Loss at the level', 'usd', 'value at risk'],
  LossCVar: ['Mean loss beyond the level', 'usd', 'expected shortfall'],
  'Unsold LossVar': ['Loss at the level, nothing sold', 'usd'],
  'Unsold LossCVar': ['Mean loss beyond, nothing sold', 'usd'],
  MarginCalls: ['Loans called', 'count'],
  ForcedSales: ['Loans sold by force', 'count', 'liquidated or closed out'],
  'MarginCalls Mean': ['Loans called', 'mean-count'],
  'ForcedSales Mean': ['Loans sold by force', 'mean-count'],
  ForcedSaleUsd: ['Collateral sold by force', 'usd', 'over the term'],
  'ForcedSaleUsd CVar': ['The same, mean beyond the level', 'usd'],
  PeakDay: ['Largest sales in 24 hours', 'usd'],
  'PeakDay CVar': ['The same, mean beyond the level', 'usd'],
  TopUpUsd: ['Collateral added by borrowers', 'usd'],
  CVarContribution: ['Part in the mean loss beyond the level', 'usd'],
};

/** Names that differ where coverage is shown as loan-to-value. */
const LTV_NAMES: Readonly<Record<string, Row>> = {
  WorstCaseCCR: ['Highest LTV', 'coverage', 'of any scenario'],
  N: ['Initial LTV', 'coverage', 'that meets the target'],
  M: ['Margin call at', 'coverage', 'at that start'],
  R: ['Call is over at', 'coverage', 'at that start'],
};

const named = ([label, unit, meaning = '']: Row): FigureName => ({ label, unit, meaning });

/** What a figure is called, its unit and its meaning. */
export function figureName(name: string, coverage: CoverageUnit = 'ccr'): FigureName {
  const known = (coverage === 'ltv' ? LTV_NAMES[name] : undefined) ?? NAMES[name];
  if (known !== undefined) return named(known);
  if (name.startsWith('Volume: '))
    return named([name.replace('Volume: ', 'Volume, '), 'million-usd', 'a day']);
  if (/C?Var$/.test(name)) return named([name, 'usd']);
  if (/Volatility$/.test(name)) return named([name, 'share', 'a year, of the window']);
  if (/^Pr[A-Z]/.test(name)) return named([name, 'share', 'share of scenarios']);
  return named([name, 'number']);
}

const ORDER = new Map(Object.keys(NAMES).map((name, place) => [name, place]));

/** Figures in the order in which people ask for them; those without a place last, as they came. */
export const inOrder = (names: readonly string[]): string[] =>
  [...names].sort((a, b) => (ORDER.get(a) ?? ORDER.size) - (ORDER.get(b) ?? ORDER.size));
