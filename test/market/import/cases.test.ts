/** Files as users have them: small copies of the forms of exports, each with the closes that are right. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ImportError } from '#src/market/import/import-error.js';
import { importFiles, planImport } from '#src/market/import/import-files.js';
import { readSeries } from '#src/market/import/read-series.js';
import type { ImportOptions } from '#src/market/import/reading.js';
import { readTable } from '#src/market/import/table.js';
import { rowName, seriesId } from '#src/market/store/series-key.js';
import { listStore, temporaryFolder, writeFiles } from '../../support/market-files.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const BTC = { asset: 'BTC', quote: 'USD', exchange: 'own' } as const;

/** The rows of a file as `2024-01-01 11 volume 100`, with how it was read; or its faults. */
async function read(name: string, lines: readonly string[] | string, options: ImportOptions = BTC) {
  const path = `/x/${name}`;
  const text = typeof lines === 'string' ? lines : `${lines.join('\n')}\n`;
  const found = readSeries(path, await readTable(path, Buffer.from(text)), options, NOW);
  if ('faults' in found)
    return { faults: found.faults.map(({ message, remedy }) => `${message} / ${remedy}`) };
  const [{ key, rows }] = found.series;
  const { close, volume } = rows.numbers;
  return {
    id: seriesId(key),
    rows: Array.from(rows.hours, (hour, i) =>
      [rowName(key, hour), close[i], ...(Number.isNaN(volume[i]) ? [] : [`volume ${volume[i]}`])].join(' '),
    ),
    understood: found.understood,
    notes: found.notes,
  };
}
const rowsOf = async (...args: Parameters<typeof read>) => {
  const { rows, faults } = await read(...args);
  return rows ?? faults;
};
const faultOf = async (...args: Parameters<typeof read>) =>
  (await read(...args)).faults?.join('\n') ?? 'read';

describe('A day without a time has its close', () => {
  const DAYS = ['2024-01-01 10', '2024-01-02 11'];
  const under = (heading: string) => [`date,${heading}`, '2024-01-01,10', '2024-01-02,11'];

  it.each([
    'Price',
    'PriceUSD',
    'value',
    'usd',
    'Close (USD)',
    'Close*',
    'Adj Close',
    'Last',
    'PX_LAST',
    'BTC',
    'BTC-USD',
    'CBBTCUSD',
    'close_usd',
    'USD close',
  ])('under %s', async heading => {
    expect(await rowsOf('a.csv', under(heading))).toEqual(DAYS);
  });

  it('under rate, where no funding has such rates', async () => {
    expect(await rowsOf('a.csv', under('rate'))).toEqual(DAYS);
    const small = ['date,rate', '2024-01-01,0.01', '2024-01-02,0.011'];
    expect(await faultOf('a.csv', small)).toContain('--kind price or --kind funding');
    expect(await rowsOf('a.csv', small, { ...BTC, kind: 'price' })).toEqual([
      '2024-01-01 0.01',
      '2024-01-02 0.011',
    ]);
    expect(
      (
        await read('a.csv', ['time,rate', '2024-01-01T00:00Z,0.01', '2024-01-01T08:00Z,0.02'], {
          ...BTC,
          fundingUnit: 'percent',
        })
      ).id,
    ).toBe('funding BTC/USD own 8h');
  });

  it('in JSON, and the import says so', async () => {
    const rows = [
      { date: '2024-01-01', price: 10 },
      { date: '2024-01-02', price: 11 },
    ];
    expect(await read('a.json', JSON.stringify(rows))).toMatchObject({
      rows: DAYS,
      understood: 'a price is the close of its day; from the times: timeframe 1d',
    });
  });

  it('of a row with open, high and low is a bar, with or without a time', async () => {
    for (const time of ['', ' 00:00:00']) {
      const lines = [
        'Date,Price,Open,High,Low',
        `2024-01-01${time},10,9,11,8`,
        `2024-01-02${time},11,10,12,9`,
      ];
      expect(await rowsOf('a.csv', lines)).toEqual(DAYS);
    }
  });

  it('unless it has a time, as a snapshot', async () => {
    const before = ['2023-12-31 10', '2024-01-01 11'];
    expect(await rowsOf('a.csv', ['date,price', '2024-01-01 00:00:00,10', '2024-01-02 00:00:00,11'])).toEqual(
      before,
    );
    expect(await rowsOf('a.csv', ['snapped_at,price', '2024-01-01,10', '2024-01-02,11'])).toEqual(before);
    const pairs = [
      [1_704_067_200_000, 10],
      [1_704_153_600_000, 11],
    ];
    expect(await rowsOf('a.json', JSON.stringify(pairs))).toEqual(before);
    expect(await rowsOf('a.json', JSON.stringify({ prices: pairs }))).toEqual(before);
  });

  it('of Coin Metrics is that of its day even at 00:00, and its rate is that of the moment', async () => {
    const time = (day: string) => `${day}T00:00:00.000000000Z`;
    const header = 'time,CapMrktCurUSD,PriceBTC,PriceUSD,ReferenceRateEUR,ReferenceRateUSD,SplyCur';
    const lines = [header, `${time('2024-01-01')},5,1,10,8,9.5,1`, `${time('2024-01-02')},5,1,11,9,10,1`];
    expect(await read('cm_btc.csv', lines, { asset: 'BTC' })).toMatchObject({
      id: 'price BTC/USD coinmetrics 1d',
      rows: DAYS,
    });
    const rates = ['time,ReferenceRateUSD', '2024-01-01,9.5', '2024-01-02,10'];
    expect(await rowsOf('a.csv', rates)).toEqual(['2023-12-31 9.5', '2024-01-01 10']);
  });

  it('is asked for where some rows have a time', async () => {
    expect(await faultOf('a.csv', ['date,price', '2024-01-01,10', '2024-01-02 00:00:00,11'])).toContain(
      '--stamp snapshot',
    );
  });
});

describe('The unit of volumes', () => {
  const HEADER = 'open_time,open,high,low,close,volume,close_time,quote_volume,count';
  const klines = (volumes: (price: number) => readonly [number, number]) => [
    HEADER,
    ...[60_000, 65_000, 70_000, 62_000].map((price, day) => {
      const [volume, quote] = volumes(price);
      const open = 1_727_740_800_000 + day * 86_400_000;
      return [open, price, price * 1.01, price * 0.99, price, volume, open + 86_399_999, quote, 7].join();
    }),
  ];
  const volumesOf = async (lines: readonly string[], options: ImportOptions = BTC, name = 'a.csv') => {
    const { rows, faults } = await read(name, lines, options);
    return rows?.map(row => row.split('volume ')[1]) ?? faults?.join('\n');
  };

  it.each([
    ['coins beside their turnover', (price: number) => [1000, 1000 * price] as const],
    ['contracts of 100 USD beside coins', (price: number) => [(1000 * price) / 100, 1000] as const],
    ['dollars beside coins', (price: number) => [1000 * price, 1000] as const],
    ['contracts of 0.01 coins beside the turnover', (price: number) => [100_000, 1000 * price] as const],
  ])('follows from the prices: %s', async (_, volumes) => {
    expect(await volumesOf(klines(volumes), { ...BTC, kind: 'price' }, 'binance_BTCUSD_perp.csv')).toEqual([
      '1000',
      '1000',
      '1000',
      '1000',
    ]);
  });

  it('is asked for where the two do not agree with the prices, and where the market would be too large', async () => {
    expect(await volumesOf(klines(() => [3, 7]))).toContain('do not agree with its prices in any unit');
    const large = ['date,close,volume', '2024-01-01,60000,2000000', '2024-01-02,60000,2000000'];
    expect(await volumesOf(large, { ...BTC, exchange: 'binance' })).toContain(
      'would trade 1.2e+11 USD a day',
    );
    expect(await volumesOf(large, { ...BTC, exchange: 'binance', volumeUnit: 'none' })).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('of OKX and Bybit follows from rows without names', async () => {
    const at = (day: number) => 1_727_740_800_000 + day * 86_400_000;
    const swap = [60_000, 65_000].map((p, day) => [at(day), p, p, p, p, 100_000, 1000, 1000 * p, 1]);
    const spot = [60_000, 65_000].map((p, day) => [at(day), p, p, p, p, 1000, 1000 * p, 1000 * p, 1]);
    const inverse = [60_000, 65_000].map((p, day) => [at(day), p, p, p, p, 1000 * p, 1000]);
    const trades = [60_000, 65_000].map((p, day) => [at(day), p, p, p, p, 1000, 7]);
    for (const rows of [swap, spot, inverse, trades])
      expect(await volumesOf(rows.map(row => row.join())), rows[0].join()).toEqual(['1000', '1000']);
  });

  it('of the form of Yahoo is not taken for that of another exchange', async () => {
    const lines = ['Date,Close,Adj Close,Volume', '2024-01-01,10,10,100', '2024-01-02,10,10,100'];
    expect(await volumesOf(lines, { ...BTC, exchange: 'yahoo' })).toEqual(['10', '10']);
    expect(await volumesOf(lines, { ...BTC, exchange: 'kraken' })).toContain('--volume-unit');
  });

  it('is stated by a heading', async () => {
    const lines = (name: string) => [`date,close,${name}`, '2024-01-01,10,100', '2024-01-02,10,100'];
    expect(await volumesOf(lines('Volume (BTC)'))).toEqual(['100', '100']);
    expect(await volumesOf(lines('Volume USD'))).toEqual(['10', '10']);
    expect(await volumesOf(lines('PX_VOLUME'))).toContain('--volume-unit');
  });
});

describe('The unit of funding rates', () => {
  const rates = (size: number, count: number, heading = 'fundingRate') => [
    `fundingTime,${heading}`,
    ...Array.from(
      { length: count },
      (_, i) => `${1_735_689_600_000 + i * 28_800_000},${(size * (1 + (i % 5) / 10)).toFixed(8)}`,
    ),
  ];
  const first = async (...args: Parameters<typeof rates>) =>
    (await read('binance_SOLUSDT_funding.csv', rates(...args), { timeframe: '8h' })).rows?.[0].split(
      ' ',
    )[1] ?? 'asked';

  it.each([
    [0.0001, 90, '0.0001'],
    [0.01, 90, '0.0001'],
    [0.01, 9, '0.0001'],
    [0.0001, 9, '0.0001'],
    [0.0001, 3, 'asked'],
    [0.01, 3, 'asked'],
    [0.002, 90, 'asked'],
    [-0.0001, 90, '-0.0001'],
    [0, 3, '0'],
  ])('follows from rates of %d in number %d: %s', async (size, count, rate) => {
    expect(await first(size, count)).toBe(rate);
  });

  it('is stated by a heading or the cells, where the size does not contradict it', async () => {
    expect(await first(0.01, 3, 'Funding Rate (%)')).toBe('0.0001');
    expect(await first(0.0001, 90, 'Funding Rate (%)')).toBe('asked');
    const cells = ['time,fundingRate', '2024-01-01T00:00Z,0.0100%', '2024-01-01T08:00Z,0.0110%'];
    expect(await rowsOf('a.csv', cells)).toEqual(['2024-01-01T00:00Z 0.0001', '2024-01-01T08:00Z 0.00011']);
  });

  it('of freqtrade stands in the column of openings', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => [
      1_735_689_600_000 + i * 28_800_000,
      0.0001,
      0,
      0,
      0,
      0,
    ]);
    const found = await read('BTC_USDT_USDT-8h-funding_rate.json', JSON.stringify(rows), {
      exchange: 'binance',
    });
    expect(found).toMatchObject({ id: 'funding BTC/USDT binance 8h' });
    expect(found.rows).toHaveLength(30);
    expect(found.rows?.[0]).toBe('2025-01-01T00:00Z 0.0001');
    const wrong = rows.map(([ms, rate]) => [ms, rate, 0.0002, 0, 0.0001, 0]);
    expect(
      await faultOf('BTC_USDT_USDT-8h-funding_rate.json', JSON.stringify(wrong), { exchange: 'binance' }),
    ).toContain('--columns funding');
  });

  it('has the grid of its shortest interval', async () => {
    const lines = [
      'calc_time,funding_interval_hours,last_funding_rate',
      ...[0, 8, 16, 24, 28, 32, 36].map(hour => `${1_735_689_600_000 + hour * 3_600_000},8,0.0001`),
    ];
    const found = await read('SUIUSDT-fundingRate-2025.csv', lines, {
      exchange: 'binance',
      fundingUnit: 'fraction',
    });
    expect(found.id).toBe('funding SUI/USDT binance 4h');
    expect(found.rows).toHaveLength(7);
  });
});

describe('A form', () => {
  const TWO = ['2023-12-21 61234.5', '2023-12-22 61000'];

  it.each([
    ['money', ['Date,Close', '2023-12-21,"$61,234.50"', '2023-12-22,"$61,000.00"']],
    ['names of months', ['Date,Close', '"Dec 21, 2023",61234.5', '"Dec 22, 2023",61000']],
    ['names of months and two digits of the year', ['Date,Close', '21-Dec-23,61234.5', '22-Dec-23,61000']],
    ['a zone', ['Date (UTC),Close (USD)', '2023-12-21,61234.5', '2023-12-22,61000']],
    ['days without marks', ['Date,Close', '20231221,61234.5', '20231222,61000']],
    [
      'a title and a comment',
      ['Bitcoin, daily', '', '# by hand', 'Date,Close', '2023-12-21,61234.5', '2023-12-22,61000'],
    ],
    ['a header that is a comment', ['# Date,Close', '2023-12-21,61234.5', '2023-12-22,61000']],
    [
      'lines below',
      ['Date,Close', '2023-12-21,61234.5', '2023-12-22,61000', 'Average,61117.25', '', 'Source: own'],
    ],
    ['empty days', ['observation_date,CBBTCUSD', '2023-12-20,.', '2023-12-21,61234.5', '2023-12-22,61000']],
    ['Bloomberg', ['Date,PX_LAST', '2023-12-21,61234.5', '2023-12-22,61000']],
    ['German headings', ['Datum;Eröffn.;Schluss', '2023-12-21;61000;61234,5', '2023-12-22;61234,5;61000']],
    ['French headings', ['Date;Ouverture;Clôture', '2023-12-21;61000;61234,5', '2023-12-22;61234,5;61000']],
    ['a comma before the fraction', ['Date;Close', '2023-12-21;61.234,50', '2023-12-22;61.000,00']],
    ['a half row of marks', ['Date,Close', '2023-12-21,61234.5', ',', '2023-12-22,61000']],
    [
      'a date and a time of day',
      ['<DATE>,<TIME>,<OPEN>,<CLOSE>', '2023.12.21,00:00,61000,61234.5', '2023.12.22,00:00,61234,61000'],
    ],
  ])('is read: %s', async (_, lines) => {
    expect(await rowsOf('a.csv', lines)).toEqual(TWO);
  });

  it('of FRED names the market of its series of Coinbase', async () => {
    const lines = ['observation_date,CBETHUSD', '2023-12-20,.', '2023-12-21,2240.1', '2023-12-22,2300'];
    expect((await read('CBETHUSD.csv', lines, {})).id).toBe('price ETH/USD coinbase 1d');
  });

  it('of CoinMarketCap has bars by their opening, and leaves out one that had not ended', async () => {
    const row = (day: number, close: number, stamp = '23:59:59.999Z') =>
      `"2023-12-${day}T00:00:00.000Z";"2023-12-${day}T23:59:59.999Z";"2023-12-${day}T05:00:00.000Z";"2023-12-${day}T09:00:00.000Z";"2781";${close};${close + 1};${close - 1};${close};${close * 10};5;1;"2023-12-${day}T${stamp}"`;
    const header =
      'timeOpen;timeClose;timeHigh;timeLow;name;open;high;low;close;volume;marketCap;circulatingSupply;timestamp';
    const lines = [header, row(23, 99, '13:00:00.000Z'), row(22, 61_000), row(21, 61_234.5)];
    const found = await read('a.csv', lines, { asset: 'BTC', quote: 'USD' });
    expect(found.id).toBe('price BTC/USD coinmarketcap 1d');
    expect(found.rows).toEqual(TWO.map(each => `${each} volume 10`));
    expect(found.notes).toContain('1 bar not closed when the file was written: left out');
  });

  it('of hours names them by half days', async () => {
    const lines = [
      'https://www.CryptoDataDownload.com',
      'Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USD',
      '2019-10-02 11-PM,BTCUSD,2,2,2,2,10,20',
      '2019-10-02 12-PM,BTCUSD,3,3,3,3,10,30',
      '2019-10-02 12-AM,BTCUSD,4,4,4,4,10,40',
    ];
    expect(await rowsOf('Coinbase_BTCUSD_1h.csv', lines, {})).toEqual([
      '2019-10-02T00:00Z 4 volume 10',
      '2019-10-02T12:00Z 3 volume 10',
      '2019-10-02T23:00Z 2 volume 10',
    ]);
  });

  it('with thousands that are not quoted is refused', async () => {
    const lines = (...rows: string[]) => [
      'date,close,volume',
      ...rows.map((row, i) => `2024-01-0${i + 1},${row}`),
    ];
    const bare = lines('2,313', '2,232', '2,280', '2,202', '3,077');
    expect(await faultOf('kraken_ETHUSD.csv', bare, {})).toContain('mark of thousands is not quoted');
    expect(await faultOf('kraken_ETHUSD.csv', bare, { decimal: 'point' })).toContain(
      'mark of thousands is not quoted',
    );
    const two = lines('2,313', '2,232', '2,280', '2,202', '3,177');
    expect(await faultOf('kraken_ETHUSD.csv', two, {})).toContain('--decimal point');
    expect((await read('kraken_ETHUSD.csv', two, { decimal: 'point' })).rows).toHaveLength(5);
  });

  it.each([
    [
      'a point before three digits between semicolons',
      ['d;close', ...[1, 2, 3, 4, 5].map(i => `2024-01-0${i};42.28${i}`)],
      '--decimal point or --decimal comma',
    ],
    [
      'a comma before three digits',
      ['d,close', '2024-01-01,"42,283"', '2024-01-02,"42,284"'],
      '--decimal point or --decimal comma',
    ],
    [
      'a zone that is not UTC',
      ['Date (EST),Close', '2024-01-01,1', '2024-01-02,2'],
      'are of the zone EST, and not UTC',
    ],
    ['another currency', ['date,Close (EUR)', '2024-01-01,1', '2024-01-02,2'], 'Say --quote EUR'],
  ])('of two readings is refused: %s', async (_, lines, words) => {
    expect(
      await faultOf(
        'a.csv',
        lines.map(line => line.replace(/^d([;,])/, 'date$1')),
      ),
    ).toContain(words);
  });

  it('has the closed bars alone: by a mark, by the moment of the last row, and by the last one that Kraken names', async () => {
    const bar = (day: number, ...more: (number | string)[]) => [
      1_704_067_200_000 + day * 86_400_000,
      2,
      2,
      2,
      2,
      5,
      ...more,
    ];
    const left = ['2024-01-01 2 volume 5', '2024-01-02 2 volume 5'];
    const okx = [bar(2, 10, 10, 0), bar(1, 10, 10, 1), bar(0, 10, 10, 1)];
    expect(await rowsOf('a.json', JSON.stringify({ code: '0', data: okx }))).toEqual(left);
    const moment = [bar(0), bar(1), bar(2), [Number(bar(2)[0]) + 40_000_000, 2, 2, 2, 2, 5]];
    expect(
      await rowsOf(
        'a.csv',
        moment.map(row => row.join()),
        { ...BTC, timeframe: '1d' },
      ),
    ).toEqual(left);
    const kraken = [0, 1, 2].map(day => [1_704_067_200 + day * 86_400, '2', '2', '2', '2', '2', '5', 9]);
    const rest = { error: [], result: { XXBTZUSD: kraken, last: kraken[1][0] } };
    expect(await rowsOf('a.json', JSON.stringify(rest))).toEqual(left);
  });
});

describe('A series that is a day off another of its asset', () => {
  /** Closes of 60 days, the same for every caller, moved by some days. */
  const closes = (shift: number, factor: number) => {
    let [state, price] = [7, 100];
    return Array.from({ length: 60 }, (_, i) => {
      state = (state * 16_807) % 2_147_483_647;
      price *= Math.exp(0.08 * (state / 2_147_483_647 - 0.5));
      const day = new Date(Date.UTC(2024, 0, 1 + i + shift)).toISOString().slice(0, 10);
      return `${day},${(factor * price).toFixed(4)}`;
    });
  };
  const files = (shift: number) =>
    writeFiles(temporaryFolder(), {
      'binance_BTCUSDT_1d.csv': ['date,close', ...closes(0, 1)],
      'kraken_BTCUSD_1d.csv': ['date,close', ...closes(shift, 1.001)],
    });

  it.each([
    [1, 'late', 'snapshot'],
    [-1, 'early', undefined],
  ])('by %d is refused, with what moves it, and without a change', async (shift, words, stamp) => {
    const folder = files(shift);
    const store = join(folder, 'market');
    await importFiles({ store, paths: [join(folder, 'binance_BTCUSDT_1d.csv')], now: NOW });
    const request = { store, paths: [join(folder, 'kraken_BTCUSD_1d.csv')], now: NOW };
    const refused = await planImport(request).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ImportError);
    const { message } = refused as ImportError;
    expect(message).toContain(`follow those of BTC/USDT binance 1d in the store a day ${words}`);
    expect(message).toContain('market remove price BTC/USDT binance 1d');
    expect(message.includes(`--stamp ${stamp}`)).toBe(stamp !== undefined);
    expect(await listStore(store)).toHaveLength(1);
    if (stamp === undefined) return;
    await importFiles({ ...request, options: { stamp: 'snapshot' } });
    expect(await listStore(store)).toHaveLength(2);
  });

  it('is none where its days are the same', async () => {
    const folder = files(0);
    const store = join(folder, 'market');
    for (const name of ['binance_BTCUSDT_1d.csv', 'kraken_BTCUSD_1d.csv'])
      await importFiles({ store, paths: [join(folder, name)], now: NOW });
    expect(await listStore(store)).toHaveLength(2);
  });

  it('or gets other numbers, is refused by the plan alone, which writes nothing', async () => {
    const folder = files(0);
    const store = join(folder, 'market');
    const paths = [join(folder, 'kraken_BTCUSD_1d.csv')];
    await importFiles({ store, paths, now: NOW });
    writeFiles(folder, { 'kraken_BTCUSD_1d.csv': ['date,close', ...closes(0, 2)] });
    await expect(planImport({ store, paths, now: NOW })).rejects.toThrow('60 of the 60 rows held');
    expect((await planImport({ store, paths, now: NOW, replace: true })).files).toHaveLength(1);
  });
});
