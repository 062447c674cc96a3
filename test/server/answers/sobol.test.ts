/** ?sampling=sobol over HTTP on the sample market: what it answers, what the answer says of itself, what is refused. */
import { describe, expect, it } from 'vitest';
import { decodePlan } from '#src/core/plan/codec.js';
import { methodologiesOf } from '#src/models/methodology/methodologies.js';
import {
  LOAN_ORIGINATION,
  LOW_LIQUIDITY,
  PERPETUAL,
  VALUE_AT_RISK,
  withMember,
} from '../../support/request-bodies.ts';
import { useSampleService } from '../../support/sample-service.ts';
import { sharedReference } from '../../support/threads.ts';

const { post } = useSampleService();

const params = {
  collateral_weights: { BTC: 1 },
  loan_weights: { USDC: 1 },
  analysis_date: '06-30-2024',
  model_lookback: 90,
  var_duration: [1, 7],
  quantile: [0.9, 0.999],
  loan_value: 1000,
  collateral_value: 1500,
  mc_iter: 2000,
};
const gbm = { type: 'GBM', params: { ...params, volatility_shock: 0.1 } };
const SOBOL = '/var?sampling=sobol';

interface Figure {
  readonly standard_error: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly method: string;
  readonly exact?: number;
}
type Figures = Record<string, Record<string, Record<string, Figure>>>;
type Output = Record<string, Record<string, Record<string, number>>>;

async function faultsOf(path: string, body: unknown, headers = {}) {
  const response = await post(path, body, headers);
  expect(response.status, path).toBe(422);
  return ((await response.json()) as { errors: { path: string; message: string }[] }).errors;
}

/** Of Student's t with 15 degrees of freedom, 99.9 % two-sided. */
const T = 4.0728;

describe('sampling=sobol', () => {
  it.each([
    [1, 16],
    [16, 16],
    [17, 32],
    [2000, 2048],
    [2048, 2048],
  ])('rounds mc_iter of %i up to %i paths, and echoes mc_iter as sent', async (sent, used) => {
    const response = await post(SOBOL, { ...gbm, params: { ...gbm.params, mc_iter: sent } });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-scenarios')).toBe(String(used));
    const { Arguments } = (await response.json()) as { Arguments: { mc_iter: number } };
    expect(Arguments.mc_iter).toBe(sent);
  });

  it('is answered by double precision, also where the server has a faster engine', async () => {
    const response = await post(SOBOL, gbm);
    expect(response.headers.get('x-compute')).toBe('cpu');
    expect(response.headers.get('x-compute-device')).not.toContain('SIMD');
    const plain = await post('/var', gbm);
    expect(await plain.json()).not.toEqual(await response.json());
  });

  it('has intervals by scrambles that contain the law of one asset, and none for a tail of few points', async () => {
    for (const type of ['GBM', 'GBM_VIX']) {
      const { volatility_shock: _, ...unshocked } = gbm.params;
      const body = { type, params: { ...unshocked, mc_iter: 20_000 } };
      const response = await post(`${SOBOL}&include=accuracy&confidence=0.999`, body);
      expect(response.status, type).toBe(200);
      const { Output, Accuracy } = (await response.json()) as {
        Output: Output;
        Accuracy: { scenarios: number; figures: Figures };
      };
      expect(Accuracy.scenarios).toBe(32_768);
      for (const horizon of ['1', '7']) {
        for (const name of ['CollateralVar', 'CollateralCVar', 'LoanVar', 'LoanCVar']) {
          const { low, high, standard_error, method, exact } = Accuracy.figures[horizon]['0.9'][name];
          const told = JSON.stringify({ type, horizon, name, low, high, exact });
          expect(method).toBe('scrambles');
          if (low === null || high === null || exact === undefined) throw new Error(told);
          expect(low, told).toBeLessThanOrEqual(exact);
          expect(high, told).toBeGreaterThanOrEqual(exact);
          const figure = Output[horizon]['0.9'][name];
          const reach = (high - low) / 2 / (standard_error ?? 0);
          // Corrected for skewness (test/core/stats/skewness.test.ts) it is wider, on one side.
          if (name.endsWith('CVar')) {
            expect(reach, told).toBeGreaterThan(T);
            expect(reach, told).toBeLessThan(1.5 * T);
          } else expect(reach, told).toBeCloseTo(T, 3);
          expect(low, told).toBeLessThanOrEqual(figure);
          expect(high, told).toBeGreaterThanOrEqual(figure);
          expect(Accuracy.figures[horizon]['0.999'][name]).toEqual({
            standard_error: null,
            low: null,
            high: null,
            method: 'scrambles',
            exact: expect.any(Number),
            exact_error: expect.any(Number),
          });
        }
      }
    }
  });

  it('has a plan with the same figures, and a model', async () => {
    const basket = { ...gbm, params: { ...gbm.params, collateral_weights: { BTC: 0.5, ETH: 0.5 } } };
    const response = await post(`${SOBOL}&include=plan,model,warnings`, basket, { 'x-seed': '7' });
    const { Plan, Output, Model } = (await response.json()) as {
      Plan: unknown;
      Output: Output;
      Model: { symbols: string[] };
    };
    expect(Model.symbols).toEqual(['BTC', 'ETH', 'USDC']);
    const plan = decodePlan(Plan);
    expect(plan).toMatchObject({ seed: 7, paths: 2048, scenarios: { kind: 'gbm-sobol' } });
    const engine = sharedReference(1);
    const outcome = await engine.run(plan);
    if (outcome.kind !== 'value-at-risk') throw new Error(outcome.kind);
    expect(outcome.horizons[1].netExposure[0].quantile).toBe(Output['7']['0.9'].NetExposureVar);
    expect(outcome.horizons[0].collateral[1].tailMean).toBe(Output['1']['0.999'].CollateralCVar);
  });

  it('has the same answer twice, and another for another seed', async () => {
    const answer = async (seed: string) =>
      ((await (await post(SOBOL, gbm, { 'x-seed': seed })).json()) as { Output: Output }).Output;
    const first = await answer('5');
    expect(await answer('5')).toEqual(first);
    expect(await answer('6')).not.toEqual(first);
  });
});

describe('sampling=sobol is refused', () => {
  it.each([
    ['/loan_origination', LOAN_ORIGINATION],
    ['/loan_risk_low_liquidity', LOW_LIQUIDITY],
    ['/isolated_perp_risk', PERPETUAL],
    ['/backtest', {}],
  ])('by %s', async (path, body) => {
    const faults = await faultsOf(`${path}?sampling=sobol`, body);
    expect(faults[0]).toMatchObject({
      path: 'query.sampling',
      message: 'sampling must be absent, because this operation has one sampling only; got "sobol"',
    });
  });

  it.each(['/loan_risk', '/book_risk'])('by %s, which offers another', async path => {
    const faults = await faultsOf(`${path}?sampling=sobol`, {});
    expect(faults[0]).toMatchObject({
      path: 'query.sampling',
      message: 'sampling must be tail; got "sobol"',
    });
  });

  const withoutPoints = methodologiesOf('value-at-risk').filter(({ sobolKind }) => sobolKind === undefined);
  it.each(withoutPoints.map(({ name }) => name))('for %s', async type => {
    const sent = withMember(withMember(VALUE_AT_RISK, 'type', type), 'params.model_lookback', 200);
    expect(await faultsOf(SOBOL, sent)).toMatchObject([
      {
        path: 'query.sampling',
        message: `sampling may be sobol where type is GBM or GBM_VIX; type is ${type}`,
      },
    ]);
  });

  it('for more paths than 16 times a power of two within 10,000,000', async () => {
    const body = { ...gbm, params: { ...gbm.params, mc_iter: 8_388_609 } };
    expect(await faultsOf(SOBOL, body)).toMatchObject([
      {
        path: 'params.mc_iter',
        message:
          'mc_iter must be at most 8388608 with sampling=sobol, which takes 16 times a power of two; got 8388609',
      },
    ]);
  });

  it('with x-compute gpu, whether or not there is one', async () => {
    expect(await faultsOf(SOBOL, gbm, { 'x-compute': 'gpu' })).toMatchObject([
      {
        path: 'header.x-compute',
        message: 'sampling=sobol always runs on the CPU: x-compute must be auto or cpu, not gpu.',
      },
    ]);
  });
});
