/** The need of the questions on one loan. */
import { stepsOfDays } from '../../core/plan/grid.ts';
import { numberAssets } from '../../core/plan/portfolio.ts';
import type { Need } from '../../models/methodology/methodology.ts';
import type { WeightMap } from '../request/weight-map.ts';
import type { DrawnMembers } from '../typed-request.ts';

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

interface LoanTerms extends WindowTerms {
  readonly collateral_weights: WeightMap;
  readonly loan_weights: WeightMap;
  /** Days. */
  readonly loan_duration: number;
}

/** The need of a loan with its term. */
export const loanNeed = (terms: LoanTerms): Need => ({
  ...windowOf(terms),
  portfolio: numberAssets(terms.collateral_weights, terms.loan_weights),
  termSteps: gridHours => stepsOfDays(terms.loan_duration, gridHours),
  horizons: [{ path: 'params.loan_duration', days: terms.loan_duration }],
});
