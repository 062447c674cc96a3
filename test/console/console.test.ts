/**
 * The console in a real browser: every view answers with the figures of the API, the engines of the browser agree with
 * the server's, refusals stand at their fields, and nothing is asked of any other host.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadConfig } from '#src/config.js';
import { createLogger } from '#src/log.js';
import { type Service, startService } from '#src/service.js';
import { hasBrowser, openBrowser, watchedPage } from '../support/browser.ts';
import { checkEveryAnswer } from '../support/checked-answers.ts';

const KEY = 'a-key-of-the-console-tests-0123456789';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Faults that axe-core calls serious or critical. */
interface AxeViolation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

checkEveryAnswer();

describe.skipIf(!hasBrowser)('the console', { tags: ['slow'] }, () => {
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    service = await startService(
      loadConfig({ API_KEYS: KEY, PORT: '0', MARKET_DB: 'sample', COMPUTE: 'cpu', CPU_THREADS: '2' }),
      createLogger('silent'),
    );
    browser = await openBrowser();
    context = await browser.newContext({ locale: 'en-US', viewport: { width: 1400, height: 1000 } });
    await context.addInitScript(key => sessionStorage.setItem('collateral-risk-console.key', key), KEY);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** Opens a view and waits until it is done or refused. */
  async function open(address: string) {
    const watch = await watchedPage(context);
    await watch.page.goto(`${service.url}/${address}`);
    return watch;
  }

  const settled = (page: Page) =>
    page
      .waitForSelector('[data-status="done"], [data-status="refused"]')
      .then(found => found.getAttribute('data-status'));

  /** Figures of the tables, by name. */
  const figuresOf = (page: Page): Promise<Record<string, number>> =>
    page.$$eval('.results .figures:not([data-compare]) td[data-value]', cells =>
      Object.fromEntries(
        cells.map(cell => [
          cell.closest('[data-figure]')?.getAttribute('data-figure'),
          Number(cell.getAttribute('data-value')),
        ]),
      ),
    );

  const post = async (path: string, body: unknown) => {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': KEY },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, Record<string, unknown>>;
  };

  it('shows the figures that the API gives for the same loan', async () => {
    const { page, errors, requests } = await open('#/loan?paths=10000&N=1.4&c=BTC%3A0.6%2CETH%3A0.4');
    expect(await settled(page)).toBe('done');
    const { Output } = await post('/loan_risk', {
      type: 'GBM',
      params: {
        collateral_weights: { BTC: 0.6, ETH: 0.4 },
        loan_weights: { USD: 1 },
        model_lookback: 90,
        loan_duration: 30,
        mc_top_up: 24,
        loan_value: 1e6,
        N: 1.4,
        M: 1.3,
        L: 1.15,
        R: 1.4,
        mc_iter: 10_000,
        volatility_shock: 0,
      },
    });
    expect(await figuresOf(page)).toEqual(Output);
    expect(errors).toEqual([]);
    expect(requests.filter(url => !url.startsWith(service.url) && !url.startsWith('blob:'))).toEqual([]);
    await page.close();
  });

  it.each(['loan', 'origination', 'var', 'liquidity', 'perpetual'])(
    'answers the %s view as it opens, with charts',
    async view => {
      const { page, errors } = await open(`#/${view}?paths=1000`);
      expect(await settled(page)).toBe('done');
      await page.waitForSelector('.chart canvas');
      expect(Object.values(await figuresOf(page)).every(Number.isFinite)).toBe(true);
      expect(errors).toEqual([]);
      await page.close();
    },
  );

  it('puts a refusal at the field that caused it', async () => {
    const { page } = await open('#/loan?paths=1000&days=-1');
    expect(await settled(page)).toBe('refused');
    const field = page.locator('#field-days');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#fault-days').textContent()).toContain('loan_duration');
    await page.close();
  });

  it('keeps its state in the address and its key in the session only', async () => {
    const { page } = await open('#/loan?paths=1000');
    await settled(page);
    await page.fill('#field-N', '1.8');
    await page.waitForFunction(() => location.hash.includes('N=1.8'));
    expect(page.url()).not.toContain(KEY);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(KEY);
    await page.close();
  });

  it.each(['light', 'dark'] as const)(
    'has nothing serious for axe-core to find in %s colours',
    async colorScheme => {
      const { page } = await open('#/loan?paths=1000');
      await page.emulateMedia({ colorScheme });
      await settled(page);
      await page.evaluate(AXE);
      const violations = await page.evaluate(
        async () =>
          (await (window as unknown as { axe: { run(): Promise<{ violations: unknown[] }> } }).axe.run())
            .violations as AxeViolation[],
      );
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
      await page.close();
    },
  );

  it('fits a phone without scrolling sideways', async () => {
    const { page } = await open('#/loan?paths=1000');
    await page.setViewportSize({ width: 390, height: 844 });
    await settled(page);
    const { width, content } = await page.evaluate(() => ({
      width: document.documentElement.clientWidth,
      content: document.documentElement.scrollWidth,
    }));
    expect(content).toBeLessThanOrEqual(width);
    await page.close();
  });

  it('is served with a policy that allows this host only', async () => {
    const response = await fetch(`${service.url}/`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toContain('http');
    expect(policy).not.toContain('unsafe-inline');
  });
});
