/**
 * Every view of the console in Firefox and WebKit: it loads, computes, draws without errors, passes axe-core, takes numbers as people
 * type them, keeps its address under fast changes, and prints. Browsers that are not installed are skipped.
 *
 * @module-tag slow
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '#src/server/service.js';
import { ANSWERED, AXE_FAULTS, addressOfView, CONSOLE_KEY, VIEW_NAMES, VIEWS } from '../support/console.ts';
import { type DrivenBrowser, OTHER_BROWSERS } from '../support/driven-browser.ts';
import { startSampleService } from '../support/sample-service.ts';

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

    const open = (address: string) => browser.open(`${service.url}/#/${address}&key=${CONSOLE_KEY}`);

    const DONE = `document.querySelector('${ANSWERED}') !== null`;

    it.each(VIEW_NAMES)('shows the %s view whole, without an error', async view => {
      await open(addressOfView(view));
      const { clicks = [], withoutCharts } = VIEWS[view];
      for (const text of clicks) {
        const button = `[...document.querySelectorAll('button')].find(each => each.textContent === '${text}' && !each.disabled)`;
        await until(`${button} !== undefined`);
        await browser.evaluate(`(${button}).click()`);
      }
      await until(DONE);
      if (!withoutCharts) {
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
      await open(`${addressOfView('loan')}&by=units`);
      const field = `document.querySelector('[aria-label="Collateral, units, units of BTC"]')`;
      await until(`${field} !== null`);
      await browser.evaluate(
        `(${field}.value = '${typed}', ${field}.dispatchEvent(new Event('input', { bubbles: true })))`,
      );
      await until(`new URLSearchParams(location.hash.split('?')[1]).get('cu') === 'BTC:${read}'`);
      expect(await browser.evaluate(`${field}.value`)).toBe(typed);
    });

    it('has the last value of a slider in its address after more changes than a browser takes', async () => {
      await open(addressOfView('loan'));
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
