/** Answers on real data that were right by their definition and easily misread. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { RiskError } from '#src/core/errors.js';
import type { AccuracyFigures, FigureAccuracy } from '#src/core/figures/accuracy.js';
import type { FilteredHistoricalScenarios } from '#src/core/plan/model/filtered-historical.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { BACKTEST_QUESTION } from '#src/question/backtest/back-test.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { DEFAULT_QUERY } from '#src/question/request/query.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { type Operations, openOperations } from '../support/operations.ts';
import { describeWithSharedData } from '../support/shared-data.ts';

/** Rows of the window that a plan draws from. */
const rowsOf = (plan: SimulationPlan | undefined) =>
  (plan?.scenarios as unknown as { rows: Float64Array } | undefined)?.rows;

describeWithSharedData('On real data', dataDir => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations();
  });

  /** Closes by date, YYYY-MM-DD, of a file with such a column; a stablecoin's price of 00:00 is the close of the day before. */
  function closesOf(file: string, column: string, daysBefore: number): Map<string, number> {
    const [header, ...rows] = readFileSync(join(dataDir, file), 'utf8').trim().split('\n');
    const names = header.trim().split(',');
    return new Map(
      rows.map(row => {
        const cells = row.trim().split(',');
        const day = new Date(Date.parse(cells[names.indexOf('date')]) - daysBefore * 86_400_000);
        return [day.toISOString().slice(0, 10), Number(cells[names.indexOf(column)])];
      }),
    );
  }
  const BTC = () => closesOf('daily/btc_usdt.csv', 'close', 0);
  const USDC = () => closesOf('stablecoin/usdc_usd.csv', 'price', 1);
  const dates = (last: string, count: number) =>
    Array.from({ length: count }, (_, k) =>
      new Date(Date.parse(last) - (count - 1 - k) * 86_400_000).toISOString().slice(0, 10),
    );

  /** Correlation of the log returns of two series over so many days up to the last, a hole carried. */
  function correlation(a: Map<string, number>, b: Map<string, number>, last: string, count: number): number {
    const returns = (closes: Map<string, number>) => {
      let known = Number.NaN;
      // A hole at the beginning is carried from at most three days before.
      const carried = dates(last, count + 4).map(day => {
        known = closes.get(day) ?? known;
        return known;
      });
      const filled = carried.slice(3);
      return filled.slice(1).map((close, i) => Math.log(close / filled[i]));
    };
    const [x, y] = [returns(a), returns(b)];
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const [mx, my] = [mean(x), mean(y)];
    const sum = (f: (i: number) => number) => x.reduce((total, _, i) => total + f(i), 0);
    return (
      sum(i => (x[i] - mx) * (y[i] - my)) / Math.sqrt(sum(i => (x[i] - mx) ** 2) * sum(i => (y[i] - my) ** 2))
    );
  }

  const depeg = {
    collateral_weights: { BTC: 1 },
    loan_weights: { USDC: 1 },
    analysis_date: '03-20-2023',
    model_lookback: 60,
    loan_duration: 30,
    mc_top_up: 24,
    loan_value: 1000,
    N: 1.5,
    M: 1.3,
    L: 1.1,
    R: 1.4,
    mc_iter: 1000,
  };
  const ask = (type: string, seed: number, changes: object = {}) =>
    operations.answer(
      LOAN_QUESTION,
      { type, params: { ...depeg, ...changes } },
      { seed, query: { ...DEFAULT_QUERY, include: new Set(['model' as const]) } },
    );

  it('BOOTSTRAP computes the correlation of a coin and a stablecoin without hours from daily returns', async () => {
    const { result, included } = await ask('BOOTSTRAP', 0);
    const byDays = correlation(BTC(), USDC(), '2023-03-20', 60);
    const daily = (await ask('GBM', 0)).result as Record<string, number>;
    const hourly = result as Record<string, number>;
    // The covariance is that of the days; the volatilities are those of the hours.
    const covariance =
      (byDays * daily['Collateral Volatility'] * daily['Loan Volatility']) /
      (hourly['Collateral Volatility'] * hourly['Loan Volatility']);
    expect(byDays).toBeCloseTo(0.18, 2);
    expect(hourly['Collateral/Loan Correlation']).toBeCloseTo(covariance, 10);
    const model = included?.Model as { correlation: number[][] };
    expect(model.correlation[0][1]).toBeCloseTo(covariance, 10);
  });

  it('BOOTSTRAP draws other hours of a stablecoin for every seed, and the same hours for one seed', async () => {
    const outcomes = new Set<string>();
    for (const seed of [0, 1, 2, 3, 4, 5]) {
      const { plan } = await ask('BOOTSTRAP', seed, { mc_iter: 10 });
      const { plan: again } = await ask('BOOTSTRAP', seed, { mc_iter: 10 });
      const rows = rowsOf(plan);
      expect(rowsOf(again), `seed ${seed}`).toEqual(rows);
      outcomes.add(String(rows?.slice(0, 48)));
    }
    expect(outcomes.size).toBe(6);
  });

  it('BOOTSTRAP warns of hours that are bridged, and of rows that are days', async () => {
    const codes = async (changes: object) => {
      const warnings = (await ask('BOOTSTRAP', 0, changes)).fitted?.warnings ?? [];
      return warnings.map(({ code, message }) => `${code}: ${message.split(' ')[0]}`);
    };
    expect(await codes({})).toEqual(['bridged-hours: USDC']);
    expect(await codes({ loan_weights: { USD: 1 } })).toEqual([]);
    // ADA has no hours in the data.
    expect(await codes({ collateral_weights: { ADA: 1 } })).toEqual(['daily-grid: The']);
  });

  it('CVar of a day by FHS is the mean of the ten lowest of 200 rows', async () => {
    const params = {
      collateral_weights: { BTC: 1 },
      loan_weights: { USD: 1 },
      analysis_date: '06-30-2024',
      model_lookback: 200,
      var_duration: [1],
      quantile: [0.95],
      collateral_value: 100,
      loan_value: 50,
      mc_iter: 200_000,
    };
    const query = { ...DEFAULT_QUERY, include: new Set(['accuracy' as const]), confidence: 0.999 };
    const { result, included, plan } = await operations.answer(
      VALUE_AT_RISK_QUESTION,
      { type: 'FHS', params },
      { query },
    );
    const { assets, firstVariance, rows } = (plan as SimulationPlan).scenarios as FilteredHistoricalScenarios;
    const shocks = Array.from({ length: 200 }, (_, d) => Math.sqrt(firstVariance[0]) * rows[d * assets]);
    const mean = shocks.reduce((sum, shock) => sum + Math.exp(shock), 0) / 200;
    const atoms = shocks.map(shock => (100 * Math.exp(shock)) / mean).sort((x, y) => x - y);
    const law = atoms.slice(0, 10).reduce((sum, value) => sum + value, 0) / 10;
    const figures = result['1'] as Record<string, Record<string, number>>;
    const accuracy = included?.Accuracy as { figures: Record<string, Record<string, AccuracyFigures>> };
    const { low, high } = accuracy.figures['1']['0.95'].CollateralCVar as FigureAccuracy;
    expect([low, high]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(law).toBeGreaterThan(low ?? Number.NaN);
    expect(law).toBeLessThan(high ?? Number.NaN);
    // With the whole of the atom at Var the mean would be that of 10 or 11 rows, some of them in excess.
    const eleven = atoms.slice(0, 11).reduce((sum, value) => sum + value, 0) / 11;
    expect(figures['0.95'].CollateralCVar).toBeLessThan((law + eleven) / 2);
  });

  const backtest = (params: object) =>
    operations.answer(
      BACKTEST_QUESTION,
      { type: 'GBM', params: { model_lookback: 30, quantile: [0.95], mc_iter: 100, ...params } },
      {},
    );

  it('/backtest refuses a last day without a close, also on the day after', async () => {
    const last = [...BTC().keys()].sort().at(-1) as string;
    const usDate = (iso: string) => `${iso.slice(5, 7)}-${iso.slice(8)}-${iso.slice(0, 4)}`;
    const [before, end] = dates(last, 2);
    const weights = { BTC: 1 };
    const from = usDate(dates(last, 12)[0]);
    const good = await backtest({ weights, from, to: usDate(before) });
    expect((good.result as { Carried: number }).Carried).toBe(0);
    const refused = await backtest({ weights, from, to: usDate(end) }).catch((error: RiskError) => error);
    expect(refused).toMatchObject({ reason: 'missing-market-data' });
  });

  it('/backtest omits days whose close is carried, and the day after a gap', async () => {
    const usdc = USDC();
    const days = dates('2024-06-02', 135);
    const { result } = await backtest({ weights: { USDC: 1 }, from: '01-20-2024', to: '06-01-2024' });
    const left = days.slice(0, 134).filter((day, k) => usdc.has(day) && usdc.has(days[k + 1]));
    const { Carried, Forecasts, Daily } = result as {
      Carried: number;
      Forecasts: number;
      Daily: { Date: string[]; Realised: number[] };
    };
    expect(Daily.Date).toEqual(left);
    expect([Forecasts, Carried]).toEqual([left.length, 134 - left.length]);
    expect(Carried).toBeGreaterThanOrEqual(25);
    Daily.Date.forEach((day, i) => {
      const next = days[days.indexOf(day) + 1];
      expect(Daily.Realised[i], day).toBeCloseTo((usdc.get(next) as number) / (usdc.get(day) as number), 12);
    });
  });
});
