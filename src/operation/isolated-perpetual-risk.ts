/**
 * /isolated_perp_risk: what can become of one isolated perpetual position (methodology part 7).
 */
import type { PerpetualOutcome } from '../engine/engine.ts';
import { refuseHistoricalOnGpu } from '../engine/open-engine.ts';
import { RiskError } from '../errors.ts';
import { lastCompleteDay } from '../market/last-complete-day.ts';
import type { FilledSeries } from '../market/market-data.ts';
import {
  calibrateConstantVolatility,
  DAYS_PER_YEAR,
  gbmScenarios,
  HOURLY_RETURNS_PER_YEAR,
} from '../model/constant-volatility.ts';
import { logReturns } from '../model/log-returns.ts';
import { settlementsPerStep } from '../plan/funding.ts';
import type { GridHours } from '../plan/grid.ts';
import type { PerpetualProduct, Scenarios, SimulationPlan } from '../plan/simulation-plan.ts';
import type { PerpetualRequest } from '../request/perpetual-request.ts';
import { quantilesType7 } from '../stats/quantile.ts';
import type { Operation, OperationContext } from './operation.ts';
import { openPosition } from './perpetual-position.ts';
import { refuseBeyondRange } from './perpetual-range.ts';
import { processedArguments } from './processed-arguments.ts';

const HOURS_PER_DAY = 24;
/** A margin call warns at this multiple of the maintenance margin: a margin ratio of 80 %. */
const MARGIN_CALL_MULTIPLE = 1.25;
const QUANTILES = {
  q01: 0.01,
  q05: 0.05,
  q10: 0.1,
  q25: 0.25,
  q50: 0.5,
  q75: 0.75,
  q90: 0.9,
  q95: 0.95,
  q99: 0.99,
};

interface PriceScenarios {
  readonly scenarios: Scenarios;
  readonly paths: number;
  readonly gridHours: GridHours;
  readonly filled: readonly FilledSeries[];
}

/** Answers /isolated_perp_risk. */
export const isolatedPerpetualRisk: Operation<PerpetualRequest> = async (request, context) => {
  const maintenanceMarginRate = context.maintenanceMargins.rateOf(request.market);
  const position = openPosition(request, maintenanceMarginRate);
  const steps = request.trade_duration_hours;
  const set = await priceScenarios(request, steps, context);
  const plan: SimulationPlan<PerpetualProduct> = {
    seed: context.seed,
    paths: set.paths,
    scenarios: set.scenarios,
    product: {
      kind: 'perpetual',
      ...position,
      initialMargin: request.initial_margin,
      unrealizedPnl: request.unrealized_pnl,
      fundingRatePerInterval: request.funding_rate,
      settlements: settlementsPerStep(steps, request.funding_interval_hour),
      debitsOnly: request.funding_method === 'debitflat',
      marginCallMultiple: MARGIN_CALL_MULTIPLE,
      steps,
    },
  };
  refuseBeyondRange(request, plan);
  const { value, engine } = await context.engines.use(
    plan,
    context.compute,
    engine => engine.run(plan, { signal: context.signal }),
    { log: context.log },
  );
  return {
    resultMember: 'Results',
    arguments: processedArguments(request),
    result: positionFigures(value, request.initial_margin, request.initial_margin + request.unrealized_pnl),
    engine,
    filled: set.filled,
    basis: { gridHours: set.gridHours, scenarios: set.paths, maintenanceMarginRate },
  };
};

function priceScenarios(
  request: PerpetualRequest,
  steps: number,
  context: OperationContext,
): Promise<PriceScenarios> {
  return request.model === 'GBM' ? gbmPrices(request, context) : historicalPrices(request, steps, context);
}

/** GBM: volatility of hourly returns where the store has the hours, else of daily ones. */
async function gbmPrices(
  request: PerpetualRequest & { model: 'GBM' },
  context: OperationContext,
): Promise<PriceScenarios> {
  const { market, model_lookback: days } = request;
  const lastDay = lastCompleteDay(request.analysis_date, context.now);
  const hourly = await context.market.hourlyCloses(market, lastDay, HOURS_PER_DAY * days + 1);
  const window = 'missing' in hourly ? await context.market.dailyCloses([market], lastDay, days + 1) : hourly;
  const model = calibrateConstantVolatility(
    [market],
    window.prices.map(logReturns),
    window.gridHours === 1 ? HOURLY_RETURNS_PER_YEAR : DAYS_PER_YEAR,
    request.volatility_shock,
  );
  return {
    scenarios: gbmScenarios(model),
    paths: request.mc_iter,
    gridHours: window.gridHours,
    filled: window.filled,
  };
}

/** HISTORICAL: every window of the trade's length that ends within the lookback. */
async function historicalPrices(
  request: PerpetualRequest,
  steps: number,
  context: OperationContext,
): Promise<PriceScenarios> {
  refuseHistoricalOnGpu(context.compute);
  const { market } = request;
  const lastDay = lastCompleteDay(request.analysis_date, context.now);
  const windows = HOURS_PER_DAY * request.model_lookback;
  const hourly = await context.market.hourlyCloses(market, lastDay, windows + steps);
  if ('missing' in hourly) {
    throw new RiskError(
      'missing-market-data',
      `HISTORICAL needs hourly prices of ${market} for the lookback and the trade before it: ${hourly.missing}`,
      { faults: [{ path: 'market', message: hourly.missing }] },
    );
  }
  return {
    scenarios: { kind: 'historical', assets: 1, prices: hourly.prices, lead: steps },
    paths: windows,
    gridHours: hourly.gridHours,
    filled: hourly.filled,
  };
}

/** Two probabilities and the quantiles of five distributions over the paths, by the interface's names. */
function positionFigures(
  outcome: PerpetualOutcome,
  initialMargin: number,
  initialEquity: number,
): Record<string, unknown> {
  return {
    PrMarginCall: outcome.marginCalls / outcome.paths,
    PrLiquidation: outcome.liquidations / outcome.paths,
    Roi: quantileMembers(outcome.finalEquity.map(equity => (equity - initialEquity) / initialMargin)),
    AccFunding: quantileMembers(outcome.accumulatedFunding),
    MaxEquityDrawDown: quantileMembers(outcome.maxEquityDrawdown),
    Leverage: quantileMembers(outcome.medianLeverage),
    FinalEquity: quantileMembers(outcome.finalEquity),
  };
}

function quantileMembers(values: Float64Array): Record<string, number> {
  const quantiles = quantilesType7(values, Object.values(QUANTILES));
  return Object.fromEntries(Object.keys(QUANTILES).map((name, i) => [name, quantiles[i]]));
}
