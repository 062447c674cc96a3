/**
 * What /loan_origination may be asked: a loan without N, M and R, and what to search them by.
 *
 * Takes: today. Gives: a schema whose output is one shape per type.
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
import { choice, errorTolerance, finiteNumber, mcIter, members, ratio, volatilityShock } from './fields.ts';
import { loanMembers } from './loan-risk-request.ts';
import { perDay } from './parse.ts';
import {
  fewDistinctSymbols,
  obeying,
  searchRangeAboveLiquidation,
  searchRangeNotEmpty,
  targetFitsScore,
} from './rules.ts';

const optParam = obeying(
  members({
    score_variable: choice(['PrCloseout', 'PrLiquidation', 'PrMarginCall', 'PrUnderwater', 'WorstCaseCCR']),
    score_target: finiteNumber,
    variable_min: ratio,
    variable_max: ratio,
    error_tolerance: errorTolerance,
  }),
  searchRangeNotEmpty,
  targetFitsScore,
);

/** The schema of a /loan_origination body sent on the day `today`. */
export const loanOriginationRequest = perDay((today: Day) => {
  const terms = { ...loanMembers(today), opt_param: optParam };
  const rules = [fewDistinctSymbols, searchRangeAboveLiquidation] as const;
  const gbm = members({ ...terms, mc_iter: mcIter(), volatility_shock: volatilityShock });
  const gbmVix = members({ ...terms, mc_iter: mcIter(), ...unusedShock });
  const historical = members({ ...terms, ...unusedMonteCarlo });
  return z.discriminatedUnion(
    'type',
    [
      variant('GBM', obeying(gbm, ...rules)),
      variant('GBM_VIX', obeying(gbmVix, ...rules).transform(withoutShock)),
      variant('HISTORICAL', obeying(historical, ...rules).transform(withoutMonteCarlo)),
    ],
    { error: choiceBetween('type', ['GBM', 'GBM_VIX', 'HISTORICAL']) },
  );
});

/** A processed /loan_origination request. */
export type LoanOriginationRequest = z.infer<ReturnType<typeof loanOriginationRequest>>;
