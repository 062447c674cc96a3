/** What is missing, all of it at once, at the members of the body that was sent; by the real operations on the sample market. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineSet } from '#src/engine/engine-set.js';
import { openEngines } from '#src/engine/open-engine.js';
import { createLogger } from '#src/host/log.js';
import { openSampleMarket } from '#src/market/sample-market.js';
import { QUESTIONS } from '#src/question/questions.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { NOW, post, problem, serve } from '../../support/http-app.ts';
import { LOAN_RISK, LOW_LIQUIDITY, PERPETUAL, VALUE_AT_RISK } from '../../support/request-bodies.ts';

let server: RunningServer;
let engines: EngineSet;
beforeAll(async () => {
  engines = await openEngines({
    compute: 'cpu',
    softwareGpu: false,
    threads: 1,
    limits: { cpu: 1e9, gpu: 1e9 },
    log: createLogger('silent'),
  });
  server = await serve({ routes: QUESTIONS, market: openSampleMarket(() => NOW), engines });
});
afterAll(async () => {
  await server.drain(1000);
  await engines.close();
});

/** Before the first day of the sample market, indices included. */
const TOO_EARLY = '12-20-2020';

async function missing(path: string, body: object): Promise<{ detail: string; paths: string[] }> {
  const response = await post(server, path, body);
  const { type, detail, errors = [] } = await problem(response);
  expect(type, detail).toBe('urn:collateral-risk-engine:missing-market-data');
  return { detail, paths: errors.map(error => error.path) };
}

const without = (body: { params: object }, ...members: string[]) =>
  Object.fromEntries(Object.entries(body.params).filter(([name]) => !members.includes(name)));

describe('Missing market data', () => {
  it('is named for prices and indices together', async () => {
    for (const [path, body] of [
      ['/loan_risk', LOAN_RISK],
      ['/var', VALUE_AT_RISK],
    ] as const) {
      const params = {
        ...without(body, 'volatility_shock'),
        collateral_weights: { BTC: 0.5, NOCOIN: 0.5 },
        loan_weights: { OTHER: 1 },
        analysis_date: TOO_EARLY,
        model_lookback: 60,
      };
      const { paths, detail } = await missing(path, { type: 'GBM_VIX', params });
      expect(new Set(paths), path).toEqual(
        new Set([
          'type',
          'params.collateral_weights.BTC',
          'params.collateral_weights.NOCOIN',
          'params.loan_weights.OTHER',
        ]),
      );
      expect(detail, path).toMatch(/NOCOIN.*OTHER/);
    }
  });

  it('is named for prices and volumes together', async () => {
    const params = {
      ...LOW_LIQUIDITY.params,
      collateral_weights: { NOCOIN: 1 },
      markets: [...LOW_LIQUIDITY.params.markets, ['BTC', 'EUR', 'nowhere']],
    };
    const { paths } = await missing('/loan_risk_low_liquidity', { ...LOW_LIQUIDITY, params });
    const last = LOW_LIQUIDITY.params.markets.length;
    expect(new Set(paths)).toEqual(new Set([`params.markets.${last}`, 'params.collateral_weights.NOCOIN']));
  });

  it('is named at the market of a perpetual', async () => {
    for (const model of ['GBM', 'HISTORICAL']) {
      const { mc_iter, ...rest } = PERPETUAL;
      const own = model === 'GBM' ? { mc_iter } : {};
      const { paths } = await missing('/isolated_perp_risk', { ...rest, ...own, model, market: 'NOCOIN' });
      expect(paths, model).toEqual(['market']);
    }
  });
});

describe('The basis of an answer', () => {
  it('is in its headers: the grid of the prices, the scenarios, the maintenance margin', async () => {
    const loan = await post(server, '/loan_risk', LOAN_RISK);
    expect(loan.status).toBe(200);
    expect(loan.headers.get('x-market-grid')).toBe('daily');
    expect(loan.headers.get('x-scenarios')).toBe(String(LOAN_RISK.params.mc_iter));
    expect(loan.headers.has('x-maintenance-margin')).toBe(false);

    const params = { ...without(LOAN_RISK, 'volatility_shock', 'mc_iter'), model_lookback: 20 };
    const history = await post(server, '/loan_risk', { type: 'HISTORICAL', params });
    expect(history.headers.get('x-market-grid')).toBe('hourly');
    expect(history.headers.get('x-scenarios')).toBe('480');

    const perpetual = await post(server, '/isolated_perp_risk', PERPETUAL);
    expect(perpetual.headers.get('x-market-grid')).toBe('hourly');
    expect(perpetual.headers.get('x-maintenance-margin')).toBe('0.005');
  });
});
