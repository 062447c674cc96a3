/**
 * The request of /backtest: a basket or a net position, a methodology of /var, and the range of days. Quantiles are in the order of the
 * caller.
 */
import type { z } from 'zod';
import type { Day } from '../../text/calendar-date.ts';
import {
  backtestHorizonDays,
  backtestQuantiles,
  meaning,
  modelLookback,
  pastDay,
} from '../request/fields.ts';
import { perDay } from '../request/parse.ts';
import { proxies } from '../request/proxies.ts';
import {
  enoughForecasts,
  fewForecasts,
  fewSymbolsOfPosition,
  lastForecastIsJudged,
  shortIsOfOthers,
} from '../request/rules.ts';
import { weightMap } from '../request/weight-map.ts';
import type { Resolved } from '../resolved.ts';
import { typedRequest } from '../typed-request.ts';

export const backtestRequest = perDay((today: Day, resolve) => {
  const terms = {
    weights: meaning(
      weightMap(resolve),
      'Share of each asset in the forecast basket, on the day of each forecast; the sum is 1.',
    ),
    short_weights: meaning(
      weightMap(resolve).optional(),
      'Share of each asset in a short basket with the value of `weights` on the day of each forecast; the sum is 1. The difference of both baskets is forecast.',
    ),
    model_lookback: modelLookback(),
    proxy: proxies(resolve),
    horizon: backtestHorizonDays,
    quantile: backtestQuantiles,
    from: pastDay(today, 'Day of the first forecast, made at its close.'),
    to: pastDay(today, 'Day of the last forecast; the close that it is tested against must be known.'),
  };
  return typedRequest('backtest', {
    terms,
    rules: [
      lastForecastIsJudged(today),
      enoughForecasts,
      fewForecasts,
      fewSymbolsOfPosition,
      shortIsOfOthers,
    ],
  });
});

export type BacktestRequest = Resolved<z.infer<ReturnType<typeof backtestRequest>>['params']>;
