/**
 * Every view of the console shows the figures that the API gives to the same request, and hands the request on whole.
 *
 * @module-tag slow
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { checkEveryAnswer } from '../support/checked-answers.ts';
import {
  type ConsoleUnderTest,
  PLAIN_LOAN,
  settled,
  shownFigures,
  startConsole,
} from '../support/console.ts';

const run = promisify(execFile);
const PATHS = 10_000;

const LOAN = {
  collateral_weights: { BTC: 0.6, ETH: 0.4 },
  loan_weights: { USD: 1 },
  model_lookback: 90,
  loan_duration: 30,
  mc_top_up: 24,
  loan_value: 1e6,
  N: 1.45,
  M: 1.3,
  L: 1.15,
  R: 1.4,
  mc_iter: PATHS,
  volatility_shock: 0,
};

const PERPETUAL = {
  model: 'GBM',
  market: 'ETH',
  model_lookback: 30,
  trade_duration_hours: 48,
  contract_type: 'linear',
  funding_method: 'flat',
  entry_price: 3000,
  mark_price: 3000,
  liquidation_remainder: 'kept',
  initial_margin: 400,
  position_size: -1,
  funding_rate: 0.0001,
  funding_interval_hour: 8,
  contract_size: 1,
  mc_iter: PATHS,
  volatility_shock: 0,
};

/** Figures as the tables name them: nested members joined by the view's own separator. */
type Flat = Record<string, number>;

const flatPerpetual = (results: Record<string, unknown>): Flat =>
  Object.fromEntries(
    Object.entries(results).flatMap(([name, value]) =>
      typeof value === 'number'
        ? [[name, value]]
        : Object.entries(value as Flat).map(([quantile, figure]) => [`${name} ${quantile}`, figure]),
    ),
  );

const flatValueAtRisk = (output: Record<string, unknown>): Flat =>
  Object.fromEntries(
    Object.entries(output).flatMap(([horizon, tails]) =>
      typeof tails === 'number'
        ? [[horizon, tails]]
        : Object.entries(tails as Record<string, Flat>).flatMap(([quantile, values]) =>
            Object.entries(values).map(([name, value]) => [`${horizon} d, ${quantile}: ${name}`, value]),
          ),
    ),
  );

/** The file that a button hands to the visitor. */
async function saved(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) };
}

checkEveryAnswer();

describe.skipIf(!hasBrowser)('figures of the console', () => {
  let under: ConsoleUnderTest;

  beforeAll(async () => {
    under = await startConsole({ coverage: 'ccr' });
    await under.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  afterAll(async () => under?.close());

  /** Figures that a view shows once it is done. */
  async function figuresAt(address: string): Promise<Flat> {
    const { page, errors } = await under.open(address);
    expect(await settled(page)).toBe('done');
    const shown = await shownFigures(page);
    expect(errors).toEqual([]);
    await page.close();
    return shown;
  }

  it('are those of /loan_risk', async () => {
    const shown = await figuresAt(`#/loan?${PLAIN_LOAN}&paths=${PATHS}&N=1.45&c=BTC%3A0.6%2CETH%3A0.4`);
    const { Output } = await under.post('/loan_risk', { type: 'GBM', params: LOAN });
    expect(shown).toEqual(Output);
  });

  it('are those of /loan_risk over windows of history', async () => {
    const shown = await figuresAt(`#/loan?${PLAIN_LOAN}&type=HISTORICAL&lookback=365`);
    const { mc_iter: _, volatility_shock: __, ...terms } = LOAN;
    const params = { ...terms, collateral_weights: { BTC: 1 }, N: 1.5, model_lookback: 365 };
    const { Output } = await under.post('/loan_risk', { type: 'HISTORICAL', params });
    expect(shown).toEqual(Output);
  });

  it('are those of /loan_origination', async () => {
    const shown = await figuresAt(
      `#/origination?${PLAIN_LOAN}&paths=${PATHS}&score=PrLiquidation&target=0.1&max=3&c=BTC%3A0.6%2CETH%3A0.4`,
    );
    const { N: _, M: __, R: ___, ...terms } = LOAN;
    const { Output } = await under.post('/loan_origination', {
      type: 'GBM',
      params: {
        ...terms,
        opt_param: {
          score_variable: 'PrLiquidation',
          score_target: 0.1,
          variable_min: 1.2,
          variable_max: 3,
          error_tolerance: 0.001,
        },
      },
    });
    expect(shown).toEqual(Output);
  });

  it('of an origination come with the curve of the score, and with the loan at the N found', async () => {
    const { page } = await under.open(
      `#/origination?${PLAIN_LOAN}&paths=${PATHS}&score=PrLiquidation&target=0.1&max=3`,
    );
    expect(await settled(page)).toBe('done');
    const { N } = await shownFigures(page);
    const curve = await page.getAttribute(
      '[role="img"][aria-label^="Chance of a liquidation by nominal ratio"]',
      'aria-label',
    );
    expect(curve).toContain('10\u00a0% ± 0.1\u00a0%');
    expect(curve).toContain(`N ${Number(N.toPrecision(5))}`);
    const { bytes } = await saved(page, '[aria-label="Save the numbers of Collateral coverage as CSV"]');
    const [, first] = bytes.toString().split('\n');
    expect(new Set(first.split(',').slice(1).map(Number))).toEqual(new Set([N]));
    await page.close();
  });

  it('are those of /var', async () => {
    const shown = await figuresAt(`#/var?type=GBM&lookback=90&paths=${PATHS}&horizons=1%2C7`);
    const { Output } = await under.post('/var', {
      type: 'GBM',
      params: {
        collateral_weights: { BTC: 0.6, ETH: 0.4 },
        loan_weights: { USD: 1 },
        model_lookback: 90,
        var_duration: [1, 7],
        quantile: [0.95, 0.99],
        loan_value: 1e6,
        collateral_value: 1.5e6,
        mc_iter: PATHS,
        volatility_shock: 0,
      },
    });
    const lost = Object.entries(shown).filter(([name]) => name.startsWith('loss, '));
    expect(Object.fromEntries(Object.entries(shown).filter(([name]) => !name.startsWith('loss, ')))).toEqual(
      flatValueAtRisk(Output),
    );
    // What is lost and what is left are what stands there today.
    expect(lost).toHaveLength(24);
    const today = (name: string) => (/Collateral/.test(name) ? 1.5e6 : /Loan/.test(name) ? 1e6 : 5e5);
    for (const [name, loss] of lost)
      expect(loss + shown[name.replace('loss, ', '')], name).toBeCloseTo(today(name), 6);
  });

  it('are those of /loan_risk_low_liquidity', async () => {
    const shown = await figuresAt(`#/liquidity?${PLAIN_LOAN}&paths=${PATHS}&value=500000000`);
    const { Output } = await under.post('/loan_risk_low_liquidity', {
      type: 'GBM',
      params: {
        ...LOAN,
        collateral_weights: { BTC: 1 },
        N: 1.5,
        loan_value: 5e8,
        volume_lookback: 30,
        markets: [['BTC', 'USDT', 'binance']],
        participation_ratio: 0.1,
      },
    });
    const { 'Volume Summary (per Million)': volumes, ...figures } = Output;
    expect(shown).toEqual({
      ...figures,
      ...Object.fromEntries(
        Object.entries(volumes as Flat).map(([name, value]) => [`Volume: ${name}`, value]),
      ),
    });
  });

  it('are those of /isolated_perp_risk', async () => {
    const shown = await figuresAt(
      `#/perpetual?type=GBM&lookback=30&paths=${PATHS}&market=ETH&hours=48&entry=3000&mark=3000&margin=400&size=-1`,
    );
    const { Results } = await under.post('/isolated_perp_risk', PERPETUAL);
    expect(shown).toEqual(flatPerpetual(Results));
  });

  it('are those of /backtest, exceedances and tests', async () => {
    const { page } = await under.open(
      '#/backtest?type=GBM&lookback=90&paths=1000&from=2024-01-01&to=2024-06-30',
    );
    await page.click('text=Run the back-test');
    expect(await settled(page)).toBe('done');
    const { Output } = await under.post('/backtest', {
      type: 'GBM',
      params: {
        weights: { BTC: 1 },
        model_lookback: 90,
        horizon: 1,
        quantile: [0.95, 0.99],
        from: '01-01-2024',
        to: '06-30-2024',
        mc_iter: 1000,
        volatility_shock: 0,
      },
    });
    const levels = Output.Levels as Record<
      string,
      Record<string, number | Record<string, { PValue: number }>>
    >;
    expect(await shownFigures(page)).toEqual(
      Object.fromEntries(
        Object.entries(levels).flatMap(([level, figures]) => {
          const tests = figures.Tests as Record<string, { PValue: number }>;
          const shortfall = figures.Shortfall as unknown as {
            readonly Z2: { readonly Statistic: number; readonly PValue: number };
            readonly FZ0: { readonly Score: number };
          };
          return [
            ...['Exceedances', 'Expected', 'ExceedanceRate', 'QuantileScore'].map(name => [
              `${level} ${name}`,
              figures[name],
            ]),
            ...['Kupiec', 'Independence', 'ConditionalCoverage'].map(name => [
              `${level} ${name}`,
              tests[name].PValue,
            ]),
            // Fewer than ten exceedances are expected, and GBM is not compared with itself.
            [`${level} Z2`, shortfall.Z2.Statistic],
            [`${level} Z2 p`, shortfall.Z2.PValue],
            [`${level} FZ0`, shortfall.FZ0.Score],
          ];
        }),
      ),
    );
    await page.waitForSelector('.chart canvas');
    await page.close();
  });

  it('come with intervals, and with more paths on demand', async () => {
    const { page } = await under.open(`#/loan?${PLAIN_LOAN}&paths=1000`);
    expect(await settled(page)).toBe('done');
    const width = async () => {
      const text = await page.textContent('tr[data-figure="PrMarginCall"] .interval');
      const [low, high] = (text ?? '').match(/[\d.]+/g) ?? [];
      return Number(high) - Number(low);
    };
    const before = await width();
    await page.click('.run-actions button');
    await page.waitForSelector('[data-status="done"][data-paths="10000"]');
    // The address is written every 200 ms at most.
    await page.waitForFunction(() => location.hash.includes('paths=10000'));
    // Ten times more paths: an interval narrower by sqrt(10).
    expect(before / (await width())).toBeCloseTo(Math.sqrt(10), 0);
    await page.close();
  });

  it('stop when they are told to, and go on', async () => {
    const { page } = await under.open(`#/loan?${PLAIN_LOAN}&paths=10000000`);
    // Ten million paths take seconds; each smaller number of paths is shown for some milliseconds.
    await page.waitForSelector('[data-status="running"]:not([data-paths="0"])');
    await page.click('.run-actions button');
    await page.waitForSelector('[data-status="stopped"]');
    expect(await page.textContent('.run-actions button')).toBe('Continue');
    await page.click('.run-actions button');
    await page.waitForSelector('[data-status="running"]');
    await page.close();
  });

  /** What a copy button puts on the clipboard. */
  async function copied(address: string, name: string): Promise<string> {
    const { page } = await under.open(address);
    await settled(page);
    await page.click(`text=Copy ${name}`);
    await page.waitForSelector(`text=${name} copied`);
    const text = await page.evaluate(() => navigator.clipboard.readText());
    await page.close();
    return text;
  }

  it('can be had by the curl command that the page copies', async () => {
    const text = await copied(
      `#/loan?${PLAIN_LOAN}&paths=${PATHS}&N=1.45&c=BTC%3A0.6%2CETH%3A0.4&seed=7`,
      'curl',
    );
    // The shell takes the command apart; a function stands in for curl and prints its arguments.
    const { stdout } = await run('sh', ['-c', `curl() { for a; do printf '%s\\n' "$a"; done; }; ${text}`], {
      env: { ...process.env, API_KEY: 'from-the-variable' },
    });
    const args = stdout.trimEnd().split('\n');
    expect(args).toContain(`${under.service.url}/loan_risk`);
    expect(args).toContain('x-api-key: from-the-variable');
    expect(args).toContain('x-seed: 7');
    expect(JSON.parse(args[args.indexOf('-d') + 1])).toEqual({ type: 'GBM', params: LOAN });
  });

  it('can be had by the Python program that the page copies', async context => {
    const text = await copied(
      `#/loan?${PLAIN_LOAN}&paths=${PATHS}&N=1.45&c=BTC%3A0.6%2CETH%3A0.4&seed=7`,
      'Python',
    );
    const hasPython = await run('python3', ['--version']).then(
      () => true,
      () => false,
    );
    if (!hasPython) context.skip('python3 is not on this machine');
    const folder = await mkdtemp(join(tmpdir(), 'console-python-'));
    await writeFile(
      join(folder, 'requests.py'),
      [
        'import json',
        'class Answer:',
        '    def raise_for_status(self): pass',
        '    def json(self): return {"Output": "done"}',
        'def post(url, headers, json, timeout):',
        '    print(__import__("json").dumps({"url": url, "headers": headers, "body": json}))',
        '    return Answer()',
      ].join('\n'),
    );
    const { stdout } = await run('python3', ['-c', text], {
      env: { ...process.env, API_KEY: 'from-the-variable', PYTHONPATH: folder },
    });
    await rm(folder, { recursive: true });
    const [sent, result] = stdout.trim().split('\n');
    expect(JSON.parse(sent)).toEqual({
      url: `${under.service.url}/loan_risk`,
      headers: { 'x-api-key': 'from-the-variable', 'x-seed': '7' },
      body: { type: 'GBM', params: LOAN },
    });
    expect(result).toBe('done');
  });

  it('can be had as CSV, with every figure', async () => {
    const text = await copied(`#/loan?${PLAIN_LOAN}&paths=${PATHS}&N=1.45&c=BTC%3A0.6%2CETH%3A0.4`, 'CSV');
    const { Output } = await under.post('/loan_risk', { type: 'GBM', params: LOAN });
    const [head, ...rows] = text.trim().split('\n');
    expect(head).toBe('figure,name,value,low,high,unit');
    const found = rows.map(row => (JSON.parse(`[${row.replace(/,(?=,)/g, ',null')}]`) as unknown[]).slice(1));
    // Shares are fractions all, that of AvgLossPct too.
    expect(Object.fromEntries(found.map(([name, value]) => [name, value]))).toEqual({
      ...Output,
      AvgLossPct: Number(Output.AvgLossPct) * 0.01,
    });
    expect(new Set(found.map(row => row.at(-1)))).toEqual(
      new Set(['fraction', 'collateral / debt', 'ratio']),
    );
  });

  it('have charts that can be saved, as a picture and as numbers', async () => {
    const { page } = await under.open(`#/loan?${PLAIN_LOAN}&paths=1000`);
    await settled(page);
    const picture = await saved(page, '[aria-label="Save the chart Collateral coverage as PNG"]');
    expect(picture.name).toBe('collateral-coverage.png');
    expect(picture.bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
    const numbers = await saved(page, '[aria-label="Save the numbers of Collateral coverage as CSV"]');
    const [head, first] = numbers.bytes.toString().split('\n');
    expect(head.split(',')[0]).toBe('"days"');
    // Day 0: every quantile is the nominal ratio.
    expect(new Set(first.split(',').slice(1))).toEqual(new Set(['1.5']));
    await page.close();
  });
});
