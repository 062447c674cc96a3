/** One version of a store as series, with every fact on them. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RULES, type MarketRules } from '#src/market/rules.js';
import type { Series } from '#src/market/series.js';
import { makeRows } from '#src/market/store/rows.js';
import type { SeriesKey, SeriesKind, Timeframe } from '#src/market/store/series-key.js';
import { openStoredVersion, type StoreSource } from '#src/market/store/store-source.js';
import { openStoreWriter } from '#src/market/store/store-writer.js';
import { parseIsoDate } from '#src/text/calendar-date.js';
import { temporaryFolder } from '../../support/market-files.ts';

const _ = Number.NaN;
const DAY = parseIsoDate('2024-01-01') as number;
const T0 = 24 * DAY;
const BOTH = ['close', 'volume'] as const;

/** `price BTC/USD kraken 1d`, and numbers by hours after T0. */
type Stored = readonly [
  id: string,
  closes: Readonly<Record<number, number>>,
  volumes?: Readonly<Record<number, number>>,
];

async function storeOf(all: readonly Stored[], rules: MarketRules = DEFAULT_RULES): Promise<StoreSource> {
  const store = join(temporaryFolder(), 'market');
  const writer = await openStoreWriter(store);
  for (const [id, closes, volumes = {}] of all) {
    const [kind, name, exchange, timeframe] = id.split(' ');
    const [asset, quote = ''] = name.split('/');
    const key: SeriesKey = {
      kind: kind as SeriesKind,
      asset,
      quote,
      exchange,
      timeframe: timeframe as Timeframe,
    };
    const hours = [...new Set([closes, volumes].flatMap(each => Object.keys(each).map(Number)))].sort(
      (a, b) => a - b,
    );
    const rows = makeRows(hours.length);
    hours.forEach((hour, i) => {
      rows.hours[i] = T0 + hour;
      for (const column of BOTH)
        rows.numbers[column][i] = { close: closes, volume: volumes }[column][hour] ?? _;
    });
    await writer.merge(key, rows);
  }
  await writer.commit([{ source: 'test' }], new Date('2024-06-01T00:00:00Z'));
  writer.close();
  return openStoredVersion(store, rules);
}

/** First point from `start` on, and the values. */
const shown = (series: Series | undefined, start: number) =>
  series && [series.first - start, ...series.values];

describe('Prices', () => {
  it('of days are those of bars, and on other days those of the hours at midnight', async () => {
    const source = await storeOf([
      ['price BTC/USD kraken 1d', { 48: 2, 96: 4 }],
      ['price BTC/USD kraken 1h', { 24: 10, 25: 11, 47: 12, 48: 13, 72: 14, 144: 15, 145: 16 }],
      ['price ETH/USD kraken 1d', { 24: 1 }],
      ['price SOL/USD kraken 1h', { 23: 1, 24: 2, 25: 3 }],
      ['price XRP/USD kraken 1h', { 1: 1, 2: 2 }],
    ]);
    expect(shown(await source.dailyCloses('BTC'), DAY)).toEqual([0, 10, 2, 14, 4, _, 15]);
    expect(shown(await source.hourlyCloses('SOL'), T0)).toEqual([23, 1, 2, 3]);
    expect(shown(await source.dailyCloses('SOL'), DAY)).toEqual([0, 2]);
    expect(shown(await source.dailyCloses('ETH'), DAY)).toEqual([0, 1]);
    expect(await source.hourlyCloses('ETH')).toBeUndefined();
    expect(await source.dailyCloses('XRP')).toBeUndefined();
    expect(await source.dailyCloses('ADA')).toBeUndefined();
    // A series is read once.
    expect(await source.dailyCloses('BTC')).toBe(await source.dailyCloses('BTC'));
  });

  it('of bars before the hours begin are in front of them', async () => {
    const source = await storeOf([
      ['price BTC/USD kraken 1d', { 24: 1, 48: 2 }],
      ['price BTC/USD kraken 1h', { 48: 9, 72: 3 }],
    ]);
    expect(shown(await source.dailyCloses('BTC'), DAY)).toEqual([0, 1, 2, 3]);
  });

  it('have no rows that lack a number', async () => {
    const source = await storeOf([
      ['price BTC/USD kraken 1h', { 2: 2, 4: 4 }, { 1: 5, 2: 5, 3: 5, 4: 5, 5: 5 }],
    ]);
    expect(shown(await source.hourlyCloses('BTC'), T0)).toEqual([2, 2, _, 4]);
  });
});

describe('Volumes', () => {
  it('of a market are those of its bars, and on other days those of its own series', async () => {
    const source = await storeOf([
      ['price BTC/USD kraken 1d', { 24: 1, 48: 1, 72: 1 }, { 24: 5, 72: 7 }],
      ['volume BTC/USD kraken 1d', {}, { 48: 60, 72: 70, 96: 80 }],
      ['volume BTC/USDT binance 1d', {}, { 24: 9 }],
      ['price ETH/USD kraken 1d', { 24: 1 }, { 24: 3 }],
      ['price ETH/USD kraken 1h', { 24: 1 }, { 24: 4 }],
      ['price ETH/EUR kraken 1d', { 24: 1 }],
      ['price SOL/USD kraken 1h', { 24: 1 }, { 24: 4 }],
    ]);
    const volume = async (base: string, quote: string, exchange: string) =>
      shown(await source.baseVolume({ base, quote, exchange }), DAY);
    expect(await volume('BTC', 'USD', 'kraken')).toEqual([0, 5, 60, 7, 80]);
    expect(await volume('BTC', 'USDT', 'binance')).toEqual([0, 9]);
    expect(await volume('ETH', 'USD', 'kraken')).toEqual([0, 3]);
    for (const [base, quote] of [
      ['ETH', 'EUR'],
      ['SOL', 'USD'],
      ['ETH', 'USDT'],
    ])
      expect(await volume(base, quote, 'kraken'), `${base}/${quote}`).toBeUndefined();
    expect(source.markets().map(({ base, quote, exchange }) => `${base}/${quote} ${exchange}`)).toEqual([
      'BTC/USD kraken',
      'BTC/USDT binance',
      'ETH/USD kraken',
    ]);
  });
});

describe('Indices and funding rates', () => {
  it('are the daily index, and the settlements that the order of markets puts first', async () => {
    const source = await storeOf([
      ['index BTC deribit 1d', { 24: 50 }],
      ['index BTC deribit 1h', { 24: 60 }],
      ['index ETH deribit 1h', { 24: 70 }],
      ['funding BTC/USDT binance 8h', { 8: 1, 24: 2 }],
      ['funding BTC/USDT kraken 8h', { 8: 3 }],
      ['funding BTC/USD binance 1d', { 24: 4 }],
    ]);
    expect(shown(await source.volatilityIndex('BTC'), DAY)).toEqual([0, 50]);
    expect(await source.volatilityIndex('ETH')).toBeUndefined();
    const { rates, ...facts } = (await source.settlements('BTC')) ?? {};
    expect(facts).toEqual({
      market: { base: 'BTC', quote: 'USD', exchange: 'binance' },
      intervalHours: 24,
    });
    // A settlement is at its hour, also of days.
    expect(shown(rates, T0)).toEqual([24, 4]);
    expect(await source.settlements('ETH')).toBeUndefined();
    expect(source.symbols()).toEqual([]);
    expect(source.description).toMatch(/^store \/.*, without prices, version [0-9a-f]{12}$/);
  });
});

describe('The facts on a version', () => {
  const STORED: readonly Stored[] = [
    ['price BTC/USD kraken 1d', { 24: 1, 72: 2 }],
    ['price BTC/USD kraken 1h', { 30: 1, 32: 1, 35: 1 }],
    ['price BTC/USDT binance 1d', { 24: 1 }],
    ['price ETH/USD kraken 1h', { 25: 1, 71: 1 }],
    ['price SOL/USD kraken 1h', { 24: 1, 72: 1 }],
    // An earlier version of the program stored the dollar itself.
    ['price USD/USDT kraken 1d', { 24: 1 }],
    ['index BTC deribit 1d', { 24: 50 }],
  ];
  const rules = { ...DEFAULT_RULES, exchanges: ['kraken'] };
  it('are the range, the gaps and the series of each asset', async () => {
    const source = await storeOf(STORED, rules);
    const all = await source.assets();
    expect(all).toEqual([
      {
        symbol: 'BTC',
        firstDay: '2024-01-01',
        lastDay: '2024-01-03',
        lastHour: T0 + 72,
        missingDays: 1,
        hours: { first: '2024-01-02T05:00Z', last: '2024-01-02T10:00Z', held: 3, missing: 3 },
        sources: ['BTC/USD kraken 1d', 'BTC/USD kraken 1h'],
      },
      {
        symbol: 'ETH',
        // From the first midnight after its first hour to the last one before its last.
        firstDay: '2024-01-02',
        lastDay: '2024-01-02',
        lastHour: T0 + 71,
        missingDays: 0,
        hours: { first: '2024-01-02T00:00Z', last: '2024-01-03T22:00Z', held: 2, missing: 45 },
        sources: ['ETH/USD kraken 1h'],
      },
      expect.objectContaining({ symbol: 'SOL', firstDay: '2024-01-01', lastDay: '2024-01-03' }),
    ]);
    expect(await source.assets()).toBe(all);
    expect(source.youngestCloses()).toEqual([
      { symbol: 'BTC', lastHour: T0 + 72 },
      { symbol: 'ETH', lastHour: T0 + 71 },
      { symbol: 'SOL', lastHour: T0 + 72 },
    ]);
    expect(source.symbols()).toEqual(['BTC', 'ETH', 'SOL']);
    expect(source.sample).toBe(false);
    expect(source.description).toMatch(
      /^store \/.*, 3 assets, 2024-01-01 to 2024-01-03, version [0-9a-f]{12}$/,
    );
  });

  it('are its series, and whether the rules take them', async () => {
    const source = await storeOf(STORED, rules);
    expect(
      (await source.list()).map(
        ({ kind, asset, quote, exchange, timeframe, used, first, last, rows, gaps }) =>
          `${kind} ${asset}/${quote} ${exchange} ${timeframe} ${used} ${first} ${last} ${rows} ${gaps}`,
      ),
    ).toEqual([
      'index BTC/ deribit 1d true 2024-01-01 2024-01-01 1 0',
      'price BTC/USD kraken 1d true 2024-01-01 2024-01-03 2 1',
      'price BTC/USD kraken 1h true 2024-01-02T05:00Z 2024-01-02T10:00Z 3 3',
      'price BTC/USDT binance 1d false 2024-01-01 2024-01-01 1 0',
      'price ETH/USD kraken 1h true 2024-01-02T00:00Z 2024-01-03T22:00Z 2 45',
      'price SOL/USD kraken 1h true 2024-01-01T23:00Z 2024-01-03T23:00Z 2 47',
      'price USD/USDT kraken 1d false 2024-01-01 2024-01-01 1 0',
    ]);
  });

  it('are of these data under these rules', async () => {
    const source = await storeOf(STORED, rules);
    const same = await storeOf(STORED, rules);
    const otherRules = await storeOf(STORED, { ...rules, aliases: { A: 'B' } });
    const otherData = await storeOf(STORED.slice(1), rules);
    expect(same.version).toBe(source.version);
    expect(new Set([source, otherRules, otherData].map(({ version }) => version)).size).toBe(3);
  });
});
