/**
 * Who bears the losses of a book in the console, and how far prices must fall until a figure reaches a bound: figures as the API gives
 * them.
 *
 * @module-tag slow
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNTIL_WORDS } from '#src/desk/until.js';
import { hasBrowser } from '../support/browser.ts';
import { checkEveryAnswer } from '../support/checked-answers.ts';
import { type ConsoleUnderTest, sentBody, seriousFaults, settled, startConsole } from '../support/console.ts';

const TERMS = { N: 1.5, M: 1.3, L: 1.1, R: 1.4, mc_top_up: 24 };
const LOANS = [
  { id: 'a', collateral_weights: { BTC: 0.6, ETH: 0.4 }, loan_value: 250_000, loan_duration: 7 },
  { id: 'b', collateral_weights: { SOL: 1 }, loan_value: 100_000, loan_duration: 14 },
].map(loan => ({ ...loan, loan_weights: { USD: 1 }, ...TERMS }));
const BOOK = { name: 'book.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(LOANS)) };
const FORM =
  '#/book?type=GBM&lookback=90&paths=2000&quantiles=0.9%2C0.99&cost=0.1&capital=1&reserve=0.001&spread=0.05';

/** A value at the end of members that are named: `Tranches equity PrLoss`. */
type Nested = { readonly [name: string]: Nested | number | null };
const leaves = (of: Nested | number | null, path: string): (readonly [string, number | null])[] =>
  of === null || typeof of === 'number'
    ? [[path, of]]
    : Object.entries(of).flatMap(([name, value]) => leaves(value, `${path} ${name}`));

checkEveryAnswer();

describe.skipIf(!hasBrowser)('the losses of a book in the console', () => {
  let under: ConsoleUnderTest;
  let page: Page;
  let errors: readonly string[];

  beforeAll(async () => {
    under = await startConsole();
    ({ page, errors } = await under.open(FORM));
    await page.setInputFiles('#field-file', BOOK);
    await page.waitForSelector('text=2 loans');
    await page.click('text=/^Model and run/');
    await page.fill('#field-tranches', 'equity 0% to 1');
    await page.fill('#field-tranches', 'equity 0% to 1%; mezzanine 1,5% to 5%; senior PrLoss 5% to 100%');
    await page.click('text=/^Compute$/');
    expect(await settled(page)).toBe('done');
  });

  afterAll(async () => under?.close());

  it('are those of each tranche, of each layer and of the capital in the answer', async () => {
    const body = await sentBody<{ params: Record<string, unknown> }>(page, '/book_risk');
    expect(body.params).toMatchObject({
      tranches: [
        { name: 'equity', attach: 0, detach: 0.01 },
        { name: 'mezzanine', attach: 0.015, detach: 0.05 },
        { name: 'senior', attach_for: { figure: 'PrLoss', value: 0.05 }, detach: 1 },
      ],
      reserve: 0.001,
      excess_spread: 0.05,
      economic_capital: true,
    });
    const { Output } = await under.post('/book_risk', body, { 'x-seed': '1' });
    const { Tranches, Waterfall, EconomicCapital } = Output.Book as Record<string, Nested>;
    const wanted = [
      ...leaves(Tranches, 'Tranches').filter(([name]) => /ExpectedLossPct|Pr\w*Loss$/.test(name)),
      ...leaves(Waterfall, 'Waterfall'),
      ...leaves(EconomicCapital, 'EconomicCapital'),
    ];
    expect(wanted).toHaveLength(3 * 3 + 4 + 2);
    expect(wanted.filter(([, value]) => value !== 0).length).toBeGreaterThan(8);
    const shown = await page.$$eval('[data-tranches] td[data-figure]', cells =>
      cells.map(cell => [cell.getAttribute('data-figure'), Number(cell.getAttribute('data-value'))]),
    );
    expect(shown).toEqual(wanted);
    expect(await page.textContent('.headline')).toMatch(/The tranche senior, .*Economic capital at 99/);
  });

  it('are not asked for with a tranche that cannot be read', async () => {
    const { page: other } = await under.open(`${FORM}&tranches=equity`);
    await other.setInputFiles('#field-file', BOOK);
    await other.waitForSelector('text=2 loans');
    expect(await other.isDisabled('text=/^Compute$/')).toBe(true);
    await other.waitForSelector('#fault-tranches:has-text("It is written")');
    await other.close();
  });

  it.each(Object.entries(UNTIL_WORDS))('are followed by the fall for the bound of %s', async (word, rule) => {
    const isShare = rule.unit === 'share';
    await page.selectOption('#reverse-figure', word);
    await page.fill('#reverse-bound', isShare ? '90' : '60000');
    await page.selectOption('#reverse-falling', isShare ? 'SOL' : '');
    await page.click('text=/^Find the fall$/');
    await page.waitForSelector('.reverse .answer');
    const body = await sentBody<{ params: { scenarios: { reverse?: unknown }[] } }>(page, '/stress');
    const [{ reverse }] = body.params.scenarios;
    expect(reverse).toEqual({
      figure: rule.figure,
      bound: isShare ? 0.9 : 60_000,
      ...('hasLevel' in rule && { quantile: 0.99 }),
      along: isShare ? { SOL: 1 } : { '*': 1 },
    });
    const { Output } = await under.post('/stress', body, { 'x-seed': '1' });
    const { found, base } = Output.Scenarios as Record<string, Record<string, Nested>>;
    const { Fall } = found.Reverse;
    expect(await page.getAttribute('.reverse .answer', 'data-fall')).toBe(String(Fall ?? 'none'));
    expect(await page.textContent('.reverse .headline')).toMatch(
      Fall === null
        ? /^No fall of SOL up to 95 %/
        : Fall === 0
          ? /^Without any fall it is so already/
          : /^(All prices|SOL) must fall by/,
    );
    const cells = await page.$$eval('.reverse tr[data-scenario] td[data-value]', all =>
      all.map(cell => Number(cell.getAttribute('data-value'))),
    );
    expect(cells).toEqual([base, found].flatMap(({ Ltv, Book }) => [Ltv, (Book as Nested).ExpectedLoss]));
  });

  it.each(['light', 'dark'] as const)(
    'have nothing serious for axe-core in %s colours',
    async colorScheme => {
      for (const fold of await page.$$('details:not([open]) > summary')) await fold.click();
      await page.emulateMedia({ colorScheme });
      expect(await seriousFaults(page)).toEqual([]);
    },
  );

  it('fit a phone without scrolling sideways', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(errors).toEqual([]);
  });
});
