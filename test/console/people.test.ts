/**
 * The console as a lender uses it: loan-to-value, coins, falls and past crashes, methodologies side by side.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { checkEveryAnswer } from '../support/checked-answers.ts';
import {
  CONSOLE_KEY,
  type ConsoleUnderTest,
  settled,
  shownFigures,
  startConsole,
} from '../support/console.ts';

checkEveryAnswer();

const LOAN = {
  collateral_weights: { BTC: 1 },
  loan_weights: { USD: 1 },
  model_lookback: 365,
  loan_duration: 30,
  mc_top_up: 24,
  loan_value: 1e6,
  initial_ltv: 0.65,
  margin_call_ltv: 0.75,
  liquidation_ltv: 0.85,
  recovery_ltv: 0.7,
  mc_iter: 1000,
  volatility_shock: 0,
};

describe.skipIf(!hasBrowser)('the console for a lender', () => {
  let under: ConsoleUnderTest;

  beforeAll(async () => {
    under = await startConsole();
  });

  afterAll(async () => under?.close());

  const opened = async (fields: string) => {
    const watch = await under.open(`#/loan?paths=1000${fields}`);
    await settled(watch.page);
    return watch;
  };

  it('begins with sentences, under heavy tails and LTVs, and says that prices are synthetic', async () => {
    const { page, errors } = await opened('');
    const { Output } = await under.post('/loan_risk', { type: 'STUDENT_T', params: LOAN });
    expect(await shownFigures(page)).toEqual(Output);
    expect(await page.textContent('.headline .first')).toMatch(/scenarios the loan is called within 30 days/);
    expect(await page.textContent('.headline')).toContain('Synthetic prices');
    expect(await page.textContent('tr[data-figure="WorstCaseCCR"] th')).toContain('Highest LTV');
    expect(await page.inputValue('#field-N')).toBe('65');
    expect(errors).toEqual([]);
    await page.close();
  });

  it('takes LTVs as they are typed, one sign after the other', async () => {
    const { page } = await opened('');
    await page.fill('#field-N', '');
    await page.type('#field-N', '62.5');
    expect(await page.inputValue('#field-N')).toBe('62.5');
    await page.waitForFunction(() => location.hash.includes('N=1.6'));
    await page.press('#field-N', 'Tab');
    expect(await page.inputValue('#field-N')).toBe('62.5');
    await page.close();
  });

  it('shows coverage instead, with the same figures', async () => {
    const { page } = await opened('');
    const before = await shownFigures(page);
    await page.click('.coverage-switch button:has-text("Coverage")');
    await page.waitForSelector('text=Lowest coverage of the term');
    expect(await page.inputValue('#field-N')).toBe(String(1 / 0.65));
    await settled(page);
    await page.waitForSelector('tr[data-figure="WorstCaseCCR"] :text("Lowest coverage")', {
      state: 'attached',
    });
    expect(await shownFigures(page)).toEqual(before);
    await page.click('.coverage-switch button:has-text("LTV")');
    await page.waitForSelector('text=Highest loan-to-value of the term');
    await page.close();
  });

  it('takes a loan in coins and dollars', async () => {
    const { page } = await opened('&by=units&cu=BTC%3A20&lu=USD%3A1400000&interest=0.1&answered=0.7');
    const { Output } = await under.post('/loan_risk', {
      type: 'STUDENT_T',
      params: {
        collateral: { BTC: 20 },
        loan: { USD: 1_400_000 },
        model_lookback: 365,
        loan_duration: 30,
        mc_top_up: 24,
        margin_call_ltv: 0.75,
        liquidation_ltv: 0.85,
        recovery_ltv: 0.7,
        interest_rate: 0.1,
        top_up: { share: 0.7, delay_hours: 12 },
        mc_iter: 1000,
        volatility_shock: 0,
      },
    });
    expect(Output).toHaveProperty('PrTopUp');
    expect(await shownFigures(page)).toEqual(Output);
    await page.close();
  });

  it.each(['1,000,000', '1 000 000', "1'000'000", '1000000'])('takes %s as a million', async typed => {
    const { page } = await opened(`&value=${encodeURIComponent(typed)}`);
    expect(await page.getAttribute('[data-status]', 'data-status')).toBe('done');
    expect(await page.textContent('.headline')).toContain('of 1 million');
    await page.close();
  });

  it('draws more paths to rare losses on request', async () => {
    const { page } = await opened('&type=GBM&tail=1');
    const shown = await shownFigures(page);
    const answer = await fetch(`${under.service.url}/loan_risk?sampling=tail`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': CONSOLE_KEY },
      body: JSON.stringify({ type: 'GBM', params: LOAN }),
    });
    const { Output } = (await answer.json()) as { Output: Record<string, number | null> };
    const { WorstCaseCCR, ...figures } = Output;
    expect(WorstCaseCCR).toBeNull();
    expect(shown).toEqual(figures);
    await page.close();
  });

  it('shows a fall of prices beside the loan as it is', async () => {
    const { page } = await opened('&fall=10');
    await page.waitForSelector('.before-after .matrix');
    const read = (when: string) =>
      page.getAttribute(`td[data-figure="${when} PrMarginCall"]`, 'data-value').then(Number);
    const at = async (price_shock: object) =>
      (await under.post('/loan_risk', { type: 'STUDENT_T', params: { ...LOAN, ...price_shock } })).Output
        .PrMarginCall;
    expect(await read('As prices are')).toBe(await at({}));
    expect(await read('After the fall')).toBe(await at({ price_shock: { '*': -0.1 } }));
    await page.close();
  });

  it('runs falls and past crashes, with the path of a replay between the levels of the loan', async () => {
    const { page, errors } = await opened('');
    await page.click('.chips button:has-text("fall 50 %")');
    await page.click('text=/^Run \\d+ scenarios$/');
    await page.waitForSelector('tr[data-scenario="base"]');
    expect(await page.locator('tr[data-scenario="fall 50 %"]').count()).toBe(0);
    const { id: _, model_lookback, mc_iter: __, volatility_shock: ___, ...row } = { id: '', ...LOAN };
    const { Output } = await under.post('/stress', {
      type: 'STUDENT_T',
      params: {
        model_lookback,
        mc_iter: 2000,
        quantile: [0.95, 0.99],
        scenarios: ['covid-2020'],
        loans: [{ id: 'loan', ...row }],
      },
    });
    const { Replay } = (Output.Scenarios as Record<string, { Replay: { Loss: number; Lowest: number } }>)[
      'covid-2020'
    ];
    const cells = await page.$$eval('tr[data-scenario="covid-2020"] td[data-value]', found =>
      found.map(cell => Number(cell.getAttribute('data-value'))),
    );
    expect(cells.slice(0, 2)).toEqual([1 / Replay.Lowest, Replay.Loss]);
    await page.check('.scenarios label:has-text("covid-2020") input');
    const chart = await page.getAttribute('.scenarios [role="img"]', 'aria-label');
    expect(chart).toContain('Replay: Fall of all markets, March 2020');
    expect(chart).toContain('liquidation 85\u00a0%');
    expect(errors).toEqual([]);
    await page.close();
  });

  it('asks all methodologies with one click', async () => {
    const { page } = await opened('');
    await page.click('text=/^Ask \\d methodologies$/');
    await page.waitForSelector('td[data-figure="HISTORICAL PrMarginCall"]');
    const shown = async (type: string) =>
      Number(await page.getAttribute(`td[data-figure="${type} PrMarginCall"]`, 'data-value'));
    const { Output } = await under.post('/loan_risk', { type: 'FHS', params: LOAN });
    expect(await shown('FHS')).toBe(Output.PrMarginCall);
    expect(await shown('STUDENT_T')).toBe((await shownFigures(page)).PrMarginCall);
    await page.close();
  });

  it('keeps the last figures apart from a refusal, and names fields as the page does', async () => {
    const { page } = await opened('');
    await page.fill('#field-days', '-1');
    await page.waitForSelector('[data-status="refused"]');
    expect(await page.textContent('[data-status="refused"]')).toContain('Term must be above 0');
    expect(await page.textContent('.results')).not.toMatch(/loan_duration|params\./);
    expect(await page.textContent('.results')).toContain('the figures of the last request that was answered');
    await page.close();
  });

  it('asks for another key if one is wrong', async () => {
    const { page } = await under.open('#/loan?paths=1000');
    await page.fill('#api-key', 'not-the-key-of-this-server');
    await page.press('#api-key', 'Enter');
    await page.waitForSelector('text=This key is not valid here');
    await page.fill('.key-prompt input', CONSOLE_KEY);
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-status="done"]');
    expect(await page.locator('.key-prompt').count()).toBe(0);
    await page.close();
  });

  it('puts a warning under the figure that it concerns', async () => {
    const { page } = await opened('&grace=720');
    const rows = await page.$$eval('.figures tbody tr', found =>
      found.map(
        row =>
          row.getAttribute('data-figure') ??
          row.querySelector('[data-warning]')?.getAttribute('data-warning'),
      ),
    );
    expect(rows[rows.indexOf('PrCloseout') + 1]).toBe('grace-covers-term');
    await page.close();
  });

  it('reads values under the pointer above the chart, where a screen shows them', async () => {
    const { page } = await opened('');
    const chart = page.locator('.chart').first();
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.locator('.u-over').boundingBox();
    if (box === null) throw new Error('the chart has no area');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const readout = chart.locator('.readout');
    await expect.poll(() => readout.textContent()).toContain('Quantiles');
    expect((await readout.boundingBox())?.y ?? Number.POSITIVE_INFINITY).toBeLessThan(box.y);
    await page.close();
  });

  it('marks the slider that has the focus, and not the whole track', async () => {
    const { page } = await opened('');
    await page.focus('.rail input.nominal');
    await page.keyboard.press('ArrowRight');
    expect(await page.$eval('.rail input.nominal', input => getComputedStyle(input).outlineStyle)).toBe(
      'none',
    );
    await page.close();
  });

  it.each([
    ['desk', 1280],
    ['phone', 390],
  ])('cuts off no label and no chosen value on a %s', async (_, width) => {
    for (const view of ['loan', 'origination', 'var', 'liquidity', 'perpetual', 'book', 'backtest']) {
      const { page } = await under.open(`#/${view}?paths=1000`);
      await page.setViewportSize({ width, height: 900 });
      await page.waitForSelector('form.panel');
      // A narrow screen has the form behind a bar, and every form has groups that are folded away.
      if (width < 860) {
        const bar = page.locator('.form-toggle');
        if ((await bar.getAttribute('aria-expanded')) === 'false') await bar.click();
      }
      await page.$$eval('.panel details', groups => {
        for (const group of groups) group.setAttribute('open', '');
      });
      const cut = await page.$$eval('.panel label, .panel legend', found =>
        found
          .filter(
            label =>
              label.scrollWidth > label.clientWidth + 1 && getComputedStyle(label).overflow !== 'visible',
          )
          .map(label => label.textContent),
      );
      expect(cut, view).toEqual([]);
      const canvas = await page.$$eval('.panel select', found => {
        const context = document.createElement('canvas').getContext('2d');
        if (context === null) throw new Error('no canvas');
        return found
          .filter(select => {
            const style = getComputedStyle(select);
            context.font = `${style.fontSize} ${style.fontFamily}`;
            const text = (select as HTMLSelectElement).selectedOptions[0]?.textContent ?? '';
            // The arrow and the padding take some 40 pixels.
            return context.measureText(text).width > select.clientWidth - 40;
          })
          .map(select => select.id);
      });
      expect(canvas, view).toEqual([]);
      await page.close();
    }
  });

  it('shows bands in dark colours that stand out from the panel', async () => {
    const { page } = await opened('');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    const opacities = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('span'));
      return ['wide', 'middle', 'narrow'].map(name => {
        probe.style.color = `var(--band-${name})`;
        return 100 * Number(/, ([\d.]+)\)$/.exec(getComputedStyle(probe).color)?.[1]);
      });
    });
    // Of 10 % nobody saw that there was a band.
    expect(Math.min(...opacities)).toBeGreaterThanOrEqual(20);
    expect([...opacities].sort((a, b) => a - b)).toEqual(opacities);
    await page.close();
  });
});
