/** Following exchanges, through ccxt, against loopback servers with the faults that exchanges have. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type ExchangeClient, openExchange } from '#src/market/sync/exchange.js';
import { STOPPED, type SyncRequest, syncOnce } from '#src/market/sync/sync.js';
import { rowsOf } from '#src/market/sync/sync-series.js';
import {
  closeAt,
  type Failure,
  type FakeData,
  type FakeExchange,
  fakeExchange,
} from '../../support/fake-exchanges.ts';
import { listStore, storedRows, temporaryFolder } from '../../support/market-files.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);
/** Half an hour into a bar. */
const NOW = START + 1500 * HOUR + HOUR / 2;

const open: (FakeExchange | ExchangeClient)[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

interface Tried extends Partial<SyncRequest> {
  at?: { now: number };
  data?: Partial<FakeData>;
  failures?: Failure[];
  client?: ExchangeClient;
}

/** A sync of an hourly BTC market that waits for nothing; `at` is the clock of both sides. */
async function prepare(exchange: string, options: Tried = {}) {
  const { at = { now: NOW }, data, failures = [], ...rest } = options;
  const fake = await fakeExchange({ startMs: START, now: () => at.now, ...data });
  const client = await openExchange(exchange, {
    apiUrl: fake.url,
    // Far beyond any test: the time of a request is over when its answer does not come.
    timeoutMs: 600_000,
    timeLimit: () => {
      const limit = new AbortController();
      fake.onSilence = () =>
        limit.abort(new DOMException('The time of the request is over.', 'TimeoutError'));
      return limit.signal;
    },
    ...(rest.signal === undefined ? {} : { signal: rest.signal }),
  });
  open.push(client, fake);
  fake.failures.push(...failures);
  const waits: number[] = [];
  const store = options.store ?? join(temporaryFolder(), 'market');
  const request: SyncRequest = {
    store,
    client,
    kind: 'price',
    symbols: ['BTC/USDT'],
    timeframe: '1h',
    since: new Date(START),
    now: () => new Date(at.now),
    wait: async milliseconds => {
      waits.push(milliseconds);
    },
    ...rest,
  };
  return { request, store, fake, waits, again: () => syncOnce(request) };
}

async function sync(exchange: string, options: Tried = {}) {
  const prepared = await prepare(exchange, options);
  return { ...prepared, results: await syncOnce(prepared.request) };
}

const closes = async (store: string, id: string) =>
  (await storedRows(store, id, ['final_at', 'close', 'volume'])) as number[][];

describe('a sync', () => {
  for (const { exchange, symbol, tags } of [
    { exchange: 'binance', symbol: 'BTC/USDT', tags: [] },
    { exchange: 'kraken', symbol: 'BTC/USD', tags: ['slow'] },
    { exchange: 'coinbase', symbol: 'BTC/USD', tags: ['slow'] },
  ]) {
    it(`fetches every complete hour of ${exchange}, page by page, and not the unfinished one`, {
      tags,
    }, async () => {
      const name = `${symbol} ${exchange} 1h`;
      const { results, store } = await sync(exchange, { symbols: [symbol] });
      expect(results).toEqual([{ name, added: 1500, replaced: 0, unchanged: 0, failure: undefined }]);
      const rows = await closes(store, `price ${name}`);
      expect(rows.at(-1)?.[0]).toBe(START + 1500 * HOUR);
      expect(
        rows.filter(([final, close, volume]) => close !== closeAt(final - HOUR) || volume !== 7),
      ).toEqual([]);
    });
  }

  it('continues after the last complete bar', { tags: ['slow'] }, async () => {
    const at = { now: NOW };
    const { store, again, fake } = await sync('binance', { at });
    at.now += 3 * HOUR;
    const before = fake.requests;
    expect(await again()).toMatchObject([{ added: 3, replaced: 0 }]);
    expect(fake.requests).toBe(before + 1);
    expect(await listStore(store)).toEqual([
      'price BTC/USDT binance 1h 2024-01-01T00:00Z 2024-03-03T14:00Z rows=1503 gaps=0',
    ]);
  });

  it('retries after 429, 500, a truncated or stalled answer and a hanging socket, with growing pauses', {
    tags: ['slow'],
  }, async () => {
    const { results, waits } = await sync('binance', { failures: ['429', '500', 'cut', 'stall', 'hang'] });
    expect(results).toMatchObject([{ added: 1500, failure: undefined }]);
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000]);
  });

  it('fills a gap of the store on request', async () => {
    let outage = true;
    const missing = (openMs: number) => outage && openMs >= START + 100 * HOUR && openMs < START + 130 * HOUR;
    const { store, again, request } = await sync('binance', { data: { missing } });
    outage = false;
    expect(await again()).toMatchObject([{ added: 0 }]);
    const since = new Date(START + 90 * HOUR);
    expect(await syncOnce({ ...request, since, again: true })).toMatchObject([
      { added: 30, replaced: 0, unchanged: 1380, failure: undefined },
    ]);
    expect(await listStore(store)).toEqual([
      'price BTC/USDT binance 1h 2024-01-01T00:00Z 2024-03-03T11:00Z rows=1500 gaps=0',
    ]);
  });

  it('stores received rows when it is stopped, and ends a running request', async () => {
    const stop = new AbortController();
    const { request, fake, store } = await prepare('binance', {
      signal: stop.signal,
      symbols: ['BTC/USDT', 'ETH/USDT'],
    });
    let pages = 0;
    const results = await syncOnce({
      ...request,
      onPage: () => {
        pages++;
        // The second page is never answered.
        fake.failures.push('hang');
        fake.onRequest = () => stop.abort();
      },
    });
    expect(pages).toBe(1);
    expect(results).toMatchObject([{ name: 'BTC/USDT binance 1h', added: 1000, failure: STOPPED }]);
    expect(await listStore(store)).toEqual([
      'price BTC/USDT binance 1h 2024-01-01T00:00Z 2024-02-11T15:00Z rows=1000 gaps=0',
    ]);
  });

  it('stops after the last attempt, stores earlier rows, and continues from there', {
    tags: ['slow'],
  }, async () => {
    const at = { now: NOW };
    const { results, store, fake, again } = await sync('binance', {
      at,
      attempts: 2,
      failures: ['500', '500'],
    });
    expect(results).toMatchObject([{ added: 0, failure: expect.stringContaining('binance') }]);
    expect(fake.failures).toEqual([]);
    expect(await again()).toMatchObject([{ added: 1500, failure: undefined }]);
    expect(await listStore(store)).toHaveLength(1);
  });

  it('accepts bars in any order and duplicates, and does not fill gaps', async () => {
    const missing = (openMs: number) => openMs >= START + 100 * HOUR && openMs < START + 130 * HOUR;
    const { results, store } = await sync('binance', { data: { untidy: true, missing } });
    expect(results).toMatchObject([{ added: 1470, failure: undefined }]);
    expect(await listStore(store)).toEqual([
      'price BTC/USDT binance 1h 2024-01-01T00:00Z 2024-03-03T11:00Z rows=1470 gaps=30',
    ]);
  });

  it('skips a gap that is longer than a page, and the time before a listing', {
    tags: ['slow'],
  }, async () => {
    const missing = (openMs: number) =>
      openMs < START + 50 * HOUR || (openMs >= START + 100 * HOUR && openMs < START + 900 * HOUR);
    const { results } = await sync('coinbase', { symbols: ['BTC/USD'], data: { missing } });
    expect(results).toMatchObject([{ added: 1500 - 50 - 800, failure: undefined }]);
  });

  it('fetches funding rates, stamped with their hour', async () => {
    const { results, store } = await sync('binance', {
      kind: 'funding',
      symbols: ['BTC/USDT:USDT'],
      timeframe: '8h',
    });
    expect(results).toMatchObject([{ added: 188, failure: undefined }]);
    expect(await listStore(store)).toEqual([
      'funding BTC/USDT binance 8h 2024-01-01T00:00Z 2024-03-03T08:00Z rows=188 gaps=0',
    ]);
  });

  it('fetches the volatility index of Deribit, which comes newest first', async () => {
    const { results, store } = await sync('deribit', { kind: 'index', symbols: ['BTC'], timeframe: '1d' });
    expect(results).toMatchObject([{ name: 'BTC deribit 1d', added: 62, failure: undefined }]);
    expect(await listStore(store)).toEqual(['index BTC deribit 1d 2024-01-01 2024-03-02 rows=62 gaps=0']);
  });

  it('reports an unknown market at once, and updates the others', async () => {
    const { results, waits } = await sync('binance', { symbols: ['NO/USDT', 'nothing', 'BTC/USDT'] });
    expect(results).toMatchObject([
      { name: 'NO/USDT binance 1h', failure: expect.stringContaining('NO/USDT') },
      { name: 'nothing', failure: 'it names no market; one is written BTC/USDT' },
      { added: 1500, failure: undefined },
    ]);
    expect(waits).toEqual([]);
  });
});

describe('a page', () => {
  const key = { kind: 'price', asset: 'BTC', quote: 'USDT', exchange: 'x', timeframe: '1h' } as const;
  const bar = (hour: number, close: number) => ({
    openMs: START + hour * HOUR,
    open: undefined,
    high: undefined,
    low: undefined,
    close,
    volume: undefined,
  });

  it('is broken with two different bars of one time, and unusable with a price of 0', () => {
    expect(() => rowsOf(key, [bar(1, 5), bar(1, 6)], START, NOW)).toThrow(
      '2024-01-01T01:00Z came twice, with different numbers',
    );
    expect(() => rowsOf(key, [bar(1, 0)], START, NOW)).toThrow('close 0 of 2024-01-01T01:00Z is not a price');
  });
});
