/**
 * The console as a page in a real browser: its key, its address, its refusals, and that everybody can use it.
 *
 * @module-tag slow
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, KEY_ITEM, type PageWatch } from '../support/browser.ts';
import { checkEveryAnswer } from '../support/checked-answers.ts';
import {
  ANSWERED,
  addressOfView,
  answered,
  CONSOLE_KEY,
  type ConsoleUnderTest,
  foreignRequests,
  seriousFaults,
  settled,
  shownFigures,
  startConsole,
  VIEW_NAMES,
  VIEWS,
} from '../support/console.ts';
import { pdfPages } from '../support/pdf-text.ts';

checkEveryAnswer();

describe.skipIf(!hasBrowser)('the console', () => {
  let under: ConsoleUnderTest;

  beforeAll(async () => {
    under = await startConsole({ withKey: false, coverage: 'ccr' });
  });

  afterAll(async () => under?.close());

  /** Opens a view with the key, and waits until it shows what it has to show. */
  async function opened(view: string, fields = 'paths=1000') {
    const watch = await under.open(`#/${view}?${fields}`);
    await watch.page.evaluate(([item, key]) => sessionStorage.setItem(item, key), [KEY_ITEM, CONSOLE_KEY]);
    await watch.page.reload();
    await settled(watch.page);
    return watch;
  }

  it('asks for the key, and continues once it has one', async () => {
    const { page } = await under.open('#/loan?paths=1000');
    await page.fill('.key-prompt input', CONSOLE_KEY);
    await page.keyboard.press('Enter');
    expect(await settled(page)).toBe('done');
    expect(page.url()).not.toContain(CONSOLE_KEY);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(CONSOLE_KEY);
    expect(await page.evaluate(item => sessionStorage.getItem(item), KEY_ITEM)).toBe(CONSOLE_KEY);
    await page.close();
  });

  it('shows its page where a link to it was cut within a character', async () => {
    const { page, errors } = await under.open('#/%E0%A4%A?days=%E0');
    await page.waitForSelector('.key-prompt');
    expect(errors).toEqual([]);
    await page.close();
  });

  it('shows its page where the language of the browser is no language tag, as in a POSIX locale', async () => {
    const { page, errors } = await under.open('#/loan?paths=1000');
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' }),
    );
    await page.reload();
    await page.waitForSelector('.key-prompt input', { timeout: 0 });
    expect(errors).toEqual([]);
    await page.close();
  });

  it('says that a key is wrong', async () => {
    const { page } = await under.open('#/loan?paths=1000');
    await page.fill('.key-prompt input', 'not-the-key-of-this-server');
    await page.keyboard.press('Enter');
    expect(await settled(page)).toBe('refused');
    expect(await page.locator('[data-status="refused"]').textContent()).toMatch(/key/i);
    await page.close();
  });

  it('leads from the warning of normal tails to the page on what to choose', async () => {
    const { page } = await opened('var', 'type=GBM&paths=1000');
    const link = page.locator('[data-warning="gbm-tail"] a');
    expect(await link.count()).toBe(1);
    const href = (await link.getAttribute('href')) ?? '';
    const served = await fetch(under.service.url + href);
    expect(served.status).toBe(200);
    expect(await served.text()).toContain('What to choose</h1>');
    await page.close();
  });

  it('has its state in the address, so that a view can be shared', async () => {
    const { page } = await opened('loan');
    await page.fill('#field-N', '1.8');
    await page.waitForFunction(() => location.hash.includes('N=1.8'));
    const address = page.url();
    await page.close();
    const { page: other } = await opened('loan', address.split('?').at(-1));
    expect(await other.inputValue('#field-N')).toBe('1.8');
    await other.close();
  });

  it('puts a refusal at the fields that caused it, all of them at once', async () => {
    const { page } = await opened('loan', 'paths=1000&days=-1&N=1.1&M=1.3');
    expect(await page.locator('[data-status]').getAttribute('data-status')).toBe('refused');
    expect(await page.locator('#field-days').getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#field-days').getAttribute('aria-describedby')).toBe('fault-days');
    expect(await page.locator('#fault-days').textContent()).toContain('Term must be above 0');
    expect(await page.locator('#fault-N').textContent()).toContain('1.1');
    await page.close();
  });

  it('offers the last day with a close where prices end before the day of the analysis', async () => {
    const { page } = await opened('loan');
    await page.route('**/symbols', async route => {
      const answer = await (await route.fetch()).json();
      for (const row of answer.symbols) row.last_day = '2024-06-30';
      await route.fulfill({ json: answer });
    });
    await page.goto(`${under.service.url}/#/loan?paths=1000&days=-1`);
    await page.reload();
    await page.waitForSelector('text=The prices of BTC end on 2024-06-30.');
    await page.click('text=Analyse as of 2024-06-30');
    await page.waitForFunction(() => location.hash.includes('date=2024-06-30'));
    expect(await page.locator('text=/^The prices of/').count()).toBe(0);
    await page.close();
  });

  it('dims the figures of the last request until the server answers the next one, and names them after a stop', async () => {
    const { page } = await opened('loan', 'paths=1000&days=30');
    let answer = () => {};
    const wait = new Promise<void>(resolve => {
      answer = resolve;
    });
    await page.route('**/loan_risk?*', async route => {
      await wait;
      await route.continue().catch(() => {});
    });
    await page.fill('#field-days', '60');
    await page.waitForSelector('.answer.stale');
    await page.click('text=/^Stop$/');
    await page.waitForSelector('text=/The figures are those of the form before its change/');
    answer();
    await page.click('text=/^Continue$/');
    await page.waitForSelector('[data-status="done"]');
    expect(await page.locator('.answer.stale').count()).toBe(0);
    expect(await page.textContent('.headline')).toContain('within 60 days');
    await page.close();
  });

  it('takes a field that was mended', async () => {
    const { page } = await opened('loan', 'paths=1000&days=-1');
    await page.fill('#field-days', '7');
    await page.waitForSelector('[data-status="done"]');
    expect(await page.locator('#field-days').getAttribute('aria-invalid')).toBeNull();
    await page.close();
  });

  it('moves a ratio on its axis by keyboard', async () => {
    const { page } = await opened('loan', 'paths=1000&N=1.5');
    await page.focus('.rail input.nominal');
    await page.keyboard.press('ArrowRight');
    expect(await page.inputValue('#field-N')).toBe('1.51');
    await page.close();
  });

  it('has a header of one line on a desk of 1280 pixels, with a link to the guide', async () => {
    const { page } = await opened('loan');
    await page.setViewportSize({ width: 1280, height: 960 });
    const ends = await page.$$eval('header > *', parts =>
      parts.map(part => part.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]),
    );
    const lowestTop = Math.max(...ends.map(([top]) => top));
    expect(Math.min(...ends.map(([, bottom]) => bottom))).toBeGreaterThan(lowestTop);
    await page.click('header >> text=/^Guide$/');
    await page.waitForURL('**/docs/guide/');
    await page.waitForSelector('main h1');
    await page.close();
  });

  // One page of each view: it is the page that a visitor looks at in one theme and size after another.
  describe.each(VIEW_NAMES)('the %s view', view => {
    let visitor: Awaited<ReturnType<ConsoleUnderTest['visitor']>>;
    let watch: PageWatch;

    /** Texts of all fields. */
    const form = (page: Page) =>
      page.$$eval('main :is(input:not([type="file"]), select, textarea)', fields =>
        fields.map(field => [field.id, (field as HTMLInputElement).value]),
      );

    beforeAll(async () => {
      visitor = await under.visitor({ withKey: true, locale: 'de-DE' });
      watch = await visitor.open(`#/${addressOfView(view)}`);
      await answered(watch.page, view);
    });

    afterAll(async () => visitor?.close());

    it('is shown with its answer and without an error, and asks nobody else', async () => {
      expect(watch.errors).toEqual([]);
      expect(foreignRequests(watch, under.service)).toEqual([]);
    });

    it('writes numbers with the mark of the language', async () => {
      const texts = await watch.page.$$eval('main input[inputmode="decimal"]', fields =>
        fields.map(field => (field as HTMLInputElement).value),
      );
      expect(texts.filter(text => /\d\.\d/.test(text))).toEqual([]);
    });

    it('prints, no wider than its paper', async () => {
      const pages = pdfPages(await watch.page.pdf({ format: 'A4' })).flat();
      expect(pages.length).toBeGreaterThan(20);
      expect(Math.max(...pages.map(({ x }) => x))).toBeLessThan(595);
    });

    it('has the same form where its link is opened', async () => {
      const { page } = await visitor.open(watch.page.url().replace(/^[^#]*/, ''));
      const { clicks = [] } = VIEWS[view];
      await page.waitForSelector(clicks.length === 0 ? ANSWERED : `text="${clicks[0]}"`);
      if (clicks.length === 0) expect(await form(page)).toEqual(await form(watch.page));
      await page.close();
    });

    it('has its answer after an outage in which it was opened', async () => {
      const { page } = await visitor.open('');
      const isAsked = (url: URL) => !/^\/($|assets)/.test(url.pathname);
      await page.route(isAsked, route => route.fulfill({ status: 502, body: 'no' }));
      // A page of its own: requests of one that is left meanwhile may hang in the browser for minutes.
      await page.goto('about:blank');
      await page.goto(`${under.service.url}/#/${addressOfView(view)}`);
      await page.waitForSelector('main h2');
      await page.unroute(isAsked);
      await answered(page, view);
      await page.close();
    });

    it.each(['light', 'dark'] as const)(
      'has nothing serious for axe-core to find in %s colours',
      async colorScheme => {
        await watch.page.emulateMedia({ colorScheme });
        expect(await seriousFaults(watch.page)).toEqual([]);
      },
    );

    it('fits a phone without scrolling sideways', async () => {
      await watch.page.setViewportSize({ width: 390, height: 844 });
      const { width, content } = await watch.page.evaluate(() => ({
        width: document.documentElement.clientWidth,
        content: document.documentElement.scrollWidth,
      }));
      expect(content).toBeLessThanOrEqual(width);
    });
  });

  it('is served with a policy that allows this host only', async () => {
    const response = await fetch(`${under.service.url}/`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toContain('http');
    expect(policy).not.toContain('unsafe-inline');
  });
});

describe.skipIf(!hasBrowser)('the console of a server that hands out no plans', () => {
  let under: ConsoleUnderTest;

  beforeAll(async () => {
    under = await startConsole({ environment: { ALLOW_PLAN: '0' } });
  });

  afterAll(async () => under?.close());

  it.each([
    ['loan', 3],
    ['perpetual', 1],
  ])('shows the figures of the %s view, and the charts of its distribution', async (view, charts) => {
    const { page } = await under.open(`#/${view}?paths=10000`);
    expect(await settled(page)).toBe('done');
    expect(Object.values(await shownFigures(page)).every(Number.isFinite)).toBe(true);
    expect(await page.locator('td[data-value]').count()).toBeGreaterThan(2);
    expect(await page.locator('.chart canvas').count()).toBe(charts);
    await page.close();
  });

  it('says why nothing runs in the browser', async () => {
    const { page } = await under.open('#/loan?paths=10000&where=browser-simd');
    expect(await settled(page)).toBe('done');
    expect(await page.textContent('[data-status]')).toContain(
      'Computed by the server: this server hands out no plans',
    );
    await page.close();
  });
});
