/**
 * /backtest: value at risk as /var would have answered it on every day of a range, against the closes that followed
 * (docs/methodology.md, "Back-tests").
 */
import { type Day, formatCalendarDate, formatIsoDate } from '../calendar-date.ts';
import { mapConcurrently } from '../core/async.ts';
import { numberAssets } from '../core/plan/portfolio.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import { christoffersenTest, type LikelihoodRatio, quantileScore } from '../core/stats/backtest.ts';
import type { FilledSeries } from '../market/market-data.ts';
import type { BacktestRequest } from '../request/backtest-request.ts';
import type { ValueAtRiskRequest } from '../request/value-at-risk-request.ts';
import { tailWarnings } from './fitted-model.ts';
import { horizonScenarios, rising, tailPlan } from './horizon-scenarios.ts';
import type { Operation, OperationContext } from './operation.ts';
import { mergeFilled } from './scenarios.ts';
import type { Warning } from './warnings.ts';

/** Forecasts under way at once: while one is calibrated, another is simulated. */
const ABREAST = 4;
const SEEDS = 2 ** 32;

/** A forecast: the value at risk of one unit of the basket, and what it rests on. */
interface Forecast {
  readonly plan: SimulationPlan;
  readonly engine: Awaited<ReturnType<OperationContext['engines']['use']>>['engine'];
  /** By quantile in rising order. */
  readonly levels: Float64Array;
  readonly gridHours: 1 | 24;
  readonly paths: number;
  readonly filled: readonly FilledSeries[];
  /** Of what its model was fitted to. */
  readonly warnings: readonly Warning[];
}

/** Answers /backtest. */
export const backtest: Operation<BacktestRequest> = async (request, context) => {
  const { from, to, horizon, weights } = request.params;
  const days = Array.from({ length: to - from + 1 }, (_, k) => from + k);
  const closes = await context.market.dailyCloses(Object.keys(weights), to + horizon, days.length + horizon);
  const realised = basketGrowth(closes.prices, Object.values(weights), horizon);
  const forecasts = await mapConcurrently(days, ABREAST, context.signal, (day, k, signal) =>
    forecastOf(request, day, k, days.length, { ...context, signal }),
  );
  const quantiles = rising(request.params.quantile);
  const levels = Array.from(quantiles, (_, i) => forecasts.map(forecast => forecast.levels[i]));
  const { engine, plan, gridHours, paths } = forecasts[forecasts.length - 1];
  return {
    resultMember: 'Output',
    arguments: { ...request.params, from: formatCalendarDate(from), to: formatCalendarDate(to) },
    result: {
      Forecasts: days.length,
      Levels: Object.fromEntries(
        Array.from(quantiles, (q, i) => [String(q), judgement(realised, levels[i], q, horizon)]),
      ),
      Daily: {
        Date: days.map(formatIsoDate),
        Realised: Array.from(realised),
        Var: Object.fromEntries(Array.from(quantiles, (q, i) => [String(q), levels[i]])),
      },
    },
    engine,
    filled: mergeFilled(
      closes.filled,
      forecasts.flatMap(({ filled }) => filled),
    ),
    basis: { gridHours, paths },
    plan,
    warnings: [...tailWarnings(paths, request.params.quantile), ...warningsOfDays(forecasts)],
  };
};

/** The warnings of all days: of each code that of the first day that has it, and on how many days it holds. */
function warningsOfDays(forecasts: readonly Forecast[]): readonly Warning[] {
  const all = forecasts.flatMap(({ warnings }) => warnings);
  const first = new Map(all.toReversed().map(warning => [warning.code, warning]));
  return [...first.values()].map(({ code, message }) => {
    const days = forecasts.filter(({ warnings }) => warnings.some(warning => warning.code === code)).length;
    return { code, message: `On ${days} of the ${forecasts.length} days. The first of them: ${message}` };
  });
}

/** The question that /var would have been asked on a day. */
function questionOf({ type, params }: BacktestRequest, day: Day): ValueAtRiskRequest {
  const { weights, model_lookback, horizon, quantile, from: _from, to: _to, ...drawn } = params;
  const asked = {
    collateral_weights: weights,
    loan_weights: weights,
    analysis_date: day,
    model_lookback,
    var_duration: [horizon],
    quantile,
    loan_value: 1,
    collateral_value: 1,
    ...drawn,
  };
  return { type, params: asked } as ValueAtRiskRequest;
}

/** Value at risk at the close of `day`, knowing nothing after it; every day has draws of its own. */
async function forecastOf(
  request: BacktestRequest,
  day: Day,
  rank: number,
  days: number,
  context: OperationContext,
): Promise<Forecast> {
  const question = questionOf(request, day);
  const portfolio = numberAssets(question.params.collateral_weights, question.params.loan_weights);
  const set = await horizonScenarios(question, portfolio, context);
  const seed = (context.seed + rank) % SEEDS;
  const plan = tailPlan(question, portfolio, set, { ...context, seed });
  const { value, engine } = await context.engines.use(
    plan,
    context.compute,
    running => running.run(plan, { signal: context.signal }),
    { runs: days, part: { from: rank / days, to: (rank + 1) / days }, log: context.log },
  );
  const levels = Float64Array.from(value.horizons[0].collateral, tail => tail.quantile);
  const { filled, gridHours, paths, fitted } = set;
  return { plan, engine, levels, gridHours, paths, filled, warnings: fitted.warnings ?? [] };
}

/** Value of one unit of the basket after `horizon` days, for every close that has one so much later. */
function basketGrowth(
  prices: readonly Float64Array[],
  weights: readonly number[],
  horizon: number,
): Float64Array {
  const growth = new Float64Array(prices[0].length - horizon);
  prices.forEach((series, i) => {
    for (let k = 0; k < growth.length; k++) growth[k] += (weights[i] * series[k + horizon]) / series[k];
  });
  return growth;
}

/**
 * What the forecasts of one level were worth. Every day is scored; the tests, which take days as independent, look at every
 * `horizon`-th day, whose horizons do not overlap.
 */
function judgement(realised: Float64Array, levels: readonly number[], q: number, horizon: number) {
  const hits = levels.map((level, k) => realised[k] < level);
  const apart = hits.filter((_, k) => k % horizon === 0);
  const tests = christoffersenTest(apart, 1 - q);
  const exceedances = hits.filter(Boolean).length;
  return {
    Exceedances: exceedances,
    Expected: hits.length - hits.length * q,
    ExceedanceRate: exceedances / hits.length,
    QuantileScore: quantileScore(realised, levels, 1 - q),
    Tests: {
      Forecasts: apart.length,
      Exceedances: tests.exceedances,
      Expected: apart.length - apart.length * q,
      Transitions: tests.transitions,
      Kupiec: ratioMembers(tests.unconditionalCoverage),
      Independence: ratioMembers(tests.independence),
      ConditionalCoverage: ratioMembers(tests.conditionalCoverage),
    },
  };
}

const ratioMembers = ({ statistic, degreesOfFreedom, pValue }: LikelihoodRatio) => ({
  Statistic: statistic,
  DegreesOfFreedom: degreesOfFreedom,
  PValue: pValue,
});
