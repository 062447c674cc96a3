/**
 * /loan_risk_low_liquidity on real data, recomputed from the raw files: volumes and volatilities by separate code, loans by the plain
 * implementation; and the effect of size on the same paths.
 */

import { beforeAll, expect, it } from 'vitest';
import type { CappedLoanProduct, Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { cappedLoanOnPath } from '#src/core/rules/capped-loan.js';
import { basketsOnPath } from '#src/core/rules/models.js';
import { fitGarchModel, garchScenarios } from '#src/models/calibration/garch.js';
import { CAPPED_LOAN_QUESTION } from '#src/question/capped-loan/capped-loan.js';
import type { OperationAnswer } from '#src/question/question.js';
import { everyNth } from '../../support/engines.ts';
import { marketWith, type Operations, openOperations } from '../../support/operations.ts';
import { describeWithSharedData, readColumn } from '../../support/shared-data.ts';

/** Sums of a few thousand doubles in another order. */
const ROUNDING = 1e-10;
const TYPES = ['GBM', 'GARCH'] as const;
const DAY_MS = 86_400_000;

/** The loan of the interface's example. */
const EXAMPLE = {
  collateral_weights: { BTC: 1 },
  loan_weights: { USDC: 1 },
  N: 1.7,
  M: 1.47,
  L: 1.3,
  R: 1.7,
  model_lookback: 90,
  volume_lookback: 5,
  markets: [
    ['BTC', 'USDT', 'binance'],
    ['BTC', 'USD', 'kraken'],
  ],
  participation_ratio: 0.1,
  loan_duration: 30,
  mc_top_up: 24,
  loan_value: 10_000_000,
  mc_iter: 300,
  analysis_date: '02-20-2024',
};
const LAST_DAY = '2024-02-20';

const MEMBERS = [
  'PrMarginCall',
  'PrLiquidation',
  'PrUnderwater',
  'PrCloseout',
  'AvgMarginCall',
  'AvgLiquidation',
  'WorstCaseCCR',
  'Collateral Volatility',
  'Loan Volatility',
  'Collateral/Loan Correlation',
  'Volume Summary (per Million)',
  'Maximum Market Daily Liquidation',
];

describeWithSharedData('/loan_risk_low_liquidity on real data', dataDir => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations();
  });
  const ask = (type: string, change: object): Promise<OperationAnswer> =>
    operations.answer(CAPPED_LOAN_QUESTION, {
      type,
      params: { ...EXAMPLE, ...change },
    });

  it.each(TYPES)("has the interface's members and the example's volumes under %s", async type => {
    const { result } = await ask(type, {});
    expect(Object.keys(result).sort()).toEqual([...MEMBERS].sort());
    const usd = dailyVolumes(dataDir, 5, [
      ['exchange_volume/btc_daily_volume.csv', 'binance_usdt', 'btc'],
      ['exchange_volume/btc_daily_volume.csv', 'kraken_usd', 'btc'],
    ]);
    expectVolumes(result, usd, 0.1);
  });

  it('names the carried closes of the volumes, beside those of the window', async () => {
    const carried = { symbol: 'XRP', count: 2, unit: 'day', of: 5 } as const;
    const market = marketWith(operations.market, 'dailyVolumeUsd', volume => ({
      ...volume,
      filled: [carried],
    }));
    const body = { type: 'GBM', params: EXAMPLE };
    const { filled } = await operations.answer(CAPPED_LOAN_QUESTION, body, {
      market,
    });
    expect(filled).toEqual([...(await ask('GBM', {})).filled, carried]);
  });

  it('sums markets of several assets, each at the close of its own base', async () => {
    const { result } = await ask('GBM', {
      volume_lookback: 30,
      participation_ratio: 0.03,
      markets: [
        ['BTC', 'USD', 'bitstamp'],
        ['BTC', 'USDT', 'okx'],
        ['ETH', 'USDT', 'bybit'],
        ['SOL', 'USDT', 'binance'],
      ],
    });
    const usd = dailyVolumes(dataDir, 30, [
      ['exchange_volume/btc_daily_volume.csv', 'bitstamp_usd', 'btc'],
      ['exchange_volume/btc_daily_volume.csv', 'okx_usdt', 'btc'],
      ['exchange_volume/eth_daily_volume.csv', 'bybit_usdt', 'eth'],
      ['daily/sol_usdt.csv', 'volume', 'sol'],
    ]);
    expectVolumes(result, usd, 0.03);
  });

  for (const { tags, some } of everyNth(3, TYPES))
    it.each(some)('has the figures of the plain loan under %s, amounts in USD', { tags }, async type => {
      // A loan that is called early and sells for days: a billion against a tenth of the volume.
      const terms = { N: 1.25, M: 1.21, L: 1.15, R: 1.24 };
      const loanValue = 1e9;
      const steps = 240;
      const { result } = await ask(type, {
        ...terms,
        loan_duration: 10,
        mc_top_up: 5.2,
        loan_value: loanValue,
        participation_ratio: 0.1,
        mc_iter: 400,
      });
      const usd = dailyVolumes(dataDir, 5, [
        ['exchange_volume/btc_daily_volume.csv', 'binance_usdt', 'btc'],
        ['exchange_volume/btc_daily_volume.csv', 'kraken_usd', 'btc'],
      ]);
      const returns = [btcReturns(dataDir, 90), usdcReturns(dataDir, 90)];
      const plan: SimulationPlan<CappedLoanProduct> = {
        seed: 0,
        paths: 400,
        scenarios: type === 'GBM' ? plainGbm(returns) : fittedGarch(returns),
        product: {
          kind: 'capped-loan',
          portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
          steps,
          topUpSteps: 6,
          nominalRatio: terms.N,
          marginCallRatio: terms.M,
          liquidationRatio: terms.L,
          recoveryRatio: terms.R,
          capacityPerStep: (type7(usd, 0.5) * 0.1) / 24 / loanValue,
        },
      };
      const loans = Array.from({ length: plan.paths }, (_, p) => {
        const { collateral, loan } = basketsOnPath(plan, p, steps);
        return cappedLoanOnPath({ ...terms, topUpSteps: 6 }, plan.product.capacityPerStep, collateral, loan);
      });
      const share = (flags: boolean[]) => flags.filter(Boolean).length / loans.length;
      const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
      const calls = loans.flatMap(loan => loan.callAmounts);
      const sales = loans.map(loan => loan.sold).filter(sold => sold > 0);
      expect(calls.length).toBeGreaterThan(100);
      expect(sales.length).toBeGreaterThan(100);
      expectFigures(result, {
        PrMarginCall: share(loans.map(loan => loan.marginCall)),
        PrLiquidation: share(loans.map(loan => loan.liquidation)),
        PrCloseout: share(loans.map(loan => loan.closeout)),
        PrUnderwater: share(loans.map(loan => loan.underwater)),
        AvgMarginCall: loanValue * mean(calls),
        AvgLiquidation: loanValue * mean(sales),
        WorstCaseCCR: Math.min(...loans.map(loan => loan.worstCcr)),
      });
      // Some sales last for days and some have only begun when the term ends.
      expect(Math.max(...sales)).toBeGreaterThan(0.5);
      expect(Math.min(...sales)).toBeLessThan(0.5);
    });

  for (const { tags, some } of everyNth(3, TYPES))
    it.each(some)('has no lower risk for a larger loan on the same paths under %s', { tags }, async type => {
      const sizes = [1e6, 1e7, 1e9, 1e11];
      const answers = await Promise.all(
        sizes.map(loan_value => ask(type, { loan_value, mc_iter: 4000, N: 1.4, M: 1.3, L: 1.2, R: 1.4 })),
      );
      const figures = answers.map(({ result }) => result as Record<string, number>);
      for (let i = 1; i < sizes.length; i++) {
        const [smaller, larger] = [figures[i - 1], figures[i]];
        const context = `${sizes[i - 1]} against ${sizes[i]}: ${JSON.stringify([smaller, larger])}`;
        // The sale begins after the call and the closeout, so size cannot touch these.
        expect(larger.PrMarginCall, context).toBe(smaller.PrMarginCall);
        expect(larger.PrCloseout, context).toBe(smaller.PrCloseout);
        expect(larger.AvgMarginCall / smaller.AvgMarginCall, context).toBeCloseTo(sizes[i] / sizes[i - 1], 8);
        expect(larger.PrLiquidation, context).toBeGreaterThanOrEqual(smaller.PrLiquidation);
        expect(larger.PrUnderwater, context).toBeGreaterThanOrEqual(smaller.PrUnderwater);
        expect(larger.WorstCaseCCR, context).toBeLessThanOrEqual(smaller.WorstCaseCCR);
      }
      // The largest cannot sell: it ends as a loan without sales.
      expect(figures[3].PrUnderwater).toBeGreaterThan(figures[0].PrUnderwater);
      expect(figures[3].WorstCaseCCR).toBeLessThan(figures[0].WorstCaseCCR);
    });
});

/** A CSV file, the column with base volume, and the file of the base asset's close. */
type VolumeColumn = readonly [file: string, column: string, base: string];

/** USD volume of each of the `days` days that end with LAST_DAY: sum over columns of base volume x close. */
function dailyVolumes(dataDir: string, days: number, columns: readonly VolumeColumn[]): number[] {
  const usd = new Array<number>(days).fill(0);
  for (const [file, column, base] of columns) {
    const volumes = lastValues(`${dataDir}/${file}`, column, days);
    const closes = lastValues(`${dataDir}/daily/${base}_usdt.csv`, 'close', days);
    for (let day = 0; day < days; day++) usd[day] += volumes[day] * closes[day];
  }
  return usd;
}

/** The `count` values of a column that end with the row of LAST_DAY. */
function lastValues(file: string, column: string, count: number): number[] {
  const end = readColumn(file, 'date').indexOf(LAST_DAY) + 1;
  const texts = readColumn(file, column).slice(end - count, end);
  expect(
    texts.every(text => text !== ''),
    `${file} ${column}`,
  ).toBe(true);
  return texts.map(Number);
}

function expectVolumes(
  result: Readonly<Record<string, unknown>>,
  usd: number[],
  participation: number,
): void {
  const mean = usd.reduce((a, b) => a + b, 0) / usd.length;
  expectFigures(result['Volume Summary (per Million)'], {
    Mean: mean / 1e6,
    Minimum: Math.min(...usd) / 1e6,
    '25% Quantile': type7(usd, 0.25) / 1e6,
    Median: type7(usd, 0.5) / 1e6,
    '75% Quantile': type7(usd, 0.75) / 1e6,
    Maximum: Math.max(...usd) / 1e6,
  });
  expect(Object.keys(result['Volume Summary (per Million)'] as object)).toHaveLength(6);
  expectFigures(result, { 'Maximum Market Daily Liquidation': participation * type7(usd, 0.5) });
}

function btcReturns(dataDir: string, count: number): Float64Array {
  return logsOf(lastValues(`${dataDir}/daily/btc_usdt.csv`, 'close', count + 1));
}

/** A snapshot of 00:00 is the close of the day before; a day without one has the close before it. */
function usdcReturns(dataDir: string, count: number): Float64Array {
  const file = `${dataDir}/stablecoin/usdc_usd.csv`;
  const prices = readColumn(file, 'price').map(Number);
  const closes = new Map(readColumn(file, 'date').map((date, i) => [Date.parse(date) - DAY_MS, prices[i]]));
  const values: number[] = [];
  for (let age = count; age >= 0; age--) {
    let day = Date.parse(LAST_DAY) - age * DAY_MS;
    while (!closes.has(day)) day -= DAY_MS;
    values.push(closes.get(day) as number);
  }
  return logsOf(values);
}

function logsOf(closes: readonly number[]): Float64Array {
  return Float64Array.from(closes.slice(1), (close, i) => Math.log(close / closes[i]));
}

/** Two correlated assets from their daily returns, as methodology 3.1 reads. */
function plainGbm([x, y]: readonly Float64Array[]): Scenarios {
  const covariance = (a: Float64Array, b: Float64Array) => {
    const meanA = a.reduce((s, v) => s + v, 0) / a.length;
    const meanB = b.reduce((s, v) => s + v, 0) / b.length;
    return a.reduce((s, v, i) => s + (v - meanA) * (b[i] - meanB), 0) / (a.length - 1);
  };
  const sigmaX = Math.sqrt(365 * covariance(x, x));
  const sigmaY = Math.sqrt(365 * covariance(y, y));
  const rho = (365 * covariance(x, y)) / (sigmaX * sigmaY);
  return {
    kind: 'gbm',
    assets: 2,
    annualVolatility: Float64Array.of(sigmaX, sigmaY),
    factor: Float64Array.of(sigmaX, 0, sigmaY * rho, sigmaY * Math.sqrt(1 - rho * rho)),
  };
}

/** The fits of the product, which other tests compare with other estimators: this file compares the loans. */
function fittedGarch(returns: readonly Float64Array[]): Scenarios {
  return garchScenarios(fitGarchModel(['BTC', 'USDC'], returns), 0);
}

/** Hyndman-Fan type 7. */
function type7(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const h = (sorted.length - 1) * p;
  const low = Math.floor(h);
  return sorted[low] + (h - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}

function expectFigures(found: unknown, expected: Record<string, number>): void {
  for (const [name, value] of Object.entries(expected)) {
    const figure = (found as Record<string, number>)[name];
    const difference = Math.abs(figure - value) / Math.max(1, Math.abs(value));
    expect(difference, `${name}: ${figure} against ${value}`).toBeLessThan(ROUNDING);
  }
}
