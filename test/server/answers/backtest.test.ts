/** /backtest on the sample market: against /var day by day, against closes of its own, and its refusals. */
import { describe, expect, it } from 'vitest';
import { parseCalendarDate } from '#src/text/calendar-date.js';
import { withMember } from '../../support/request-bodies.ts';
import { type Headers, postTo, startSampleService, useSampleService } from '../../support/sample-service.ts';

const app = useSampleService();
// On the reference, whatever the host has.
const post = (path: string, body: unknown, headers: Headers = {}) =>
  app.post(path, body, { 'x-compute': 'cpu', ...headers });

const terms = {
  weights: { ETH: 0.25, BTC: 0.75 },
  model_lookback: 60,
  horizon: 3,
  quantile: [0.99, 0.9],
  from: '05-01-2024',
  to: '05-20-2024',
};
const body = { type: 'GBM', params: { ...terms, mc_iter: 100 } };
const FORECASTS = 20;

interface Ratio {
  readonly Statistic: number;
  readonly PValue: number;
}
interface Output {
  readonly Forecasts: number;
  readonly Levels: Record<
    string,
    {
      readonly Exceedances: number;
      readonly Expected: number;
      readonly QuantileScore: number;
      readonly Tests: {
        readonly Forecasts: number;
        readonly Exceedances: number;
        readonly Transitions: readonly number[];
        readonly Kupiec: Ratio;
        readonly Independence: Ratio;
        readonly ConditionalCoverage: Ratio;
      };
      readonly Shortfall: {
        readonly Z2: Ratio;
        readonly FZ0: {
          readonly Score: number;
          readonly AgainstGbm: { readonly Difference: number; readonly T: number } | null;
        };
        readonly EsrStrict: Ratio | null;
        readonly EsrIntercept: { readonly PValue: number; readonly OneSidedPValue: number } | null;
      } | null;
    }
  >;
  readonly Daily: {
    readonly Date: readonly string[];
    readonly Realised: readonly number[];
    readonly Var: Record<string, readonly number[]>;
    readonly CVar: Record<string, readonly number[]>;
  };
}

async function outputOf(sent: unknown, headers: Record<string, string> = {}): Promise<Output> {
  const response = await post('/backtest', sent, headers);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return (JSON.parse(text) as { Output: Output }).Output;
}

const usDate = (iso: string) => `${iso.slice(5, 7)}-${iso.slice(8, 10)}-${iso.slice(0, 4)}`;

describe('A back-test', () => {
  it.each([
    ['GBM', { mc_iter: 100 }],
    ['GBM_VIX', { mc_iter: 100 }],
    ['HISTORICAL', {}],
    ['STUDENT_T', { mc_iter: 100 }],
    ['FHS', { mc_iter: 100 }],
    ['FHS_EVT', { mc_iter: 100, model_lookback: 200 }],
    ['BOOTSTRAP', { mc_iter: 100 }],
  ])('has the forecast of /var on that day: %s', async (type, drawn) => {
    const params = { ...terms, to: '05-05-2024', ...drawn };
    const { Daily } = await outputOf({ type, params }, { 'x-seed': '4294967294' });
    expect(Daily.Date).toHaveLength(5);
    for (const rank of [0, 2, 4]) {
      const { weights, from: _from, to: _to, horizon, ...others } = params;
      const asked = {
        ...others,
        collateral_weights: weights,
        loan_weights: weights,
        analysis_date: usDate(Daily.Date[rank]),
        var_duration: [horizon],
        loan_value: 1,
        collateral_value: 1,
      };
      const seed = (4294967294 + rank) % 2 ** 32;
      const response = await post('/var', { type, params: asked }, { 'x-seed': String(seed) });
      const { Output } = (await response.json()) as {
        Output: Record<string, Record<string, { CollateralVar: number }>>;
      };
      for (const q of ['0.9', '0.99'])
        expect(Daily.Var[q][rank], `${type} ${Daily.Date[rank]} ${q}`).toBe(Output['3'][q].CollateralVar);
    }
  });

  it.each(['GBM', 'HISTORICAL', 'FHS'])(
    'forecasts the net exposure of /var for a net position: %s',
    async type => {
      const params = {
        ...terms,
        weights: { BTC: 1 },
        short_weights: { ETH: 0.5, SOL: 0.5 },
        to: '05-09-2024',
        ...(type === 'HISTORICAL' ? {} : { mc_iter: 100 }),
      };
      const { Daily, Levels } = await outputOf({ type, params }, { 'x-seed': '3' });
      const market = app.service.market.current();
      const first = parseCalendarDate(terms.from) as number;
      for (const rank of [0, 4]) {
        const { weights, short_weights, from: _from, to: _to, horizon, ...others } = params;
        const asked = {
          ...others,
          collateral_weights: weights,
          loan_weights: short_weights,
          analysis_date: usDate(Daily.Date[rank]),
          var_duration: [horizon],
          loan_value: 1,
          collateral_value: 1,
        };
        const response = await post('/var', { type, params: asked }, { 'x-seed': String(3 + rank) });
        const { Output } = (await response.json()) as {
          Output: Record<string, Record<string, { NetExposureVar: number; NetExposureCVar: number }>>;
        };
        for (const q of ['0.9', '0.99']) {
          expect(Daily.Var[q][rank]).toBe(Output['3'][q].NetExposureVar);
          expect(Daily.CVar[q][rank]).toBe(Output['3'][q].NetExposureCVar);
        }
        const { prices } = await market.dailyCloses(['BTC', 'ETH', 'SOL'], first + rank + 3, 4);
        const [btc, eth, sol] = prices.map(series => series[3] / series[0]);
        expect(Daily.Realised[rank]).toBeCloseTo(btc - (eth + sol) / 2, 12);
      }
      // Returns of a net position start from 0, not from 1.
      const exceeded = [0, 3, 6].filter(k => Daily.Realised[k] <= Daily.Var['0.9'][k]);
      const z2 =
        1 - exceeded.reduce((sum, k) => sum + Daily.Realised[k] / (0.1 * 3 * Daily.CVar['0.9'][k]), 0);
      expect(Levels['0.9'].Shortfall?.Z2.Statistic).toBeCloseTo(z2, 10);
    },
  );

  it('is refused for a negative weight, and for an asset without prices', async () => {
    const faults = async (short_weights: object) => {
      const response = await post('/backtest', { type: 'GBM', params: { ...body.params, short_weights } });
      expect(response.status).toBe(422);
      return ((await response.json()) as { errors: { path: string; message: string }[] }).errors;
    };
    expect(await faults({ BTC: 0.75, ETH: 0.25 })).toMatchObject([
      {
        path: 'params.short_weights',
        message:
          'short_weights must be other assets, or other shares of them, than weights has; got the same',
      },
    ]);
    expect(await faults({ BTC: -1 })).toMatchObject([{ path: 'params.short_weights.BTC' }]);
    expect(await faults({ NONESUCH: 1 })).toMatchObject([{ path: 'params.short_weights.NONESUCH' }]);
  });

  it('compares every forecast with the closes that followed', async () => {
    const { Forecasts, Levels, Daily } = await outputOf(body);
    expect(Forecasts).toBe(FORECASTS);
    expect([Daily.Date[0], Daily.Date.at(-1)]).toEqual(['2024-05-01', '2024-05-20']);
    const first = parseCalendarDate(terms.from) as number;
    const market = app.service.market.current();
    for (let k = 0; k < FORECASTS; k++) {
      const { prices } = await market.dailyCloses(['BTC', 'ETH'], first + k + 3, 4);
      const [btc, eth] = prices;
      expect(Daily.Realised[k]).toBeCloseTo((0.75 * btc[3]) / btc[0] + (0.25 * eth[3]) / eth[0], 12);
    }
    for (const [q, level] of Object.entries(Levels)) {
      const hits = Daily.Realised.map((value, k) => value < Daily.Var[q][k]);
      expect(level.Exceedances).toBe(hits.filter(Boolean).length);
      expect(level.Expected).toBeCloseTo(FORECASTS * (1 - Number(q)), 12);
      // Horizons of three days overlap: the tests look at days 0, 3, .. 18.
      const apart = hits.filter((_, k) => k % 3 === 0);
      expect(level.Tests.Forecasts).toBe(7);
      expect(level.Tests.Exceedances).toBe(apart.filter(Boolean).length);
      expect(level.Tests.Transitions.reduce((a, b) => a + b, 0)).toBe(6);
      const { Kupiec, Independence, ConditionalCoverage } = level.Tests;
      expect(ConditionalCoverage.Statistic).toBeCloseTo(Kupiec.Statistic + Independence.Statistic, 12);
      const score = Daily.Realised.map((value, k) => {
        const distance = value - Daily.Var[q][k];
        return distance >= 0 ? distance * (1 - Number(q)) : -distance * Number(q);
      }).reduce((a, b) => a + b / FORECASTS, 0);
      expect(level.QuantileScore).toBeCloseTo(score, 14);
    }
    expect(Object.keys(Levels)).toEqual(['0.9', '0.99']);
    expect(Levels['0.9'].Exceedances + Levels['0.99'].Exceedances).toBeGreaterThan(0);
  });

  /** Mean FZ0 and Z2 of the days whose horizons do not overlap, from the forecasts that the answer shows. */
  const ofDaily = ({ Realised, Var, CVar }: Output['Daily'], q: string, horizon: number) => {
    const a = 1 - Number(q);
    const days = Realised.flatMap((value, k) =>
      k % horizon === 0 ? [{ y: value - 1, v: Var[q][k] - 1, e: CVar[q][k] - 1 }] : [],
    );
    const hits = days.filter(({ y, v }) => y <= v);
    const score = days.reduce(
      (sum, { y, v, e }) => sum + (y <= v ? (y - v) / (a * e) : 0) + v / e + Math.log(-e) - 1,
      0,
    );
    return {
      z2: 1 - hits.reduce((sum, { y, e }) => sum + y / e, 0) / (a * days.length),
      score: score / days.length,
    };
  };

  it('tests the shortfall of the days whose horizons do not overlap, against GBM', {
    tags: ['slow'],
  }, async () => {
    const params = { ...terms, quantile: [0.9], mc_iter: 2000 };
    const [heavy, gbm] = [
      await outputOf({ type: 'STUDENT_T', params }),
      await outputOf({ type: 'GBM', params }),
    ];
    const [found, plain] = [heavy.Levels['0.9'].Shortfall, gbm.Levels['0.9'].Shortfall];
    const [own, other] = [heavy, gbm].map(({ Daily }) => ofDaily(Daily, '0.9', 3));
    expect(found?.Z2.Statistic).toBeCloseTo(own.z2, 12);
    expect(found?.FZ0.Score).toBeCloseTo(own.score, 12);
    expect(plain?.FZ0.Score).toBeCloseTo(other.score, 12);
    expect(found?.FZ0.AgainstGbm?.Difference).toBeCloseTo(own.score - other.score, 12);
    expect(plain?.FZ0.AgainstGbm).toBeNull();
    // Seven days.
    expect([found?.EsrStrict, found?.EsrIntercept]).toEqual([null, null]);
    expect(await outputOf({ type: 'STUDENT_T', params })).toEqual(heavy);
  });

  it('accepts the shortfalls of the right model, and rejects those of half its volatility', {
    tags: ['slow'],
  }, async () => {
    const params = { ...terms, weights: { BTC: 1 }, horizon: 1, model_lookback: 250, quantile: [0.95] };
    const asked = { ...params, from: '07-01-2023', to: '06-30-2024', mc_iter: 2000 };
    const of = async (volatility_shock: number) =>
      (await outputOf({ type: 'GBM', params: { ...asked, volatility_shock } })).Levels['0.95'].Shortfall;
    const [right, half] = [await of(0), await of(-0.5)];
    expect(right?.Z2.PValue).toBeGreaterThan(0.001);
    expect(right?.EsrIntercept?.PValue).toBeGreaterThan(0.001);
    expect(right?.EsrStrict?.PValue).toBeGreaterThan(0.001);
    expect(half?.Z2.PValue).toBeLessThan(0.001);
    expect(half?.EsrIntercept?.OneSidedPValue).toBeLessThan(0.001);
  });

  it('has no test of a shortfall at a level without a loss', async () => {
    const { Levels } = await outputOf({ type: 'GBM', params: { ...body.params, quantile: [0.01] } });
    expect(Levels['0.01'].Shortfall).toBeNull();
  });

  it('warns of forecasts that are extremes of few paths', async () => {
    const asked = { type: 'GBM', params: { ...terms, to: '05-05-2024', mc_iter: 99 } };
    const response = await post('/backtest', asked);
    expect(response.headers.get('x-warnings')).toBe('few-tail-scenarios,gbm-tail,few-paths');
    const enough = await post('/backtest', { ...asked, params: { ...asked.params, mc_iter: 1000 } });
    expect(enough.headers.get('x-warnings')).toBe('gbm-tail');
    const nearer = { ...asked.params, mc_iter: 1000, quantile: [0.975, 0.02] };
    const inside = await post('/backtest', { ...asked, params: nearer });
    expect(inside.headers.get('x-warnings')).toBeNull();
  });

  it('has each warning once for the windows of several days', async () => {
    const asked = { type: 'HISTORICAL', params: { ...terms, model_lookback: 20, to: '05-05-2024' } };
    const response = await post('/backtest', asked);
    const codes = response.headers.get('x-warnings')?.split(',') ?? [];
    // Windows of three days in twenty, on each of five days.
    expect(codes.sort()).toEqual(['few-tail-scenarios', 'few-windows']);
  });

  it('has the expected share of exceptions where the model is right', async () => {
    // BTC of the sample market has constant volatility: about 5 % of the days fall below the 95 % level.
    const params = { ...terms, weights: { BTC: 1 }, horizon: 1, model_lookback: 250, quantile: [0.95] };
    const { Levels } = await outputOf({
      type: 'GBM',
      params: { ...params, from: '07-01-2023', to: '06-30-2024', mc_iter: 1000 },
    });
    expect(Levels['0.95'].Tests.Kupiec.PValue, JSON.stringify(Levels)).toBeGreaterThan(0.001);
  });

  it('reports its progress, as a job', async () => {
    const response = await post('/backtest', body, { prefer: 'respond-async' });
    expect(response.status).toBe(202);
    const location = response.headers.get('location') as string;
    const events = await app.get(location, { accept: 'text/event-stream' });
    const told = [...(await events.text()).matchAll(/^data: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data) as { state: string; share_done: number },
    );
    expect(told.at(-1)?.state).toBe('done');
    const shares = told.map(({ share_done }) => share_done);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    const result = await app.get(`${location}/result`);
    expect(((await result.json()) as { Output: Output }).Output).toEqual(await outputOf(body));
  });
});

describe('A back-test is refused at the member with the fault:', () => {
  const faultOf = async (sent: unknown, query = '') => {
    const response = await post(`/backtest${query}`, sent);
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { path: string; message: string }[] };
    return errors;
  };
  it.each([
    ['params.horizon', 11, 'horizon must be a whole number from 1 to 10; got 11'],
    ['params.horizon', 1.5, 'horizon must be a whole number from 1 to 10; got 1.5'],
    ['params.quantile', [], 'quantile must be a list of 1 to 8 quantiles; got a list of 0'],
    ['params.from', '02-30-2024', 'from must be a day of the calendar, written MM-DD-YYYY; got "02-30-2024"'],
    [
      'params.from',
      '01-01-2014',
      'from must be such that there are at most 3650 days up to to; got 3793 of them',
    ],
    ['params.to', '05-03-2024', 'to must be at least the horizon (3) in days after from; got 05-03-2024'],
    ['params.weights.BTC', 0, 'weights.BTC must be a weight above 0; got 0'],
  ])('%s = %j', async (path, value, message) => {
    expect(await faultOf(withMember(body, path, value))).toMatchObject([{ path, message }]);
  });

  it('a last day whose outcome is not known yet', async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const [{ path, message }] = await faultOf(withMember(body, 'params.to', usDate(yesterday)));
    expect(path).toBe('params.to');
    expect(message).toMatch(
      /^to must be at most \d\d-\d\d-\d{4}, so that the close of 3 days later is known/,
    );
  });

  it('an asset without prices, a window too short for the model, and a query that it does not offer', async () => {
    expect(await faultOf(withMember(body, 'params.weights', { nope: 1 }))).toMatchObject([
      { path: 'params.weights.nope' },
    ]);
    expect(
      await faultOf({ type: 'FHS', params: { ...terms, model_lookback: 20, mc_iter: 10 } }),
    ).toMatchObject([{ path: 'params.model_lookback' }]);
    expect(await faultOf(body, '?sampling=sobol')).toMatchObject([{ path: 'query.sampling' }]);
    expect(await faultOf({ type: 'WALK', params: body.params })).toMatchObject([{ path: 'type' }]);
  });
});

it('A back-test is refused before it starts where its fits alone would miss the deadline', async () => {
  const hurried = await startSampleService({ REQUEST_TIMEOUT_SECONDS: '3' });
  try {
    // 300 tables of Student's multiplier, one of each day: above seven seconds of the thread that fits models.
    const sent = { type: 'STUDENT_T', params: { ...terms, to: '02-24-2025', mc_iter: 10 } };
    const response = await postTo(hurried, '/backtest', sent);
    const answer = await response.text();
    expect(response.status, answer).toBe(422);
    expect(JSON.parse(answer)).toMatchObject({ type: 'urn:collateral-risk-engine:work-limit-exceeded' });
  } finally {
    await hurried.stop();
  }
});
