/**
 * The past coverage of /var: one answer per day of real prices, each compared with the close of the next day.
 *
 * docs/verification.md shows the table, and this test compares both to the last digit. Nothing here is tuned.
 *
 * @module-tag slow
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { mapConcurrently } from '#src/core/async.js';
import { type CoverageTests, christoffersenTest } from '#src/core/stats/backtest.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { type Day, formatCalendarDate, formatIsoDate, parseIsoDate } from '#src/text/calendar-date.js';
import { lognormalTail } from '../../support/closed-forms/lognormal-tail.ts';
import { normalDensity, normalQuantile } from '../../support/closed-forms/normal.ts';
import { type Operations, openOperations } from '../../support/operations.ts';
import { describeWithSharedData, readColumn } from '../../support/shared-data.ts';

const METHODS = ['GBM', 'GBM_VIX', 'HISTORICAL'] as const;
const QUANTILES = [0.95, 0.99];
/** The first day with a volatility index and the last one, so that all methods are judged on the same days. */
const FIRST_DAY = '2021-03-24';
const LAST_DAY = '2026-04-05';
const LOOKBACK = 250;
const PATHS = 20_000;
/** Answers at the same time: enough for two threads. */
const ABREAST = 6;

type Method = (typeof METHODS)[number];
/** VaR of one day: CollateralVar of 1 USD, per quantile. */
type Levels = readonly number[];

describeWithSharedData('the back-test of /var on BTC', dataDir => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations();
  });

  it('has the exceedances that docs/verification.md shows', async () => {
    const closes = closesByDay(`${dataDir}/daily/btc_usdt.csv`);
    const index = closesByDay(`${dataDir}/dvol/btc_dvol.csv`);
    const first = parseIsoDate(FIRST_DAY) as Day;
    const days = Array.from({ length: (parseIsoDate(LAST_DAY) as Day) - first + 1 }, (_, i) => first + i);
    expect(days.length).toBeGreaterThanOrEqual(1500);
    const realised = days.map(day => (closes.get(day + 1) as number) / (closes.get(day) as number));

    const rows: string[] = [];
    for (const method of METHODS) {
      const levels = await everyDay(days, (day, rank) => levelsOf(operations, method, day, rank));
      if (method !== 'HISTORICAL') expectClosedForm(method, days, levels, closes, index);
      QUANTILES.forEach((q, i) => {
        const hits = realised.map((value, k) => value < levels[k][i]);
        rows.push(tableRow(method, q, christoffersenTest(hits, 1 - q)));
      });
    }
    const table = [...HEADER, ...rows].join('\n');
    expect(tableOfReadme(), `the table that came out is\n${table}\n`).toBe(table);
  });
});

/** The answer of /var at the close of `day`, without later data; every day has draws of its own. */
async function levelsOf(operations: Operations, type: Method, day: Day, rank: number): Promise<Levels> {
  const params = {
    collateral_weights: { BTC: 1 },
    loan_weights: { BTC: 1 },
    analysis_date: formatCalendarDate(day),
    model_lookback: LOOKBACK,
    var_duration: [1],
    quantile: QUANTILES,
    loan_value: 1,
    collateral_value: 1,
    ...(type === 'HISTORICAL' ? {} : { mc_iter: PATHS }),
  };
  const answer = await operations.answer(VALUE_AT_RISK_QUESTION, { type, params }, { seed: rank });
  if (type === 'HISTORICAL') expect(answer.arguments.dt, formatIsoDate(day)).toBe(1 / 24);
  const horizon = answer.result['1'] as Record<string, { CollateralVar: number }>;
  return QUANTILES.map(q => horizon[String(q)].CollateralVar);
}

/** Results in the order of the days, some of them computed side by side. */
function everyDay<T>(days: readonly Day[], of: (day: Day, rank: number) => Promise<T>): Promise<T[]> {
  return mapConcurrently(days, ABREAST, undefined, of);
}

/**
 * Every simulated level against the lognormal quantile of a volatility taken from the files by other code: within five
 * standard errors of a sample quantile, sqrt(p (1 - p) / n) / density, over several thousand comparisons.
 */
function expectClosedForm(
  method: Method,
  days: readonly Day[],
  levels: readonly Levels[],
  closes: ReadonlyMap<Day, number>,
  index: ReadonlyMap<Day, number>,
): void {
  days.forEach((day, k) => {
    const volatility = method === 'GBM' ? sampleVolatility(closes, day) : (index.get(day) as number) / 100;
    QUANTILES.forEach((q, i) => {
      const { quantile: truth } = lognormalTail(1, volatility, 1 / 365, q);
      const density = normalDensity(normalQuantile(1 - q)) / (truth * volatility * Math.sqrt(1 / 365));
      const error = Math.sqrt((q * (1 - q)) / PATHS) / density;
      const context = `${method} ${formatIsoDate(day)} ${q}: ${levels[k][i]} against ${truth}`;
      expect(Math.abs(levels[k][i] - truth) / error, context).toBeLessThan(5);
    });
  });
}

/** Annual, from the 250 log returns that end with the close of `day`. */
function sampleVolatility(closes: ReadonlyMap<Day, number>, day: Day): number {
  const returns = Array.from({ length: LOOKBACK }, (_, i) =>
    Math.log((closes.get(day - i) as number) / (closes.get(day - i - 1) as number)),
  );
  const mean = returns.reduce((a, b) => a + b, 0) / LOOKBACK;
  const squares = returns.reduce((sum, r) => sum + (r - mean) ** 2, 0);
  return Math.sqrt((squares / (LOOKBACK - 1)) * 365);
}

function closesByDay(file: string): ReadonlyMap<Day, number> {
  const values = readColumn(file, 'close').map(Number);
  return new Map(readColumn(file, 'date').map((date, i) => [parseIsoDate(date) as Day, values[i]]));
}

const HEADER = [
  '| Methodology | Level | Days | Exceedances | Expected | Kupiec LR (p) | Independence LR (p) | Both LR (p) |',
  '|---|---|---|---|---|---|---|---|',
];

function tableRow(method: Method, q: number, tests: CoverageTests): string {
  const { observations, exceedances, unconditionalCoverage, independence, conditionalCoverage } = tests;
  const ratios = [unconditionalCoverage, independence, conditionalCoverage].map(
    ({ statistic, pValue }) => `${statistic.toFixed(2)} (${pValue.toPrecision(2)})`,
  );
  const expected = (observations * (1 - q)).toFixed(1);
  const cells = [
    method,
    `${100 * q} %`,
    observations,
    `${exceedances} (${((100 * exceedances) / observations).toFixed(2)} %)`,
    expected,
    ...ratios,
  ];
  return `| ${cells.join(' | ')} |`;
}

function tableOfReadme(): string | undefined {
  const readme = readFileSync(join(import.meta.dirname, '../../../docs/verification.md'), 'utf8');
  return /<!-- backtest -->\n([\s\S]*?)\n<!-- \/backtest -->/.exec(readme)?.[1];
}
