/** GBM: geometric Brownian motion with the volatilities and correlations of the window (methodology part 3.1). */
import { DAYS_PER_YEAR, type GridHours, HOURS_PER_YEAR } from '../../core/plan/grid.ts';
import type { GbmScenarios } from '../../core/plan/simulation-plan.ts';
import type { AlignedPrices } from '../../market/market-data.ts';
import {
  annualCovariance,
  type ConstantVolatilityModel,
  calibrateConstantVolatility,
  gbmScenarios,
} from '../calibration/constant-volatility.ts';
import { logReturns } from '../calibration/log-returns.ts';
import { volatilityMembers } from './fitted-model.ts';
import type { Methodology, Need, ScenarioSet } from './methodology.ts';
import { closesOfMarks, drawnSet, lookbackCloses, type MarkCloses } from './window.ts';

export const GBM: Methodology<'GBM', MarkCloses> = {
  name: 'GBM',
  title: 'GBM: normal returns',
  words:
    'Geometric Brownian motion with the volatilities and correlations of the daily returns of the window.',
  assumption: 'normal returns of one volatility',
  kind: 'gbm',
  sobolKind: 'gbm-sobol',
  tailKind: 'gbm-shifted',
  questions: [
    'loan',
    'origination',
    'value-at-risk',
    'advance-rate',
    'capped-loan',
    'perpetual',
    'account',
    'book',
    'stress',
    'backtest',
  ],
  draws: true,
  takesShock: true,
  fitCost: { secondsPerFit: 0, secondsPerAssetDay: 2e-7 },
  read: (need, context) => (need.ofMarks ? closesOfMarks(need, context) : lookbackCloses(need, context)),
  fit: (prices, need) => brownianSet(constantVolatility(prices, need), prices, need),
};

/** Volatilities and correlations of a window of either grid, with the shock; volatilities of the assets' own series where it has them. */
export function constantVolatility(
  { prices, gridHours, own }: MarkCloses,
  { portfolio, volatilityShock }: Need,
): ConstantVolatilityModel {
  const perYear = (hours: GridHours) => (hours === 1 ? HOURS_PER_YEAR : DAYS_PER_YEAR);
  const { symbols } = portfolio;
  const model = calibrateConstantVolatility(
    symbols,
    prices.map(logReturns),
    perYear(gridHours),
    volatilityShock,
  );
  if (own === undefined) return model;
  const ofSeries = (series: (typeof own)[number], i: number) =>
    calibrateConstantVolatility(
      [symbols[i]],
      [logReturns(series.prices)],
      perYear(series.gridHours),
      volatilityShock,
    ).annualVolatility[0];
  return { ...model, annualVolatility: Float64Array.from(own, ofSeries) };
}

/** Scenarios of geometric Brownian motion. @param window that `model` is fitted to */
export function brownianSet(
  model: ConstantVolatilityModel,
  window: AlignedPrices,
  need: Need,
): ScenarioSet & { readonly scenarios: GbmScenarios } {
  return {
    scenarios: gbmScenarios(model),
    ...drawnSet(need, window, annualCovariance(model)),
    markVolatility: model.annualVolatility[0],
    fitted: { members: volatilityMembers(model), closes: window.prices[0].length },
  };
}
