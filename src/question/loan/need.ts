/** The need of the questions on one loan. */
import type { Need } from '../../models/methodology/methodology.ts';
import { pairsOf } from '../../models/methodology/pegged-pairs.ts';
import type { DrawnMembers } from '../typed-request.ts';
import type { ResolvedLoan } from './resolve.ts';

interface WindowTerms extends DrawnMembers {
  readonly analysis_date: number;
  readonly model_lookback: number;
}

/** The members of the window and of the paths, for every question. */
export const windowOf = (terms: WindowTerms) => ({
  analysisDate: terms.analysis_date,
  lookbackDays: terms.model_lookback,
  volatilityShock: terms.volatility_shock ?? 0,
  paths: terms.mc_iter,
});

/** The need of a loan with its term. */
export const loanNeed = ({ terms, portfolio, termSteps }: ResolvedLoan): Need => ({
  ...windowOf(terms),
  portfolio,
  pairs: pairsOf(portfolio.symbols, portfolio.collateralWeights, portfolio.loanWeights),
  termSteps,
  horizons: [{ path: 'params.loan_duration', days: terms.loan_duration }],
});
