/**
 * Every view of the console in Firefox and WebKit: it loads, computes, draws without errors, passes axe-core, takes numbers as people
 * type them, keeps its address under fast changes, and prints. Browsers that are not installed are skipped.
 *
 * @module-tag slow
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '#src/server/service.js';
import { AXE_FAULTS, CONSOLE_KEY, VIEWS } from '../support/console.ts';
import { type DrivenBrowser, OTHER_BROWSERS } from '../support/driven-browser.ts';
import { startSampleService } from '../support/sample-service.ts';

const FIELDS = 'date=2024-06-30&paths=1000';

/** What is clicked before a view has an answer; each is waited for. */
const CLICKS: Readonly<Record<string, readonly string[]>> = {
  book: ['Use the sample tape', 'Compute'],
  backtest: ['Run the back-test'],
};
const BACKTEST = 'type=GBM&lookback=90&from=2024-05-01&to=2024-06-29';

/** Charts of a view; the table of the data has none. */
const hasCharts = (view: string) => view !== 'data';

describe.each(Object.entries(OTHER_BROWSERS))('the console in %s', (name, launch) => {
  // The driver of WebKit is seen to fall silent on a busy machine; every other failure is one.
  const retry = { count: 2, condition: (error: { name?: string }) => error.name === 'SilentBrowser' };
  describe.skipIf(launch === undefined)('as installed', { retry }, () => {
    let service: Service;
    let running: DrivenBrowser | undefined;
    let browser: DrivenBrowser;

    beforeAll(async () => {
      service = await startSampleService({ API_KEYS: CONSOLE_KEY });
    });

    beforeEach(async () => {
      if (launch !== undefined) browser = running ??= await launch();
    });

    // A browser in which a test failed may answer nothing: the next test has another.
    afterEach(async ({ task }) => {
      if (task.result?.state !== 'fail') return;
      await running?.close();
      running = undefined;
    });

    afterAll(async () => {
      await running?.close();
      await service?.stop();
    });

    const until = (condition: string) => browser.until(condition);

    const open = (view: string, fields: string) =>
      browser.open(`${service.url}/#/${view}?${fields}&key=${CONSOLE_KEY}`);

    const DONE = `document.querySelector('[data-status="done"], [data-rows]') !== null`;

    it.each(VIEWS)('shows the %s view whole, without an error', async view => {
      await open(view, view === 'backtest' ? BACKTEST : FIELDS);
      for (const text of CLICKS[view] ?? []) {
        const button = `[...document.querySelectorAll('button')].find(each => each.textContent === '${text}' && !each.disabled)`;
        await until(`${button} !== undefined`);
        await browser.evaluate(`(${button}).click()`);
      }
      await until(DONE);
      if (hasCharts(view)) {
        await until(`document.querySelector('.chart canvas') !== null`);
        const colours = await browser.evaluate<number[]>(
          `[...document.querySelectorAll('.chart canvas')].map(canvas => new Set(new Uint32Array(
            canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size)`,
        );
        expect(Math.min(...colours)).toBeGreaterThan(10);
      }
      expect(await browser.evaluate(AXE_FAULTS)).toEqual([]);
      expect(await browser.evaluate(`document.fonts.check('14px Inter')`)).toBe(true);
      expect(await browser.evaluate('location.hash')).not.toContain(CONSOLE_KEY);
      expect(await browser.errors()).toEqual([]);
      // The driver of WebKit does not print.
      expect(browser.print === undefined).toBe(name === 'WebKit');
      if (browser.print === undefined) return;
      const printed = await browser.print();
      expect(printed.subarray(0, 5).toString()).toBe('%PDF-');
      // A page without content takes some 4,000 bytes.
      expect(printed.length).toBeGreaterThan(10_000);
    });

    it.each([
      ['12,5', '12.5'],
      ['12.5', '12.5'],
      ['1.234,5', '1234.5'],
      ['1,234.5', '1234.5'],
    ])('takes %s as %s', async (typed, read) => {
      await open('loan', `${FIELDS}&by=units`);
      const field = `document.querySelector('[aria-label="Collateral, units, units of BTC"]')`;
      await until(`${field} !== null`);
      await browser.evaluate(
        `(${field}.value = '${typed}', ${field}.dispatchEvent(new Event('input', { bubbles: true })))`,
      );
      await until(`new URLSearchParams(location.hash.split('?')[1]).get('cu') === 'BTC:${read}'`);
      expect(await browser.evaluate(`${field}.value`)).toBe(typed);
    });

    it('has the last value of a slider in its address after more changes than a browser takes', async () => {
      await open('loan', FIELDS);
      await until(DONE);
      await browser.evaluate(`(async () => {
        const slider = document.querySelector('#field-fall');
        for (let step = 0; step < 180; step++) {
          slider.value = String(step === 179 ? 60 : step % 90);
          slider.dispatchEvent(new Event('input', { bubbles: true }));
          await new Promise(resolve => setTimeout(resolve, 10));
        }
      })()`);
      await until(`location.hash.includes('fall=60')`);
      await until(DONE);
      expect(await browser.errors()).toEqual([]);
    });
  });
});
