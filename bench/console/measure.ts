/**
 * How fast the console is in a real browser: first paint and first figures of a page in the cache, and the tasks of the page's
 * main thread while a million paths run in its worker.
 *
 *   npm run prebench && node build/bench/console/measure.js
 *
 * Writes bench/results/operations/console.json. Ends with 1 where a goal is missed.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { quantileOf, report } from '../operations/figures.ts';
import { KEY, startService } from '../operations/service.ts';
import { KEY_ITEM, openBrowser } from './browser.ts';

const LOADS = 20;
/** Goals, ms. */
const FIRST_PAINT = 1000;
const FIRST_FIGURES = 2000;
const LONGEST_TASK = 50;

/** What the page records of itself. */
interface Kept {
  figuresAt?: number;
  longTasks: { start: number; duration: number }[];
}

declare global {
  interface Window {
    kept: Kept;
  }
}

/** Runs in the page before its own scripts: notes the first figures and every long task. */
function observe([item, key]: readonly [string, string]): void {
  sessionStorage.setItem(item, key);
  const kept: Kept = { longTasks: [] };
  window.kept = kept;
  new MutationObserver((_, observer) => {
    if (document.querySelector('[data-figure] td[data-value]') === null) return;
    kept.figuresAt = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
  new PerformanceObserver(list => {
    for (const { startTime, duration } of list.getEntries())
      kept.longTasks.push({ start: startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
}

/** First paint and first figures of one load, ms from the start of the navigation. */
async function load(context: BrowserContext, url: string): Promise<{ paint: number; figures: number }> {
  const page = await context.newPage();
  await page.goto(`${url}/#/loan?paths=1000`);
  await page.waitForFunction(() => window.kept.figuresAt !== undefined);
  const times = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    figures: window.kept.figuresAt ?? Number.NaN,
  }));
  await page.close();
  return times;
}

/** Whether the page's observer sees a task that is too long, made on purpose: without it, none seen would say nothing. */
async function seesLongTasks(page: Page): Promise<boolean> {
  await page.evaluate(
    milliseconds =>
      new Promise<void>(resolve =>
        setTimeout(() => {
          const end = performance.now() + milliseconds;
          while (performance.now() < end);
          setTimeout(resolve, milliseconds);
        }),
      ),
    2 * LONGEST_TASK,
  );
  return page.evaluate(() => window.kept.longTasks.length > 0);
}

/** Long tasks of the page between its first figures and the end of a run of a million paths in its worker. */
async function longTasks(context: BrowserContext, url: string, where: string): Promise<number[]> {
  const page: Page = await context.newPage();
  await page.goto(`${url}/?software-gpu#/loan?paths=100000&where=${where}`);
  await page.waitForSelector('[data-status="done"][data-paths="100000"]', { timeout: 0 });
  const from = await page.evaluate(() => performance.now());
  await page.selectOption('#field-paths', '1000000');
  await page.waitForSelector('[data-status="done"][data-paths="1000000"]', { timeout: 0 });
  const tasks = await page.evaluate(() => window.kept.longTasks);
  if (!(await seesLongTasks(page))) throw new Error('the browser reports no long tasks');
  await page.close();
  return tasks.filter(({ start }) => start >= from).map(({ duration }) => duration);
}

const service = await startService({ MARKET_DB: 'sample', API_KEYS: KEY });
const browser = await openBrowser();
try {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1400, height: 950 } });
  await context.addInitScript(observe, [KEY_ITEM, KEY] as const);
  await load(context, service.url); // fills the cache of the browser
  const loads: { paint: number; figures: number }[] = [];
  for (let i = 0; i < LOADS; i++) loads.push(await load(context, service.url));
  const summary = (values: readonly number[]) => ({
    median: Math.round(quantileOf(values, 0.5)),
    most: Math.round(Math.max(...values)),
  });
  const paint = summary(loads.map(each => each.paint));
  const figures = summary(loads.map(each => each.figures));
  const tasks: Record<string, { count: number; longest: number }> = {};
  for (const where of ['browser-simd', 'browser-gpu']) {
    const durations = await longTasks(context, service.url, where);
    tasks[where] = { count: durations.length, longest: Math.round(Math.max(0, ...durations)) };
  }
  report(
    'console',
    'node build/bench/console/measure.js',
    {
      browser: `Chromium ${browser.version()}`,
      loads: LOADS,
      firstPaintMs: paint,
      firstFiguresMs: figures,
      tasksOver50MsWhileAMillionPathsRun: tasks,
    },
    {
      [`first paint within ${FIRST_PAINT} ms`]: paint.median <= FIRST_PAINT,
      [`first figures within ${FIRST_FIGURES} ms`]: figures.median <= FIRST_FIGURES,
      [`no task over ${LONGEST_TASK} ms`]: Object.values(tasks).every(({ count }) => count === 0),
    },
  );
} finally {
  await browser.close();
  await service.stop();
}
