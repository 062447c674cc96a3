/**
 * Pictures of every view of the console, for docs/console, and of the first page of a report, for docs/desk: light, on the sample
 * market, as of a fixed day.
 *
 *   npm run prebench && node build/bench/console/screenshots.js [folder]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { KEY, startService } from '../operations/service.ts';
import { projectFile } from '../project.ts';
import { KEY_ITEM, openBrowser } from './browser.ts';

const DAY = '2024-06-30';

interface View {
  readonly name: string;
  /** Behind the `#`. */
  readonly address: string;
  /** A file of the project that is chosen. */
  readonly file?: string;
  /** What to click before there is anything to see. */
  readonly clicks?: readonly string[];
  /** What to wait for; the end of the run where absent. */
  readonly until?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** A part of the page alone. */
  readonly part?: string;
  /** The part above the fold only. */
  readonly folded?: boolean;
}

const VIEWS: readonly View[] = [
  { name: 'loan', address: `/loan?date=${DAY}&c=BTC:0.6,ETH:0.4`, folded: true },
  { name: 'origination', address: `/origination?date=${DAY}&score=PrForcedSale&target=0.2` },
  { name: 'var', address: `/var?date=${DAY}` },
  { name: 'liquidity', address: `/liquidity?date=${DAY}&value=500000000` },
  { name: 'perpetual', address: `/perpetual?date=${DAY}` },
  { name: 'account', address: `/account?date=${DAY}`, folded: true },
  {
    name: 'book',
    address: `/book?date=${DAY}&paths=2000`,
    clicks: ['text=Use the sample tape', 'text=/^Compute$/'],
    folded: true,
  },
  {
    name: 'backtest',
    address: '/backtest?from=2023-07-01&to=2024-06-29',
    clicks: ['text=Run the back-test'],
  },
  {
    name: 'scenarios',
    address: `/loan?date=${DAY}&paths=10000`,
    clicks: ['text=/^Run \\d+ scenarios$/'],
    until: '.scenarios .chart canvas',
    part: '.scenarios',
  },
  {
    name: 'tape',
    address: `/book?date=${DAY}`,
    file: 'docs/desk/tape.csv',
    until: 'td.at-fault',
    folded: true,
  },
  { name: 'data', address: '/data', until: '[data-rows]' },
  { name: 'phone', address: `/loan?date=${DAY}`, viewport: { width: 390, height: 844 } },
];

const WIDE = { width: 1280, height: 1000 };
const FINISHED = '[data-status="done"]';

async function shoot(context: BrowserContext, url: string, view: View, path: string): Promise<void> {
  const page: Page = await context.newPage();
  await page.setViewportSize(view.viewport ?? WIDE);
  await page.goto(`${url}/#${view.address}`);
  if (view.file !== undefined) await page.setInputFiles('#field-file', projectFile(view.file));
  for (const click of view.clicks ?? []) {
    // A button that waits for the tape to be valued is disabled until then, and a click waits for it.
    await page.click(click);
  }
  await page.waitForSelector(view.until ?? FINISHED, { timeout: 0 });
  // Charts are drawn one frame after the figures.
  await page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  // A click may have scrolled.
  if (view.folded === true) await page.evaluate(() => scrollTo(0, 0));
  if (view.part !== undefined) await page.locator(view.part).screenshot({ path, animations: 'disabled' });
  else await page.screenshot({ path, fullPage: view.folded !== true, animations: 'disabled' });
  await page.close();
}

/** The report that README.md asks for. */
async function shootReport(context: BrowserContext, path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  const report = join(folder, 'report.html');
  const words = `book docs/desk/tape.csv --market sample --as-of ${DAY} --skip-faulty --types FHS GBM --paths 2000 --backtest-days 0`;
  const [root, program] = [projectFile(''), projectFile('dist/cli/main.js')];
  execFileSync(process.execPath, [program, ...words.split(' '), '--html', report], {
    cwd: root,
    stdio: 'ignore',
  });
  const page = await context.newPage();
  await page.setViewportSize({ width: 900, height: 1000 });
  await page.goto(pathToFileURL(report).href);
  const height = await page.evaluate(
    () => document.querySelector('.first')?.getBoundingClientRect().bottom ?? 0,
  );
  await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width: 900, height: height + 16 } });
  await page.close();
  rmSync(folder, { recursive: true });
}

const folder = process.argv[2] ?? projectFile('docs/console');
mkdirSync(folder, { recursive: true });
const service = await startService({ MARKET_DB: 'sample', API_KEYS: KEY });
const browser = await openBrowser();
try {
  const context = await browser.newContext({ locale: 'en-US', colorScheme: 'light' });
  await context.addInitScript(([item, key]) => sessionStorage.setItem(item, key), [KEY_ITEM, KEY] as const);
  for (const view of VIEWS) {
    const path = join(folder, `${view.name}.png`);
    await shoot(context, service.url, view, path);
    process.stdout.write(`${path}\n`);
  }
  await shootReport(context, join(folder, '../desk/report.png'));
} finally {
  await browser.close();
  await service.stop();
}
