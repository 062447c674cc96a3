/** The tables of the back-test command: what they ask, and how they write its answers down. */
import { describe, expect, it } from 'vitest';
import type { OwnRisk } from '#src/cli/own-risk.js';
import { RiskError } from '#src/core/errors.js';
import type { AskOptions } from '#src/question/open-risk.js';
import { formatIsoDate } from '#src/text/calendar-date.js';
import { loanTable } from '../../bench/backtests/loan-table.ts';
import { valueAtRiskTable } from '../../bench/backtests/value-at-risk-table.ts';
import { sharedReference } from '../support/threads.ts';

/** The first day of the store, and its last one. */
const FIRST = 18_000;
const STARTS = 20;
const LAST = FIRST + 366 + 14 * (STARTS - 1) + 31;
const cpu = sharedReference(1);

interface Sent {
  readonly path: string;
  readonly seed: number | undefined;
  readonly body: { readonly type: string; readonly params: Readonly<Record<string, unknown>> };
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

/** Market and engines that note what they are asked, and answer by `answerOf`. */
function ownRisk(answerOf: (sent: Sent) => object, prices: object = market) {
  const asked: Sent[] = [];
  const risk = {
    market: { current: () => prices },
    engines: { reference: cpu },
    async ask(path: string, body: Sent['body'], { seed, onProgress }: AskOptions) {
      const sent = { path, seed, body };
      asked.push(sent);
      onProgress?.(0.5);
      onProgress?.(1);
      const answer = {
        ...{ resultMember: 'Output', arguments: {}, result: answerOf(sent) },
        ...{ engine: cpu.description, filled: [], basis: { gridHours: 1, paths: 1 } },
      };
      return { checked: { query: { include: new Set() } }, answer };
    },
  };
  return { asked, own: { risk, config: {} } as unknown as OwnRisk };
}

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
    const { asked, own } = ownRisk(() => ({
      Forecasts: 145,
      Levels: { '0.95': judged(9), '0.975': judged(9), '0.99': judged(2) },
    }));
    const { shares, line } = progressNotes();
    const part = { assets: ['BTC'], types: ['GBM', 'GBM_VIX', 'HISTORICAL'] };
    const lines = (await valueAtRiskTable(own, line, part)).split('\n');
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

  it('ends with a refusal', async () => {
    const { own } = ownRisk(() => {
      throw new RiskError('invalid-request', 'no');
    });
    const table = valueAtRiskTable(own, progressNotes().line, { assets: ['BTC'], types: ['GBM'] });
    await expect(table).rejects.toThrow(/^BTC GBM: \{.*"detail":"no"/);
  });

  it('asks of equal parts where a basket has several', async () => {
    const part = { assets: ['BTC+BTC2'], types: ['GBM'] };
    const later = { symbol: 'BTC2', firstDay: formatIsoDate(FIRST + 9), lastDay: formatIsoDate(LAST - 9) };
    const both = { ...market, assets: async () => [...(await market.assets()), later] };
    const { asked, own } = ownRisk(
      () => ({ Forecasts: 1, Levels: { '0.95': judged(9), '0.975': judged(9), '0.99': judged(2) } }),
      both,
    );
    const table = await valueAtRiskTable(own, progressNotes().line, part);
    expect(asked[0].body.params.weights).toEqual({ BTC: 0.5, BTC2: 0.5 });
    expect(table).toContain(`(${formatIsoDate(FIRST + 9 + 366)} to ${formatIsoDate(LAST - 10)})`);
  });

  it('names an asset that the store lacks', async () => {
    const { own } = ownRisk(() => ({}));
    const table = valueAtRiskTable(own, progressNotes().line, { assets: ['DOGE'] });
    await expect(table).rejects.toThrow('The store holds no price of DOGE.');
  });
});

describe('the reliability diagrams of loans', () => {
  it('cover every start and ratio, and compare each answer with the outcome of the loan', async () => {
    // An engine that knows the future.
    const { asked, own } = ownRisk(({ seed }) => {
      const share = falls(Number(seed)) ? 1 : 0;
      return { PrMarginCall: share, PrUnderwater: share };
    });
    const { shares, line } = progressNotes();
    const diagrams = await loanTable(own, line, { assets: ['BTC'], types: ['GBM'] });
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

  it('tell an engine that is always wrong', async () => {
    const { own } = ownRisk(({ seed }) => {
      const share = falls(Number(seed)) ? 0 : 1;
      return { PrMarginCall: share, PrUnderwater: share };
    });
    const diagrams = await loanTable(own, progressNotes().line, { assets: ['BTC'], types: ['GBM'] });
    expect(diagrams).toContain('Brier score 1.0000; of the mean 0.2500.');
    expect(diagrams).toContain('| 1 | 12 | 0.0 % | 100.0 % | 100.0 % |');
  });
});
