/**
 * The scenarios of the loan operations and of value at risk: window -> model -> scenarios, for each methodology.
 */

import type { Day } from '../calendar-date.ts';
import { type Fault, refuseIfFaulty } from '../core/errors.ts';
import { type GridHours, roundedSteps, stepsOfDays } from '../core/plan/grid.ts';
import type { NumberedPortfolio } from '../core/plan/portfolio.ts';
import type { GbmScenarios, HistoricalScenarios } from '../core/plan/simulation-plan.ts';
import { refuseHistoricalOnGpu } from '../engine/plan-refusals.ts';
import { counted } from '../market/counted.ts';
import { lastCompleteDay } from '../market/last-complete-day.ts';
import type { AlignedPrices, FilledSeries, IndexLevels } from '../market/market-data.ts';
import {
  annualCovariance,
  calibrateConstantVolatility,
  DAYS_PER_YEAR,
  gbmScenarios,
} from '../model/constant-volatility.ts';
import { logReturns } from '../model/log-returns.ts';
import { portfolioVolatility } from '../model/portfolio-volatility.ts';
import { overrideVolatilities, type VolatilityIndexLevels } from '../model/volatility-index.ts';
import { type FittedModel, historicalWarnings, volatilityMembers } from './fitted-model.ts';
import type { OperationContext } from './operation.ts';

/** The members of a request that lead to its scenarios. */
export interface ScenarioRequest {
  readonly analysis_date: Day;
  readonly model_lookback: number;
}

/** Scenarios, and what the answer says about where they come from. */
export interface ScenarioSet<S> {
  readonly scenarios: S;
  /** Hours between two prices of the window. */
  readonly gridHours: GridHours;
  readonly filled: readonly FilledSeries[];
  /** Volatilities and correlation of the two portfolios, as the interface names them; none for HISTORICAL. */
  readonly volatilityFigures: Readonly<Record<string, number>>;
  /** The model as fitted, for `Model` and for warnings. */
  readonly fitted: FittedModel;
}

/** Members of the output beside the scores, for the Monte Carlo methodologies. */
export function volatilityFigures(
  portfolio: NumberedPortfolio,
  annualCovariances: Float64Array,
): Record<string, number> {
  const figures = portfolioVolatility(portfolio.collateralWeights, portfolio.loanWeights, annualCovariances);
  return {
    'Collateral Volatility': figures.collateralVolatility,
    'Loan Volatility': figures.loanVolatility,
    'Collateral/Loan Correlation': figures.correlation,
  };
}

/** The daily closes of the lookback: one more than it has returns. */
export function lookbackCloses(
  portfolio: NumberedPortfolio,
  request: ScenarioRequest,
  { market, now }: OperationContext,
): Promise<AlignedPrices> {
  const lastDay = lastCompleteDay(request.analysis_date, now);
  return market.dailyCloses(portfolio.symbols, lastDay, request.model_lookback + 1);
}

/**
 * GBM, or GBM_VIX where index levels are given.
 *
 * @param window as `lookbackCloses` gives it
 * @param volatilityShock fraction; 0 with index levels
 */
export function gbmScenarioSet(
  portfolio: NumberedPortfolio,
  window: AlignedPrices,
  volatilityShock: number,
  levels?: VolatilityIndexLevels,
): ScenarioSet<GbmScenarios> {
  const returns = window.prices.map(logReturns);
  const calibrated = calibrateConstantVolatility(portfolio.symbols, returns, DAYS_PER_YEAR, volatilityShock);
  const model = levels === undefined ? calibrated : overrideVolatilities(calibrated, levels);
  return {
    scenarios: gbmScenarios(model),
    gridHours: window.gridHours,
    filled: window.filled,
    volatilityFigures: volatilityFigures(portfolio, annualCovariance(model)),
    fitted: { members: volatilityMembers(model), closes: window.prices[0].length },
  };
}

/** Carried closes of two windows of one request: where both hold a series, the larger count. */
export function mergeFilled(
  first: readonly FilledSeries[],
  second: readonly FilledSeries[],
): readonly FilledSeries[] {
  const merged = new Map<string, FilledSeries>();
  for (const series of [...first, ...second]) {
    const key = `${series.symbol} ${series.unit}`;
    const known = merged.get(key);
    if (known === undefined || known.count < series.count) merged.set(key, series);
  }
  return [...merged.values()];
}

/** Levels of both volatility indices at the last close of the window. */
export function volatilityIndexLevels(
  request: ScenarioRequest,
  context: OperationContext,
): Promise<IndexLevels> {
  return context.market.volatilityIndex(lastCompleteDay(request.analysis_date, context.now));
}

/** Windows of history and their number. */
export interface HistoricalSet extends ScenarioSet<HistoricalScenarios> {
  readonly windows: number;
}

/** A horizon of a request and the member that states it. */
export interface Horizon {
  readonly path: string;
  /** Days. */
  readonly days: number;
}

/**
 * HISTORICAL: every window of a horizon's length that ends within the lookback.
 *
 * @param horizons one or more
 * @throws RiskError `invalid-request` where a horizon rounds to no step of the grid, or two to the same one
 */
export async function historicalScenarioSet(
  portfolio: NumberedPortfolio,
  request: ScenarioRequest,
  horizons: readonly Horizon[],
  context: OperationContext,
): Promise<HistoricalSet> {
  refuseHistoricalOnGpu(context.compute);
  const longestDays = Math.max(...horizons.map(({ days }) => days));
  const lastDay = lastCompleteDay(request.analysis_date, context.now);
  const history = await context.market.history(portfolio.symbols, lastDay, request.model_lookback, {
    hours: stepsOfDays(longestDays, 1),
    days: stepsOfDays(longestDays, 24),
  });
  const { gridHours } = history;
  refuseIfFaulty(unresolvedHorizons(horizons, gridHours));
  const lead = stepsOfDays(longestDays, gridHours);
  const windows = history.prices[0].length - lead;
  return {
    scenarios: { kind: 'historical', assets: portfolio.symbols.length, prices: history.prices, lead },
    windows,
    gridHours,
    filled: history.filled,
    volatilityFigures: {},
    fitted: {
      members: { symbols: portfolio.symbols, windows },
      closes: history.prices[0].length,
      warnings: historicalWarnings(windows, lead, gridHours),
    },
  };
}

/**
 * The horizons that a grid of history cannot tell: one that rounds to no step, and one that rounds to the step of an
 * earlier one (methodology 3.4). Each would be answered with the figure of another horizon.
 */
export function unresolvedHorizons(horizons: readonly Horizon[], gridHours: GridHours): Fault[] {
  const grid = gridHours === 1 ? 'hourly' : 'daily';
  const unit = gridHours === 1 ? 'hour' : 'day';
  const firstAt = new Map<number, Horizon>();
  return horizons.flatMap((horizon): Fault[] => {
    const { path, days } = horizon;
    const steps = roundedSteps(days, gridHours);
    if (steps === 0) {
      const message =
        `${memberName(path)} must be at least half a step of the ${grid} history of this portfolio, ` +
        `${gridHours / 48} days; got ${days}`;
      return [{ path, message }];
    }
    const first = firstAt.get(steps);
    if (first === undefined) {
      firstAt.set(steps, horizon);
      return [];
    }
    const message =
      `${memberName(path)} must differ from ${memberName(first.path)} by a step of the ${grid} history of this portfolio; ` +
      `got ${days} and ${first.days}, which both round to ${counted(steps, unit)}`;
    return [{ path, message }];
  });
}

/** A member as sentences call it: without the envelope's `params`. */
const memberName = (path: string) => path.replace(/^params\./, '');
