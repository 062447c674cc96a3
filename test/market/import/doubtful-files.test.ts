/** Files that leave a doubt are refused with the option that ends it; forms of other tools are read as what they are. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ImportError } from '#src/market/import/import-error.js';
import { importFiles } from '#src/market/import/import-files.js';
import type { ImportOptions } from '#src/market/import/reading.js';
import { openStoreWriter } from '#src/market/store/store-writer.js';
import { parseIsoDate } from '#src/text/calendar-date.js';
import { readNumber } from '#src/text/numbers.js';
import {
  listStore,
  manifestOf,
  storedRows,
  temporaryFolder,
  withStore,
  writeFiles,
} from '../../support/market-files.ts';

const BAR = 'date,open,high,low,close,volume';
const ROWS = ['2024-01-01,10,12,9,11,100', '2024-01-02,11,13,10,12,200'];

/** Imports one file into a new store. */
async function importOne(
  name: string,
  lines: readonly string[],
  options: ImportOptions = {},
): Promise<string> {
  const folder = writeFiles(temporaryFolder(), { [`files/${name}`]: lines });
  const store = join(folder, 'market');
  await importFiles({ store, paths: [join(folder, 'files')], options });
  return store;
}

/** Why a file is not imported. */
const refusalOf = (name: string, lines: readonly string[], options: ImportOptions = {}): Promise<string> =>
  importOne(name, lines, options).then(
    () => 'imported',
    (error: unknown) => {
      expect(error).toBeInstanceOf(ImportError);
      return (error as Error).message;
    },
  );

describe('Prices of a derivative', () => {
  it.each([
    'binance_BTCUSDT_perp_1d.csv',
    'okx_BTC-USDT-SWAP_1d.csv',
    'binance_futures_BTCUSDT_1d.csv',
    'bybit_BTC_USDT_linear_1d.csv',
    'kraken_PF_XBTUSD.csv',
  ])('are refused by the name %s, and accepted with --kind price', async name => {
    expect(await refusalOf(name, [BAR, ...ROWS])).toMatch(
      /by the name of the file these are prices of a perpetual or a future[\s\S]*--kind price/,
    );
    // The volumes of a derivative may be contracts.
    expect(await refusalOf(name, [BAR, ...ROWS], { kind: 'price' })).toContain('--volume-unit base (BTC)');
    const store = await importOne(name, [BAR, ...ROWS], { kind: 'price', volumeUnit: 'none' });
    expect((await listStore(store))[0]).toMatch(/^price BTC\/USDT? /);
  });

  it.each(['BTC/USDT:USDT', 'BTCUSDT_PERP', 'BTC-PERP', 'BTC-USDT-SWAP', 'BTCUSDT_240628'])(
    'are refused by the symbol %s in a column',
    async symbol => {
      const lines = ['date,symbol,close', `2024-01-01,${symbol},10`, `2024-01-02,${symbol},11`];
      expect(await refusalOf('binance.csv', lines)).toContain(
        'by the column of symbols these are prices of a perpetual',
      );
    },
  );

  it.each(['PERP_USDT_1d_binance.csv', 'binance_spot_BTC_USDT_1d.csv', 'SWAP_USDT_binance_1d.csv'])(
    'are not seen in %s where the word is told to be a symbol',
    async name => {
      const asset = /^(PERP|SWAP)/.exec(name)?.[0];
      const options =
        asset === undefined
          ? {}
          : { asset, quote: 'USDT', kind: 'price' as const, volumeUnit: 'base' as const };
      expect(await listStore(await importOne(name, [BAR, ...ROWS], options))).toHaveLength(1);
    },
  );
});

describe('A name with words that are no symbols', () => {
  it.each([
    ['ohlcv_BTC_USDT.json', 'BTC/USDT'],
    ['candles-ETHUSD.csv', 'ETH/USD'],
    ['spot_history_SOL_USDC.csv', 'SOL/USDC'],
    ['klines_1d_BNBUSDT.csv', 'BNB/USDT'],
  ])('%s is of %s', async (name, market) => {
    const lines = name.endsWith('json')
      ? ['[[1704067200000,10,12,9,11,1],[1704153600000,11,13,10,12,1]]']
      : [BAR, ...ROWS];
    const store = await importOne(name, lines, { exchange: 'kraken' });
    expect((await listStore(store))[0]).toContain(`price ${market} kraken 1d`);
  });
});

describe('Volumes', () => {
  const options = { asset: 'BTC', quote: 'USD', exchange: 'own' };

  it('of an unknown source are refused until their unit is given', async () => {
    expect(await refusalOf('a.csv', [BAR, ...ROWS], options)).toMatch(
      /does not say whether its column volume counts BTC or USD[\s\S]*--volume-unit base \(BTC\), quote \(USD\), or none/,
    );
  });

  it.each([
    ['base', [100, 200]],
    ['quote', [100 / 11, 200 / 12]],
    ['none', [Number.NaN, Number.NaN]],
  ] as const)('in %s are stored as coins, or omitted', async (volumeUnit, held) => {
    const store = await importOne('a.csv', [BAR, ...ROWS], { ...options, volumeUnit });
    const rows = await storedRows(store, 'price BTC/USD own 1d', ['volume']);
    expect(rows.map(([volume]) => volume)).toEqual(held);
  });

  it('of Yahoo are in the quote, with one header or two', async () => {
    const single = ['Date,Open,High,Low,Close,Adj Close,Volume', '2024-01-01,10,12,9,11,11,1100'];
    const double = [
      'Price,Close,High,Low,Open,Volume',
      'Ticker,BTC-USD,BTC-USD,BTC-USD,BTC-USD,BTC-USD',
      'Date,,,,,',
      '2024-01-01,11,12,9,10,1100',
    ];
    const older = [
      ',Adj Close,Close,High,Low,Open,Volume',
      ',BTC-USD,BTC-USD,BTC-USD,BTC-USD,BTC-USD,BTC-USD',
      'Date,,,,,,',
      '2024-01-01,11,11,12,9,10,1100',
    ];
    for (const [lines, told] of [
      [single, { asset: 'BTC', quote: 'USD', timeframe: '1d' as const }],
      [double, { timeframe: '1d' as const }],
      [older, { timeframe: '1d' as const }],
    ] as const) {
      const store = await importOne('prices.csv', lines, told);
      expect(
        await storedRows(store, 'price BTC/USD yahoo 1d', ['open', 'high', 'low', 'close', 'volume']),
        lines[0],
      ).toEqual([[10, 12, 9, 11, 100]]);
    }
  });
});

describe('Dates with the year last', () => {
  const options = { asset: 'BTC', quote: 'USD', exchange: 'kraken' };

  it.each([
    ['31.01.2024', '01.02.2024', 'day'],
    ['01/31/2024', '02/01/2024', 'month'],
    ['31-1-24', '1-2-24', 'day'],
  ])('%s and %s have the %3$s first', async (first, second) => {
    const store = await importOne('a.csv', ['date,close', `${first},10`, `${second},11`], options);
    expect((await listStore(store))[0]).toContain('2024-01-31 2024-02-01 rows=2');
  });

  it.each([
    ['01.02.2024', '02.02.2024', 'dmy', '2024-02-01 2024-02-02'],
    ['02/01/24', '02/02/24', 'mdy', '2024-02-01 2024-02-02'],
    // Two that contradict each other decide nothing.
    ['31.01.2024', '02.13.2024', 'dmy', undefined],
  ] as const)(
    '%s and %s are read with --dates %s, and refused without',
    async (first, second, dates, days) => {
      const lines = ['date,close', `${first},10`, `${second},11`];
      expect(await refusalOf('a.csv', lines, options)).toContain(
        '--dates dmy (31.01.2024) or --dates mdy (01/31/2024)',
      );
      if (days === undefined) return;
      const store = await importOne('a.csv', lines, { ...options, dates });
      expect((await listStore(store))[0]).toContain(`${days} rows=2`);
    },
  );

  it('of the other order are refused where the calendar has no such day', async () => {
    const lines = ['date,close', '01/31/2024,10', '02/01/2024,11'];
    expect(await refusalOf('a.csv', lines, { ...options, dates: 'dmy' })).toContain(
      '"01/31/2024" is not a time',
    );
  });
});

describe('Numbers', () => {
  it.each([
    ['42283.58', undefined, 42283.58],
    ['42,283.58', undefined, 42283.58],
    ['1,234,567', undefined, 1234567],
    ['1,234', undefined, Number.NaN],
    ['1,234', 'point', 1234],
    ['-12,345,678', 'point', -12345678],
    ['1,23', 'point', Number.NaN],
    ['42283,58', undefined, Number.NaN],
    ['42283,58', 'comma', 42283.58],
    ['42.283,58', 'comma', 42283.58],
    ['1.234', 'comma', 1234],
    ['12.34', 'comma', Number.NaN],
    ['57.30K', undefined, 57300],
    ['1.2B', undefined, 1.2e9],
    ['K', undefined, Number.NaN],
    ['0x1f', undefined, Number.NaN],
    ['1e-8', undefined, 1e-8],
    ['', undefined, Number.NaN],
  ] as const)('%s, decimal mark %s, is %d', (text, mark, value) => {
    expect(readNumber(text, mark)).toBe(value);
  });

  it('of Investing.com are read with their suffixes', async () => {
    const lines = [
      '"Date","Price","Open","High","Low","Vol.","Change %"',
      '"01/14/2024","44,957.97","44,187.14","45,912.00","44,166.00","66.00K","1.75%"',
      '"01/13/2024","44,183.40","42,272.50","44,186.00","42,196.70","27.42K","4.52%"',
    ];
    const store = await importOne('Bitcoin Historical Data.csv', lines, {
      asset: 'BTC',
      quote: 'USD',
      exchange: 'bitfinex',
    });
    expect(
      await storedRows(store, 'price BTC/USD bitfinex 1d', ['open', 'high', 'low', 'close', 'volume']),
    ).toEqual([
      [42272.5, 44186, 42196.7, 44183.4, 27420],
      [44187.14, 45912, 44166, 44957.97, 66000],
    ]);
  });
});

it('Rows of 12 fields without names are klines of Binance, and an index without a name is the time', async () => {
  const kline = (ms: number, close: number) => `${ms},10,12,9,${close},5,${ms + 86_399_999},50,3,1,1,0`;
  const klines = await importOne('BTCUSDT-1d-2024-01.csv', [
    kline(1_704_067_200_000, 11),
    kline(1_704_153_600_000, 12),
  ]);
  expect((await listStore(klines))[0]).toContain('price BTC/USDT binance 1d 2024-01-01 2024-01-02');
  const pandas = await importOne('kraken_BTCUSD.csv', [',close', '2024-01-01,10', '2024-01-02,11']);
  expect((await listStore(pandas))[0]).toContain('price BTC/USD kraken 1d 2024-01-01 2024-01-02');
});

describe('A change of a store', () => {
  it('is reverted by undo, and undo by another undo', async () => {
    const store = await importOne('kraken_BTCUSD_1d.csv', [BAR, ...ROWS]);
    const before = (await manifestOf(store)).version;
    const more = writeFiles(join(store, '../more'), {
      'kraken_BTCUSD_1d.csv': [BAR, '2024-01-01,20,24,18,22,100'],
    });
    await importFiles({ store, paths: [more], replace: true });
    const replaced = (await manifestOf(store)).version;
    const undo = async () => {
      const writer = await openStoreWriter(store);
      try {
        await writer.undo();
        await writer.commit([{ source: 'undo' }], new Date());
      } finally {
        writer.close();
      }
      return (await manifestOf(store)).version;
    };
    expect(replaced).not.toBe(before);
    expect(await undo()).toBe(before);
    await withStore(store, async market => {
      const day = parseIsoDate('2024-01-02') as number;
      expect([...(await market.dailyCloses(['BTC'], day, 2)).prices[0]]).toEqual([11, 12]);
    });
    expect(await undo()).toBe(replaced);
  });
});

it('A market that has stopped does not price an asset that another market still has, unless the rules name it', async () => {
  const store = await importOne('binance_BTCUSDT_1d.csv', ['date,close', '2024-01-01,10', '2024-01-02,11']);
  const later = writeFiles(join(store, '../later'), {
    'kraken_BTCUSD_1d.csv': ['date,close', '2024-01-31,20', '2024-02-01,21'],
  });
  const day = parseIsoDate('2024-02-01') as number;
  const first = parseIsoDate('2024-01-02') as number;
  await importFiles({ store, paths: [later] });
  const priced = (rules?: Parameters<typeof withStore>[2]) =>
    withStore(
      store,
      async market =>
        (await market.assets()).map(({ symbol, sources }) => `${symbol}: ${sources.join(', ')}`),
      rules,
    );
  // Thirty days: it goes on still.
  expect(await priced()).toEqual(['BTC: BTC/USDT binance 1d']);
  const last = writeFiles(join(store, '../last'), {
    'kraken_BTCUSD_1d.csv': ['date,close', '2024-02-02,22'],
  });
  await importFiles({ store, paths: [last], options: { timeframe: '1d' } });
  expect(await priced()).toEqual(['BTC: BTC/USD kraken 1d']);
  const rules = {
    exchanges: ['binance', 'kraken'],
    quotes: ['USD', 'USDT'],
    prices: { BTC: { quote: 'USDT', exchange: 'binance' } },
    aliases: {},
    renamed: {},
  };
  expect(await priced(rules)).toEqual(['BTC: BTC/USDT binance 1d']);
  expect(day - first).toBe(30);
});
