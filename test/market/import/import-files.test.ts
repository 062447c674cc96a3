/** Importing: what is recognised, what is refused, and that it is all or nothing. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportError } from '#src/market/import/import-error.js';
import { importFiles, planImport } from '#src/market/import/import-files.js';
import { parseIsoDate } from '#src/text/calendar-date.js';
import {
  listStore,
  manifestOf,
  storedRows,
  temporaryFolder,
  withStore,
  writeFiles,
} from '../../support/market-files.ts';

const day = (text: string): number => parseIsoDate(text) as number;

const BAR = 'date,open,high,low,close,volume';
const HOUR = 'timestamp,open,high,low,close,volume';
const GOOD: Readonly<Record<string, readonly string[]>> = {
  'daily/btc_usdt.csv': [BAR, '2024-01-01,10,12,9,11,100', '2024-01-02,11,13,10,12,200'],
  'daily/luna_classic_usdt.csv': [BAR, '2022-05-01,80,85,75,81,7'],
  'hourly/btc_usdt.csv': [HOUR, '2024-01-01T22:00:00Z,10,12,9,10.5,4', '2024-01-01T23:00:00Z,10.5,12,9,11,5'],
  'stablecoin/usdc_usd.csv': [
    'date,timestamp,price',
    '2024-01-02,2024-01-01T23:32:28Z,0.999',
    '2024-01-03,2024-01-03T00:00:03Z,1.001',
  ],
  'dvol/btc_dvol.csv': ['date,open,high,low,close', '2024-01-01,50,55,49,52.5'],
  'exchange_volume/btc_daily_volume.csv': [
    'date,binance_usdt,kraken_usd',
    '2024-01-01,100,7',
    '2024-01-02,,8',
    '2024-01-03,300,',
  ],
  'funding/binance_btc_usdt_perp.csv': [
    'timestamp,funding_rate',
    '2024-01-01T00:00:00Z,0.0001',
    '2024-01-01T08:00:00Z,-0.0002',
  ],
};

async function faultsOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ImportError);
  return (error as ImportError).message;
}

describe('an import', () => {
  it('reads every kind of file into series of the right symbol, moment and number', async () => {
    const folder = writeFiles(temporaryFolder(), GOOD);
    const store = join(folder, 'made/on/demand/market');
    const report = await importFiles({ store, paths: [folder] });
    expect(report.files).toHaveLength(7);
    expect(report.files.reduce((sum, { added }) => sum + added, 0)).toBe(2 + 1 + 2 + 2 + 1 + 4 + 2);
    expect(report.leftAside).toEqual([]);
    await withStore(store, async market => {
      const bitcoin = await market.dailyCloses(['BTC'], day('2024-01-02'), 2);
      expect([...bitcoin.prices[0]]).toEqual([11, 12]);
      // A snapshot of 00:00 of 01-02 is the close of 01-01.
      const usdc = await market.dailyCloses(['USDC'], day('2024-01-02'), 2);
      expect([...usdc.prices[0]]).toEqual([0.999, 1.001]);
      // The bar that opens at 23:00 closes with the day.
      const hourly = await market.hourlyCloses('BTC', day('2024-01-01'), 2);
      expect('missing' in hourly ? hourly.missing : [...hourly.prices[0]]).toEqual([10.5, 11]);
      expect([...(await market.dailyCloses(['LUNA'], day('2022-05-01'), 1)).prices[0]]).toEqual([81]);
    });
    expect(await listStore(store)).toEqual([
      'funding BTC/USDT binance 8h 2024-01-01T00:00Z 2024-01-01T08:00Z rows=2 gaps=0',
      'index BTC deribit 1d 2024-01-01 2024-01-01 rows=1 gaps=0',
      'price BTC/USDT binance 1d 2024-01-01 2024-01-02 rows=2 gaps=0',
      'price BTC/USDT binance 1h 2024-01-01T22:00Z 2024-01-01T23:00Z rows=2 gaps=0',
      'price LUNA/USDT binance 1d 2022-05-01 2022-05-01 rows=1 gaps=0',
      // A snapshot of 00:00 is the close of the day before.
      'price USDC/USD index 1d 2024-01-01 2024-01-02 rows=2 gaps=0',
      'volume BTC/USD kraken 1d 2024-01-01 2024-01-02 rows=2 gaps=0',
      'volume BTC/USDT binance 1d 2024-01-01 2024-01-03 rows=2 gaps=1',
    ]);
  });

  it('has the moment, the numbers and the source of every row', async () => {
    const folder = writeFiles(temporaryFolder(), GOOD);
    const store = join(folder, 'market');
    await importFiles({ store, paths: [folder] });
    const file = join(folder, 'exchange_volume/btc_daily_volume.csv');
    expect(
      await storedRows(store, 'price BTC/USDT binance 1d', ['final_at', 'open', 'close', 'volume', 'import']),
    ).toEqual([
      [Date.UTC(2024, 0, 2), 10, 11, 100, 1],
      [Date.UTC(2024, 0, 3), 11, 12, 200, 1],
    ]);
    const rows = await storedRows(store, 'volume BTC/USD kraken 1d', ['final_at', 'hour', 'close', 'file']);
    const [[, , , files]] = rows;
    const first = 24 * day('2024-01-02');
    expect(rows).toEqual([0, 24].map(i => [(first + i) * 3_600_000, first + i, Number.NaN, files]));
    const record = JSON.parse(readFileSync(join(store, 'imports/1.json'), 'utf8'));
    expect(record.sources[Number(files)]).toEqual({
      source: realpathSync(file),
      sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
    });
  });

  it('changes nothing when it is repeated, and reports this', async () => {
    const folder = writeFiles(temporaryFolder(), GOOD);
    const store = join(folder, 'market');
    await importFiles({ store, paths: [folder] });
    const before = await manifestOf(store);
    const { files, changed } = await importFiles({ store, paths: [folder] });
    expect(changed).toBe(false);
    expect(files.map(({ added, replaced }) => added + replaced)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(files.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(14);
    expect(await manifestOf(store)).toEqual(before);
  });

  it('adds new rows, replaces those that differ and leaves the rest', async () => {
    const folder = writeFiles(temporaryFolder(), { 'daily/btc_usdt.csv': GOOD['daily/btc_usdt.csv'] });
    const store = join(folder, 'market');
    await importFiles({ store, paths: [folder] });
    writeFiles(folder, {
      'daily/btc_usdt.csv': [
        BAR,
        '2024-01-01,10,12,9,11,100',
        '2024-01-02,11,13,10,12.5,200',
        '2024-01-03,12,14,11,13,300',
      ],
    });
    const { files } = await importFiles({ store, paths: [folder], replace: true });
    expect(files).toMatchObject([{ added: 1, replaced: 1, unchanged: 1 }]);
    await withStore(store, async market => {
      expect([...(await market.dailyCloses(['BTC'], day('2024-01-03'), 3)).prices[0]]).toEqual([
        11, 12.5, 13,
      ]);
    });
    // The older file no longer has the last day; what it does not mention stays.
    writeFiles(folder, { 'daily/btc_usdt.csv': GOOD['daily/btc_usdt.csv'] });
    expect((await importFiles({ store, paths: [folder], replace: true })).files).toMatchObject([
      { added: 0, replaced: 1, unchanged: 1 },
    ]);
    expect((await listStore(store))[0]).toContain('rows=3');
  });

  it('imports two files of one series at once, and the later one replaces rows of the first', async () => {
    const folder = temporaryFolder();
    const first = writeFiles(join(folder, 'a'), { 'daily/btc_usdt.csv': [BAR, '2024-01-01,10,12,9,11,100'] });
    const second = writeFiles(join(folder, 'b'), {
      'daily/btc_usdt.csv': [BAR, '2024-01-01,10,12,9,11.5,100', '2024-01-02,11,13,10,12,200'],
    });
    const store = join(folder, 'market');
    const { files } = await importFiles({ store, paths: [first, second, first] });
    expect(files.map(({ added, replaced }) => [added, replaced])).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });

  it('imports one file, or one folder of the layout', async () => {
    const folder = writeFiles(temporaryFolder(), GOOD);
    const store = join(folder, 'market');
    await importFiles({ store, paths: [join(folder, 'dvol/btc_dvol.csv')] });
    expect((await listStore(store)).map(line => line.split(' ')[0])).toEqual(['index']);
    await importFiles({ store, paths: [join(folder, 'daily')] });
    expect((await listStore(store)).map(line => line.split(' ')[0])).toEqual(['index', 'price', 'price']);
  });

  it('understands a byte order mark and lines that end with CR LF', async () => {
    const folder = writeFiles(temporaryFolder(), { 'daily/btc_usdt.csv': [] });
    writeFileSync(join(folder, 'daily/btc_usdt.csv'), `\ufeff${GOOD['daily/btc_usdt.csv'].join('\r\n')}\r\n`);
    const store = join(folder, 'market');
    expect((await importFiles({ store, paths: [folder] })).files).toMatchObject([{ added: 2 }]);
  });

  it('does not take an error of the program for a fault of a file', async () => {
    const folder = writeFiles(temporaryFolder(), GOOD);
    const options = {
      get asset(): string {
        throw new TypeError('a defect');
      },
    };
    await expect(importFiles({ store: join(folder, 'market'), paths: [folder], options })).rejects.toThrow(
      TypeError,
    );
  });

  it('reports its progress after each file', async () => {
    const folder = writeFiles(temporaryFolder(), GOOD);
    const progress: [number, number][] = [];
    await importFiles({
      store: join(folder, 'market'),
      paths: [folder],
      onProgress: (done, total) => progress.push([done, total]),
    });
    expect(progress).toHaveLength(7);
    expect(progress.at(-1)?.[0]).toBe(progress[0][1]);
    expect(progress.map(([done]) => done)).toEqual(progress.map(([done]) => done).sort((a, b) => a - b));
  });
});

describe('rows held with other numbers', () => {
  /** Days with closes of 1, `changed` of them with 2. */
  const files = (days: number, changed: number) => {
    const dates = Array.from({ length: days }, (_, i) => new Date(Date.UTC(2023, 0, 1 + i)).toISOString());
    const lines = dates.map((date, i) => `${date.slice(0, 10)},${i < changed ? 2 : 1}`);
    return { 'daily/btc_usdt.csv': ['date,close', ...lines] };
  };
  async function changing(days: number, changed: number): Promise<string> {
    const folder = temporaryFolder();
    const store = join(folder, 'market');
    await importFiles({ store, paths: [writeFiles(join(folder, 'a'), files(days, 0))] });
    const paths = [writeFiles(join(folder, 'b'), files(days, changed))];
    return importFiles({ store, paths }).then(
      () => 'imported',
      (error: Error) => error.message.split('\n')[0].replace(folder, ''),
    );
  }

  it('are replaced up to a hundredth of them, and refused beyond it', async () => {
    expect(await changing(100, 1)).toBe('imported');
    const refused =
      '/b/daily/btc_usdt.csv: 1 of the 99 rows held of price BTC/USDT binance 1d would get other numbers';
    expect(await changing(99, 1)).toBe(refused);
  });

  it('are those of earlier imports, over all files of a series', async () => {
    const folder = temporaryFolder();
    const store = join(folder, 'market');
    await importFiles({ store, paths: [writeFiles(join(folder, 'a'), files(150, 0))] });
    const paths = [1, 2].map(changed => writeFiles(join(folder, `b${changed}`), files(150, changed)));
    await expect(importFiles({ store, paths })).rejects.toThrow(
      `${folder}/b1/daily/btc_usdt.csv: 2 of the 150 rows held`,
    );
  });
});

describe('a market from two sources', () => {
  const bars = { 'daily/btc_usdt.csv': GOOD['daily/btc_usdt.csv'] };
  const columns = {
    'exchange_volume/btc_daily_volume.csv': ['date,binance_usdt', '2024-01-02,999', '2024-01-03,300'],
  };
  const binance = [{ base: 'BTC', quote: 'USDT', exchange: 'binance' }];

  it.each([
    ['daily/ first', [bars, columns]],
    ['exchange_volume/ first', [columns, bars]],
  ])('has the volume of daily/, and of exchange_volume/ on other days: %s', async (_, order) => {
    const folder = temporaryFolder();
    const store = join(folder, 'market');
    for (const [i, files] of order.entries()) {
      await importFiles({ store, paths: [writeFiles(join(folder, String(i)), files)] });
    }
    await withStore(store, async market => {
      const { volumeUsd } = await market.dailyVolumeUsd(binance, day('2024-01-03'), 3);
      // 01-03 has no close, so that of 01-02 counts.
      expect([...volumeUsd]).toEqual([100 * 11, 200 * 12, 300 * 12]);
    });
  });
});

describe('an asset from several sources', () => {
  const days = { 'daily/btc_usdt.csv': [BAR, '2024-01-01,10,12,9,10.25,1', '2024-01-02,10,12,9,11,1'] };
  const hours = {
    'hourly/btc_usdt.csv': [
      HOUR,
      ...[1, 2, 3, 4].map(date => `2024-01-0${date}T23:00:00Z,10,12,9,${10 + date / 10},4`),
    ],
  };

  it.each([
    ['days first', [days, hours]],
    ['hours first', [hours, days]],
  ])('has the closes of its days, and of the midnights of its hours on later days: %s', async (_, order) => {
    const folder = temporaryFolder();
    const store = join(folder, 'market');
    for (const [i, files] of order.entries()) {
      await importFiles({ store, paths: [writeFiles(join(folder, String(i)), files)] });
    }
    await withStore(store, async market => {
      const { prices, filled } = await market.dailyCloses(['BTC'], day('2024-01-04'), 4);
      expect([...prices[0]]).toEqual([10.25, 11, 10.3, 10.4]);
      expect(filled).toEqual([]);
    });
  });

  it('is priced by its snapshots alone, and then has no hourly price', async () => {
    const folder = writeFiles(temporaryFolder(), {
      'daily/usdc_usdt.csv': [BAR, '2024-01-01,2,2,2,2,5', '2024-01-02,2,2,2,2,5'],
      'hourly/usdc_usdt.csv': [HOUR, '2024-01-01T23:00:00Z,2,2,2,2,5'],
      'stablecoin/usdc_usd.csv': GOOD['stablecoin/usdc_usd.csv'],
    });
    const store = join(folder, 'market');
    await importFiles({ store, paths: [folder] });
    await withStore(store, async market => {
      expect([...(await market.dailyCloses(['USDC'], day('2024-01-02'), 2)).prices[0]]).toEqual([
        0.999, 1.001,
      ]);
      expect(await market.hourlyCloses('USDC', day('2024-01-01'), 1)).toHaveProperty('missing');
      const { volumeUsd } = await market.dailyVolumeUsd(
        [{ base: 'USDC', quote: 'USDT', exchange: 'binance' }],
        day('2024-01-02'),
        1,
      );
      expect([...volumeUsd]).toEqual([5 * 1.001]);
    });
  });

  it('is priced against USDT before USDC, and by midnight hours where it has no days', async () => {
    const folder = writeFiles(temporaryFolder(), {
      'daily/eth_usdc.csv': [BAR, '2024-01-01,3,3,3,3,5'],
      'daily/eth_usdt.csv': [BAR, '2024-01-01,2,2,2,2,5'],
      'daily/sol_usdc.csv': [BAR, '2024-01-01,7,7,7,7,5'],
      'hourly/btc_usdt.csv': GOOD['hourly/btc_usdt.csv'],
    });
    const store = join(folder, 'market');
    await importFiles({ store, paths: [folder] });
    await withStore(store, async market => {
      const { prices } = await market.dailyCloses(['ETH', 'SOL', 'BTC'], day('2024-01-01'), 1);
      expect(prices.map(([close]) => close)).toEqual([2, 7, 11]);
    });
  });
});

/** Rows of one market in the forms in which people have them: name of the file, its lines, options, the series it makes. */
const T0 = Date.UTC(2024, 0, 1);
const H = 3_600_000;
const FORMS: readonly (readonly [string, string, readonly string[], object, string])[] = [
  [
    'ccxt rows without a header, milliseconds',
    'btc.csv',
    [`${T0},10,12,9,11,5`, `${T0 + H},11,12,10,12,6`],
    { asset: 'BTC', quote: 'USD', exchange: 'kraken' },
    'price BTC/USD kraken 1h 2024-01-01T00:00Z 2024-01-01T01:00Z rows=2 gaps=0',
  ],
  [
    'ccxt rows with a header, another case',
    'Kraken_ETH-USD_1h.csv',
    ['Timestamp,Open,High,Low,Close,Volume', `${T0},10,12,9,11,5`, `${T0 + H},11,12,10,12,6`],
    {},
    'price ETH/USD kraken 1h 2024-01-01T00:00Z 2024-01-01T01:00Z rows=2 gaps=0',
  ],
  [
    'date,close',
    'solusd.csv',
    ['date,close', '2024-01-01,10', '2024-01-02,11'],
    { exchange: 'coinbase' },
    'price SOL/USD coinbase 1d 2024-01-01 2024-01-02 rows=2 gaps=0',
  ],
  [
    'date,price of CoinGecko, whose last row is the present moment',
    'btc-usd-max.csv',
    [
      'snapped_at,price,market_cap,total_volume',
      '2024-01-02 00:00:00 UTC,10,1,2',
      '2024-01-03 00:00:00 UTC,11,1,2',
      '2024-01-03 09:41:07 UTC,12,1,2',
    ],
    {},
    'price BTC/USD coingecko 1d 2024-01-01 2024-01-02 rows=2 gaps=0',
  ],
  [
    'the dump of Kraken, seconds, minutes in the name',
    'kraken/XBTUSD_1440.csv',
    [`${T0 / 1000},10,12,9,11,5,77`, `${(T0 + 24 * H) / 1000},11,12,10,12,6,78`],
    {},
    'price BTC/USD kraken 1d 2024-01-01 2024-01-02 rows=2 gaps=0',
  ],
  [
    'klines of Binance, microseconds',
    'binance/BTCUSDT-1h-2025-01.csv',
    [0, 1].map(
      i => `${(T0 + i * H) * 1000},10,12,9,${11 + i},5,${(T0 + (i + 1) * H) * 1000 - 1},55,9,2,20,0`,
    ),
    {},
    'price BTC/USDT binance 1h 2024-01-01T00:00Z 2024-01-01T01:00Z rows=2 gaps=0',
  ],
  [
    'CryptoDataDownload: an address above, the newest row first, volume by the coin',
    'Bitstamp_BTCUSD_d.csv',
    [
      'https://www.CryptoDataDownload.com',
      'unix,date,symbol,open,high,low,close,Volume BTC,Volume USD',
      `${(T0 + 24 * H) / 1000},2024-01-02 00:00:00,BTC/USD,11,12,10,12,6,72`,
      `${T0 / 1000},2024-01-01 00:00:00,BTC/USD,10,12,9,11,5,55`,
    ],
    {},
    'price BTC/USD bitstamp 1d 2024-01-01 2024-01-02 rows=2 gaps=0',
  ],
  [
    'columns of other names, by option',
    'mine.csv',
    ['Tag;Schluss', '2024-01-01;10.5', '2024-01-02;11.5'],
    { asset: 'ADA', quote: 'USD', exchange: 'own', columns: { time: 'Tag', close: 'Schluss' } },
    'price ADA/USD own 1d 2024-01-01 2024-01-02 rows=2 gaps=0',
  ],
  [
    'JSON rows of ccxt',
    'binance/BTC_USDT-1h.json',
    [
      JSON.stringify([
        [T0, 10, 12, 9, 11, 5],
        [T0 + H, 11, 12, 10, 12, 6],
      ]),
    ],
    {},
    'price BTC/USDT binance 1h 2024-01-01T00:00Z 2024-01-01T01:00Z rows=2 gaps=0',
  ],
  [
    'JSON of Coinbase candles: low and high before the open',
    'coinbase/BTC-USD_1h.json',
    [
      JSON.stringify([
        [(T0 + H) / 1000, 10, 12, 11, 12, 6],
        [T0 / 1000, 9, 12, 10, 11, 5],
      ]),
    ],
    {},
    'price BTC/USD coinbase 1h 2024-01-01T00:00Z 2024-01-01T01:00Z rows=2 gaps=0',
  ],
  [
    'JSON objects with numbers as text',
    'okx_ETH_USDT.json',
    [
      JSON.stringify([
        { ts: String(T0), o: '10', h: '12', l: '9', c: '11', vol: '5' },
        { ts: String(T0 + H), o: '11', h: '12', l: '10', c: '12', vol: '6' },
      ]),
    ],
    {},
    'price ETH/USDT okx 1h 2024-01-01T00:00Z 2024-01-01T01:00Z rows=2 gaps=0',
  ],
  [
    'JSON of CoinGecko',
    'btc-usd.json',
    [
      JSON.stringify({
        prices: [
          [T0 + 24 * H, 10],
          [T0 + 48 * H + 900, 11],
        ],
        total_volumes: [[T0, 1]],
      }),
    ],
    {},
    'price BTC/USD coingecko 1d 2024-01-01 2024-01-02 rows=2 gaps=0',
  ],
  [
    'funding rates, a few milliseconds late',
    'bybit_BTCUSDT_funding.csv',
    ['symbol,fundingTime,fundingRate', `BTCUSDT,${T0 + 3},0.0001`, `BTCUSDT,${T0 + 8 * H + 7},-0.0002`],
    { fundingUnit: 'fraction' },
    'funding BTC/USDT bybit 8h 2024-01-01T00:00Z 2024-01-01T08:00Z rows=2 gaps=0',
  ],
];

describe('a file in a common form', () => {
  it.each(FORMS)('is recognised: %s', async (_, name, lines, options, expected) => {
    const folder = writeFiles(join(temporaryFolder(), 'files'), { [name]: lines });
    const store = join(folder, '../market');
    await importFiles({ store, paths: [join(folder, name)], options });
    expect(await listStore(store)).toEqual([expected]);
    const id = expected.split(' ').slice(0, 4).join(' ');
    const close = await storedRows(store, id, ['close']);
    const rising = (close as number[][]).map(([value]) => value);
    expect(rising[1]).not.toBe(rising[0]);
    expect(Math.max(...rising)).toBeLessThan(13);
  });

  it('is recognised as Parquet', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'kraken_BTC_USD_1d.parquet');
    copyFileSync(join(import.meta.dirname, '../../fixtures/parquet/bars.parquet'), path);
    const store = join(folder, 'market');
    await importFiles({ store, paths: [path] });
    expect(await listStore(store)).toEqual(['price BTC/USD kraken 1d 2024-01-01 2024-02-09 rows=40 gaps=0']);
  });

  it('is described before anything is written', async () => {
    const folder = writeFiles(temporaryFolder(), {
      'kraken_BTC_USD.csv': ['date,close,trades', '2024-01-01,10,3', '2024-01-02,11,4'],
    });
    const store = join(folder, 'market');
    const plan = await planImport({ store, paths: [join(folder, 'kraken_BTC_USD.csv')] });
    expect(plan.files).toMatchObject([
      {
        series: [
          { name: 'BTC/USD kraken 1d', kind: 'price', rows: 2, first: '2024-01-01', last: '2024-01-02' },
        ],
        understood:
          'times are the opening of bars; from the name: symbol BTC, quote USD, exchange kraken; from the times: timeframe 1d; not used: trades',
      },
    ]);
    expect(existsSync(store)).toBe(false);
  });

  it('has its volume for its own exchange', async () => {
    const folder = writeFiles(temporaryFolder(), { 'kraken_BTC_USD_1d.csv': [BAR, ROW_1] });
    const store = join(folder, 'market');
    await importFiles({ store, paths: [join(folder, 'kraken_BTC_USD_1d.csv')] });
    await withStore(store, async market => {
      const volume = (quote: string, exchange: string) =>
        market.dailyVolumeUsd([{ base: 'BTC', quote, exchange }], day('2024-01-01'), 1);
      expect([...(await volume('USD', 'kraken')).volumeUsd]).toEqual([1100]);
      await expect(volume('USDT', 'binance')).rejects.toThrow();
    });
  });
});

const DAILY = 'daily/btc_usdt.csv';
const ROW_1 = '2024-01-01,10,12,9,11,100';
/** Name of the case, file, its lines, and the first line of what is told after the file's path. */
const REFUSED: readonly (readonly [string, string, readonly string[], string])[] = [
  ['an empty file', DAILY, [], ': the file is empty'],
  ['a file of a header alone', DAILY, [BAR], ': there are no rows'],
  [
    'no column of a close',
    DAILY,
    ['date,open', ROW_1],
    ':1: no column holds a close, a price or a funding rate; there are date, open',
  ],
  ['no column of a time', DAILY, ['a,close', '1,2'], ':1: no column holds a time; there are a, close'],
  [
    'rows of an unknown form',
    'x.csv',
    ['1,2,3', '1,2,3'],
    ':1: the rows have no names and 3 fields; without names, rows have 2, 5 to 9 or 12 fields',
  ],
  ['a row that is too short', DAILY, [BAR, ROW_1, '2024-01-02,10,12'], ':3: 6 fields expected, 3 found'],
  ['a decimal comma', DAILY, [BAR, '2024-01-01,10,12,9,11,5,100'], ':2: 6 fields expected, 7 found'],
  ['a word for a number', DAILY, [BAR, '2024-01-01,10,twelve,9,11,100'], ':2:3: "twelve" is not a number'],
  ['a bar without a close', DAILY, [BAR, '2024-01-01,10,12,9,,100'], ': no row holds numbers'],
  ['infinity', DAILY, [BAR, '2024-01-01,10,1e999,9,11,100'], ':2:3: "1e999" is not a number'],
  ['hexadecimal', DAILY, [BAR, '2024-01-01,0x10,12,9,11,100'], ':2:2: "0x10" is not a number'],
  [
    'a thousands separator',
    DAILY,
    [BAR, '2024-01-01,"1,000",12,9,11,100'],
    ':2:2: "1,000" does not say whether its comma marks thousands or a fraction',
  ],
  ['a price of 0', DAILY, [BAR, '2024-01-01,10,12,0,11,100'], ':2:4: "0" is not a price from 1e-12 to 1e12'],
  [
    'a price of 1e308',
    DAILY,
    [BAR, '2024-01-01,10,1e308,9,11,100'],
    ':2:3: "1e308" is not a price from 1e-12 to 1e12',
  ],
  [
    'a price of 1e-320',
    DAILY,
    [BAR, '2024-01-01,10,12,1e-320,11,100'],
    ':2:4: "1e-320" is not a price from 1e-12 to 1e12',
  ],
  [
    'a negative volume',
    DAILY,
    [BAR, '2024-01-01,10,12,9,11,-1'],
    ':2:6: "-1" is not a volume from 0 to 1e18',
  ],
  [
    'high below low',
    DAILY,
    [BAR, '2024-01-01,10,8,9,10,1'],
    ':2: high 8 and low 9 do not enclose open 10 and close 10',
  ],
  [
    'high below the close',
    DAILY,
    [BAR, '2024-01-01,10,10.5,9,11,1'],
    ':2: high 10.5 and low 9 do not enclose open 10 and close 11',
  ],
  [
    'a day twice with other numbers',
    DAILY,
    [BAR, ROW_1, '2024-01-01,10,12,9,11.5,100'],
    ':3:1: 2024-01-01 is there twice, with different numbers',
  ],
  ['a date that no calendar has', DAILY, [BAR, '2024-02-30,1,1,1,1,1'], ':2:1: "2024-02-30" is not a time'],
  [
    'a date of two readings',
    DAILY,
    [BAR, '01/02/2024,1,1,1,1,1'],
    ':2:1: "01/02/2024" does not say which part is the day and which the month',
  ],
  [
    'a date before there were coins',
    DAILY,
    [BAR, '1970-01-01,1,1,1,1,1'],
    ':2:1: "1970-01-01" lies before 2009-01-03',
  ],
  [
    'a row of 2099',
    DAILY,
    [BAR, ROW_1, '2099-01-02,10,12,9,11,100'],
    ':3:1: "2099-01-02" lies in the future (it is 2026-06-15)',
  ],
  [
    'an hour off the grid',
    'hourly/btc_usdt.csv',
    [HOUR, '2024-01-01T00:30:00Z,1,1,1,1,1'],
    ':2:1: "2024-01-01T00:30:00Z" is not on the grid of 1 whole hour from 00:00',
  ],
  [
    'an hour that no day has',
    'hourly/btc_usdt.csv',
    [HOUR, '2024-01-01T24:00:00Z,1,1,1,1,1'],
    ':2:1: "2024-01-01T24:00:00Z" is not a time',
  ],
  [
    'a snapshot far from midnight',
    'stablecoin/usdc_usd.csv',
    ['date,timestamp,price', '2024-01-02,2024-01-02T02:00:01Z,1', '2024-01-03,2024-01-03T00:00:01Z,1'],
    ':2:2: "2024-01-02T02:00:01Z" is not on the grid of whole days, 00:00 UTC',
  ],
  [
    'an index of 0',
    'dvol/btc_dvol.csv',
    ['date,open,high,low,close', '2024-01-01,1,1,1,0'],
    ':2:5: "0" is not a volatility in percent, above 0 and at most 1000',
  ],
  [
    'a settlement between the hours of settlement',
    'funding/binance_btc_usdt_perp.csv',
    ['timestamp,funding_rate', '2024-01-01T04:00:00Z,0'],
    ':2:1: "2024-01-01T04:00:00Z" is not on the grid of 8 whole hours from 00:00',
  ],
  [
    'a funding rate in percent beyond the bound',
    'funding/binance_btc_usdt_perp.csv',
    ['timestamp,funding_rate', '2024-01-01T00:00:00Z,125'],
    ':2:2: "125" is not a rate between -1 and 1, a fraction of the notional',
  ],
  [
    'bars of another timeframe',
    'binance_BTCUSDT.csv',
    [HOUR, '2024-01-01T00:00:00Z,1,1,1,1,1', '2024-01-01T00:05:00Z,1,1,1,1,1'],
    ': most rows are 5 minutes apart',
  ],
  [
    'hours in a file of days',
    DAILY,
    [HOUR, '2024-01-01T00:00:00Z,1,1,1,1,1', '2024-01-01T01:00:00Z,1,1,1,1,1'],
    ': most rows are 1 hour apart, not 1d',
  ],
  [
    'rows of two symbols',
    'binance.csv',
    ['symbol,date,close', 'BTCUSDT,2024-01-01,1', 'ETHUSDT,2024-01-02,1'],
    ': the rows are of 2 symbols: BTCUSDT, ETHUSDT',
  ],
  [
    'a symbol that is the dollar',
    'daily/cash_usdt.csv',
    [BAR, ROW_1],
    ': "CASH" is no name of an asset or an exchange',
  ],
  [
    'a price times 1,000 for a day',
    DAILY,
    ['date,close', '2024-01-01,42000', '2024-01-02,42100000', '2024-01-03,42200'],
    ': 2024-01-02 closes at 42100000, 1.00e+3 times the close before it, and the price goes back after it',
  ],
  [
    'JSON that was cut off',
    'binance_BTC_USDT_1d.json',
    ['[[1704067200000,10,12,9,11,5],[17040'],
    ': the file is not whole JSON',
  ],
];

describe('a faulty file', () => {
  /** A store that no refused import changes. */
  let good: string;
  beforeAll(async () => {
    good = mkdtempSync(join(tmpdir(), 'market-'));
    await importFiles({ store: join(good, 'market'), paths: [writeFiles(join(good, 'files'), GOOD)] });
  });
  afterAll(() => rmSync(good, { recursive: true, force: true }));

  it.each(REFUSED)(
    '%s is refused with its place and the remedy, and the store does not change',
    async (_, file, lines, fault) => {
      const store = join(good, 'market');
      const now = new Date('2026-06-15T12:00:00Z');
      const before = await manifestOf(store);
      // A good file that comes first must not be kept either.
      const bad = writeFiles(temporaryFolder(), {
        'daily/aave_usdt.csv': GOOD['daily/btc_usdt.csv'],
        [file]: lines,
      });
      const paths = [join(bad, 'daily/aave_usdt.csv'), join(bad, file)];
      const [first, remedy] = (await faultsOf(importFiles({ store, paths, now }))).split('\n');
      expect(first.startsWith(`${join(bad, file)}${fault}`) ? '' : first).toBe('');
      expect(remedy).toMatch(/^ {2}[A-Z].*[^ ]$/);
      expect(await manifestOf(store)).toEqual(before);
    },
  );

  it('is reported once for each kind, with the count and the first line, over all files', async () => {
    const bad = writeFiles(temporaryFolder(), {
      'daily/btc_usdt.csv': [
        BAR,
        '2024-01-01,x,12,9,y,100',
        '2024-01-02,10,12,9,z,100',
        '2024-01-03,1,1,1,1,-1',
      ],
      'dvol/btc_dvol.csv': ['date,open', '2024-01-01,1'],
    });
    expect((await faultsOf(importFiles({ store: join(bad, 'market'), paths: [bad] }))).split('\n')).toEqual([
      `${bad}/daily/btc_usdt.csv:2:2: "x" is not a number (3 times; this is the first)`,
      '  Numbers have a point as decimal mark, or a comma with --decimal comma; remove rows without them.',
      `${bad}/daily/btc_usdt.csv:4:6: "-1" is not a volume from 0 to 1e18`,
      '  Correct or remove the row, or name another column with --columns.',
      `${bad}/dvol/btc_dvol.csv:1: no column holds a close, a price or a funding rate; there are date, open`,
      '  Name the columns with --columns time=<name>,close=<name>,... or in a mapping file.',
    ]);
  });

  it('is refused with the missing options', async () => {
    const folder = writeFiles(temporaryFolder(), {
      'prices.csv': ['date,close', '2024-01-01,1', '2024-01-02,2'],
    });
    expect(
      await faultsOf(importFiles({ store: join(folder, 'market'), paths: [join(folder, 'prices.csv')] })),
    ).toBe(
      `${folder}/prices.csv: the file does not say of which symbol, quote, exchange its rows are\n` +
        '  Say it, for example: --symbol BTC --quote USD --exchange kraken',
    );
  });

  it('does not crash the importer by its name', async () => {
    const folder = writeFiles(temporaryFolder(), {
      'daily/constructor_usdt.csv': [BAR, ROW_1],
      'daily/__proto___usdt.csv': [BAR, ROW_1],
      'daily/tostring_usdt.csv': [BAR, ROW_1],
    });
    const store = join(folder, 'market');
    await importFiles({
      store,
      paths: [join(folder, 'daily/constructor_usdt.csv'), join(folder, 'daily/tostring_usdt.csv')],
    });
    expect((await listStore(store)).map(line => line.split(' ')[1])).toEqual([
      'CONSTRUCTOR/USDT',
      'TOSTRING/USDT',
    ]);
    await expect(importFiles({ store, paths: [join(folder, 'daily/__proto___usdt.csv')] })).rejects.toThrow(
      ImportError,
    );
  });
});

describe('a doubtful file', () => {
  const notesOf = async (lines: readonly string[], options = {}, end = '\n'): Promise<readonly string[]> => {
    const folder = writeFiles(temporaryFolder(), { [DAILY]: [] });
    writeFileSync(join(folder, DAILY), lines.join('\n') + end);
    const plan = await planImport({
      store: join(folder, 'market'),
      paths: [folder],
      options,
      now: new Date('2024-06-01T12:00:00Z'),
    });
    return [...plan.files[0].notes, `rows: ${plan.files[0].series[0].rows}`];
  };

  it('is imported with a note on missing days', async () => {
    expect(await notesOf(['date,close', '2024-01-01,1', '2024-04-11,1', '2024-04-12,1'])).toEqual([
      'BTC/USDT binance 1d: 100 rows missing in 1 gap, the longest 2024-01-02 to 2024-04-10',
      'rows: 3',
    ]);
  });

  it('is imported with a note on a jump without return', async () => {
    expect(await notesOf(['date,close', '2024-01-01,1000', '2024-01-02,1'])).toEqual([
      'BTC/USDT binance 1d: 2024-01-02 closes at 1, 0.00100 times the close before it; ' +
        'if the coin was redenominated, market rescale price BTC/USDT binance 1d --before 2024-01-02 --by 0.001',
      'rows: 2',
    ]);
    const spike = ['date,close', '2024-01-01,1', '2024-01-02,1000', '2024-01-03,1'];
    expect(await notesOf(spike, { allowJumps: true })).toHaveLength(2);
  });

  it('is imported without a last line that may be truncated, or with it under --complete', async () => {
    const cut = ['date,close', '2024-01-01,42000', '2024-01-02,42100', '2024-01-03,42'];
    expect(await notesOf(cut, {}, '')).toEqual([
      'the last line, 4, has no line end and may have been cut off inside a number: it is left out (--complete takes it)',
      'rows: 2',
    ]);
    expect((await notesOf(cut, { complete: true }, '')).at(-1)).toBe('rows: 3');
  });

  it('is imported without an unfinished bar', async () => {
    expect(await notesOf(['date,close', '2024-05-31,1', '2024-06-01,1'])).toEqual([
      'the bar of "2024-06-01" is not finished: it is left out',
      'rows: 1',
    ]);
  });

  it('is imported with rows in any order, and with duplicate rows', async () => {
    expect(
      await notesOf(['date,close', '2024-01-02,2', '2024-01-01,1', '2024-01-03,3', '2024-01-01,1']),
    ).toEqual(['1 row there twice with the same numbers', 'the rows were not in order of time', 'rows: 3']);
    expect(await notesOf(['date,close', '2024-01-02,2', '2024-01-01,1'])).toEqual(['rows: 2']);
  });
});

describe('a path without market data', () => {
  it('is refused, and no store is made', async () => {
    const folder = writeFiles(temporaryFolder(), { 'other/README.md': ['text'] });
    const store = join(folder, 'market');
    const told = async (path: string) =>
      (await faultsOf(importFiles({ store, paths: [join(folder, path)] }))).replaceAll(folder, '');
    expect(await told('nowhere')).toBe('/nowhere: there is no such file or folder\n  Check the path.');
    expect(await told('other')).toBe(
      '/other: there is no market data\n  Name CSV, JSON or Parquet files, or folders of them.',
    );
    expect(existsSync(store)).toBe(false);
  });
});

describe('a malicious file', () => {
  it('that is a pipe is refused without waiting', async () => {
    const path = join(temporaryFolder(), 'kraken_BTC_USD_1d.csv');
    execFileSync('mkfifo', [path]);
    expect(await faultsOf(planImport({ store: 'none', paths: [path] }))).toMatch(/this is no regular file/);
    expect(await faultsOf(planImport({ store: 'none', paths: [dirname(path)] }))).toMatch(
      /this is no regular file/,
    );
  });

  it.each([
    ['compressed by gzip', gzipSync('time,close\n2024-01-01,1\n')],
    ['a ZIP archive or a spreadsheet', Buffer.from('PK\x03\x04\x14\x00', 'latin1')],
    ['no text in UTF-8', Buffer.from('\ufefftime\tclose\n', 'utf16le')],
  ])('that is %s is refused with a message', async (words, bytes) => {
    const path = join(temporaryFolder(), 'kraken_BTC_USD_1d.csv');
    writeFileSync(path, bytes);
    expect(await faultsOf(planImport({ store: 'none', paths: [path] }))).toContain(`the file is ${words}`);
  });

  it('that is a link to nothing or to itself is a fault of its path, and ignored under another name', async () => {
    const folder = temporaryFolder();
    symlinkSync('nowhere', join(folder, '.#lock'));
    symlinkSync('loop', join(folder, 'loop'));
    symlinkSync('kraken_BTC_USD_1d.csv', join(folder, 'kraken_BTC_USD_1d.csv'));
    symlinkSync('nowhere', join(folder, 'kraken_ETH_USD_1d.csv'));
    const faults = await faultsOf(planImport({ store: 'none', paths: [folder, join(folder, 'loop')] }));
    expect(faults).toContain('kraken_BTC_USD_1d.csv: it cannot be read (ELOOP)');
    expect(faults).toContain('kraken_ETH_USD_1d.csv: it cannot be read (ENOENT)');
    expect(faults).toContain('loop: it cannot be read (ELOOP)');
    expect(faults).not.toContain('lock');
  });

  it('with a quote that is not closed is refused with a message', async () => {
    const folder = writeFiles(temporaryFolder(), {
      'kraken_BTC_USD_1d.csv': ['date,close', '2024-01-01,10', '"2024-01-02,11'],
    });
    expect(await faultsOf(planImport({ store: 'none', paths: [folder] }))).toMatch(
      /the file is no whole CSV: Quote Not Closed.*\n {2}Close every quote/,
    );
  });

  it('with control characters in its name is named without them', async () => {
    const folder = writeFiles(temporaryFolder(), {
      'a\u001b[31m\nb_usdt.csv': ['date,close', '2024-01-01,ten'],
    });
    const message = await faultsOf(planImport({ store: 'none', paths: [folder] }));
    expect(message).toContain('a\\u{1b}[31m\\u{a}b_usdt.csv');
    expect(message).not.toContain('\u001b');
  });
});
