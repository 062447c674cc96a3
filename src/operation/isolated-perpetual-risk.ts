/**
 * /isolated_perp_risk: what can become of one isolated perpetual position (methodology part 7).
 */
import { RiskError } from '../core/errors.ts';
import { positionDistribution } from '../core/figures/distribution.ts';
import { positionColumns, positionFigures, QUANTILES } from '../core/figures/perpetual.ts';
import { settlementsPerStep } from '../core/plan/funding.ts';
import type { GridHours } from '../core/plan/grid.ts';
import { numberAssets } from '../core/plan/portfolio.ts';
import type { PerpetualProduct, Scenarios, SimulationPlan } from '../core/plan/simulation-plan.ts';
import { refuseHistoricalOnGpu } from '../engine/plan-refusals.ts';
import { lastCompleteDay } from '../market/last-complete-day.ts';
import type { FilledSeries, MissingHours } from '../market/market-data.ts';
import {
  calibrateConstantVolatility,
  DAYS_PER_YEAR,
  gbmScenarios,
  HOURLY_RETURNS_PER_YEAR,
} from '../model/constant-volatility.ts';
import { logReturns } from '../model/log-returns.ts';
import type { HeavyTailedType } from '../request/envelope.ts';
import type { PerpetualRequest } from '../request/perpetual-request.ts';
import { accuracyMember } from './accuracy/figures.ts';
import { historicalPerpetualAccuracy } from './accuracy/historical-perpetual.ts';
import { perpetualAccuracy } from './accuracy/perpetual.ts';
import { type FittedModel, historicalWarnings, tailWarnings, volatilityMembers } from './fitted-model.ts';
import { heavyTailedScenarioSet, studentT } from './heavy-tailed-scenarios.ts';
import type { IncludedMembers, Operation, OperationContext } from './operation.ts';
import { fundingOf } from './perpetual-funding.ts';
import { openPosition, startNotionalUsd } from './perpetual-position.ts';
import { marginPrices } from './perpetual-prices.ts';
import { refuseBeyondRange } from './perpetual-range.ts';
import { processedArguments } from './processed-arguments.ts';
import { readTogether } from './read-together.ts';
import { distributionOf, modelMembers, type PlanRun, runPlan, wantsAccuracy } from './run-plan.ts';
import { mergeFilled, type ScenarioSet } from './scenarios.ts';

const HOURS_PER_DAY = 24;
/** A margin call warns at this multiple of the maintenance margin: a margin ratio of 80 %. */
const MARGIN_CALL_MULTIPLE = 1.25;

interface PriceScenarios {
  readonly scenarios: Scenarios;
  readonly paths: number;
  readonly gridHours: GridHours;
  readonly filled: readonly FilledSeries[];
  readonly fitted: FittedModel;
  /** Of the mark over the trade, fraction per year; absent where the methodology has no model. */
  readonly annualVolatility?: number | undefined;
}

/** Answers /isolated_perp_risk. */
export const isolatedPerpetualRisk: Operation<PerpetualRequest> = async (request, context) => {
  const maintenanceMarginRate =
    request.maintenance_margin_rate ??
    context.maintenanceMargins.rateOf(request.market, startNotionalUsd(request));
  const position = openPosition(request, maintenanceMarginRate);
  const steps = request.trade_duration_hours;
  const [set, funding] = await readTogether([
    priceScenarios(request, steps, context),
    fundingOf(request, context),
  ]);
  const plan: SimulationPlan<PerpetualProduct> = {
    seed: context.seed,
    paths: set.paths,
    scenarios: set.scenarios,
    product: {
      kind: 'perpetual',
      ...position,
      initialMargin: request.initial_margin,
      unrealizedPnl: request.unrealized_pnl,
      fundingRatePerInterval: funding.ratePerInterval,
      settlements: settlementsPerStep(steps, request.funding_interval_hour),
      debitsOnly: request.funding_method === 'debitflat',
      marginCallMultiple: MARGIN_CALL_MULTIPLE,
      steps,
    },
    ...distributionOf(set.scenarios, set.gridHours, context),
  };
  refuseBeyondRange(request, plan);
  const { value, engine } = await runPlan(plan, context);
  const { initial_margin, unrealized_pnl } = request;
  const columns = positionColumns(value.outcome, initial_margin, initial_margin + unrealized_pnl);
  return {
    resultMember: 'Results',
    arguments: processedArguments(request, { funding_rate: funding.ratePerInterval }),
    result: positionFigures(value.outcome, columns),
    engine,
    filled: set.filled,
    basis: {
      gridHours: set.gridHours,
      paths: set.paths,
      maintenanceMarginRate,
      ...(funding.source === undefined ? {} : { funding: funding.source }),
    },
    plan,
    included: {
      ...(wantsAccuracy(context) ? await positionAccuracy(value, columns, steps, context) : {}),
      ...(plan.distribution
        ? { Distribution: positionDistribution(value.outcome, plan.product, plan.distribution) }
        : {}),
      ...(context.query.include.has('model')
        ? { Model: { ...pricesAtMargin(plan, set, steps), ...modelMembers(set, request, context).Model } }
        : {}),
    },
    fitted: set.fitted,
    warnings: tailWarnings(set.paths, Object.values(QUANTILES)),
  };
};

/** Prices of liquidation and margin call at the start. */
const pricesAtMargin = (
  { product }: SimulationPlan<PerpetualProduct>,
  { annualVolatility }: PriceScenarios,
  steps: number,
) => marginPrices(product, annualVolatility, steps / HOURLY_RETURNS_PER_YEAR);

async function positionAccuracy(
  { outcome, records }: PlanRun<PerpetualProduct>,
  columns: Readonly<Record<string, Float64Array>>,
  steps: number,
  { query: { confidence }, signal }: OperationContext,
): Promise<IncludedMembers> {
  const of = { columns, quantiles: QUANTILES };
  const figures =
    records === undefined
      ? perpetualAccuracy(outcome, of, confidence)
      : await historicalPerpetualAccuracy(outcome, of, records, steps, confidence, signal);
  return { Accuracy: accuracyMember(confidence, outcome.paths, figures) };
}

function priceScenarios(
  request: PerpetualRequest,
  steps: number,
  context: OperationContext,
): Promise<PriceScenarios> {
  switch (request.model) {
    case 'GBM':
      return gbmPrices(request, context);
    case 'HISTORICAL':
      return historicalPrices(request, steps, context);
    case 'STUDENT_T':
    case 'FHS':
    case 'BOOTSTRAP':
      return heavyTailedPrices(request, steps, context);
  }
}

/** GBM by the volatility of the mark. */
async function gbmPrices(
  request: PerpetualRequest & { model: 'GBM' },
  context: OperationContext,
): Promise<PriceScenarios> {
  const { model, gridHours, filled, closes } = await volatilityOfMark(request, context);
  return {
    scenarios: gbmScenarios(model),
    paths: request.mc_iter,
    gridHours,
    filled,
    fitted: { members: volatilityMembers(model), closes },
    annualVolatility: model.annualVolatility[0],
  };
}

/**
 * Volatility of hourly returns where the store holds hours of the window, of daily ones where it holds none. A
 * window with a part of its hours is refused: days in their place can show half the risk (methodology 7.3).
 */
async function volatilityOfMark(
  request: PerpetualRequest & { model: 'GBM' | 'STUDENT_T' },
  context: OperationContext,
) {
  const { market, model_lookback: days } = request;
  const lastDay = lastCompleteDay(request.analysis_date, context.now);
  const hourly = await context.market.hourlyCloses(market, lastDay, HOURS_PER_DAY * days + 1);
  if ('missing' in hourly && hourly.partlyHeld) {
    throw missingHours(`The volatility of ${market} is that of its hours, and some are missing`, hourly);
  }
  const window = 'missing' in hourly ? await context.market.dailyCloses([market], lastDay, days + 1) : hourly;
  const model = calibrateConstantVolatility(
    [market],
    window.prices.map(logReturns),
    window.gridHours === 1 ? HOURLY_RETURNS_PER_YEAR : DAYS_PER_YEAR,
    request.volatility_shock,
  );
  const { gridHours, filled, prices } = window;
  return { model, gridHours, filled, closes: prices[0].length };
}

/** Heavy tails: daily closes, and for STUDENT_T the volatility of GBM. */
async function heavyTailedPrices(
  request: PerpetualRequest & { model: HeavyTailedType },
  steps: number,
  context: OperationContext,
): Promise<PriceScenarios> {
  const { market, model_lookback: days, mc_iter: paths } = request;
  const lastDay = lastCompleteDay(request.analysis_date, context.now);
  const closes = await context.market.dailyCloses([market], lastDay, days + 1);
  const portfolio = numberAssets({ [market]: 1 }, {});
  const asked = { ...request, type: request.model };
  const withVolatility = (set: ScenarioSet<Scenarios>, filled = set.filled) => ({
    ...set,
    filled,
    paths,
    annualVolatility: set.volatilityFigures['Collateral Volatility'],
  });
  if (request.model !== 'STUDENT_T')
    return withVolatility(await heavyTailedScenarioSet(portfolio, asked, closes, steps, context));
  const mark = await volatilityOfMark(request, context);
  const set = await studentT(portfolio, asked, closes, context, mark);
  return withVolatility(set, mergeFilled(set.filled, mark.filled));
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
    throw missingHours(
      `HISTORICAL needs hourly prices of ${market} for the lookback and the trade before it`,
      hourly,
    );
  }
  return {
    scenarios: { kind: 'historical', assets: 1, prices: hourly.prices, lead: steps },
    paths: windows,
    gridHours: hourly.gridHours,
    filled: hourly.filled,
    fitted: {
      members: { symbols: [market], windows },
      closes: hourly.prices[0].length,
      warnings: historicalWarnings(windows, steps, 1),
    },
  };
}

const missingHours = (need: string, { missing }: MissingHours): RiskError =>
  new RiskError('missing-market-data', `${need}: ${missing}`, {
    faults: [{ path: 'market', message: missing }],
  });
