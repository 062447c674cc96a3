/**
 * The console as its tests see it: a service on the sample market, a browser, and what a view shows.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Service } from '#src/server/service.js';
import { VIEW_NAMES, type ViewName } from '../../console/src/views/names.ts';
import { KEY_ITEM, openBrowser, type PageWatch, watchedPage } from './browser.ts';
import { startSampleService } from './sample-service.ts';

/** A loan by normal returns of 90 days, as address: what its tests hold against the API. */
export const PLAIN_LOAN = 'type=GBM&lookback=90&N=1.5&M=1.3&L=1.15&R=1.4';

/** How a view is brought to its answer. */
interface ViewAsked {
  /** Fields of its address; `DAY_FIELDS` where absent. */
  readonly fields?: string;
  /** Names of buttons, one after the other; a view without one asks by itself. */
  readonly clicks?: readonly string[];
  /** The table of the data is no chart. */
  readonly withoutCharts?: true;
}

const DAY_FIELDS = 'date=2024-06-30&paths=1000';

/** Every view of the console: all tests of views go over this table, in every browser. */
export const VIEWS: Readonly<Record<ViewName, ViewAsked>> = {
  loan: {},
  liquidity: {},
  perpetual: {},
  account: {},
  book: { clicks: ['Use the sample tape', 'Compute'] },
  origination: {},
  advance: {},
  var: {},
  backtest: {
    fields: 'type=GBM&lookback=90&paths=1000&from=2024-05-01&to=2024-06-29',
    clicks: ['Run the back-test'],
  },
  data: { withoutCharts: true },
};

/** `loan?paths=1000` */
export const addressOfView = (view: ViewName): string => `${view}?${VIEWS[view].fields ?? DAY_FIELDS}`;

/** What a view shows once it has its answer. */
export const ANSWERED = '[data-status="done"], [data-rows]';

/** Clicks for the answer of a view that was opened, and waits for it and its charts. */
export async function answered(page: Page, view: ViewName): Promise<void> {
  const { clicks = [], withoutCharts } = VIEWS[view];
  for (const name of clicks) await page.getByRole('button', { name, exact: true }).click();
  await page.waitForSelector(ANSWERED);
  if (!withoutCharts) await page.waitForSelector('.chart canvas');
}

export { VIEW_NAMES, type ViewName };

export const CONSOLE_KEY = 'a-key-of-the-console-tests-0123456789';

/** A started service with a browser that has the key. */
export interface ConsoleUnderTest {
  readonly service: Service;
  readonly context: BrowserContext;
  /** Opens a view by its address, `#/loan?days=7`; `query` goes before the hash. */
  open(address: string): Promise<PageWatch>;
  /** Another visitor, without the key where it is not named. Close it. */
  visitor(
    options?: BrowserContextOptions & { withKey?: boolean },
  ): Promise<Pick<ConsoleUnderTest, 'open' | 'close'>>;
  /** The answer of the API. */
  post(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<Record<string, Record<string, unknown>>>;
  close(): Promise<void>;
}

export interface ConsoleOptions {
  /** False leaves the key to the visitor. */
  readonly withKey?: boolean;
  /** How coverage is written; as a new visitor sees it where absent. */
  readonly coverage?: 'ltv' | 'ccr';
  /** Variables of the service beside those of all tests. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts service and browser. */
export async function startConsole(options: ConsoleOptions = {}): Promise<ConsoleUnderTest> {
  const { withKey = true, environment = {}, coverage } = options;
  const service = await startSampleService({ API_KEYS: CONSOLE_KEY, ...environment });
  let browser: Browser;
  try {
    browser = await openBrowser();
  } catch (error) {
    await service.stop();
    throw error;
  }
  const contextOf = async (hasKey: boolean, more: BrowserContextOptions = {}) => {
    const context = await browser.newContext({
      locale: 'en-US',
      viewport: { width: 1400, height: 1000 },
      ...more,
    });
    if (hasKey)
      await context.addInitScript(
        ([item, key]) => sessionStorage.setItem(item, key),
        [KEY_ITEM, CONSOLE_KEY],
      );
    if (coverage !== undefined)
      await context.addInitScript(([item, value]) => localStorage.setItem(item, value), [
        'collateral-risk-console.coverage',
        coverage,
      ] as const);
    return context;
  };
  const openIn = async (context: BrowserContext, address: string) => {
    const watch = await watchedPage(context);
    await watch.page.addInitScript(keepBodies);
    await watch.page.goto(`${service.url}/${address}`);
    return watch;
  };
  const context = await contextOf(withKey);
  return {
    service,
    context,
    open: address => openIn(context, address),
    async visitor({ withKey: hasKey = false, ...more } = {}) {
      const other = await contextOf(hasKey, more);
      return { open: address => openIn(other, address), close: () => other.close() };
    },
    async post(path, body, headers = {}) {
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': CONSOLE_KEY, ...headers },
        body: JSON.stringify(body),
      });
      return (await response.json()) as Record<string, Record<string, unknown>>;
    },
    async close() {
      await browser.close();
      await service.stop();
    },
  };
}

/** A body that a page has sent. */
interface SentBody {
  readonly path: string;
  readonly body: Record<string, never>;
}

/** Keeps the bodies that the page sends: they are streams, of which the browser tells no text. */
function keepBodies(): void {
  const sent: SentBody[] = [];
  const send = window.fetch.bind(window);
  Object.assign(window, { sent });
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method, url } = request;
    if (method === 'POST') {
      const body = await request.clone().json();
      sent.push({ path: new URL(url).pathname, body });
    }
    return send(request);
  };
}

/** The last body that a page has sent to a path; waits for the first. */
export async function sentBody<T>(page: Page, path: string): Promise<T> {
  const last = await page.waitForFunction(
    wanted => (window as unknown as { sent: SentBody[] }).sent.findLast(each => each.path === wanted)?.body,
    path,
  );
  return (await last.jsonValue()) as T;
}

/** Waits until a view is done or refused, and says which. */
export async function settled(page: Page): Promise<string | null> {
  const found = await page.waitForSelector('[data-status="done"], [data-status="refused"]');
  return found.getAttribute('data-status');
}

/** Figures of the tables of a view, by name; those of the comparison are left out. */
export const shownFigures = (page: Page): Promise<Record<string, number>> =>
  page.$$eval('.results .figures:not([data-compare]) td[data-value]', cells =>
    Object.fromEntries(
      cells
        .filter(cell => cell.closest('[data-figure]') !== null)
        .map(cell => [
          cell.closest('[data-figure]')?.getAttribute('data-figure'),
          Number(cell.getAttribute('data-value')),
        ]),
    ),
  );

/** Addresses of other hosts among those that a page asked for. */
export const foreignRequests = ({ requests }: PageWatch, service: Service): string[] =>
  requests.filter(url => !url.startsWith(service.url) && !url.startsWith('blob:'));

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** An expression for a page: what axe-core calls serious or critical, with the elements that have it, as texts. */
export const AXE_FAULTS = `(async () => {
  ${AXE};
  const { violations } = await window.axe.run();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '));
})()`;

export const seriousFaults = (page: Page): Promise<string[]> => page.evaluate<string[]>(AXE_FAULTS);
