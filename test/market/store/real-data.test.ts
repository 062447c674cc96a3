/** The real data of the shared folder in the store of the run of tests: figures recomputed from the files by plain reading. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { importFiles } from '#src/market/import/import-files.js';
import type { MarketData } from '#src/market/market-data.js';
import { formatFilled } from '#src/market/market-data.js';
import { formatIsoDate, parseIsoDate } from '#src/text/calendar-date.js';
import { listStore, manifestOf, withStore } from '../../support/market-files.ts';
import { describeWithSharedData, readCloses, readColumn } from '../../support/shared-data.ts';

const day = (text: string): number => parseIsoDate(text) as number;
const SOURCES = ['daily', 'hourly', 'stablecoin', 'dvol', 'exchange_volume', 'funding'];

describeWithSharedData('the real data, imported', dataDir => {
  // Imported by test/support/global-setup.ts; nothing writes to it.
  const store = inject('realMarketDb');
  const using = <T>(use: (market: MarketData) => Promise<T>): Promise<T> => withStore(store, use);
  const file = (name: string): string => join(dataDir, name);
  const files = SOURCES.flatMap(source => readdirSync(file(source)).map(name => file(join(source, name))));
  const observations = () =>
    files
      .map(path => {
        const [header, ...rows] = readFileSync(path, 'utf8').trim().split('\n');
        if (!header.startsWith('date,binance')) return rows.length;
        return rows.reduce(
          (sum, row) =>
            sum +
            row
              .split(',')
              .slice(1)
              .filter(field => field !== '').length,
          0,
        );
      })
      .reduce((sum, count) => sum + count, 0);

  it('is read completely, every row of every file', async () => {
    const { series } = await manifestOf(store);
    expect(series.reduce((sum, { rows }) => sum + rows, 0)).toBe(observations());
  });

  it('has the gaps of its description', async () => {
    const list = await listStore(store);
    const gaps = (id: string) => Number(/gaps=(\d+)/.exec(list.find(line => line.startsWith(id)) ?? '')?.[1]);
    const index = (asset: string) => gaps(`price ${asset}/USD index 1d`);
    expect([index('USDC'), index('USDT'), index('DAI')]).toEqual([341, 240, 233]);
    expect(gaps('price USDC/USDT binance 1d')).toBe(167);
    // 1+3+1+1+1+2+3+4+2+1 hours of outages.
    const hours = (asset: string) => gaps(`price ${asset}/USDT binance 1h`);
    expect([hours('BTC'), hours('ETH'), hours('PEPE')]).toEqual([19, 19, 0]);
    expect([
      gaps('price BTC/USDT binance 1d'),
      gaps('index BTC deribit 1d'),
      gaps('funding BTC/USDT binance 8h'),
    ]).toEqual([0, 0, 0]);
  });

  it('carries 9 closes of USDC in the 30 days to 2026-01-30', async () => {
    const window = await using(market =>
      market.dailyCloses(['BTC', 'PEPE', 'SOL', 'USDC'], day('2026-01-30'), 31),
    );
    expect(formatFilled(window.filled)).toBe('USDC=9');
    for (const [i, symbol] of ['btc', 'pepe', 'sol'].entries()) {
      expect(window.prices[i], symbol).toEqual(
        readCloses(file(`daily/${symbol}_usdt.csv`), '2026-01-30', 31),
      );
    }
    const dates = readColumn(file('stablecoin/usdc_usd.csv'), 'date');
    const prices = readColumn(file('stablecoin/usdc_usd.csv'), 'price').map(Number);
    // The snapshot of the morning after, or the latest one before it.
    const expected = Array.from({ length: 31 }, (_, i) => {
      const morning = formatIsoDate(day('2026-01-30') - 30 + i + 1);
      return prices[dates.findLastIndex(date => date <= morning)];
    });
    expect(Array.from(window.prices[3])).toEqual(expected);
  });

  it('closes each day of BTC, ETH, SOL and PEPE with the last hour', async () => {
    for (const [symbol, last, days] of [
      ['BTC', '2026-06-10', 1800],
      ['ETH', '2026-06-29', 1800],
      ['SOL', '2026-06-29', 1800],
      ['PEPE', '2026-03-01', 1000],
    ] as const) {
      await using(async market => {
        const daily = await market.dailyCloses([symbol], day(last), days);
        const hourly = await market.hourlyCloses(symbol, day(last), (days - 1) * 24 + 1);
        if ('missing' in hourly) throw new Error(hourly.missing);
        const midnights = Array.from(hourly.prices[0]).filter((_, i) => i % 24 === 0);
        expect(midnights, symbol).toEqual(Array.from(daily.prices[0]));
      });
    }
  });

  it('carries the 4 hours of the outage of 2021-08-13 and no future into them', async () => {
    await using(async market => {
      const window = await market.history(['BTC', 'ETH'], day('2021-08-14'), 2, { hours: 24, days: 1 });
      expect(formatFilled(window.filled)).toBe('BTC=4h,ETH=4h');
      // 72 points from 01:00 of 08-12; bars opening at 02:00 to 05:00 of 08-13 are missing, points 26 to 29.
      const [bitcoin] = window.prices;
      const before = readCloses(file('hourly/btc_usdt.csv'), '2021-08-13T01:00:00Z', 1)[0];
      expect(Array.from(bitcoin.subarray(25, 30))).toEqual([before, before, before, before, before]);
      expect(bitcoin[30]).toBe(readCloses(file('hourly/btc_usdt.csv'), '2021-08-13T06:00:00Z', 1)[0]);
    });
  });

  it('has a daily history with a stablecoin, an hourly one without', async () => {
    await using(async market => {
      const lead = { hours: 720, days: 30 };
      expect((await market.history(['BTC', 'SOL'], day('2026-01-30'), 30, lead)).gridHours).toBe(1);
      const daily = await market.history(['BTC', 'USDC'], day('2026-01-30'), 30, lead);
      expect(daily.gridHours).toBe(24);
      expect(daily.prices.map(({ length }) => length)).toEqual([60, 60]);
      // PEPE's hours begin on 2023-05-05, its days on 2023-05-06; the close of 05-05 is that of its last hour.
      expect((await market.history(['PEPE'], day('2023-07-10'), 30, lead)).gridHours).toBe(1);
      await expect(market.history(['PEPE'], day('2023-07-01'), 30, lead)).rejects.toMatchObject({
        faults: [
          { path: 'PEPE', message: expect.stringContaining('missing for 2023-05-03 to 2023-05-04 (2 days)') },
        ],
      });
    });
  });

  it('has the coins of Terra under the symbols of their trading time', async () => {
    await using(async market => {
      const { prices } = await market.dailyCloses(['LUNA', 'UST'], day('2022-05-12'), 5);
      expect(prices[0]).toEqual(readCloses(file('daily/luna_classic_usdt.csv'), '2022-05-12', 5));
      expect(prices[1]).toEqual(readCloses(file('daily/ust_classic_usdt.csv'), '2022-05-12', 5));
    });
  });

  it('lets MATIC stop 2 days before a window and not 3', async () => {
    await using(async market => {
      expect(formatFilled((await market.dailyCloses(['MATIC'], day('2024-09-11'), 30)).filled)).toBe(
        'MATIC=2',
      );
      await expect(market.dailyCloses(['BTC', 'MATIC'], day('2024-09-12'), 30)).rejects.toMatchObject({
        faults: [
          {
            path: 'MATIC',
            message:
              'The daily price of MATIC is missing for 2024-09-10 to 2024-09-12 (3 days); available: 2019-04-26 to 2024-09-09',
          },
        ],
      });
    });
  });

  it('has the volatility indices from 2021-03-24 on, and names this date before', async () => {
    const closes = readColumn(file('dvol/btc_dvol.csv'), 'close').map(Number);
    await using(async market => {
      expect((await market.volatilityIndex(day('2021-03-24'))).levels.BTC).toBe(closes[0]);
      expect((await market.volatilityIndex(day('2026-04-07'))).levels.BTC).toBe(closes.at(-1));
      await expect(market.volatilityIndex(day('2021-03-23'))).rejects.toMatchObject({
        reason: 'missing-market-data',
        faults: [
          {
            path: 'volatility_index.BTC',
            message: expect.stringContaining('available: 2021-03-24 to 2026-04-05'),
          },
          {
            path: 'volatility_index.ETH',
            message: expect.stringContaining('available: 2021-03-24 to 2026-04-05'),
          },
        ],
      });
      await expect(market.volatilityIndex(day('2026-04-08'))).rejects.toThrow();
    });
  });

  it('sums the volume of markets in USD, and refuses a day without one', async () => {
    const markets = [
      { base: 'BTC', quote: 'USDT', exchange: 'binance' },
      { base: 'BTC', quote: 'USD', exchange: 'kraken' },
    ];
    const dates = readColumn(file('exchange_volume/btc_daily_volume.csv'), 'date');
    const last = dates.indexOf('2024-02-20');
    const column = (name: string): number[] =>
      readColumn(file('exchange_volume/btc_daily_volume.csv'), name)
        .slice(last - 4, last + 1)
        .map(Number);
    const closes = readCloses(file('daily/btc_usdt.csv'), '2024-02-20', 5);
    const kraken = column('kraken_usd');
    const expected = column('binance_usdt').map((volume, i) => volume * closes[i] + kraken[i] * closes[i]);
    await using(async market => {
      const { volumeUsd, filled } = await market.dailyVolumeUsd(markets, day('2024-02-20'), 5);
      expect(Array.from(volumeUsd)).toEqual(expected);
      expect(filled).toEqual([]);
      await expect(market.dailyVolumeUsd(markets, day('2024-03-21'), 5)).rejects.toMatchObject({
        faults: [
          {
            path: 'markets.1',
            message:
              'The volume of BTC/USD on kraken is missing for 2024-03-20 to 2024-03-21 (2 days); available: 2017-08-17 to 2024-03-19',
          },
        ],
      });
      // The market of USDC is the pair's; its volume comes from the bars, its price from the snapshots.
      const stable = [{ base: 'USDC', quote: 'USDT', exchange: 'binance' }];
      expect((await market.dailyVolumeUsd(stable, day('2023-12-29'), 5)).volumeUsd.every(v => v > 1e8)).toBe(
        true,
      );
    });
  });

  it('is reported by file, and not changed by a second import', { tags: ['slow'] }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'market-real-'));
    try {
      const own = join(folder, 'market');
      const report = await importFiles({ store: own, paths: [dataDir] });
      expect(report.files.map(({ path }) => path).sort()).toEqual(files.toSorted());
      expect(report.files.reduce((sum, { added }) => sum + added, 0)).toBe(observations());
      const before = await manifestOf(own);
      const again = await importFiles({ store: own, paths: [dataDir] });
      expect(again.files.reduce((sum, { added, replaced }) => sum + added + replaced, 0)).toBe(0);
      expect(again.changed).toBe(false);
      expect(await manifestOf(own)).toEqual(before);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
