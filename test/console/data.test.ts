/** The data view of the console: every series of /symbols, its gaps and its age. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { age } from '../../console/src/ui/format.ts';
import { hasBrowser } from '../support/browser.ts';
import { checkEveryAnswer } from '../support/checked-answers.ts';
import { CONSOLE_KEY, type ConsoleUnderTest, startConsole } from '../support/console.ts';

interface Row {
  readonly symbol: string;
  readonly first_day: string;
  readonly last_day: string;
}

describe('an age', () => {
  it.each([
    [600, '10 min'],
    [7200, '2 h'],
    [3 * 86_400, '3 d'],
    [1000 * 86_400, '2.7 years'],
  ])('of %i s is %s', (seconds, text) => {
    expect(age(seconds)).toBe(text);
  });
});

checkEveryAnswer();

describe.skipIf(!hasBrowser)('the data view', { tags: ['slow'] }, () => {
  let under: ConsoleUnderTest;

  beforeAll(async () => {
    under = await startConsole();
  });

  afterAll(async () => under?.close());

  it('shows a row for every series of the server', async () => {
    const response = await fetch(`${under.service.url}/symbols`, { headers: { 'x-api-key': CONSOLE_KEY } });
    const { symbols } = (await response.json()) as { symbols: readonly Row[] };
    const { page, errors } = await under.open('#/data');
    await page.waitForSelector('[data-rows]');
    const shown = await page.$$eval('tr[data-symbol]', rows =>
      rows.map(row => [row.getAttribute('data-symbol'), row.querySelectorAll('td')[1]?.textContent]),
    );
    expect(shown).toEqual(
      symbols.map(({ symbol, first_day, last_day }) => [symbol, `${first_day} to ${last_day}`]),
    );
    expect(errors).toEqual([]);
    await page.close();
  });

  it('finds a series by its name and by an alias of its symbol', async () => {
    const { page } = await under.open('#/data');
    await page.waitForSelector('[data-rows]');
    for (const [typed, symbol] of [
      ['eth', 'ETH'],
      ['xbt', 'BTC'],
    ]) {
      await page.fill('#field-find', typed);
      await page.waitForSelector('[data-rows="1"]');
      expect(await page.getAttribute('tr[data-symbol]', 'data-symbol')).toBe(symbol);
    }
    await page.close();
  });
});
