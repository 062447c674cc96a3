/**
 * What /loan_risk may be asked, and the members it shares with the other loan operations.
 *
 * Takes: today. Gives: a schema whose output is one shape per type, with dates read and defaults filled in.
 */
import { z } from 'zod';
import type { Day } from './calendar-date.ts';
import {
  choiceBetween,
  unusedMonteCarlo,
  unusedShock,
  variant,
  withoutMonteCarlo,
  withoutShock,
} from './envelope.ts';
import {
  analysisDate,
  durationDays,
  mcIter,
  members,
  modelLookback,
  ratio,
  topUpHours,
  valueUsd,
  volatilityShock,
} from './fields.ts';
import { perDay } from './parse.ts';
import {
  fewDistinctSymbols,
  marginCallAboveLiquidation,
  nominalNotBelowMarginCall,
  obeying,
  recoveryAboveLiquidation,
} from './rules.ts';
import { weightMap } from './weight-map.ts';

/** The members of every loan: the baskets, the window, the term, the size and L. */
export const loanMembers = (today: Day) => ({
  collateral_weights: weightMap,
  loan_weights: weightMap,
  analysis_date: analysisDate(today),
  model_lookback: modelLookback(),
  loan_duration: durationDays,
  mc_top_up: topUpHours,
  loan_value: valueUsd,
  L: ratio,
});

/** The ratios that are given where they are not searched for. */
export const ratioMembers = { N: ratio, M: ratio, R: ratio };

/** What holds between the members of a loan whose ratios are given. */
export const loanRules = [
  fewDistinctSymbols,
  marginCallAboveLiquidation,
  nominalNotBelowMarginCall,
  recoveryAboveLiquidation,
] as const;

/** The schema of a /loan_risk body sent on the day `today`. */
export const loanRiskRequest = perDay((today: Day) => {
  const terms = { ...loanMembers(today), ...ratioMembers };
  const gbm = members({ ...terms, mc_iter: mcIter(), volatility_shock: volatilityShock });
  const gbmVix = members({ ...terms, mc_iter: mcIter(), ...unusedShock });
  const historical = members({ ...terms, ...unusedMonteCarlo });
  return z.discriminatedUnion(
    'type',
    [
      variant('GBM', obeying(gbm, ...loanRules)),
      variant('GBM_VIX', obeying(gbmVix, ...loanRules).transform(withoutShock)),
      variant('HISTORICAL', obeying(historical, ...loanRules).transform(withoutMonteCarlo)),
    ],
    { error: choiceBetween('type', ['GBM', 'GBM_VIX', 'HISTORICAL']) },
  );
});

/** A processed /loan_risk request: dates are days, symbols upper-case, defaults filled in. */
export type LoanRiskRequest = z.infer<ReturnType<typeof loanRiskRequest>>;
