/**
 * The engines of the browser run the server's plan to the server's figures: its shaders on WebGPU (a software driver here),
 * its kernel by WebAssembly.
 *
 * @module-tag slow
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { checkEveryAnswer } from '../support/checked-answers.ts';
import {
  type ConsoleUnderTest,
  PLAIN_LOAN,
  settled,
  shownFigures,
  startConsole,
} from '../support/console.ts';

/** Figures that are sums of integers over the paths: equal on every engine, digit for digit. */
const COUNTED = ['PrMarginCall', 'PrLiquidation', 'PrCloseout', 'PrUnderwater', 'AvgSurvivalRate'];
/** Single precision of a sum of 65,536 losses of some per cent: relative. */
const LOSS_TOLERANCE = 2e-6;
/** Single precision of the lowest of 47 million ratios: relative. */
const WORST_TOLERANCE = 2e-6;

/** The request of PLAIN_LOAN with 10,000 paths. */
const LOAN = {
  collateral_weights: { BTC: 1 },
  loan_weights: { USD: 1 },
  model_lookback: 90,
  loan_duration: 30,
  mc_top_up: 24,
  loan_value: 1e6,
  N: 1.5,
  M: 1.3,
  L: 1.15,
  R: 1.4,
  mc_iter: 10_000,
  volatility_shock: 0,
};

checkEveryAnswer();

describe.skipIf(!hasBrowser)('engines of the browser', () => {
  let under: ConsoleUnderTest;

  beforeAll(async () => {
    under = await startConsole({ coverage: 'ccr' });
  });

  afterAll(async () => under?.close());

  it('agree with the server on 65,536 paths of a loan, counts of paths to the last digit', async () => {
    // Of a million paths a few lie within rounding of a threshold in single precision; none of these, of prices up to that day.
    const { page, errors } = await under.open(
      '?software-gpu#/loan?type=GBM&lookback=90&N=1.5&R=1.4&paths=1000&L=1.2&M=1.32&date=2024-06-30',
    );
    await page.waitForSelector('input[name="where"][value="browser-gpu"]:enabled', { state: 'attached' });
    expect(await settled(page)).toBe('done');
    await page.click('text=Engines and speed');
    await page.click('text=/^Compare$/');
    await page.waitForFunction(
      () => document.querySelector('.compare .progress')?.textContent?.includes('counts of paths') === true,
    );
    const columns: Record<string, Record<string, number>> = await page.$$eval(
      '[data-compare] td[data-engine]',
      cells => {
        const found: Record<string, Record<string, number>> = {};
        for (const cell of cells) {
          const engine = cell.getAttribute('data-engine') ?? '';
          const figure = cell.closest('tr')?.getAttribute('data-figure') ?? '';
          found[engine] ??= {};
          const value = cell.getAttribute('data-value');
          if (value !== null) found[engine][figure] = Number(value);
        }
        return found;
      },
    );
    const { 'Server double': reference, ...others } = columns;
    expect(Object.keys(others).sort()).toEqual(['Browser GPU', 'Browser SIMD', 'Server']);
    // A loan on which nothing happens would agree on any engine.
    expect(
      Math.min(...['PrMarginCall', 'PrLiquidation', 'PrCloseout'].map(name => reference[name])),
    ).toBeGreaterThan(0);
    for (const [engine, figures] of Object.entries(others)) {
      for (const name of COUNTED) expect(figures[name], `${name} on ${engine}`).toBe(reference[name]);
      const relative = (name: string) => Math.abs(figures[name] / reference[name] - 1);
      expect(relative('AvgLossPct'), `AvgLossPct on ${engine}`).toBeLessThan(LOSS_TOLERANCE);
      expect(relative('WorstCaseCCR'), `WorstCaseCCR on ${engine}`).toBeLessThan(WORST_TOLERANCE);
    }
    expect(await page.textContent('.compare .progress')).toContain(
      '4 of 4 counts of paths are identical on 4 engines',
    );
    expect(errors).toEqual([]);
    await page.close();
  });

  it.each(['browser-gpu', 'browser-simd'])('weigh shifted paths on %s as the server does', async place => {
    const { page, errors } = await under.open(
      `?software-gpu#/loan?${PLAIN_LOAN}&paths=10000&tail=1&where=${place}`,
    );
    await page.waitForSelector('[data-status="done"][data-paths="10000"]');
    const shown = await shownFigures(page);
    const { Output } = await under.post('/loan_risk?sampling=tail', { type: 'GBM', params: LOAN });
    for (const name of COUNTED)
      expect(Math.abs(shown[name] / Number(Output[name]) - 1), name).toBeLessThan(1e-4);
    expect(errors).toEqual([]);
    await page.close();
  });

  it.each([
    ['browser-gpu', /swiftshader|vulkan|gpu/i],
    ['browser-simd', /SIMD/],
  ])('run a loan from 1,000 to 10,000 paths on %s, with intervals', async (place, device) => {
    const { page, errors } = await under.open(`?software-gpu#/loan?${PLAIN_LOAN}&paths=10000&where=${place}`);
    await page.waitForSelector('[data-status="done"][data-paths="10000"]');
    const shown = await shownFigures(page);
    const { Output } = await under.post('/loan_risk', {
      type: 'GBM',
      params: LOAN,
    });
    for (const name of COUNTED) expect(shown[name], name).toBe(Output[name]);
    // Means have intervals here too, by the sums of squares of the engine.
    const intervals = await page.$$eval('tr .interval', cells =>
      cells.flatMap(cell =>
        cell.textContent === '' ? [] : [cell.closest('tr')?.getAttribute('data-figure')],
      ),
    );
    expect(intervals).toEqual([
      'PrMarginCall',
      'PrLiquidation',
      'PrCloseout',
      'PrUnderwater',
      'AvgSurvivalRate',
      'AvgLossPct',
    ]);
    expect(await page.textContent('.engines [data-device]')).toMatch(device);
    expect(errors).toEqual([]);
    await page.close();
  });

  it.each(['var', 'liquidity', 'perpetual', 'origination'])(
    'run the %s view on the GPU of the browser',
    async view => {
      const { page, errors } = await under.open(`?software-gpu#/${view}?paths=10000&where=browser-gpu`);
      expect(await settled(page)).toBe('done');
      await page.waitForSelector('.chart canvas');
      expect(Object.values(await shownFigures(page)).every(Number.isFinite)).toBe(true);
      expect(errors).toEqual([]);
      await page.close();
    },
  );

  it('are not offered where the GPU is software', async () => {
    const { page } = await under.open('#/loan?paths=1000');
    await page.waitForSelector('input[name="where"][value="browser-gpu"]:disabled', { state: 'attached' });
    expect(await page.getAttribute('input[name="where"][value="browser-gpu"]', 'aria-label')).toContain(
      'software adapter only',
    );
    await page.close();
  });
});
