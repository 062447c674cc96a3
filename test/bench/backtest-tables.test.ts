/** The tables of the back-test command: what they ask of a service, and how they write its answers down. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { formatIsoDate } from '#src/text/calendar-date.js';
import { loanTable } from '../../bench/backtests/loan-table.ts';
import { valueAtRiskTable } from '../../bench/backtests/value-at-risk-table.ts';
import { sharedReference } from '../support/threads.ts';

type TableService = Parameters<typeof valueAtRiskTable>[0];

/** The first day of the store, and its last one. */
const FIRST = 18_000;
const STARTS = 20;
const LAST = FIRST + 366 + 14 * (STARTS - 1) + 31;
const KEY = 'key-of-the-tables';
const cpu = sharedReference(1);

interface Sent {
  readonly path: string;
  readonly seed: string | undefined;
  readonly body: { readonly type: string; readonly params: Readonly<Record<string, unknown>> };
}

let server: Server | undefined;
afterEach(() => server?.close());

/** A service that notes what it is asked, answers by `answerOf` and runs its jobs at once. */
async function serve(answerOf: (sent: Sent) => unknown, status = 200) {
  const asked: Sent[] = [];
  const results: string[] = [];
  const listening = createServer(async (request: IncomingMessage, response) => {
    const { method, url = '', headers } = request;
    expect(headers['x-api-key']).toBe(KEY);
    if (method === 'POST') {
      const sent = {
        path: url,
        seed: headers['x-seed'] as string | undefined,
        body: JSON.parse(await text(request)),
      };
      asked.push(sent);
      const answer = JSON.stringify(answerOf(sent));
      if (headers.prefer !== 'respond-async') response.writeHead(status).end(answer);
      else response.writeHead(202, { location: `/jobs/${results.push(answer) - 1}` }).end();
      return;
    }
    const [, job, isResult] = /^\/jobs\/(\d+)(\/result)?$/.exec(url) ?? [];
    if (isResult !== undefined) response.writeHead(status).end(results[Number(job)]);
    else
      response.end('data: {"state":"running","share_done":0.5}\n\ndata: {"state":"done","share_done":1}\n\n');
  });
  server = listening;
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve));
  return { asked, url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}` };
}

/** A store of BTC; prices fall by 60 % after 100 hours where the number of a start is odd. */
const market = {
  assets: async () => [
    {
      symbol: 'BTC',
      firstDay: formatIsoDate(FIRST),
      lastDay: formatIsoDate(LAST),
      hours: { first: `${formatIsoDate(FIRST)}T00:00:00Z`, last: `${formatIsoDate(LAST)}T00:00:00Z` },
    },
  ],
  list: async () => [
    {
      kind: 'index',
      first: `${formatIsoDate(FIRST + 500)}T00:00:00Z`,
      last: `${formatIsoDate(LAST - 5)}T00:00:00Z`,
    },
  ],
  hourlyCloses: async (_: string, last: number, count: number) => ({
    prices: [Float64Array.from({ length: count }, (_, t) => (falls(last - 30) && t > 100 ? 40 : 100))],
  }),
};
const falls = (day: number) => ((day - FIRST - 366) / 14) % 2 === 1;

const service = (url: string) =>
  ({
    url,
    key: KEY,
    market: { current: () => market },
    engines: { reference: cpu },
  }) as unknown as TableService;

/** Notes what it is told. */
function progressNotes() {
  const shares: number[] = [];
  return { shares, line: { update: (share: number) => void shares.push(share), end: () => {} } };
}

const judged = (exceedances: number) => ({
  Exceedances: exceedances,
  Expected: 7.25,
  QuantileScore: 0.00123,
  Tests: {
    Kupiec: { Statistic: 1, PValue: 0.123 },
    Independence: { Statistic: 2, PValue: 0.0456 },
    ConditionalCoverage: { Statistic: 3, PValue: 0.5 },
  },
  Shortfall:
    exceedances === 2
      ? null
      : {
          Z2: { Statistic: -0.1234, PValue: 0.025 },
          FZ0: { Score: -2.34567, AgainstGbm: { Difference: -0.1, T: -1.5 } },
          EsrStrict: { PValue: 0.3 },
          EsrIntercept: { PValue: 0.4, OneSidedPValue: 0.2 },
        },
});

describe('the table of value at risk', () => {
  it('asks a back-test over all days for each methodology, and has a row per level', async () => {
    const { asked, url } = await serve(() => ({
      Output: { Forecasts: 145, Levels: { '0.95': judged(9), '0.975': judged(9), '0.99': judged(2) } },
    }));
    const { shares, line } = progressNotes();
    const part = { assets: ['BTC'], types: ['GBM', 'GBM_VIX', 'HISTORICAL'] };
    const lines = (await valueAtRiskTable(service(url), line, part)).split('\n');
    expect(lines).toHaveLength(2 + 3 * 3);
    const days = `${formatIsoDate(FIRST + 366)} to ${formatIsoDate(LAST - 1)}`;
    const tests = '| 0.12 | 0.046 | 0.50 |';
    expect(lines[2]).toBe(
      `| BTC | GBM | 95 % | 145 (${days}) | 9 | 7.3 ${tests} -0.12 | 0.025 | 0.30 | 0.40 | 0.20 | -2.3457 | -1.50 | 12.30 |`,
    );
    expect(lines[4]).toBe(
      `| BTC | GBM | 99 % | 145 (${days}) | 2 | 7.3 ${tests}  |  |  |  |  |  |  | 12.30 |`,
    );
    // The index begins later and ends before.
    expect(lines[5]).toContain(
      `| GBM_VIX | 95 % | 145 (${formatIsoDate(FIRST + 500)} to ${formatIsoDate(LAST - 5)})`,
    );
    const cells = lines.map(each => each.split('|').length);
    expect(new Set(cells).size, lines.join('\n')).toBe(1);
    expect(asked.map(({ path, body }) => [path, body.type, body.params.mc_iter])).toEqual([
      ['/backtest', 'GBM', 20_000],
      ['/backtest', 'GBM_VIX', 20_000],
      ['/backtest', 'HISTORICAL', undefined],
    ]);
    expect(asked[0].body.params).toMatchObject({
      weights: { BTC: 1 },
      model_lookback: 365,
      quantile: [0.95, 0.975, 0.99],
    });
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  it('ends with the refusal of the service', async () => {
    const { url } = await serve(() => ({ title: 'no' }), 422);
    const table = valueAtRiskTable(service(url), progressNotes().line, { assets: ['BTC'], types: ['GBM'] });
    await expect(table).rejects.toThrow('BTC GBM: {"title":"no"}');
  });

  it('asks of equal parts where a basket has several', async () => {
    const { asked, url } = await serve(() => ({
      Output: { Forecasts: 1, Levels: { '0.95': judged(9), '0.975': judged(9), '0.99': judged(2) } },
    }));
    const part = { assets: ['BTC+BTC2'], types: ['GBM'] };
    const later = { symbol: 'BTC2', firstDay: formatIsoDate(FIRST + 9), lastDay: formatIsoDate(LAST - 9) };
    const both = { ...market, assets: async () => [...(await market.assets()), later] };
    const tables = { ...service(url), market: { current: () => both } } as unknown as TableService;
    const table = await valueAtRiskTable(tables, progressNotes().line, part);
    expect(asked[0].body.params.weights).toEqual({ BTC: 0.5, BTC2: 0.5 });
    expect(table).toContain(`(${formatIsoDate(FIRST + 9 + 366)} to ${formatIsoDate(LAST - 10)})`);
  });

  it('names an asset that the store lacks', async () => {
    const { url } = await serve(() => ({}));
    const table = valueAtRiskTable(service(url), progressNotes().line, { assets: ['DOGE'] });
    await expect(table).rejects.toThrow('The store holds no price of DOGE.');
  });
});

describe('the reliability diagrams of loans', () => {
  it('cover every start and ratio, and compare each answer with the outcome of the loan', async () => {
    // A service that knows the future.
    const { asked, url } = await serve(({ seed }) => {
      const share = falls(Number(seed)) ? 1 : 0;
      return { Output: { PrMarginCall: share, PrUnderwater: share } };
    });
    const { shares, line } = progressNotes();
    const diagrams = await loanTable(service(url), line, { assets: ['BTC'], types: ['GBM'] });
    expect(asked).toHaveLength(STARTS * 6);
    expect(new Set(asked.map(({ seed }) => seed)).size).toBe(STARTS);
    expect(new Set(asked.map(({ body }) => body.params.N))).toEqual(new Set([1.1, 1.2, 1.35, 1.5, 1.75, 2]));
    expect(shares.at(-1)).toBe(1);
    for (const figure of ['PrMarginCall', 'PrUnderwater']) {
      const [, diagram] = diagrams.split(`### GBM: ${figure}\n`);
      expect(diagram).toContain('120 forecasts in');
      expect(diagram).toContain('Brier score 0.0000; of the mean 0.2500.');
      expect(diagram).toContain('| 1 | 12 | 0.0 % | 0.0 % | 0.0 % | 0.0 % |');
      expect(diagram).toContain('| 10 | 12 | 100.0 % | 100.0 % | 0.0 % | 0.0 % |');
    }
  });

  it('tell a service that is always wrong', async () => {
    const { url } = await serve(({ seed }) => {
      const share = falls(Number(seed)) ? 0 : 1;
      return { Output: { PrMarginCall: share, PrUnderwater: share } };
    });
    const diagrams = await loanTable(service(url), progressNotes().line, { assets: ['BTC'], types: ['GBM'] });
    expect(diagrams).toContain('Brier score 1.0000; of the mean 0.2500.');
    expect(diagrams).toContain('| 1 | 12 | 0.0 % | 100.0 % | 100.0 % |');
  });
});
