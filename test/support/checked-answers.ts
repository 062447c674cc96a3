/**
 * Holds what a whole service answers to `fetch` against openapi.json, as http-app.ts does for applications with operations of a
 * test's own.
 */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { exchangeFaults } from './openapi.ts';

/** Looks at every answer that the tests of this file fetch, all of them from the service; the test that met one of another form fails. */
export function checkEveryAnswer(): void {
  const unchecked = globalThis.fetch;
  const faults: Promise<string[]>[] = [];

  const faultsOf = async (url: URL, init: RequestInit | undefined, answer: Response): Promise<string[]> => {
    const headers = Object.fromEntries(answer.headers);
    // Only JSON is looked into: a stream may last as long as the test reads it.
    const body = /json$/.test(headers['content-type']?.split(';')[0] ?? '') ? await answer.text() : '';
    const { method = 'GET', body: sent } = init ?? {};
    const requestText = typeof sent === 'string' ? sent : undefined;
    const isCsv = new Headers(init?.headers).get('content-type')?.startsWith('text/csv') === true;
    return exchangeFaults({
      method,
      path: url.pathname,
      requestText,
      isCsv,
      status: answer.status,
      headers,
      body,
    });
  };

  beforeAll(() => {
    globalThis.fetch = async (input, init) => {
      const answer = await unchecked(input, init);
      const url = new URL(input instanceof Request ? input.url : input);
      faults.push(faultsOf(url, init, answer.clone()));
      return answer;
    };
  });
  afterEach(async () => {
    const found = (await Promise.all(faults.splice(0))).flat();
    if (found.length > 0) throw new Error(`not as openapi.json describes it:\n${found.join('\n')}`);
  });
  afterAll(() => {
    globalThis.fetch = unchecked;
  });
}
