import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openSampleMarket } from '#src/market/sample-market.js';
import { dayOf, parseIsoDate } from '#src/text/calendar-date.js';

const day = (text: string): number => parseIsoDate(text) as number;
const at = (text: string) => openSampleMarket(() => new Date(text));

const COINS = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP', 'ADA', 'DOGE', 'AVAX', 'LINK', 'LTC', 'PEPE', 'PAXG'];
const STABLECOINS = ['USDC', 'USDT', 'DAI'];
const EVERYTHING = [...COINS, ...STABLECOINS];
const MARKETS = [
  { base: 'BTC', quote: 'USDT', exchange: 'binance' },
  { base: 'BTC', quote: 'USD', exchange: 'kraken' },
  { base: 'BTC', quote: 'USD', exchange: 'coinbase' },
];

function moments(prices: Float64Array): { returns: number[]; annualVolatility: number } {
  const returns = Array.from(prices.subarray(1), (price, i) => Math.log(price / prices[i]));
  const mean = returns.reduce((sum, r) => sum + r, 0) / returns.length;
  const variance = returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / (returns.length - 1);
  return {
    returns: returns.map(r => (r - mean) / Math.sqrt(variance)),
    annualVolatility: Math.sqrt(variance * 365),
  };
}

describe('the sample market', () => {
  it('is marked as a sample', () => {
    const market = at('2026-01-30T12:34:56Z');
    expect(market.sample).toBe(true);
    expect(market.description).toBe(
      'synthetic sample market, 15 assets, hourly from 2021-01-01 to the present hour',
    );
  });

  it('never changes a past value', async () => {
    const lastDay = day('2024-05-20');
    const answers = [];
    for (const now of [
      '2024-05-21T00:00:00Z',
      '2024-05-21T17:45:00Z',
      '2026-11-21T03:00:00Z',
      '2031-02-03T04:05:06Z',
    ]) {
      const market = at(now);
      answers.push({
        daily: await market.dailyCloses(EVERYTHING, lastDay, 400),
        hourly: await market.history(EVERYTHING, lastDay, 20, { hours: 48, days: 2 }),
        index: await market.volatilityIndex(lastDay),
        volume: await market.dailyVolumeUsd(MARKETS, lastDay, 90),
      });
    }
    for (const answer of answers.slice(1)) expect(answer).toEqual(answers[0]);
  });

  it('makes one series in a turn of the event loop, and each once', async () => {
    const market = at('2026-01-30T12:00:00Z');
    let turn = 0;
    const count = () => {
      turn += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const read = async (symbol: string) => {
      const { prices } = await market.dailyCloses([symbol], day('2026-01-29'), 10);
      return { turn, prices };
    };
    const made = await Promise.all(EVERYTHING.map(read));
    expect(new Set(made.map(each => each.turn)).size).toBe(EVERYTHING.length);
    const again = await Promise.all(EVERYTHING.map(read));
    clearImmediate(immediate);
    expect(again.map(({ prices }) => prices)).toEqual(made.map(({ prices }) => prices));
    expect(new Set(again.map(each => each.turn)).size).toBe(1);
  });

  it('has the same values on every machine', async () => {
    // Written down from a run: sums and products of doubles alone, so equal to the last bit anywhere.
    const market = at('2026-01-30T12:00:00Z');
    const { prices } = await market.dailyCloses(['BTC', 'PEPE', 'USDC'], day('2026-01-29'), 1);
    expect(prices.map(([close]) => close)).toEqual([
      50614.826571614, 0.0000021083841060346358, 0.9998602864317875,
    ]);
  });

  it('has the same values on every machine for every asset, market and index', async () => {
    const lastDay = day('2022-03-01');
    const days = lastDay - day('2021-01-01') + 1;
    const market = at('2022-03-02T05:00:00Z');
    const hashes = async () => {
      const hours = await Promise.all(
        EVERYTHING.map(symbol => market.hourlyCloses(symbol, lastDay, 24 * days)),
      );
      const { prices } = await market.dailyCloses(EVERYTHING, lastDay, days);
      const markets = (await market.list()).filter(({ kind }) => kind === 'volume');
      const volumes = markets.map(({ asset: base, quote, exchange }) =>
        market.dailyVolumeUsd([{ base, quote, exchange }], lastDay, days),
      );
      const index = Array.from(
        { length: days },
        async (_, i) => (await market.volatilityIndex(lastDay - i)).levels,
      );
      const levels = (await Promise.all(index)).flatMap(({ BTC, ETH }) => [BTC, ETH]);
      const hashOf = (all: readonly Float64Array[]) => {
        const hash = createHash('sha256');
        for (const values of all)
          hash.update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
        return hash.digest('hex').slice(0, 16);
      };
      return {
        hours: hashOf(hours.flatMap(window => ('missing' in window ? [] : window.prices))),
        days: hashOf(prices),
        volumes: hashOf((await Promise.all(volumes)).map(({ volumeUsd }) => volumeUsd)),
        index: hashOf([Float64Array.from(levels)]),
      };
    };
    // Written down from a run.
    expect(await hashes()).toEqual({
      hours: '0ad356ab6789686d',
      days: '9e55b683556dd89f',
      volumes: 'a4cef9a3caea80dd',
      index: 'f75eaaaa2414c456',
    });
  });

  it('has every hour and day up to its moment, and none before its first', async () => {
    const held = async (now: string) => {
      const market = at(now);
      const [asset] = await market.assets();
      const list = await market.list();
      return {
        closes: market.youngestCloses().length,
        asset: asset && `${asset.firstDay} ${asset.lastDay} ${JSON.stringify(asset.hours)}`,
        index: `${list[0].asset} ${list[0].first} ${list[0].last} ${list[0].rows}`,
        hours: `${list[2].asset} ${list[2].first} ${list[2].last} ${list[2].rows}`,
        volume: `${list[17].asset} ${list[17].exchange} ${list[17].first} ${list[17].last} ${list[17].rows}`,
      };
    };
    expect(await held('2021-01-02T00:59:59Z')).toEqual({
      closes: 15,
      asset:
        '2021-01-01 2021-01-01 {"first":"2021-01-01T00:00Z","last":"2021-01-01T23:00Z","held":24,"missing":0}',
      index: 'BTC 2021-01-01 2021-01-01 1',
      hours: 'ADA 2021-01-01T00:00Z 2021-01-01T23:00Z 24',
      volume: 'BTC binance 2021-01-01 2021-01-01 1',
    });
    expect(await held('2021-01-01T23:59:59Z')).toMatchObject({ closes: 0, asset: undefined });
    const market = at('2021-01-03T05:00:00Z');
    expect(market.youngestCloses()[0]).toEqual({ symbol: 'ADA', lastHour: 24 * day('2021-01-03') + 5 });
    expect((await market.assets())[0]).toEqual({
      symbol: 'ADA',
      firstDay: '2021-01-01',
      lastDay: '2021-01-02',
      lastHour: 24 * day('2021-01-03') + 5,
      missingDays: 0,
      hours: { first: '2021-01-01T00:00Z', last: '2021-01-03T04:00Z', held: 53, missing: 0 },
      sources: ['ADA/USD sample 1h'],
    });
    expect((await market.list()).every(({ used, gaps }) => used && gaps === 0)).toBe(true);
    expect(await market.hourlyCloses('BTC', day('2021-01-02'), 48)).toHaveProperty('prices');
    expect(await market.hourlyCloses('BTC', day('2021-01-02'), 55)).toHaveProperty('partlyHeld', true);
  });

  it('lacks what no day has yet, what it does not have, and funding rates', async () => {
    const market = at('2021-01-01T05:00:00Z');
    const refusals = await Promise.all(
      [
        market.dailyCloses(['BTC'], day('2021-01-01'), 1),
        market.volatilityIndex(day('2021-01-01')),
        market.fundingRates('BTC', day('2021-01-01'), 1),
        market.dailyVolumeUsd([MARKETS[0]], day('2021-01-01'), 1),
        at('2022-01-01T00:00:00Z').dailyVolumeUsd([{ ...MARKETS[0], quote: 'USD' }], day('2021-01-05'), 1),
        at('2022-01-01T00:00:00Z').dailyVolumeUsd([{ ...MARKETS[0], base: 'USDC' }], day('2021-01-05'), 1),
      ].map(asked =>
        asked.then(
          () => 'held',
          ({ faults }) => faults[0].message.split(';')[0],
        ),
      ),
    );
    expect(refusals).toEqual([
      'A price of BTC is not available',
      'The volatility index of BTC is not available',
      'No funding rate of BTC is available',
      'The volume of BTC/USDT on binance is not available',
      'The volume of BTC/USD on binance is not available',
      'The volume of USDC/USDT on binance is not available',
    ]);
  });

  it('continues while a server runs', async () => {
    let now = new Date('2026-01-30T12:59:59Z');
    const market = openSampleMarket(() => now);
    const last = async () =>
      (await market.list()).find(({ kind, asset }) => kind === 'price' && asset === 'BTC')?.last;
    expect(await last()).toBe('2026-01-30T11:00Z');
    await market.dailyCloses(['BTC'], dayOf(now) - 1, 2);
    now = new Date('2026-01-31T00:00:00Z');
    expect(await last()).toBe('2026-01-30T23:00Z');
    expect((await market.dailyCloses(['BTC'], day('2026-01-30'), 2)).filled).toEqual([]);
  });

  it('does not depend on later hours', async () => {
    const market = at('2026-01-30T12:34:56Z');
    await expect(market.dailyCloses(['BTC'], day('2026-02-02'), 2)).rejects.toMatchObject({
      faults: [{ message: expect.stringContaining('available: 2021-01-01 to 2026-01-29') }],
    });
  });

  it('has more than 4 years of hours without a gap, at positive prices', async () => {
    const market = at('2026-01-30T12:34:56Z');
    const window = await market.history(EVERYTHING, day('2026-01-29'), 1500, { hours: 720, days: 30 });
    expect(window.gridHours).toBe(1);
    expect(window.filled).toEqual([]);
    for (const [i, prices] of window.prices.entries()) {
      expect(prices.length).toBe(1500 * 24 + 720);
      expect(
        prices.every(price => price > 0 && Number.isFinite(price)),
        EVERYTHING[i],
      ).toBe(true);
    }
  });

  it('closes each day with its last hour', async () => {
    const market = at('2026-01-30T12:34:56Z');
    const daily = await market.dailyCloses(['ETH'], day('2026-01-29'), 300);
    const hourly = await market.hourlyCloses('ETH', day('2026-01-29'), 299 * 24 + 1);
    if ('missing' in hourly) throw new Error(hourly.missing);
    expect(Array.from(daily.prices[0])).toEqual(Array.from(hourly.prices[0]).filter((_, i) => i % 24 === 0));
  });

  it('is volatile and correlated, in calm and wild periods', async () => {
    const market = at('2026-01-30T12:34:56Z');
    const { prices } = await market.dailyCloses(EVERYTHING, day('2026-01-29'), 1500);
    const series = prices.map(moments);
    const correlation = (a: number, b: number): number =>
      series[a].returns.reduce((sum, r, i) => sum + r * series[b].returns[i], 0) /
      (series[a].returns.length - 1);
    const volatility = (symbol: string): number => series[EVERYTHING.indexOf(symbol)].annualVolatility;
    expect(volatility('BTC')).toBeGreaterThan(0.4);
    expect(volatility('BTC')).toBeLessThan(0.7);
    expect(volatility('PEPE')).toBeGreaterThan(1);
    expect(volatility('PAXG')).toBeLessThan(0.25);
    expect(correlation(0, 1)).toBeGreaterThan(0.75);
    expect(Math.abs(correlation(0, EVERYTHING.indexOf('PAXG')))).toBeLessThan(0.25);
    // Volatility clusters: squares of returns are correlated with those of the next day. 1,500 independent ones would
    // show 0 with a standard error of 0.026.
    const squares = series[0].returns.map(r => r * r - 1);
    const products = squares.slice(1).reduce((sum, square, i) => sum + square * squares[i], 0);
    expect(products / squares.reduce((sum, square) => sum + square * square, 0)).toBeGreaterThan(0.06);
  });

  it('has stablecoins near 1', async () => {
    const market = at('2026-01-30T12:34:56Z');
    const { prices } = await market.history(STABLECOINS, day('2026-01-29'), 1500, { hours: 1, days: 1 });
    for (const [i, closes] of prices.entries()) {
      const far = Math.max(...Array.from(closes, close => Math.abs(close - 1)));
      expect(far, STABLECOINS[i]).toBeLessThan(0.005);
      expect(moments(closes).annualVolatility, STABLECOINS[i]).toBeGreaterThan(0);
    }
  });

  it('has an index of the size of the volatility that follows', async () => {
    const market = at('2026-01-30T12:34:56Z');
    for (let date = day('2021-02-01'); date < day('2026-01-29'); date += 50) {
      const { BTC, ETH } = (await market.volatilityIndex(date)).levels;
      expect(BTC, String(date)).toBeGreaterThan(15);
      expect(ETH, String(date)).toBeGreaterThan(BTC);
      expect(ETH, String(date)).toBeLessThan(200);
    }
    await expect(market.volatilityIndex(day('2020-12-31'))).rejects.toMatchObject({
      faults: [
        { message: expect.stringContaining('available: 2021-01-01') },
        { path: 'volatility_index.ETH' },
      ],
    });
  });

  it('has volumes on three exchanges, the same for each coin', async () => {
    const market = at('2026-01-30T12:34:56Z');
    for (const base of COINS) {
      const markets = MARKETS.map(each => ({ ...each, base }));
      const { volumeUsd } = await market.dailyVolumeUsd(markets, day('2026-01-29'), 365);
      const mean = volumeUsd.reduce((sum, volume) => sum + volume, 0) / 365;
      expect(Math.min(...volumeUsd), base).toBeGreaterThan(0);
      expect(mean, base).toBeGreaterThan(1e6);
    }
    await expect(
      market.dailyVolumeUsd([{ base: 'BTC', quote: 'USD', exchange: 'nowhere' }], day('2026-01-29'), 1),
    ).rejects.toMatchObject({ faults: [{ message: expect.stringContaining('BTC/USD on kraken') }] });
  });

  it('lists its series', async () => {
    const list = await at('2026-01-30T12:34:56Z').list();
    expect(list).toHaveLength(12 * 3 + 15 + 2);
    expect(list.find(({ kind, asset }) => kind === 'price' && asset === 'PEPE')).toEqual({
      kind: 'price',
      asset: 'PEPE',
      quote: 'USD',
      exchange: 'sample',
      timeframe: '1h',
      used: true,
      first: '2021-01-01T00:00Z',
      last: '2026-01-30T11:00Z',
      rows: (day('2026-01-30') - day('2021-01-01')) * 24 + 12,
      gaps: 0,
    });
  });

  it('is empty before its first day, and works with a clock at that day', async () => {
    const market = at('2020-06-01T00:00:00Z');
    expect((await market.list())[0].rows).toBe(0);
    await expect(market.dailyCloses(['BTC'], day('2020-05-31'), 2)).rejects.toMatchObject({
      reason: 'missing-market-data',
    });
  });
});
