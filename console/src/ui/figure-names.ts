/**
 * What the figures of the interface mean, and the units that they are shown in.
 *
 * Names stay those of the interface, so that a figure on the page is found in an answer; the words are those of docs/reference.md.
 */

/** `share`: a fraction, shown in per cent. */
export type Unit = 'share' | 'percent' | 'ratio' | 'usd' | 'million-usd' | 'margin' | 'number';

export interface FigureName {
  readonly unit: Unit;
  readonly meaning: string;
}

const NAMES: Readonly<Record<string, FigureName>> = {
  AvgLossPct: {
    unit: 'percent',
    meaning: 'mean shortfall at the end, nothing sold',
  },
  AvgSurvivalRate: { unit: 'share', meaning: 'mean part of the term that the loan runs' },
  PrTopUp: { unit: 'share', meaning: 'scenarios with an answered margin call' },
  AvgTopUpPct: { unit: 'percent', meaning: 'mean of the collateral added by answers' },
  PrMarginCall: { unit: 'share', meaning: 'scenarios with a margin call' },
  PrLiquidation: { unit: 'share', meaning: 'scenarios with a liquidation' },
  PrCloseout: { unit: 'share', meaning: 'scenarios with a call that is not cured in time' },
  PrUnderwater: { unit: 'share', meaning: 'scenarios in which coverage falls below 1' },
  WorstCaseCCR: { unit: 'ratio', meaning: 'lowest coverage of any scenario' },
  'Collateral Volatility': { unit: 'share', meaning: 'a year, of the window' },
  'Loan Volatility': { unit: 'share', meaning: 'a year, of the window' },
  'Collateral/Loan Correlation': { unit: 'ratio', meaning: 'of the window' },
  'Market Volatility': { unit: 'share', meaning: 'a year, of the window' },
  N: { unit: 'ratio', meaning: 'nominal ratio that meets the target' },
  M: { unit: 'ratio', meaning: 'margin call ratio at that N' },
  R: { unit: 'ratio', meaning: 'recovery ratio at that N' },
  AvgMarginCall: { unit: 'usd', meaning: 'mean amount of a call' },
  AvgLiquidation: { unit: 'usd', meaning: 'mean amount sold where anything is sold' },
  'Maximum Market Daily Liquidation': { unit: 'usd', meaning: 'what the market takes in a day' },
  Roi: { unit: 'share', meaning: 'return on the initial margin' },
  AccFunding: { unit: 'margin', meaning: 'funding received (paid: negative)' },
  MaxEquityDrawDown: { unit: 'margin', meaning: 'largest fall of equity from its peak' },
  Leverage: { unit: 'ratio', meaning: 'median over the hours of a scenario' },
  FinalEquity: { unit: 'margin', meaning: 'equity at the end' },
  LoanValue: { unit: 'usd', meaning: 'sum of the loans' },
  ExpectedLoss: { unit: 'usd', meaning: 'mean loss after forced sales' },
  'Unsold ExpectedLoss': { unit: 'usd', meaning: 'where nothing is ever sold' },
  'Unsold PrLoss': { unit: 'share', meaning: 'where nothing is ever sold' },
  LossVar: { unit: 'usd', meaning: 'USD, quantile of the loss' },
  LossCVar: { unit: 'usd', meaning: 'USD, mean of the losses beyond' },
  'Unsold LossVar': { unit: 'usd', meaning: 'USD, where nothing is ever sold' },
  'Unsold LossCVar': { unit: 'usd', meaning: 'USD, where nothing is ever sold' },
  MarginCalls: { unit: 'number', meaning: 'loans called' },
  ForcedSales: { unit: 'number', meaning: 'loans liquidated or closed out' },
  ForcedSaleUsd: { unit: 'usd', meaning: 'USD, sold over the term' },
  'ForcedSaleUsd CVar': { unit: 'usd', meaning: 'USD, mean beyond the quantile' },
  PeakDay: { unit: 'usd', meaning: 'USD, most sold in 24 hours' },
  'PeakDay CVar': { unit: 'usd', meaning: 'USD, mean beyond the quantile' },
  PrLoss: { unit: 'share', meaning: 'scenarios with any loss' },
};

/** The unit and the meaning of a figure. */
export function figureName(name: string): FigureName {
  const known = NAMES[name];
  if (known !== undefined) return known;
  if (/^Volume: /.test(name)) return { unit: 'million-usd', meaning: 'a day' };
  if (/C?Var$/.test(name)) return { unit: 'usd', meaning: '' };
  if (/Volatility$/.test(name)) return { unit: 'share', meaning: 'a year, of the window' };
  if (/^Pr[A-Z]/.test(name)) return { unit: 'share', meaning: 'share of scenarios' };
  return { unit: 'number', meaning: '' };
}
