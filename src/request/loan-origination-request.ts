/**
 * The request of /loan_origination: a loan without N, M and R, and what to search them by.
 *
 * Takes: today. Gives: a schema whose output is one shape per type.
 */
import { z } from 'zod';
import type { Day } from '../calendar-date.ts';
import {
  choiceBetween,
  HEAVY_TAILED_TYPES,
  unusedMonteCarlo,
  unusedShock,
  variant,
  withoutMonteCarlo,
  withoutShock,
} from './envelope.ts';
import {
  choice,
  errorTolerance,
  finiteNumber,
  mcIter,
  meaning,
  members,
  ratio,
  ratioOr,
  volatilityShock,
} from './fields.ts';
import { loanMembers } from './loan-risk-request.ts';
import { perDay } from './parse.ts';
import {
  fewDistinctSymbols,
  fixedRatioAboveLiquidation,
  fixedRatioInRange,
  obeying,
  searchRangeAboveLiquidation,
  searchRangeNotEmpty,
  targetFitsScore,
} from './rules.ts';

const optParam = obeying(
  members({
    score_variable: meaning(
      choice(['PrCloseout', 'PrLiquidation', 'PrForcedSale', 'PrMarginCall', 'PrUnderwater', 'WorstCaseCCR']),
      'The figure of /loan_risk that is brought to score_target; PrForcedSale is PrLiquidation + PrCloseout.',
    ),
    score_target: meaning(
      finiteNumber,
      'Value that score_variable shall have: 0 to 1 for a probability, above 0 for WorstCaseCCR.',
      'unit of score_variable',
    ),
    variable_min: meaning(ratio, 'Least value of N, M and R.'),
    variable_max: meaning(ratio, 'Largest value of N, M and R; above variable_min and L.'),
    error_tolerance: errorTolerance,
    M: meaning(
      ratioOr('midpoint'),
      'Margin call ratio of every candidate: a number, or midpoint for (L + N) / 2, which is the default.',
    ).optional(),
    R: meaning(
      ratioOr('N'),
      'Recovery ratio of every candidate: a number, or N for the nominal ratio, which is the default.',
    ).optional(),
  }),
  searchRangeNotEmpty,
  targetFitsScore,
  fixedRatioInRange('M'),
  fixedRatioInRange('R'),
);

/** The schema of a /loan_origination body sent on the day `today`. */
export const loanOriginationRequest = perDay((today: Day, resolve) => {
  const terms = {
    ...loanMembers(today, resolve),
    opt_param: meaning(optParam, 'Which figure shall come to which value, and where to search.'),
  };
  const rules = [
    fewDistinctSymbols,
    searchRangeAboveLiquidation,
    fixedRatioAboveLiquidation('M'),
    fixedRatioAboveLiquidation('R'),
  ] as const;
  const gbm = members({ ...terms, mc_iter: mcIter(), volatility_shock: volatilityShock });
  const gbmVix = members({ ...terms, mc_iter: mcIter(), ...unusedShock });
  const historical = members({ ...terms, ...unusedMonteCarlo });
  return z.discriminatedUnion(
    'type',
    [
      variant('GBM', obeying(gbm, ...rules)),
      variant('STUDENT_T', obeying(gbm, ...rules)),
      variant('FHS', obeying(gbm, ...rules)),
      variant('BOOTSTRAP', obeying(gbm, ...rules)),
      variant('GBM_VIX', obeying(gbmVix, ...rules).transform(withoutShock)),
      variant('HISTORICAL', obeying(historical, ...rules).transform(withoutMonteCarlo)),
    ],
    { error: choiceBetween('type', ['GBM', 'GBM_VIX', 'HISTORICAL', ...HEAVY_TAILED_TYPES]) },
  );
});

/** A processed /loan_origination request. */
export type LoanOriginationRequest = z.infer<ReturnType<typeof loanOriginationRequest>>;
