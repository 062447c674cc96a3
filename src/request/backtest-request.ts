/**
 * The request of /backtest: a basket, a methodology of /var, and the days on which it is judged.
 *
 * Takes: today. Gives: a schema whose output is one shape per type; quantiles keep the caller's order.
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
  backtestHorizonDays,
  backtestQuantiles,
  mcIter,
  meaning,
  members,
  modelLookback,
  pastDay,
  volatilityShock,
} from './fields.ts';
import { perDay } from './parse.ts';
import { enoughForecasts, fewForecasts, lastForecastIsJudged, obeying } from './rules.ts';
import { weightMap } from './weight-map.ts';

/** The schema of a /backtest body sent on the day `today`. */
export const backtestRequest = perDay((today: Day, resolve) => {
  const terms = {
    weights: meaning(
      weightMap(resolve),
      'Assets of the basket whose value is forecast, and their shares of it on the day of each forecast; the sum is 1.',
    ),
    model_lookback: modelLookback(),
    horizon: backtestHorizonDays,
    quantile: backtestQuantiles,
    from: pastDay(today, 'Day of the first forecast, made at its close.'),
    to: pastDay(today, 'Day of the last forecast; the close that judges it must be known.'),
  };
  const rules = [lastForecastIsJudged(today), enoughForecasts, fewForecasts] as const;
  const drawn = obeying(
    members({ ...terms, mc_iter: mcIter(), volatility_shock: volatilityShock }),
    ...rules,
  );
  const indexed = obeying(members({ ...terms, mc_iter: mcIter(), ...unusedShock }), ...rules);
  const historical = obeying(members({ ...terms, ...unusedMonteCarlo }), ...rules);
  return z.discriminatedUnion(
    'type',
    [
      variant('GBM', drawn),
      variant('STUDENT_T', drawn),
      variant('FHS', drawn),
      variant('BOOTSTRAP', drawn),
      variant('GBM_VIX', indexed.transform(withoutShock)),
      variant('HISTORICAL', historical.transform(withoutMonteCarlo)),
    ],
    { error: choiceBetween('type', ['GBM', 'GBM_VIX', 'HISTORICAL', ...HEAVY_TAILED_TYPES]) },
  );
});

/** A processed /backtest request. */
export type BacktestRequest = z.infer<ReturnType<typeof backtestRequest>>;
