/** The steps of docs/repeat.md: an answer is given again on kept data, and from its plan. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askPlan } from '#src/cli/ask-plan.js';
import { runMarketCommand } from '#src/cli/market.js';
import { createLogger } from '#src/host/log.js';
import { importFiles } from '#src/market/import/import-files.js';
import { DEFAULT_RULES } from '#src/market/rules.js';
import { loadConfig } from '#src/server/config.js';
import { type Service, startService } from '#src/server/service.js';

const KEY = 'the-key-of-this-test';
const HOUR = 3_600_000;
let folder: string;
let service: Service | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'repeat-'));
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true });
});

const page = readFileSync(fileURLToPath(new URL('../../docs/repeat.md', import.meta.url)), 'utf8');
const BODY = {
  type: 'GBM',
  params: {
    ...{
      collateral_weights: { BTC: 1 },
      loan_weights: { USD: 1 },
      analysis_date: '02-20-2024',
      model_lookback: 30,
    },
    ...{ loan_duration: 5, mc_top_up: 24, loan_value: 5000, N: 1.5, M: 1.3, L: 1.1, R: 1.5, mc_iter: 500 },
  },
};

/** Imports hours of BTC whose closes depend on `salt`, as if `hours` after now. */
async function importPrices(salt: number, hours: number) {
  const file = join(folder, `BTC_USD-${salt}.csv`);
  const start = Date.UTC(2024, 0, 1);
  const rows = Array.from({ length: 24 * 60 }, (_, k) => {
    const close = 40_000 + 500 * Math.sin(k / 7 + salt) + 3 * k;
    return [start + k * HOUR, close, close + 1, close - 1, close, 1].join(',');
  });
  writeFileSync(file, `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`);
  await importFiles({
    ...{
      store: join(folder, 'store'),
      paths: [file],
      replace: true,
      now: new Date(Date.now() + hours * HOUR),
    },
    options: { asset: 'BTC', quote: 'USD', exchange: 'kraken' },
  } as never);
}

async function ask(headers: Readonly<Record<string, string>> = {}) {
  return fetch(`${service?.url}/loan_risk?include=plan`, {
    method: 'POST',
    headers: {
      'x-api-key': KEY,
      'content-type': 'application/json',
      'x-compute': 'cpu',
      'x-seed': '7',
      ...headers,
    },
    body: JSON.stringify(BODY),
  });
}

const output = () => {
  const written = { out: '', err: '' };
  const given = {
    out: (text: string) => {
      written.out += text;
    },
    err: (text: string) => {
      written.err += text;
    },
    terminal: false,
  };
  return { written, given };
};

it('An answer is the same, byte for byte, on data that are kept, and from its plan', {
  tags: ['slow'],
}, async () => {
  await importPrices(1, 0);
  const store = join(folder, 'store');
  const environment = {
    PORT: '0',
    API_KEYS: KEY,
    MARKET_DB: store,
    COMPUTE: 'cpu',
    CPU_THREADS: '1',
    REQUEST_TIMEOUT_SECONDS: '3600',
  };
  service = await startService(loadConfig(environment), createLogger('silent'));
  const first = await ask();
  const text = await first.text();
  expect(first.status, text).toBe(200);
  const data = String(first.headers.get('x-market-data'));
  const version = data.slice(-12);

  // The steps of the page.
  expect(page).toContain('npm run market -- keep 0123456789ab');
  const { given, written } = output();
  expect(await runMarketCommand(['keep', version], { store, rules: DEFAULT_RULES }, given), written.err).toBe(
    0,
  );
  expect(await runMarketCommand(['keep', '0123456789ab'], { store, rules: DEFAULT_RULES }, given)).toBe(1);
  expect(await runMarketCommand(['keep'], { store, rules: DEFAULT_RULES }, given)).toBe(0);
  expect(written.out).toMatch(new RegExp(`${version} .* kept`));

  // Imports of a year, which push all other versions out.
  for (const k of [2, 3, 4, 5, 6, 7]) await importPrices(k, 24 * 60 * k);
  await service.stop();
  service = await startService(loadConfig(environment), createLogger('silent'));
  const now = await ask();
  expect(now.headers.get('x-market-data')).not.toBe(data);
  expect(await now.text()).not.toBe(text);

  const again = await ask({ 'x-market-data': data });
  expect([again.status, again.headers.get('x-market-data')]).toEqual([200, data]);
  expect(await again.text()).toBe(text);
  expect(again.headers.get('repr-digest')).toBe(first.headers.get('repr-digest'));
  expect((await ask({ 'x-market-data': version })).status).toBe(200);
  const gone = await ask({ 'x-market-data': '0123456789ab' });
  expect([gone.status, await gone.json()]).toMatchObject([
    410,
    { type: 'urn:collateral-risk-engine:market-version-gone' },
  ]);
  expect((await ask({ 'x-market-data': 'last year' })).status).toBe(422);

  expect(page).toContain('collateral-risk-engine ask --plan answer.json --compute cpu');
  const file = join(folder, 'answer.json');
  writeFileSync(file, text);
  const own = output();
  expect(await askPlan(file, 'cpu', { CPU_THREADS: '1' }, own.given), own.written.err).toBe(0);
  const repeated = JSON.parse(own.written.out) as { Figures: object; Differ: readonly string[] };
  expect(repeated.Differ).toEqual([]);
  expect((JSON.parse(text) as { Output: object }).Output).toMatchObject(repeated.Figures);
  const changed = JSON.parse(text) as { Output: { PrLiquidation: number } };
  changed.Output.PrLiquidation += 0.001;
  writeFileSync(file, JSON.stringify(changed));
  const other = output();
  expect(await askPlan(file, 'cpu', { CPU_THREADS: '1' }, other.given)).toBe(1);
  expect(JSON.parse(other.written.out)).toMatchObject({ Differ: ['PrLiquidation'] });
});
