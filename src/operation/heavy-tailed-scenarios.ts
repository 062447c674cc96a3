/**
 * The scenarios of STUDENT_T, FHS and BOOTSTRAP: window -> calibration in its thread -> scenarios.
 */
import type { Day } from '../calendar-date.ts';
import type { GridHours } from '../core/plan/grid.ts';
import type { NumberedPortfolio } from '../core/plan/portfolio.ts';
import type { Scenarios } from '../core/plan/simulation-plan.ts';
import { lastCompleteDay } from '../market/last-complete-day.ts';
import type { AlignedPrices } from '../market/market-data.ts';
import { bootstrapAnnualCovariance, bridgedHours, LEAST_BOOTSTRAP_DAYS } from '../model/bootstrap.ts';
import { calibrateInThread } from '../model/calibration-pool.ts';
import {
  annualCovariance,
  type ConstantVolatilityModel,
  calibrateConstantVolatility,
  DAYS_PER_YEAR,
  gbmScenarios,
} from '../model/constant-volatility.ts';
import { isStablecoin, requireReturns } from '../model/degrees-of-freedom.ts';
import { garchAnnualCovariance } from '../model/garch.ts';
import { logReturns } from '../model/log-returns.ts';
import type { HeavyTailedType } from '../request/envelope.ts';
import {
  covarianceMembers,
  degreesMembers,
  degreesWarnings,
  garchMembers,
  garchWarnings,
  volatilityMembers,
} from './fitted-model.ts';
import type { OperationContext } from './operation.ts';
import { mergeFilled, type ScenarioSet, volatilityFigures } from './scenarios.ts';

const HOURS_PER_DAY = 24;

/** What of a request leads to these scenarios. */
export interface HeavyTailedRequest {
  readonly type: HeavyTailedType;
  readonly analysis_date: Day;
  readonly model_lookback: number;
  readonly volatility_shock: number;
}

/**
 * @param closes daily closes of the lookback
 * @param termSteps hours of the term, for the volatilities that FHS reports
 * @throws RiskError `calibration-failed` for a window that is too short
 */
export function heavyTailedScenarioSet(
  portfolio: NumberedPortfolio,
  request: HeavyTailedRequest,
  closes: AlignedPrices,
  termSteps: number,
  context: OperationContext,
): Promise<ScenarioSet<Scenarios>> {
  switch (request.type) {
    case 'STUDENT_T':
      return studentT(portfolio, request, closes, context);
    case 'FHS':
      return filteredHistorical(portfolio, request, closes, termSteps, context);
    case 'BOOTSTRAP':
      return bootstrap(portfolio, request, closes, context);
  }
}

/** Volatilities and correlations of other closes than those of the days. */
interface OtherVolatility {
  readonly model: ConstantVolatilityModel;
  /** The grid of its window, and its closes. */
  readonly gridHours: GridHours;
  readonly closes: number;
}

/** @param other where the volatilities are not those of the daily closes */
export async function studentT(
  portfolio: NumberedPortfolio,
  { volatility_shock }: HeavyTailedRequest,
  { prices, filled }: AlignedPrices,
  { signal, log }: OperationContext,
  other?: OtherVolatility,
): Promise<ScenarioSet<Scenarios>> {
  const { symbols } = portfolio;
  const returns = prices.map(logReturns);
  const { fit, multiplier } = await calibrateInThread('student-t', { symbols, returns }, signal);
  log.info(fit, "degrees of freedom of Student's t");
  const { model, gridHours, closes } = other ?? {
    model: calibrateConstantVolatility(symbols, returns, DAYS_PER_YEAR, volatility_shock),
    gridHours: 24 as const,
    closes: prices[0].length,
  };
  return {
    scenarios: {
      ...gbmScenarios(model),
      kind: 'student-t',
      degreesOfFreedom: fit.degreesOfFreedom,
      multiplier: multiplier.table,
      multiplierCap: multiplier.cap,
    },
    gridHours,
    filled,
    volatilityFigures: volatilityFigures(portfolio, annualCovariance(model)),
    fitted: {
      members: { ...volatilityMembers(model), ...degreesMembers(fit) },
      closes,
      warnings: degreesWarnings(fit),
    },
  };
}

async function filteredHistorical(
  portfolio: NumberedPortfolio,
  { volatility_shock: volatilityShock }: HeavyTailedRequest,
  { prices, filled, gridHours }: AlignedPrices,
  termSteps: number,
  { signal }: OperationContext,
): Promise<ScenarioSet<Scenarios>> {
  const input = { symbols: portfolio.symbols, returns: prices.map(logReturns), volatilityShock };
  const { model, scenarios } = await calibrateInThread('filtered-historical', input, signal);
  const covariance = garchAnnualCovariance(model, termSteps, volatilityShock);
  return {
    scenarios,
    gridHours,
    filled,
    volatilityFigures: volatilityFigures(portfolio, covariance),
    fitted: {
      members: {
        ...covarianceMembers(portfolio.symbols, covariance),
        ...garchMembers(model),
        residual_rows: input.returns[0].length,
      },
      closes: prices[0].length,
      warnings: garchWarnings(model),
    },
  };
}

async function bootstrap(
  portfolio: NumberedPortfolio,
  request: HeavyTailedRequest,
  closes: AlignedPrices,
  context: OperationContext,
): Promise<ScenarioSet<Scenarios>> {
  requireReturns('BOOTSTRAP', LEAST_BOOTSTRAP_DAYS, request.model_lookback);
  const hours = await hourlyRows(portfolio, request, closes, context);
  const returns = hours?.returns ?? closes.prices.map(logReturns);
  const stepsPerRow = hours === undefined ? 24 : 1;
  const volatilityShock = request.volatility_shock;
  const scenarios = await calibrateInThread(
    'bootstrap',
    { returns, stepsPerRow, volatilityShock },
    context.signal,
  );
  const covariance = bootstrapAnnualCovariance(returns, stepsPerRow, volatilityShock);
  return {
    scenarios,
    gridHours: stepsPerRow,
    filled: hours?.filled ?? closes.filled,
    volatilityFigures: volatilityFigures(portfolio, covariance),
    fitted: {
      members: {
        ...covarianceMembers(portfolio.symbols, covariance),
        rows: returns[0].length,
        hours_per_row: stepsPerRow,
        mean_block_rows: scenarios.blockRows,
      },
      closes: returns[0].length + 1,
    },
  };
}

/**
 * Hourly returns where every asset that moves has hours over the whole window; stablecoins and assets that do not move are
 * bridged within the hours of the others. Undefined where rows have to be days.
 */
async function hourlyRows(
  { symbols }: NumberedPortfolio,
  request: HeavyTailedRequest,
  closes: AlignedPrices,
  { market, now }: OperationContext,
) {
  const lastDay = lastCompleteDay(request.analysis_date, now);
  const points = HOURS_PER_DAY * request.model_lookback + 1;
  const windows = await Promise.all(symbols.map(symbol => market.hourlyCloses(symbol, lastDay, points)));
  const held = windows.flatMap(window => ('missing' in window ? [] : [window]));
  const daily = closes.prices.map(logReturns);
  const canBeBridged = (i: number) => isStablecoin(symbols[i]) || daily[i].every(r => r === daily[i][0]);
  if (held.length === 0 || windows.some((window, i) => 'missing' in window && !canBeBridged(i)))
    return undefined;
  const returns = windows.map((window, i) =>
    'missing' in window ? bridgedHours(daily[i], i) : logReturns(window.prices[0]),
  );
  const bridged = new Set(symbols.filter((_, i) => 'missing' in windows[i]));
  const filled = mergeFilled(
    held.flatMap(window => window.filled),
    closes.filled.filter(({ symbol }) => bridged.has(symbol)),
  );
  return { returns, filled };
}
