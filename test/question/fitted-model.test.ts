/** `?include=model` and the warnings that follow from a fit, on the sample market, against numbers taken from the closes here. */
import { describe, expect, it } from 'vitest';
import { fitGarchModel } from '#src/models/calibration/garch.js';
import { degreesWarnings, garchWarnings } from '#src/models/methodology/fitted-model.js';
import { historicalWarnings, tailWarnings } from '#src/models/methodology/warnings.js';
import { useSampleService } from '../support/sample-service.ts';
import { simulateGarch } from '../support/simulated-garch.ts';

const app = useSampleService();

const loan = {
  collateral_weights: { BTC: 0.6, ETH: 0.4 },
  loan_weights: { USD: 1 },
  analysis_date: '06-30-2024',
  model_lookback: 90,
  loan_duration: 10,
  mc_top_up: 24,
  loan_value: 1000,
  N: 1.5,
  M: 1.3,
  L: 1.1,
  R: 1.4,
};

interface Answer {
  readonly Output: Record<string, unknown>;
  readonly Model: Record<string, unknown> & {
    readonly symbols: readonly string[];
    readonly annual_volatilities: Record<string, number>;
    readonly correlation: readonly (readonly number[])[];
    readonly window: Record<string, unknown>;
  };
  readonly Warnings: readonly { readonly code: string; readonly message: string }[];
}

async function ask(path: string, body: unknown): Promise<{ answer: Answer; codes: string | null }> {
  const response = await app.post(`${path}?include=model,warnings`, body, { 'x-compute': 'cpu' });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return { answer: JSON.parse(text) as Answer, codes: response.headers.get('x-warnings') };
}

async function sampleReturns(symbol: string, days: number): Promise<number[]> {
  const lastDay = Date.UTC(2024, 5, 30) / 86_400_000;
  const { prices } = await app.service.market.current().dailyCloses([symbol], lastDay, days + 1);
  return Array.from({ length: days }, (_, t) => Math.log(prices[0][t + 1] / prices[0][t]));
}

describe('Model', () => {
  it('has volatilities and correlations of the window', async () => {
    const { answer } = await ask('/loan_risk', { type: 'GBM', params: { ...loan, mc_iter: 10 } });
    const { symbols, annual_volatilities, correlation, window } = answer.Model;
    expect(symbols).toEqual(['BTC', 'ETH', 'USD']);
    const [btc, eth] = await Promise.all([sampleReturns('BTC', 90), sampleReturns('ETH', 90)]);
    const mean = (x: number[]) => x.reduce((a, b) => a + b, 0) / x.length;
    const covariance = (x: number[], y: number[]) =>
      x.reduce((sum, _, t) => sum + (x[t] - mean(x)) * (y[t] - mean(y)), 0) / (x.length - 1);
    expect(annual_volatilities.BTC).toBeCloseTo(Math.sqrt(365 * covariance(btc, btc)), 12);
    expect(correlation[0][1]).toBeCloseTo(
      covariance(btc, eth) / Math.sqrt(covariance(btc, btc) * covariance(eth, eth)),
      12,
    );
    expect(correlation.map((row, i) => row[i])).toEqual([1, 1, 1]);
    expect(window).toMatchObject({
      first_close: '2024-04-01',
      last_close: '2024-06-30',
      closes: 91,
      grid_hours: 24,
    });
  });

  it.each([
    ['STUDENT_T', { degrees_of_freedom: { value: expect.any(Number), symbols: ['BTC', 'ETH'] } }],
    [
      'FHS',
      {
        residual_rows: 90,
        garch: {
          BTC: { alpha: expect.any(Number), beta: expect.any(Number), log_likelihood: expect.any(Number) },
        },
      },
    ],
    [
      'FHS_EVT',
      {
        residual_rows: 210,
        pareto_tails: {
          BTC: {
            lower: { shape: expect.any(Number), scale: expect.any(Number), rows: 21 },
            upper: { threshold: expect.any(Number), rows: 21 },
          },
        },
      },
    ],
    ['BOOTSTRAP', { hours_per_row: 1, rows: 2160, mean_block_rows: 24 }],
  ])(
    'of %s holds its parameters, and volatilities that add up to those of the answer',
    async (type, members) => {
      const { answer } = await ask('/loan_risk', {
        type,
        params: { ...loan, mc_iter: 10, ...(type === 'FHS_EVT' ? { model_lookback: 210 } : {}) },
      });
      expect(answer.Model).toMatchObject(members);
      const { annual_volatilities: sigma, correlation } = answer.Model;
      const [a, b] = [0.6 * sigma.BTC, 0.4 * sigma.ETH];
      expect(answer.Output['Collateral Volatility']).toBeCloseTo(
        Math.sqrt(a * a + b * b + 2 * correlation[0][1] * a * b),
        10,
      );
    },
  );

  it('is in the answer of every operation', async () => {
    const { N, M, R, ...terms } = loan;
    const capped = {
      ...loan,
      volume_lookback: 30,
      markets: [['BTC', 'USDT', 'binance']],
      participation_ratio: 0.1,
      mc_iter: 100,
    };
    const search = {
      score_variable: 'PrMarginCall',
      score_target: 0.2,
      variable_min: 1.15,
      variable_max: 3,
      error_tolerance: 0.05,
    };
    const exposure = {
      collateral_weights: { BTC: 1 },
      loan_weights: { USD: 1 },
      analysis_date: '06-30-2024',
      model_lookback: 90,
      var_duration: [1],
      quantile: [0.95],
      loan_value: 1,
      collateral_value: 1,
      mc_iter: 1000,
    };
    const book = {
      analysis_date: '06-30-2024',
      model_lookback: 90,
      mc_iter: 1000,
      quantile: [0.9],
      loans: [{ id: 'a', ...terms, N, M, R, analysis_date: undefined, model_lookback: undefined }],
    };
    const position = {
      model: 'GBM',
      market: 'BTC',
      model_lookback: 30,
      trade_duration_hours: 24,
      contract_type: 'linear',
      funding_method: 'flat',
      entry_price: 60_000,
      initial_margin: 10_000,
      position_size: 1,
      funding_rate: 0,
      funding_interval_hour: 8,
      contract_size: 1,
      mc_iter: 1000,
      analysis_date: '06-30-2024',
    };
    const bodies: [string, unknown, string[]][] = [
      [
        '/loan_origination',
        { type: 'GBM', params: { ...terms, mc_iter: 2000, opt_param: search } },
        ['BTC', 'ETH', 'USD'],
      ],
      ['/loan_risk_low_liquidity', { type: 'GARCH', params: capped }, ['BTC', 'ETH', 'USD']],
      ['/var', { type: 'HISTORICAL', params: exposure }, ['BTC', 'USD']],
      ['/book_risk', { type: 'GBM', params: book }, ['BTC', 'ETH', 'USD']],
      ['/isolated_perp_risk', position, ['BTC']],
    ];
    for (const [path, body, symbols] of bodies) {
      const { answer } = await ask(path, body);
      expect(answer.Model.symbols, path).toEqual(symbols);
      expect(answer.Model.window, path).toMatchObject({ closes: expect.any(Number) });
    }
  });
});

describe('Warnings', () => {
  it('name tails of few scenarios, and few windows', async () => {
    const params = {
      collateral_weights: { BTC: 1 },
      loan_weights: { USD: 1 },
      analysis_date: '06-30-2024',
      model_lookback: 20,
      var_duration: [5],
      quantile: [0.9, 0.99],
      loan_value: 1,
      collateral_value: 1,
    };
    const { codes, answer } = await ask('/var', { type: 'HISTORICAL', params });
    expect(codes?.split(',').sort()).toEqual(['few-tail-scenarios', 'few-windows']);
    expect(answer.Warnings.map(({ code }) => code).sort()).toEqual(codes?.split(',').sort());
    expect(answer.Warnings.find(({ code }) => code === 'few-windows')?.message).toContain(
      'about 4.0 windows without overlap',
    );
    const codesOf = async (mc_iter: number) =>
      (
        await ask('/var', { type: 'STUDENT_T', params: { ...params, model_lookback: 60, mc_iter } })
      ).codes?.split(',') ?? [];
    expect(await codesOf(1000)).not.toContain('few-tail-scenarios');
    expect(await codesOf(999)).toContain('few-tail-scenarios');
  });

  it('name tails of fewer than ten scenarios on either side of the values', () => {
    const codes = (paths: number, levels: readonly number[]) => tailWarnings(paths, levels).length;
    // 100 (1 - 0.9) is 9.999999999999998 in doubles.
    for (const [paths, q] of [
      [100, 0.9],
      [50, 0.8],
      [1000, 0.99],
      [10_000, 0.999],
    ] as const) {
      expect(codes(paths, [0.5, q]), `${paths} paths at ${q}`).toBe(0);
      expect(codes(paths - 1, [0.5, q]), `${paths - 1} paths at ${q}`).toBe(1);
    }
    expect(codes(100, [0.001, 0.5])).toBe(1);
    expect(tailWarnings(100, [0.001, 0.5])[0].message).toMatch(
      /^0\.10 of 100 scenarios lie beyond the quantile 0\.001:/,
    );
  });

  it('name a daily grid', () => {
    expect(historicalWarnings(300, 30, 24).map(({ code }) => code)).toEqual(['daily-grid']);
    expect(historicalWarnings(299, 30, 1).map(({ code }) => code)).toEqual(['few-windows']);
    expect(historicalWarnings(300, 30, 1)).toEqual([]);
  });

  it('name GARCH parameters on a bound, by asset', () => {
    // White noise has no dynamics: alpha or beta ends on a bound for one of these seeds.
    const symbols = ['A', 'B', 'C', 'D'];
    const returns = symbols.map((_, i) =>
      simulateGarch({ mu: 0, omega: 1e-4, alpha: 0, beta: 0 }, 90, i + 1),
    );
    const model = fitGarchModel(symbols, returns);
    const bound = model.fits.filter(({ onBound }) => onBound.length > 0);
    expect(bound.length).toBeGreaterThan(0);
    const [warning, ...others] = garchWarnings(model);
    expect([warning.code, others]).toEqual(['garch-bound', []]);
    for (const { symbol, onBound } of model.fits)
      expect(warning.message.includes(`${symbol} (`), symbol).toBe(onBound.length > 0);
    expect(garchWarnings({ ...model, fits: model.fits.map(fit => ({ ...fit, onBound: [] })) })).toEqual([]);
  });

  it('name degrees of freedom on a bound', () => {
    const fit = { degreesOfFreedom: 3, logLikelihood: 1, symbols: ['A'] };
    const codes = (onBound: 'lower' | 'upper' | undefined) =>
      degreesWarnings({ ...fit, onBound }).map(({ code, message }) => [
        code,
        /lower|upper/.exec(message)?.[0],
      ]);
    expect(codes('lower')).toEqual([['nu-bound', 'lower']]);
    expect(codes('upper')).toEqual([['nu-bound', 'upper']]);
    expect(codes(undefined)).toEqual([]);
  });
});
