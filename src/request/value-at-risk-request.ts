/**
 * The request of /var: two baskets, their values, horizons and quantiles.
 *
 * Takes: today. Gives: a schema whose output is one shape per type; horizons and quantiles keep the caller's order.
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
  analysisDate,
  horizonsDays,
  mcIter,
  meaning,
  members,
  modelLookback,
  quantiles,
  valueUsd,
  volatilityShock,
} from './fields.ts';
import { perDay } from './parse.ts';
import { fewDistinctSymbols, obeying } from './rules.ts';
import { basketMembers } from './weight-map.ts';

/** The schema of a /var body sent on the day `today`. */
export const valueAtRiskRequest = perDay((today: Day, resolve) => {
  const terms = {
    ...basketMembers(resolve),
    analysis_date: analysisDate(today),
    model_lookback: modelLookback(),
    var_duration: horizonsDays,
    quantile: quantiles,
    loan_value: meaning(valueUsd, 'Value of the loan today.', 'USD'),
    collateral_value: meaning(valueUsd, 'Value of the collateral today.', 'USD'),
  };
  const gbm = members({ ...terms, mc_iter: mcIter(), volatility_shock: volatilityShock });
  const gbmVix = members({ ...terms, mc_iter: mcIter(), ...unusedShock });
  const historical = members({ ...terms, ...unusedMonteCarlo });
  return z.discriminatedUnion(
    'type',
    [
      variant('GBM', obeying(gbm, fewDistinctSymbols)),
      variant('STUDENT_T', obeying(gbm, fewDistinctSymbols)),
      variant('FHS', obeying(gbm, fewDistinctSymbols)),
      variant('BOOTSTRAP', obeying(gbm, fewDistinctSymbols)),
      variant('GBM_VIX', obeying(gbmVix, fewDistinctSymbols).transform(withoutShock)),
      variant('HISTORICAL', obeying(historical, fewDistinctSymbols).transform(withoutMonteCarlo)),
    ],
    { error: choiceBetween('type', ['GBM', 'GBM_VIX', 'HISTORICAL', ...HEAVY_TAILED_TYPES]) },
  );
});

/** A processed /var request. */
export type ValueAtRiskRequest = z.infer<ReturnType<typeof valueAtRiskRequest>>;
