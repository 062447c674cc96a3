import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ImportError, MAX_FAULTS } from '#src/market/import/import-error.js';
import { importFiles } from '#src/market/import/import-files.js';
import { formatIsoDate, parseIsoDate } from '#src/request/calendar-date.js';
import {
  dumpStore,
  listStore,
  temporaryFolder,
  withStore,
  writeFiles,
} from '../../../support/market-files.js';

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
    const store = join(folder, 'made/on/demand/market.duckdb');
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
      series('daily', 'daily prices', 'BTC', '2024-01-01', '2024-01-02', 2, 0),
      series('daily', 'daily prices', 'LUNA', '2022-05-01', '2022-05-01', 1, 0),
      series('dvol', 'volatility index', 'BTC', '2024-01-01', '2024-01-01', 1, 0),
      series('exchange_volume', 'daily volume', 'BTC/USD kraken', '2024-01-01', '2024-01-02', 2, 0),
      series('exchange_volume', 'daily volume', 'BTC/USDT binance', '2024-01-01', '2024-01-03', 2, 1),
      series('funding', 'funding rate', 'BTC/USDT binance', '2024-01-01T00:00Z', '2024-01-01T08:00Z', 2, 0),
      series('hourly', 'hourly prices', 'BTC', '2024-01-01T22:00Z', '2024-01-01T23:00Z', 2, 0),
      series('stablecoin', 'daily prices', 'USDC', '2024-01-02', '2024-01-03', 2, 0),
    ]);
  });

  it('changes nothing when it is done again, and says so', async () => {
    const folder = writeFiles(temporaryFolder(), GOOD);
    const store = join(folder, 'market.duckdb');
    await importFiles({ store, paths: [folder] });
    const before = await dumpStore(store);
    const { files } = await importFiles({ store, paths: [folder] });
    expect(files.map(({ added, replaced }) => added + replaced)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(files.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(14);
    expect(await dumpStore(store)).toBe(before);
  });

  it('adds what is new, replaces what differs and keeps the rest', async () => {
    const folder = writeFiles(temporaryFolder(), { 'daily/btc_usdt.csv': GOOD['daily/btc_usdt.csv'] });
    const store = join(folder, 'market.duckdb');
    await importFiles({ store, paths: [folder] });
    writeFiles(folder, {
      'daily/btc_usdt.csv': [
        BAR,
        '2024-01-01,10,12,9,11,100',
        '2024-01-02,11,13,10,12.5,200',
        '2024-01-03,12,14,11,13,300',
      ],
    });
    const { files } = await importFiles({ store, paths: [folder] });
    expect(files).toMatchObject([{ added: 1, replaced: 1, unchanged: 1 }]);
    await withStore(store, async market => {
      expect([...(await market.dailyCloses(['BTC'], day('2024-01-03'), 3)).prices[0]]).toEqual([
        11, 12.5, 13,
      ]);
    });
    // The older file no longer has the last day; what it does not mention stays.
    writeFiles(folder, { 'daily/btc_usdt.csv': GOOD['daily/btc_usdt.csv'] });
    expect((await importFiles({ store, paths: [folder] })).files).toMatchObject([
      { added: 0, replaced: 1, unchanged: 1 },
    ]);
    expect((await listStore(store))[0].rows).toBe(3);
  });

  it('takes two files of one series in one go, the later one last', async () => {
    const folder = temporaryFolder();
    const first = writeFiles(join(folder, 'a'), { 'daily/btc_usdt.csv': [BAR, '2024-01-01,10,12,9,11,100'] });
    const second = writeFiles(join(folder, 'b'), {
      'daily/btc_usdt.csv': [BAR, '2024-01-01,10,12,9,11.5,100', '2024-01-02,11,13,10,12,200'],
    });
    const store = join(folder, 'market.duckdb');
    const { files } = await importFiles({ store, paths: [first, second, first] });
    expect(files.map(({ added, replaced }) => [added, replaced])).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });

  it('takes one file, or one folder of the layout', async () => {
    const folder = writeFiles(temporaryFolder(), GOOD);
    const store = join(folder, 'market.duckdb');
    await importFiles({ store, paths: [join(folder, 'dvol/btc_dvol.csv')] });
    expect((await listStore(store)).map(({ source }) => source)).toEqual(['dvol']);
    await importFiles({ store, paths: [join(folder, 'daily')] });
    expect((await listStore(store)).map(({ source }) => source)).toEqual(['daily', 'daily', 'dvol']);
  });

  it('understands a byte order mark and lines that end with CR LF', async () => {
    const folder = writeFiles(temporaryFolder(), { 'daily/btc_usdt.csv': [] });
    writeFileSync(join(folder, 'daily/btc_usdt.csv'), `\ufeff${GOOD['daily/btc_usdt.csv'].join('\r\n')}\r\n`);
    const store = join(folder, 'market.duckdb');
    expect((await importFiles({ store, paths: [folder] })).files).toMatchObject([{ added: 2 }]);
  });

  it('tells how far it is after each file', async () => {
    const folder = writeFiles(temporaryFolder(), GOOD);
    const progress: [number, number][] = [];
    await importFiles({
      store: join(folder, 'market.duckdb'),
      paths: [folder],
      onProgress: (done, total) => progress.push([done, total]),
    });
    expect(progress).toHaveLength(7);
    expect(progress.at(-1)?.[0]).toBe(progress[0][1]);
    expect(progress.map(([done]) => done)).toEqual(progress.map(([done]) => done).sort((a, b) => a - b));
  });

  it('tells of days on which two sources of a market’s volume differ', async () => {
    const folder = writeFiles(temporaryFolder(), {
      'daily/btc_usdt.csv': GOOD['daily/btc_usdt.csv'],
      'exchange_volume/btc_daily_volume.csv': ['date,binance_usdt', '2024-01-01,100', '2024-01-02,201'],
    });
    const { disagreements } = await importFiles({ store: join(folder, 'market.duckdb'), paths: [folder] });
    expect(disagreements).toEqual([{ market: 'BTC/USDT binance', days: 1, firstDay: '2024-01-02' }]);
  });
});

describe('a market told by two sources', () => {
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
    const store = join(folder, 'market.duckdb');
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

describe('an asset told by several sources', () => {
  it('is priced by its snapshots alone, and then has no hourly price', async () => {
    const folder = writeFiles(temporaryFolder(), {
      'daily/usdc_usdt.csv': [BAR, '2024-01-01,2,2,2,2,5', '2024-01-02,2,2,2,2,5'],
      'hourly/usdc_usdt.csv': [HOUR, '2024-01-01T23:00:00Z,2,2,2,2,5'],
      'stablecoin/usdc_usd.csv': GOOD['stablecoin/usdc_usd.csv'],
    });
    const store = join(folder, 'market.duckdb');
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
    const store = join(folder, 'market.duckdb');
    await importFiles({ store, paths: [folder] });
    await withStore(store, async market => {
      const { prices } = await market.dailyCloses(['ETH', 'SOL', 'BTC'], day('2024-01-01'), 1);
      expect(prices.map(([close]) => close)).toEqual([2, 7, 11]);
    });
  });
});

const DAILY = 'daily/btc_usdt.csv';
const SNAPSHOT = 'stablecoin/usdc_usd.csv';
const VOLUME = 'exchange_volume/btc_daily_volume.csv';
const ROW_1 = '2024-01-01,10,12,9,11,100';
/** Name of the case, file, its lines, and the fault told after the file's path. */
const REFUSED: readonly (readonly [string, string, readonly string[], string])[] = [
  ['an empty file', DAILY, [], ':1:1: the file is empty'],
  ['a file of a header alone', DAILY, [BAR], ':1:1: there are no rows below the header'],
  [
    'a wrong name in the header',
    DAILY,
    ['date,open,high,low,last,volume', ROW_1],
    `:1:20: the header must be ${BAR}`,
  ],
  ['a header that is too short', DAILY, ['date,open', ROW_1], `:1:10: the header must be ${BAR}`],
  ['a header that is too long', DAILY, [`${BAR},trades`, ROW_1], `:1:33: the header must be ${BAR}`],
  ['the header of another kind', DAILY, [HOUR, ROW_1], `:1:1: the header must be ${BAR}`],
  ['a missing header', DAILY, [ROW_1, ROW_1], `:1:1: the header must be ${BAR}`],
  ['a row that is too short', DAILY, [BAR, '2024-01-01,10,12'], ':2:17: 6 fields expected, 3 found'],
  ['a row that is too long', DAILY, [BAR, `${ROW_1},1`], ':2:27: 6 fields expected, 7 found'],
  ['an empty line', DAILY, [BAR, ROW_1, '', '2024-01-02,1,1,1,1,1'], ':3:1: 6 fields expected, 1 found'],
  ['a word for a number', DAILY, [BAR, '2024-01-01,10,n/a,9,11,100'], ':2:15: "n/a" is not a finite number'],
  ['an empty field', DAILY, [BAR, '2024-01-01,10,12,9,,100'], ':2:20: "" is not a finite number'],
  ['a decimal comma', DAILY, [BAR, '2024-01-01,10,12,9,"11,5",100'], ':2:27: 6 fields expected, 7 found'],
  ['NaN', DAILY, [BAR, '2024-01-01,10,12,9,NaN,100'], ':2:20: "NaN" is not a finite number'],
  ['infinity', DAILY, [BAR, '2024-01-01,10,1e999,9,11,100'], ':2:15: "1e999" is not a finite number'],
  ['hexadecimal', DAILY, [BAR, '2024-01-01,0x10,12,9,11,100'], ':2:12: "0x10" is not a finite number'],
  ['a price of 0', DAILY, [BAR, '2024-01-01,10,12,0,11,100'], ':2:18: 0 is not above 0'],
  ['a negative price', DAILY, [BAR, '2024-01-01,-10,12,9,11,100'], ':2:12: -10 is not above 0'],
  ['a negative volume', DAILY, [BAR, '2024-01-01,10,12,9,11,-1'], ':2:23: -1 is negative'],
  ['high below low', DAILY, [BAR, '2024-01-01,10,8,9,10,1'], ':2:15: high 8 is below low 9'],
  [
    'high below the close',
    DAILY,
    [BAR, '2024-01-01,10,10.5,9,11,1'],
    ':2:15: high 10.5 is below open or close',
  ],
  [
    'low above the open',
    DAILY,
    [BAR, '2024-01-01,10,12,10.5,11,1'],
    ':2:18: low 10.5 is above open or close',
  ],
  ['a day twice', DAILY, [BAR, ROW_1, ROW_1], ':3:1: 2024-01-01 is there twice'],
  [
    'days out of order',
    DAILY,
    [BAR, '2024-01-02,1,1,1,1,1', ROW_1],
    ':3:1: 2024-01-01 is out of order: rows must rise in time',
  ],
  [
    'a date that no calendar has',
    DAILY,
    [BAR, '2024-02-30,1,1,1,1,1'],
    ':2:1: "2024-02-30" is not a date written YYYY-MM-DD',
  ],
  [
    'a date written another way',
    DAILY,
    [BAR, '01/02/2024,1,1,1,1,1'],
    ':2:1: "01/02/2024" is not a date written YYYY-MM-DD',
  ],
  [
    'a date before there were coins',
    DAILY,
    [BAR, '1970-01-01,1,1,1,1,1'],
    ':2:1: 1970-01-01 does not lie between 2009-01-03 and 2099-12-31',
  ],
  [
    'an hour off the grid',
    'hourly/btc_usdt.csv',
    [HOUR, '2024-01-01T00:30:00Z,1,1,1,1,1'],
    ':2:1: 2024-01-01T00:30:00Z is not on the grid of whole hours',
  ],
  [
    'an hour without zone',
    'hourly/btc_usdt.csv',
    [HOUR, '2024-01-01T00:00:00,1,1,1,1,1'],
    ':2:1: "2024-01-01T00:00:00" is not a timestamp written YYYY-MM-DDThh:mm:ssZ',
  ],
  [
    'an hour that no day has',
    'hourly/btc_usdt.csv',
    [HOUR, '2024-01-01T24:00:00Z,1,1,1,1,1'],
    ':2:1: "2024-01-01T24:00:00Z" is not a timestamp written YYYY-MM-DDThh:mm:ssZ',
  ],
  [
    'a snapshot far from midnight',
    SNAPSHOT,
    ['date,timestamp,price', '2024-01-02,2024-01-02T02:00:01Z,1'],
    ":2:12: 2024-01-02T02:00:01Z is more than 2 hours from 00:00 of the row's date",
  ],
  [
    'a snapshot without price',
    SNAPSHOT,
    ['date,timestamp,price', '2024-01-02,2024-01-02T00:00:01Z,'],
    ':2:33: "" is not a finite number',
  ],
  [
    'an index of 0',
    'dvol/btc_dvol.csv',
    ['date,open,high,low,close', '2024-01-01,1,1,1,0'],
    ':2:18: 0 is not above 0',
  ],
  [
    'an exchange named twice',
    VOLUME,
    ['date,kraken_usd,kraken_usd', '2024-01-01,1,1'],
    ':1:17: the header must be date, then one or more different <exchange>_<quote>',
  ],
  [
    'a column that names no market',
    VOLUME,
    ['date,kraken', '2024-01-01,1'],
    ':1:6: the header must be date, then one or more different <exchange>_<quote>',
  ],
  [
    'a settlement between the hours of settlement',
    'funding/binance_btc_usdt_perp.csv',
    ['timestamp,funding_rate', '2024-01-01T04:00:00Z,0'],
    ':2:1: 2024-01-01T04:00:00Z is not on the grid of 8 hours from 00:00',
  ],
  [
    'a funding rate in percent',
    'funding/binance_btc_usdt_perp.csv',
    ['timestamp,funding_rate', '2024-01-01T00:00:00Z,1.25'],
    ':2:22: 1.25 is not a fraction between -1 and 1',
  ],
];

describe('a faulty file', () => {
  it.each(REFUSED)(
    '%s is refused with its place, and the store stays as it was',
    async (_, file, lines, fault) => {
      const folder = temporaryFolder();
      const store = join(folder, 'market.duckdb');
      await importFiles({ store, paths: [writeFiles(join(folder, 'good'), GOOD)] });
      const before = await dumpStore(store);
      // A good file that comes first must not be kept either.
      const bad = writeFiles(join(folder, 'bad'), {
        'daily/aave_usdt.csv': GOOD['daily/btc_usdt.csv'],
        [file]: lines,
      });
      expect(await faultsOf(importFiles({ store, paths: [bad] }))).toBe(`${join(bad, file)}${fault}`);
      expect(await dumpStore(store)).toBe(before);
    },
  );

  it('leaves nothing behind where there was no store', async () => {
    const folder = temporaryFolder();
    const bad = writeFiles(join(folder, 'bad'), { ...GOOD, 'hourly/btc_usdt.csv': [HOUR, 'x'] });
    await faultsOf(importFiles({ store: join(folder, 'store/market.duckdb'), paths: [bad] }));
    expect(readdirSync(join(folder, 'store'))).toEqual([]);
  });

  it('is told of together with others, over rows and files', async () => {
    const bad = writeFiles(temporaryFolder(), {
      'daily/btc_usdt.csv': [
        BAR,
        '2024-01-01,x,12,9,y,100',
        '2024-01-02,10,12,9,11,100',
        '2024-01-02,1,1,1,1,-1',
      ],
      'dvol/btc_dvol.csv': ['date', '2024-01-01'],
    });
    expect(
      (await faultsOf(importFiles({ store: join(bad, 'market.duckdb'), paths: [bad] }))).split('\n'),
    ).toEqual([
      `${bad}/daily/btc_usdt.csv:2:12: "x" is not a finite number`,
      `${bad}/daily/btc_usdt.csv:2:19: "y" is not a finite number`,
      `${bad}/daily/btc_usdt.csv:4:1: 2024-01-02 is there twice`,
      `${bad}/daily/btc_usdt.csv:4:20: -1 is negative`,
      `${bad}/dvol/btc_dvol.csv:1:5: the header must be date,open,high,low,close`,
    ]);
  });

  it('is not read to its end when every row is wrong', async () => {
    const rows = Array.from({ length: 100 }, (_, i) => `${formatIsoDate(19_000 + i)},x,1,1,1,1`);
    const bad = writeFiles(temporaryFolder(), { 'daily/btc_usdt.csv': [BAR, ...rows] });
    const faults = await faultsOf(importFiles({ store: join(bad, 'market.duckdb'), paths: [bad] }));
    expect(faults.split('\n')).toHaveLength(MAX_FAULTS + 1);
    expect(faults).toContain('There may be more faults; not looked for.');
  });
});

describe('a path that holds no market data', () => {
  const missing = async (paths: (folder: string) => string[]): Promise<string> => {
    const folder = writeFiles(temporaryFolder(), {
      'other/btc_usdt.csv': [BAR, ROW_1],
      'daily/BTC-USD.csv': [BAR, ROW_1],
    });
    const store = join(folder, 'market.duckdb');
    const text = await faultsOf(importFiles({ store, paths: paths(folder) }));
    expect(existsSync(store)).toBe(false);
    return text.replaceAll(folder, '');
  };

  it('is refused with what was expected', async () => {
    expect(await missing(folder => [join(folder, 'nowhere')])).toBe(
      '/nowhere: there is no such file or folder',
    );
    expect(await missing(folder => [join(folder, 'other')])).toBe(
      '/other: there is no market data; it is expected in folders called daily, hourly, stablecoin, dvol, exchange_volume, funding',
    );
    expect(await missing(folder => [join(folder, 'other/btc_usdt.csv')])).toBe(
      '/other/btc_usdt.csv: its folder is none of daily, hourly, stablecoin, dvol, exchange_volume, funding',
    );
    expect(await missing(folder => [folder])).toBe(
      '/daily/BTC-USD.csv: a file of daily/ is called <symbol>_usdt.csv or <symbol>_usdc.csv',
    );
  });
});

function series(
  source: string,
  kind: string,
  symbol: string,
  first: string,
  last: string,
  rows: number,
  gaps: number,
) {
  return { source, kind, symbol, first, last, rows, gaps };
}
