/** Symbols, their aliases and the version of the data, as a caller sees them. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEngines } from '#src/engine/open-engine.js';
import { createLogger } from '#src/host/log.js';
import { importFiles } from '#src/market/import/import-files.js';
import type { LiveMarket } from '#src/market/live-market.js';
import { openMarket } from '#src/market/open-market.js';
import { parseRules } from '#src/market/rules.js';
import { QUESTIONS } from '#src/question/questions.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { KEY, NOW, post, problem, serve } from '../../support/http-app.ts';
import { temporaryFolder, writeFiles } from '../../support/market-files.ts';

const log = createLogger('silent');
/** Days of 2026-05, closes that rise and fall. */
const days = (level: number, from = 1): string[] => [
  'date,close',
  ...Array.from({ length: 32 - from }, (_, i) => {
    const date = String(from + i).padStart(2, '0');
    return `2026-05-${date},${level * (1 + ((i * 7) % 5) / 100)}`;
  }),
];
const LOAN = {
  collateral_weights: { BTC: 1 },
  loan_weights: { USD: 1 },
  analysis_date: '05-31-2026',
  model_lookback: 20,
  mc_iter: 200,
  loan_duration: 7,
  mc_top_up: 12,
  loan_value: 1000,
  N: 1.3,
  M: 1.2,
  L: 1.1,
  R: 1.25,
};

describe('a server on a store', () => {
  let market: LiveMarket;
  let server: RunningServer;
  let folder: string;
  const engines = openEngines({
    compute: 'cpu',
    softwareGpu: false,
    threads: 1,
    limits: { cpu: 1e12, gpu: 1e12 },
    log,
  });

  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await server.drain(1000);
    await market.close();
  });

  async function start(files: Readonly<Record<string, readonly string[]>>, rules = '{}'): Promise<void> {
    const store = join(folder, 'market');
    await importFiles({ store, paths: [writeFiles(join(folder, 'files'), files)], now: NOW });
    market = await openMarket({
      path: store,
      asked: true,
      now: () => NOW,
      log,
      rules: parseRules(rules, 'rules'),
    });
    server = await serve({ routes: QUESTIONS, market, engines: await engines, log });
  }
  const ask = (params: object) => post(server, '/loan_risk', { type: 'GBM', params: { ...LOAN, ...params } });
  const argumentsOf = async (response: Response) =>
    ((await response.json()) as { Arguments: Record<string, unknown> }).Arguments;

  it('reads USD as the dollar, with or without data: no volatility, the same answer as CASH', async () => {
    await start({ 'daily/btc_usdt.csv': days(60_000) });
    const usd = await ask({});
    const cash = await ask({ loan_weights: { CASH: 1 } });
    expect([usd.status, cash.status]).toEqual([200, 200]);
    const answer = (await usd.json()) as { Arguments: object; Output: Record<string, number> };
    expect(answer.Arguments).toMatchObject({ loan_weights: { USD: 1 } });
    expect(answer.Output['Loan Volatility']).toBe(0);
    expect(answer.Output['Collateral Volatility']).toBeGreaterThan(0.1);
    expect(await cash.json()).toEqual(answer);
    const historical = await post(server, '/loan_risk', {
      type: 'HISTORICAL',
      params: { ...LOAN, model_lookback: 15 },
    });
    expect(historical.status).toBe(200);
  });

  it('reads USD as the dollar where USDC is stored, and reports a fault of USDC at the member that was sent', async () => {
    await start({ 'daily/btc_usdt.csv': days(60_000), 'daily/usdc_usdt.csv': days(1, 20) });
    const usd = (await (await ask({})).json()) as { Output: Record<string, number> };
    expect(usd.Output['Loan Volatility']).toBe(0);
    const short = await problem(await ask({ loan_weights: { usdc: 1 } }));
    expect(short.errors.map(({ path }) => path)).toEqual(['params.loan_weights.usdc']);
    expect(short.errors[0].message).toContain('The daily price of USDC is missing');
    const both = await ask({ model_lookback: 10, loan_weights: { USD: 0.5, usdc: 0.5 } });
    expect(await argumentsOf(both)).toMatchObject({ loan_weights: { USD: 0.5, USDC: 0.5 } });
    const twice = await problem(await ask({ loan_weights: { USD: 0.5, cash: 0.5 } }));
    expect(twice.errors.map(({ path }) => path)).toEqual(['params.loan_weights.cash']);
  });

  it('accepts the old name of a renamed coin, and a wrapped coin only by a rule', async () => {
    const files = { 'daily/btc_usdt.csv': days(60_000), 'daily/pol_usdt.csv': days(0.4) };
    await start(files, '{"aliases": {"stETH": "BTC"}}');
    const renamed = await ask({ collateral_weights: { matic: 0.5, STETH: 0.5 } });
    expect(await argumentsOf(renamed)).toMatchObject({ collateral_weights: { BTC: 0.5, POL: 0.5 } });
    const wrapped = await problem(await ask({ collateral_weights: { WBTC: 1 } }));
    expect(wrapped.errors.map(({ path }) => path)).toEqual(['params.collateral_weights.WBTC']);
    const perpetual = await problem(
      await post(server, '/isolated_perp_risk', {
        model: 'GBM',
        market: 'wbtc',
        model_lookback: 5,
        trade_duration_hours: 24,
        funding_method: 'flat',
        entry_price: 1,
        initial_margin: 1,
        position_size: 1,
        contract_type: 'linear',
        contract_size: 1,
        funding_rate: 0,
        funding_interval_hour: 8,
      }),
    );
    expect(perpetual.errors.map(({ path }) => path)).toEqual(['market']);
  });

  it('counts an alias with a rate as so many units of its asset', async () => {
    const files = { 'daily/btc_usdt.csv': days(60_000), 'daily/eth_usdt.csv': days(3000) };
    await start(files, '{"aliases": {"wsteth": {"asset": "eth", "rate": 1.25}}}');
    const amounts = {
      N: undefined,
      loan_value: undefined,
      collateral_weights: undefined,
      loan_weights: undefined,
    };
    const sent = { ...amounts, collateral: { wstETH: 8 }, loan: { USD: 15_000 } };
    // 10 ETH at 3000, and at the price that one WSTETH is said to have.
    expect(await argumentsOf(await ask({ ...sent, prices: { ETH: 3000 } }))).toMatchObject({
      collateral: { ETH: 10 },
      collateral_weights: { ETH: 1 },
      N: 2,
    });
    expect(await argumentsOf(await ask({ ...sent, prices: { WSTETH: 3000 } }))).toMatchObject({
      prices: { ETH: 2400 },
      N: 1.6,
    });
    expect(await argumentsOf(await ask({ collateral_weights: { wsteth: 0.5, btc: 0.5 } }))).toMatchObject({
      collateral_weights: { BTC: 0.5, ETH: 0.5 },
    });
    const read = async (path: string) =>
      (await fetch(`${server.url}${path}`, { headers: { 'x-api-key': KEY } })).json();
    const { prices } = (await read('/prices?symbols=ETH,WSTETH&date=05-31-2026')) as {
      readonly prices: readonly { readonly symbol: string; readonly price: number }[];
    };
    expect(prices.map(({ symbol }) => symbol)).toEqual(['ETH', 'WSTETH']);
    expect(prices[1].price).toBe(1.25 * prices[0].price);
    const { symbols } = (await read('/symbols')) as { readonly symbols: readonly object[] };
    expect(symbols).toMatchObject([
      { symbol: 'BTC' },
      { aliases: ['WSTETH'], alias_rates: { WSTETH: 1.25 } },
    ]);
  });

  it('lists every asset with its range, its hours, its sources and its age', async () => {
    await start({
      'daily/btc_usdt.csv': days(60_000),
      'hourly/btc_usdt.csv': ['timestamp,open,high,low,close,volume', '2026-06-01T00:00:00Z,1,1,1,1,1'],
      'daily/eth_usdt.csv': [...days(3000, 10).slice(0, -3), '2026-06-14,3000'],
    });
    const response = await fetch(`${server.url}/symbols`, { headers: { 'x-api-key': KEY } });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-market-data')).toMatch(/^store; version=[0-9a-f]{12}$/);
    expect(await response.json()).toEqual({
      symbols: [
        {
          symbol: 'BTC',
          first_day: '2026-05-01',
          last_day: '2026-05-31',
          missing_days: 0,
          hours: { first: '2026-06-01T00:00Z', last: '2026-06-01T00:00Z', held: 1, missing: 0 },
          sources: ['BTC/USDT binance 1d', 'BTC/USDT binance 1h'],
          aliases: ['XBT', 'XXBT'],
          // To 2026-06-15T12:34:56Z from 01:00 of 06-01.
          age_seconds: 14 * 86_400 + 11 * 3600 + 34 * 60 + 56,
        },
        {
          symbol: 'ETH',
          first_day: '2026-05-10',
          last_day: '2026-06-14',
          missing_days: 16,
          hours: null,
          sources: ['ETH/USDT binance 1d'],
          aliases: [],
          age_seconds: 12 * 3600 + 34 * 60 + 56,
        },
      ],
      cash: { symbol: 'USD', aliases: ['CASH'] },
    });
    expect((await fetch(`${server.url}/symbols`)).status).toBe(401);
    const health = await (await fetch(`${server.url}/healthz`)).json();
    expect(health).toMatchObject({
      market: 'store',
      market_data: {
        version: market.current().version,
        assets: 2,
        youngest: { symbol: 'ETH', age_seconds: 12 * 3600 + 34 * 60 + 56 },
        oldest: { symbol: 'BTC', age_seconds: 14 * 86_400 + 11 * 3600 + 34 * 60 + 56 },
      },
    });
  });

  it('gives the age 0 in /symbols and /healthz where its clock is behind the latest close', async () => {
    await start({ 'daily/btc_usdt.csv': days(60_000) });
    await server.drain(1000);
    const now = () => new Date('2026-05-31T23:00:00Z');
    server = await serve({ routes: QUESTIONS, market, engines: await engines, log, now });
    const list = await fetch(`${server.url}/symbols`, { headers: { 'x-api-key': KEY } });
    expect(await list.json()).toMatchObject({ symbols: [{ symbol: 'BTC', age_seconds: 0 }] });
    const age = { symbol: 'BTC', age_seconds: 0 };
    expect(await (await fetch(`${server.url}/healthz`)).json()).toMatchObject({
      market_data: { youngest: age, oldest: age },
    });
  });

  it('serves a new version without a restart: another version in the header, the new price in the answer', async () => {
    await start({ 'daily/btc_usdt.csv': days(60_000) });
    const version = async (response: Promise<Response>) => (await response).headers.get('x-market-data');
    const before = await version(ask({}));
    expect(await version(ask({}))).toBe(before);
    const wild = ['date,close', '2026-05-30,90000', '2026-05-31,30000'];
    const files = writeFiles(join(folder, 'more'), { 'daily/btc_usdt.csv': wild });
    await importFiles({ store: join(folder, 'market'), paths: [files], replace: true, now: NOW });
    expect(await market.renew()).toBe(true);
    const after = await ask({});
    expect(after.headers.get('x-market-data')).toMatch(/^store; version=[0-9a-f]{12}$/);
    expect(after.headers.get('x-market-data')).not.toBe(before);
    const { Output } = (await after.json()) as { Output: Record<string, number> };
    expect(Output['Collateral Volatility']).toBeGreaterThan(2);
  });
});
