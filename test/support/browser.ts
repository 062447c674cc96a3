/** Pages in a real browser; their tests skip visibly where there is none. */
import type { BrowserContext, Page } from 'playwright-core';

export { hasBrowser, KEY_ITEM, openBrowser } from '../../bench/console/browser.ts';

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
