/**
 * The pages of the guide in a browser: search, both themes, a phone's width.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { type ConsoleUnderTest, foreignRequests, seriousFaults, startConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)('the guide in a browser', () => {
  let under: ConsoleUnderTest;
  beforeAll(async () => {
    under = await startConsole({ withKey: false });
  });
  afterAll(() => under.close());

  it('finds a section by its words, and leads to it', async () => {
    const watch = await under.open('docs/guide/operations');
    const { page, errors } = watch;
    await page.keyboard.press('/');
    await page.keyboard.type('ratios of a loan');
    const first = page.locator('#results a').first();
    expect(await first.locator('strong').textContent()).toBe('Glossary: Ratios of a loan');
    await first.click();
    await page.waitForURL('**/docs/guide/glossary#ratios-of-a-loan');
    await page.fill('#search', 'zzzz');
    await page.waitForFunction(() => document.querySelector('#found')?.textContent?.startsWith('No section'));
    expect(errors).toEqual([]);
    expect(foreignRequests(watch, under.service)).toEqual([]);
    await page.close();
  });

  it.each(['light', 'dark'] as const)(
    'fits a phone and has no serious fault in %s colours',
    async colorScheme => {
      const phone = await under.visitor({ colorScheme, viewport: { width: 390, height: 844 } });
      for (const name of ['', 'reference', 'decisions/path']) {
        const { page, errors } = await phone.open(`docs/guide/${name}`);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(390);
        expect(await seriousFaults(page), name).toEqual([]);
        expect(errors, name).toEqual([]);
        await page.close();
      }
      await phone.close();
    },
  );
});
