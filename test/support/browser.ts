/**
 * A real browser: the Chromium of a development dependency, with WebGPU on its software driver.
 *
 * Linux x64 only, as the package is; tests of pages skip visibly elsewhere.
 */
import { type Browser, type BrowserContext, chromium as launcher, type Page } from 'playwright-core';

/** Whether this machine can run the browser. */
export const hasBrowser = process.platform === 'linux' && process.arch === 'x64';

/** The machine's network is none of the tests' business: the browser must ask nobody but the server under test. */
const ARGUMENTS = [
  '--no-sandbox',
  '--enable-unsafe-webgpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

/** Starts the browser; close it. */
export async function openBrowser(): Promise<Browser> {
  const { default: chromium } = await import('@sparticuz/chromium');
  return launcher.launch({
    executablePath: await chromium.executablePath(),
    headless: true,
    args: ARGUMENTS,
    timeout: 0,
  });
}

/** What a page did that a visitor would not want to see. */
export interface PageWatch {
  readonly page: Page;
  /** Errors of the console and of scripts. */
  readonly errors: readonly string[];
  /** Addresses asked for, of whatever host. */
  readonly requests: readonly string[];
}

/** A page that keeps what it asks for and complains of. */
export async function watchedPage(context: BrowserContext): Promise<PageWatch> {
  const page = await context.newPage();
  page.setDefaultTimeout(0);
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', error => errors.push(error.message));
  page.on('request', request => requests.push(request.url()));
  return { page, errors, requests };
}
