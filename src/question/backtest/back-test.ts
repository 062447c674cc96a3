/**
 * /backtest: the value at risk of /var on every day of a range against the later closes (docs/methodology.md, "Back-tests").
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { mapConcurrently } from '../../core/async.ts';
import { refuseIfFaulty } from '../../core/errors.ts';
import type { Tail } from '../../core/plan/product/value-at-risk.ts';
import type { ValueAtRiskProduct } from '../../core/plan/simulation-plan.ts';
import { christoffersenTest, type LikelihoodRatio, quantileScore } from '../../core/stats/backtest.ts';
import type { JudgedTails } from '../../core/stats/shortfall/judged.ts';
import type { ComparedTails } from '../../core/stats/shortfall/tests.ts';
import type { Warning } from '../../core/warnings.ts';
import { calibrateInThread } from '../../models/calibration/calibration-pool.ts';
import { METHODOLOGIES } from '../../models/methodology/methodologies.ts';
import { needWarnings } from '../../models/methodology/warnings.ts';
import { mergeFilled } from '../../models/methodology/window.ts';
import { type Day, formatCalendarDate, formatIsoDate } from '../../text/calendar-date.ts';
import { type Ran, ranOf } from '../answer.ts';
import {
  BODY_BYTES,
  COMMON_QUERY,
  type Operation,
  type OperationContext,
  type Question,
} from '../question.ts';
import { rising } from '../request/fields.ts';
import { asSent, reading } from '../resolved.ts';
import { joinedMarket } from '../scenario/joined-market.ts';
import { rowsOfDays } from '../table.ts';
import {
  resolveValueAtRisk,
  VALUE_AT_RISK,
  type ValueAtRiskRequest,
} from '../value-at-risk/value-at-risk.ts';
import { paramsMember, pathsOf, workload } from '../workload.ts';
import { type BacktestRequest, backtestRequest } from './request.ts';
import { shortfallMembers } from './shortfall-members.ts';

/** Forecasts at the same time: one is calibrated while another is simulated. */
const ABREAST = 4;
const SEEDS = 2 ** 32;

/** The value at risk of one unit of the basket or of the position on a day, and its run without the prices of its window. */
interface Forecast
  extends Pick<
    Ran<ValueAtRiskRequest, ValueAtRiskProduct>,
    'engine' | 'filled' | 'need' | 'plan' | 'set' | 'warnings'
  > {
  /** By quantile in rising order. */
  readonly tails: readonly ForecastTail[];
}

/** A level of a forecast: values of one unit. */
interface ForecastTail {
  readonly level: number;
  /** Mean and standard deviation of the values in its tail. */
  readonly tailMean: number;
  readonly spread: number;
}

/** @param size of the tail: n (1 - q) */
function forecastTail({ quantile, tailMean, level, shortfallSquares }: Tail, size: number): ForecastTail {
  const variance = shortfallSquares / size - (level - tailMean) ** 2;
  return { level: quantile, tailMean, spread: Math.sqrt(Math.max(0, variance)) };
}

/** Paths of GBM where the methodology in comparison has no paths. */
const GBM_PATHS = 10_000;

/** The same question to GBM, for the comparison of scores; undefined for GBM itself. */
function comparedTo({ methodology, terms }: BacktestRequest): BacktestRequest | undefined {
  if (methodology === 'GBM') return undefined;
  const { mc_iter = GBM_PATHS, volatility_shock = 0 } = terms;
  return { methodology: 'GBM', terms: { ...terms, mc_iter, volatility_shock } };
}

/** The values after the forecasts. */
interface Realised {
  /** Indices of the forecasts in the tests. */
  readonly tested: readonly number[];
  /** Value of one unit at the horizon, by forecast. */
  readonly realised: Float64Array;
  /** Its value at the forecast: 1 of a basket, 0 of a position that is long and short of the same value. */
  readonly startValue: number;
}

function judgedTails(
  { tested, realised, startValue }: Realised,
  forecasts: readonly Forecast[],
  level: number,
  q: number,
): JudgedTails {
  const ofTested = (value: (i: number) => number) => Float64Array.from(tested.map(value));
  const of = (pick: (tail: ForecastTail) => number) => ofTested(i => pick(forecasts[i].tails[level]));
  return {
    returns: ofTested(i => realised[i] - startValue),
    levels: of(tail => tail.level - startValue),
    shortfalls: of(tail => tail.tailMean - startValue),
    spreads: of(tail => tail.spread),
    probability: 1 - q,
  };
}

const backtest: Operation<BacktestRequest> = async (request, context) => {
  const { from, to, horizon } = request.terms;
  const days = Array.from({ length: to - from + 1 }, (_, k) => from + k);
  const units = unitsOf(request.terms);
  const window = [to + horizon, days.length + horizon] as const;
  const joined = await joinedMarket(
    context.market,
    request.terms.proxy,
    [...units.keys()],
    [from - request.terms.model_lookback, to + horizon],
  );
  const { market } = joined;
  const closes = await market.dailyCloses([...units.keys()], ...window);
  // The close that judges the last forecast is required: a carried one would show a return of 0.
  const { carried } = await market.dailyCloses(weightyOf(units), ...window, { endsHeld: true });
  // A carried close is no price: a day that it forecasts or judges is left out.
  const ranks = [...days.keys()].filter(k => !carried.has(k) && !carried.has(k + horizon));
  refuseTooFew(ranks, days.length, horizon);
  const growth = valueGrowth(closes.prices, [...units.values()], horizon);
  const realised = Float64Array.from(ranks, k => growth[k]);
  const compared = comparedTo(request);
  const runs = days.length * (compared === undefined ? 1 : 2);
  const both = await mapConcurrently(ranks, ABREAST, context.signal, async (k, i, signal) => {
    const [from, to] = [i / ranks.length, (i + 1) / ranks.length];
    const middle = compared === undefined ? to : (from + to) / 2;
    const running = { ...context, signal };
    const forecast = await forecastOf(request, days[k], k, { from, to: middle }, runs, running);
    if (compared === undefined) return { forecast, gbm: undefined };
    return { forecast, gbm: await forecastOf(compared, days[k], k, { from: middle, to }, runs, running) };
  });
  const forecasts = both.map(({ forecast }) => forecast);
  const gbm = compared && both.map(each => each.gbm as Forecast);
  const quantiles = [...rising(request.terms.quantile)];
  const levels = quantiles.map((_, i) => forecasts.map(({ tails }) => tails[i].level));
  const tested = ranks.flatMap((k, i) => (k % horizon === 0 ? [i] : []));
  const followed = { tested, realised, startValue: request.terms.short_weights === undefined ? 1 : 0 };
  const tails: ComparedTails[] = [];
  for (const [i, q] of quantiles.entries()) {
    await nextTurn();
    tails.push({
      judged: judgedTails(followed, forecasts, i, q),
      gbm: gbm && judgedTails(followed, gbm, i, q),
    });
  }
  const ofShortfall = await calibrateInThread(
    'shortfall-tests',
    { levels: tails, seed: context.seed },
    context,
  );
  const { engine, plan, need, set, warnings } = forecasts[forecasts.length - 1];
  return {
    resultMember: 'Output',
    arguments: { ...request.terms, from: formatCalendarDate(from), to: formatCalendarDate(to) },
    result: {
      Forecasts: ranks.length,
      Carried: days.length - ranks.length,
      Levels: Object.fromEntries(
        quantiles.map((q, i) => [
          String(q),
          {
            ...judgement({ realised, ranks, horizon }, levels[i], q),
            Shortfall: shortfallMembers(ofShortfall[i]),
          },
        ]),
      ),
      Daily: {
        Date: ranks.map(k => formatIsoDate(days[k])),
        Realised: Array.from(realised),
        Var: Object.fromEntries(quantiles.map((q, i) => [String(q), levels[i]])),
        CVar: Object.fromEntries(
          quantiles.map((q, i) => [String(q), forecasts.map(({ tails }) => tails[i].tailMean)]),
        ),
      },
    },
    engine,
    filled: mergeFilled(
      closes.filled,
      forecasts.flatMap(each => each.filled),
    ),
    basis: { gridHours: set.gridHours, paths: set.paths },
    plan,
    warnings: [...warnings, ...joined.warnings, ...needWarnings(need), ...warningsOfDays(forecasts)],
  };
};

/** The warnings of all days: for each code the warning of its first day, and the number of days. */
function warningsOfDays(forecasts: readonly Forecast[]): readonly Warning[] {
  const warningsOf = ({ set }: Forecast) => set.fitted.warnings ?? [];
  const all = forecasts.flatMap(warningsOf);
  const first = new Map(all.toReversed().map(warning => [warning.code, warning]));
  return [...first.values()].map(({ code, message }) => {
    const days = forecasts.filter(each => warningsOf(each).some(warning => warning.code === code)).length;
    return { code, message: `On ${days} of the ${forecasts.length} days. The first of them: ${message}` };
  });
}

/** The request of /var on a day. */
function questionOf({ methodology, terms }: BacktestRequest, day: Day): ValueAtRiskRequest {
  const { weights, short_weights, model_lookback, horizon, quantile, from: _from, to: _to, ...drawn } = terms;
  const params = {
    collateral_weights: weights,
    loan_weights: short_weights ?? weights,
    analysis_date: day,
    model_lookback,
    var_duration: [horizon],
    quantile,
    loan_value: 1,
    collateral_value: 1,
    ...drawn,
  };
  return resolveValueAtRisk({ type: methodology, params });
}

/** Value at risk at the close of `day`, without later data; every day has draws of its own. */
async function forecastOf(
  request: BacktestRequest,
  day: Day,
  rank: number,
  part: { readonly from: number; readonly to: number },
  runs: number,
  context: OperationContext,
): Promise<Forecast> {
  const seed = (context.seed + rank) % SEEDS;
  const ran = await ranOf(VALUE_AT_RISK, questionOf(request, day), { ...context, seed }, { runs, part });
  const { paths, horizons } = ran.outcome;
  const [{ collateral, netExposure }] = horizons;
  const { quantiles } = ran.plan.product;
  const tails = (request.terms.short_weights === undefined ? collateral : netExposure).map((tail, i) =>
    forecastTail(tail, paths * (1 - quantiles[i])),
  );
  const { engine, filled, need, plan, set } = ran;
  return { tails, engine, filled, need, plan, set, warnings: VALUE_AT_RISK.warnings?.(ran) ?? [] };
}

/** USD of each asset in one unit, by symbol in alphabetical order; short positions are below 0. */
function unitsOf({ weights, short_weights = {} }: BacktestRequest['terms']): ReadonlyMap<string, number> {
  const symbols = [...new Set([...Object.keys(weights), ...Object.keys(short_weights)])].sort();
  return new Map(symbols.map(symbol => [symbol, (weights[symbol] ?? 0) - (short_weights[symbol] ?? 0)]));
}

/** Part of a basket below which the carried closes of an asset cost no day: its return of 0 is no verdict. */
const WEIGHTY = 0.01;

/** The assets that are a part of the basket to speak of. */
function weightyOf(units: ReadonlyMap<string, number>): readonly string[] {
  const total = [...units.values()].reduce((sum, unit) => sum + Math.abs(unit), 0);
  return [...units].filter(([, unit]) => Math.abs(unit) >= WEIGHTY * total).map(([symbol]) => symbol);
}

/** Value of one unit after `horizon` days, for every close with a close `horizon` days later. */
function valueGrowth(
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

/** Refuses a range with fewer than two judged days whose horizons do not overlap. */
function refuseTooFew(ranks: readonly number[], days: number, horizon: number): void {
  if (ranks.filter(k => k % horizon === 0).length >= 2) return;
  const message = `from and to must leave at least two days with a close and an outcome that are not carried; ${days - ranks.length} of the ${days} days have a carried one`;
  refuseIfFaulty([{ code: 'out_of_range', path: 'params.to', message }]);
}

/** The judged days: their values, and their ranks from the first day of the range. */
interface Judged {
  readonly realised: Float64Array;
  readonly ranks: readonly number[];
  readonly horizon: number;
}

/**
 * The figures of one level. Every day has a score; the tests assume independent days and take every `horizon`-th day, whose
 * horizons do not overlap. A transition spans no day that is left out.
 */
function judgement({ realised, ranks, horizon }: Judged, levels: readonly number[], q: number) {
  const hits = levels.map((level, i) => realised[i] < level);
  const byRank = new Map(ranks.map((k, i) => [k, hits[i]]));
  const last = ranks[ranks.length - 1];
  const apart = Array.from({ length: Math.floor(last / horizon) + 1 }, (_, i) => byRank.get(i * horizon));
  const tests = christoffersenTest(apart, 1 - q);
  const exceedances = hits.filter(Boolean).length;
  return {
    Exceedances: exceedances,
    Expected: hits.length - hits.length * q,
    ExceedanceRate: exceedances / hits.length,
    QuantileScore: quantileScore(realised, levels, 1 - q),
    Tests: {
      Forecasts: tests.observations,
      Exceedances: tests.exceedances,
      Expected: tests.observations - tests.observations * q,
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

export const BACKTEST_QUESTION: Question<BacktestRequest> = {
  name: 'backtest',
  path: '/backtest',
  ...reading(backtestRequest, asSent),
  query: COMMON_QUERY,
  answer: backtest,
  table: rowsOfDays,
  bodyBytes: BODY_BYTES,
  workload({ methodology, terms }) {
    const days = terms.to - terms.from + 1;
    return workload(
      {
        product: 'value-at-risk',
        model: METHODOLOGIES[methodology].kind,
        paths: pathsOf(terms),
        steps: 1,
        assets: new Set([...Object.keys(terms.weights), ...Object.keys(terms.short_weights ?? {})]).size,
        quantiles: terms.quantile.length,
        days: terms.horizon,
      },
      terms.model_lookback,
      // Scores are compared to those of GBM, which is forecast beside any other methodology.
      { passes: methodology === 'GBM' ? days : 2 * days, fits: days },
    );
  },
  planMember: paramsMember('horizon'),
  seriesMember({ terms }, asset, sent) {
    const map = (['weights', 'short_weights'] as const).find(name => Object.hasOwn(terms[name] ?? {}, asset));
    return map && `params.${map}.${sent(map, asset)}`;
  },
};
