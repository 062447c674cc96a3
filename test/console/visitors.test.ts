/**
 * The console for those who come with a comma, a slow finger, an outage or a strict browser.
 *
 * @module-tag slow
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { checkEveryAnswer } from '../support/checked-answers.ts';
import { type ConsoleUnderTest, settled, startConsole } from '../support/console.ts';

checkEveryAnswer();

/** The body of the last request to a path that the page sends from now on. */
function sentTo(page: Page, path: string): () => Record<string, Record<string, unknown>> | undefined {
  let last: Record<string, Record<string, unknown>> | undefined;
  page.on('request', request => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === path)
      last = request.postDataJSON();
  });
  return () => last;
}

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
    const sent = sentTo(page, '/loan_risk');
    const field = page.locator('[aria-label="Collateral, units, units of BTC"]');
    await field.fill('');
    await field.pressSequentially(typed);
    expect(await field.inputValue()).toBe(typed);
    await expect.poll(() => sent()?.params.collateral).toEqual({ BTC: units });
    await page.close();
  });

  it('asks which of two numbers a text is, and computes nothing until it is told', async () => {
    const { page } = await opened();
    const sent = sentTo(page, '/loan_risk');
    await page.fill('#field-value', '1.500');
    await page.waitForSelector('.question');
    await page.press('#field-value', 'Tab');
    expect(await page.inputValue('#field-value')).toBe('1.500');
    expect((await page.textContent('.question'))?.replaceAll('\u202f', ' ')).toBe('1.500: 1.5, or 1 500?');
    await page.waitForSelector('[data-status="refused"]');
    expect(await page.textContent('[data-status="refused"]')).toContain('can be read in two ways');
    await page.click('.question button >> nth=1');
    await expect.poll(() => sent()?.params.loan_value).toBe(1500);
    expect((await page.inputValue('#field-value')).replaceAll('\u202f', ' ')).toBe('1 500');
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
    const context = await under.inLanguage('de-DE');
    const watch = await context.open('#/loan?paths=1000&value=1234567.5&interest=0.075');
    await settled(watch.page);
    expect((await watch.page.inputValue('#field-value')).replaceAll('\u202f', ' ')).toBe('1 234 567,5');
    expect(await watch.page.inputValue('#field-interest')).toBe('7,5');
    await context.close();
  });
});
