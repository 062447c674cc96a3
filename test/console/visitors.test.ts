/**
 * The console for those who come with a comma, a slow finger, an outage or a strict browser.
 *
 * @module-tag slow
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { checkEveryAnswer } from '../support/checked-answers.ts';
import { CONSOLE_KEY, type ConsoleUnderTest, sentBody, settled, startConsole } from '../support/console.ts';

checkEveryAnswer();

/** A machine of many tests is slow. */
const PATIENT = { timeout: 600_000 };

const loanSent = async (page: Page) =>
  (await sentBody<{ params: Record<string, unknown> }>(page, '/loan_risk')).params;

describe.skipIf(!hasBrowser)('the console for every visitor', () => {
  let under: ConsoleUnderTest;

  beforeAll(async () => {
    under = await startConsole();
  });

  afterAll(async () => under?.close());

  const opened = async (fields = '', view = 'loan') => {
    const watch = await under.open(`#/${view}?paths=1000${fields}`);
    await settled(watch.page);
    return watch;
  };

  it.each([
    ['12,5', 12.5],
    ['12.5', 12.5],
    ['1.234,5', 1234.5],
    ['1,234.5', 1234.5],
  ])('takes %s units of BTC as %d, sign after sign', async (typed, units) => {
    const { page } = await opened('&by=units');
    const field = page.locator('[aria-label="Collateral, units, units of BTC"]');
    await field.fill('');
    await field.pressSequentially(typed);
    expect(await field.inputValue()).toBe(typed);
    await expect.poll(async () => (await loanSent(page)).collateral, PATIENT).toEqual({ BTC: units });
    await page.close();
  });

  it('asks which of two numbers a text is, and computes nothing until it is told', async () => {
    const { page } = await opened();
    await page.fill('#field-value', '1.500');
    await page.waitForSelector('.question');
    await page.press('#field-value', 'Tab');
    expect(await page.inputValue('#field-value')).toBe('1.500');
    expect((await page.textContent('.question'))?.replaceAll('\u202f', ' ')).toBe('1.500: 1.5, or 1 500?');
    await page.waitForSelector('[data-status="refused"]');
    expect(await page.textContent('[data-status="refused"]')).toContain('can be read in two ways');
    await page.click('.question button >> nth=1');
    await expect.poll(async () => (await loanSent(page)).loan_value, PATIENT).toBe(1500);
    expect((await page.inputValue('#field-value')).replaceAll('\u202f', ' ')).toBe('1 500');
    await page.close();
  });

  it('sends fees and amounts of a venue in the units of their fields', async () => {
    const { page } = await under.open('#/perpetual?paths=1000&type=GBM&lookback=90');
    await settled(page);
    await page.click('text=Rules of the venue');
    await page.fill('#field-fee', '0.05');
    await page.fill('#field-amount', '50');
    await page.waitForFunction(() => /fee=0\.0005&?.*amount=50|amount=50&?.*fee=0\.0005/.test(location.hash));
    await expect
      .poll(async () => sentBody<Record<string, unknown>>(page, '/isolated_perp_risk'))
      .toMatchObject({ taker_fee_rate: 0.0005, maintenance_amount: 50 });
    await page.close();
  });

  it('tells limits in the unit of their field', async () => {
    const { page } = await opened();
    await page.fill('#field-N', '200');
    await page.waitForSelector('#fault-N');
    const fault = (await page.textContent('#fault-N'))?.replaceAll('\u00a0', ' ');
    expect(fault).toContain('from 1 % and below 150 %; got 200 %');
    await page.close();
  });

  it('shows numbers with the mark of the language of the browser', async () => {
    const context = await under.visitor({ locale: 'de-DE', withKey: true });
    const watch = await context.open('#/loan?paths=1000&value=1234567.5&interest=0.075');
    await settled(watch.page);
    expect((await watch.page.inputValue('#field-value')).replaceAll('\u202f', ' ')).toBe('1 234 567,5');
    expect(await watch.page.inputValue('#field-interest')).toBe('7,5');
    await context.close();
  });

  it('writes the address at most every 200 ms, and again after the browser has refused it', async () => {
    const watch = await under.open('#/loan?paths=1000');
    const { page, errors } = watch;
    // As WebKit does: 100 addresses in 10 s, then an error.
    await page.addInitScript(() => {
      const replace = history.replaceState.bind(history);
      const tries = { times: [] as number[], left: 2 };
      Object.assign(window, { tries });
      history.replaceState = (...words) => {
        tries.times.push(performance.now());
        if (tries.left-- > 0) throw new DOMException('more than 100 times', 'SecurityError');
        replace(...words);
      };
    });
    await page.reload();
    await settled(page);
    const range = page.locator('#field-fall');
    for (let fall = 1; fall <= 60; fall++) await range.fill(String(fall));
    const link = page.locator('text=/^Copy link$/');
    await under.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await link.click();
    await page.waitForSelector('text=link copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('fall=60');
    await page.waitForFunction(() => location.hash.includes('fall=60'));
    const times = await page.evaluate(
      () => (window as unknown as { tries: { times: number[] } }).tries.times,
    );
    expect(times.length).toBeGreaterThanOrEqual(3);
    const gaps = times.slice(1).map((time, i) => time - times[i]);
    // A timer may be some milliseconds early by the clock of the page.
    expect(Math.min(...gaps)).toBeGreaterThan(190);
    expect(errors).toEqual([]);
    await page.close();
  });

  it('leaves the engine of this browser out of a link, and computes on the server where a link names what is not here', async () => {
    const { page, errors } = await opened('&days=20&where=browser-gpu');
    expect(await page.getAttribute('[data-status]', 'data-status')).toBe('done');
    expect(await page.textContent('[data-status]')).toContain('Computed by the server: ');
    expect(await page.textContent('[data-device]')).not.toContain('Nothing');
    await under.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('text=/^Copy link$/');
    await page.waitForSelector('text=link copied');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toContain('days=20');
    expect(link).not.toContain('where');
    expect(errors).toEqual([]);
    await page.close();
  });

  it('does not offer an engine that does not run the question, and says why', async () => {
    const { page } = await opened('', 'var');
    await page.click('text=/^Engines and speed$/');
    expect(await page.isDisabled('input[name="where"][value="browser-simd"]')).toBe(true);
    expect(await page.textContent('.engines')).toContain(
      'Browser SIMD: it does not run this question under this methodology.',
    );
    await page.close();
  });

  it('tries again by itself after an outage, with the figures before it dimmed and counted', async () => {
    const { page } = await opened();
    await page.route('**/*', route => route.abort('connectionrefused'));
    await page.fill('#field-days', '20');
    await page.waitForSelector('[data-status="refused"]');
    expect(await page.textContent('[data-status="refused"]')).toContain('The server cannot be reached');
    expect(await page.locator('text=/^Try again$/').count()).toBe(1);
    expect(await page.locator('.answer.stale').count()).toBe(1);
    expect(await page.textContent('.results')).toContain('of 1,000 scenarios');
    await page.unroute('**/*');
    await page.waitForSelector('[data-status="done"]');
    expect(await page.locator('.answer.stale').count()).toBe(0);
    await page.close();
  });

  it.each([
    [429, { 'retry-after': '2' }, /again in 2 s/],
    [502, {}, /answered 502/],
    [504, {}, /answered 504/],
  ])('comes back from a %d', async (status, headers, words) => {
    const { page } = await opened();
    let isBroken = true;
    await page.route('**/loan_risk*', route =>
      isBroken ? route.fulfill({ status, headers, contentType: 'text/plain', body: 'no' }) : route.continue(),
    );
    await page.fill('#field-days', '20');
    await page.waitForSelector('[data-status="refused"]');
    expect(await page.textContent('[data-status="refused"]')).toMatch(words);
    isBroken = false;
    await page.waitForSelector('[data-status="done"]');
    await page.close();
  });

  it('says that an answer was cut off, and asks again at a click', async () => {
    const { page } = await opened();
    let isBroken = true;
    await page.route('**/loan_risk*', route =>
      isBroken
        ? route.fulfill({ status: 200, contentType: 'application/json', body: '{"Arguments": {' })
        : route.continue(),
    );
    await page.route('**/livez', route => route.abort());
    await page.fill('#field-days', '20');
    await page.waitForSelector('text=The answer of the server was cut off.');
    isBroken = false;
    await page.click('text=/^Try again$/');
    await page.waitForSelector('[data-status="done"]');
    await page.close();
  });

  it('that was opened during an outage has all its data after it', async () => {
    const watch = await under.open('#/data');
    const { page } = watch;
    await page.route(/\/(symbols|scenarios|healthz|livez)/, route =>
      route.fulfill({ status: 502, body: 'no' }),
    );
    await page.reload();
    await page.waitForSelector('text=/answered 502/');
    await page.unroute(/\/(symbols|scenarios|healthz|livez)/);
    await page.waitForSelector('[data-rows]');
    expect(await page.locator('text=/answered 502/').count()).toBe(0);
    await page.click('nav a:has-text("Book")');
    await page.click('text=Use the sample tape');
    await page.waitForSelector('text=/60 loans/');
    await page.close();
  });

  it('stops a book that runs', async () => {
    const { page } = await under.open('#/book?paths=1000');
    await page.click('text=Use the sample tape');
    await page.waitForSelector('text=/60 loans/');
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    await page.route('**/book_risk*', async route => {
      await held;
      await route.continue().catch(() => {});
    });
    const ended = page.waitForEvent('requestfailed', request => request.url().includes('/book_risk'));
    await page.click('text=/^Compute$/');
    await page.click('text=/^Stop$/');
    await ended;
    release();
    await page.waitForSelector('button:enabled:text("Compute")');
    expect(await page.locator('[data-status]').count()).toBe(0);
    await page.close();
  });

  it('takes the key of a link that the start prints, and keeps it from the address and the history', async () => {
    const context = await under.visitor();
    const { page } = await context.open(`#/loan?key=${CONSOLE_KEY}&paths=1000`);
    await settled(page);
    expect(page.url()).not.toContain('key');
    expect(page.url()).toContain('paths=1000');
    expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
    expect(await page.getAttribute('nav a[aria-current]', 'href')).not.toContain('key');
    await page.reload();
    await settled(page);
    await context.close();
  });

  it('has no field that a browser takes for a password', async () => {
    const context = await under.visitor();
    const { page } = await context.open('#/loan?paths=1000');
    await page.waitForSelector('.key-prompt input');
    expect(await page.locator('input[type="password"]').count()).toBe(0);
    for (const field of ['.key-prompt input', '#api-key']) {
      expect(await page.getAttribute(field, 'autocomplete')).toBe('one-time-code');
      expect(
        await page.$eval(field, input => getComputedStyle(input).getPropertyValue('-webkit-text-security')),
      ).toBe('disc');
    }
    await context.close();
  });

  it.each([
    ['by the command of older browsers', true, 'CSV copied'],
    [
      'not at all',
      false,
      'This page is not on https: the browser allows no copying. The text, to copy by hand:',
    ],
  ])('copies without https %s', async (_, allowed, said) => {
    const { page } = await under.open('#/data');
    const host = 'http://console.test';
    await page.route(`${host}/**`, async route => {
      const response = await route.fetch({ url: route.request().url().replace(host, under.service.url) });
      await route.fulfill({ response });
    });
    if (!allowed) await page.addInitScript(() => Object.assign(document, { execCommand: () => false }));
    await page.goto(`${host}/#/loan?paths=1000`);
    await settled(page);
    await page.click('text=/^Copy CSV$/');
    await page.waitForSelector(`text="${said}"`);
    if (!allowed) expect(await page.inputValue('[aria-label="Text to copy"]')).toContain('figure,name,value');
    await page.click('text=/^Engines and speed$/');
    expect(await page.textContent('.engines')).toContain('Browser GPU: this page is not on https');
    await page.close();
  });

  it('works where the browser allows no storage', async () => {
    const context = await under.visitor();
    const { page, errors } = await context.open('#/loan?paths=1000');
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('The operation is insecure.', 'SecurityError');
          },
        });
    });
    await page.reload();
    await page.fill('.key-prompt input', CONSOLE_KEY);
    await page.keyboard.press('Enter');
    expect(await settled(page)).toBe('done');
    await page.click('nav a:has-text("Book")');
    await page.click('text=Use the sample tape');
    await page.waitForSelector(
      'text=The book is too large to be stored in this browser, or it stores nothing',
    );
    expect(errors).toEqual([]);
    await context.close();
  });

  it('says that scripts are off', async () => {
    const context = await under.visitor({ javaScriptEnabled: false });
    const { page } = await context.open('');
    expect(await page.textContent('body')).toContain('scripts are off in this browser');
    await context.close();
  });

  it('says that there is no WebAssembly, and that pictures are changed', async () => {
    const { page } = await opened();
    await page.click('text=/^Engines and speed$/');
    // A worker has globals of its own: the page gives it a program that takes WebAssembly away first.
    await page.route('**/worker-*.js', async route => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `delete self.WebAssembly;${await response.text()}` });
    });
    await page.addInitScript(() => {
      const read = CanvasRenderingContext2D.prototype.getImageData;
      CanvasRenderingContext2D.prototype.getImageData = function (
        this: CanvasRenderingContext2D,
        ...words: Parameters<typeof read>
      ) {
        const image = read.apply(this, words);
        image.data.fill(7);
        return image;
      } as typeof read;
    });
    await page.reload();
    await settled(page);
    await page.click('text=/^Engines and speed$/');
    await page.waitForSelector('text=Browser SIMD: this browser has no WebAssembly.');
    await page.click('text=/^PNG$/');
    await page.waitForSelector('text=/This browser changes the pictures that pages make/');
    await page.close();
  });

  it('takes a file that is dropped anywhere on the Book view', async () => {
    const { page } = await under.open('#/book');
    await page.waitForSelector('text=Use the sample tape');
    const prevented = await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['loan_id,collateral_asset\na,BTC\n'], 'dropped.csv'));
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('.results')?.dispatchEvent(event);
      return event.defaultPrevented;
    });
    expect(prevented).toBe(true);
    await page.waitForSelector('text=/dropped.csv/');
    await page.close();
  });

  it('keeps the form of a view that is left, and of one that is opened again', async () => {
    const { page } = await opened();
    await page.fill('#field-days', '21');
    await page.click('nav a:has-text("Perpetual")');
    await page.fill('#field-hours', '48');
    await page.click('nav a:has-text("Loan")');
    expect(await page.inputValue('#field-days')).toBe('21');
    await page.click('nav a:has-text("Loan")');
    expect(await page.inputValue('#field-days')).toBe('21');
    await page.click('nav a:has-text("Perpetual")');
    expect(await page.inputValue('#field-hours')).toBe('48');
    await page.close();
  });

  it('has its answer on the first screen: sentence, large figures and, on a desk, the main chart', async () => {
    const { page } = await opened();
    for (const [width, height, parts] of [
      [1440, 900, ['.headline .first', '.key-figures', '.chart >> nth=0']],
      [390, 844, ['.headline .first', '.key-figures']],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.waitForSelector('.chart canvas');
      for (const part of parts) {
        const box = await page.locator(part).boundingBox();
        expect((box?.y ?? height) + (box?.height ?? 0), `${part}, ${width}`).toBeLessThanOrEqual(height);
      }
    }
    expect(await page.locator('.key-figures dt').count()).toBe(4);
    expect(await page.isVisible('#field-days')).toBe(false);
    await page.click('.form-toggle');
    expect(await page.isVisible('#field-days')).toBe(true);
    await page.close();
  });

  it('prints a view whole: no chart is wider than the page, and the form and its buttons take no page', async () => {
    const { page } = await opened();
    await page.waitForSelector('.chart canvas');
    await page.setViewportSize({ width: 700, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    // Charts are drawn anew after the page has its new width.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.chart canvas')].every(
        canvas => canvas.getBoundingClientRect().right <= innerWidth,
      ),
    );
    expect(await page.isVisible('nav')).toBe(false);
    expect(await page.isVisible('text=/^Copy link$/')).toBe(false);
    await page.close();
  });
});
