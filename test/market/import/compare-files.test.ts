/** Files of one import that contradict each other: each is refused, and following the remedy leads to the right numbers. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { heldSeries } from '#src/market/import/compare-store.js';
import { ImportError } from '#src/market/import/import-error.js';
import { importFiles } from '#src/market/import/import-files.js';
import type { ImportOptions } from '#src/market/import/reading.js';
import { seriesId } from '#src/market/store/series-key.js';
import { temporaryFolder, writeFiles } from '../../support/market-files.ts';

const NOW = new Date('2026-06-01T12:00:00Z');

/** Prices of 120 days, the same for every caller. */
const PRICES = (() => {
  let [state, price] = [7, 100];
  return Array.from({ length: 120 }, () => {
    state = (state * 16_807) % 2_147_483_647;
    price *= Math.exp(0.08 * (state / 2_147_483_647 - 0.5));
    return price;
  });
})();
const dayOf = (i: number) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
/** Rows of days `from` to `to`. */
const days = (from: number, to: number, cells: (price: number, i: number) => readonly (number | string)[]) =>
  PRICES.slice(from, to).map((price, i) => [dayOf(from + i), ...cells(price, from + i)].join(','));

const closes = (from: number, to: number, factor = 1, shift = 0) => [
  'date,close',
  ...days(from, to, price => [(factor * price).toFixed(4)]).map((line, i) =>
    line.replace(dayOf(from + i), dayOf(from + i + shift)),
  ),
];
const bars = (from: number, to: number, volume: (price: number) => number) => [
  'date,close,volume',
  ...days(from, to, price => [price.toFixed(4), volume(price).toFixed(2)]),
];
const rates = (from: number, to: number, size: number) => [
  'time,fundingRate',
  ...Array.from({ length: to - from }, (_, i) => {
    const at = new Date(Date.UTC(2024, 0, 1, 8 * (from + i))).toISOString();
    return `${at},${(size * (1 + ((from + i) % 5) / 10)).toFixed(8)}`;
  }),
];

interface Step {
  readonly files: readonly number[];
  readonly options?: ImportOptions;
}

interface Case {
  readonly name: string;
  /** By name, in the order of the import. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  readonly options?: ImportOptions;
  readonly refused: RegExp;
  /** The imports that follow the remedy. */
  readonly followed: readonly Step[];
  /** A number of the last row of each series. */
  readonly stored: Readonly<Record<string, readonly [column: 'close' | 'volume', value: number]>>;
}

const LAST = PRICES[119];
const OWN = { asset: 'BTC', quote: 'USD', exchange: 'own' } as const;

const CASES: readonly Case[] = [
  {
    name: 'days',
    files: { 'binance_BTCUSDT_1d.csv': closes(0, 60), 'kraken_BTCUSD_1d.csv': closes(0, 60, 1.001, 1) },
    refused:
      /kraken_BTCUSD_1d\.csv.*BTC\/USD kraken 1d follow those of BTC\/USDT binance 1d in .*binance_BTCUSDT_1d\.csv a day late.*Import the file with the right days first/s,
    followed: [{ files: [0] }, { files: [1], options: { stamp: 'snapshot' } }],
    stored: { 'price BTC/USD kraken 1d': ['close', 1.001 * PRICES[59]] },
  },
  {
    name: 'euros that are called dollars',
    files: { 'binance_BTCUSDT_1d.csv': closes(0, 120), 'kraken_BTCUSD_1d.csv': closes(0, 120, 1 / 1.09) },
    refused: /kraken_BTCUSD_1d\.csv: .* 0\.917 times those of BTC\/USDT binance 1d .* 120 days.*--quote/s,
    followed: [{ files: [0] }, { files: [1], options: { quote: 'EUR' } }],
    stored: { 'price BTC/EUR kraken 1d': ['close', LAST / 1.09] },
  },
  {
    name: 'dollars that are called euros',
    files: { 'kraken_BTCEUR_1d.csv': closes(0, 120), 'coinbase_BTCUSD_1d.csv': closes(0, 120) },
    refused: /coinbase_BTCUSD_1d\.csv: .*the same prices in two currencies.*with the --quote of its prices/s,
    followed: [{ files: [0], options: { quote: 'USD' } }, { files: [1] }],
    stored: {
      'price BTC/USD coinbase 1d': ['close', LAST],
      'price BTC/USD kraken 1d': ['close', LAST],
    },
  },
  {
    name: 'another asset under the same symbol',
    files: { 'binance_BTCUSDT_1d.csv': closes(0, 120), 'kraken_BTCUSD_1d.csv': closes(0, 120, 0.05) },
    refused: /0\.05 times those .*that of another asset with its --symbol/s,
    followed: [{ files: [0] }, { files: [1], options: { asset: 'ETH' } }],
    stored: { 'price ETH/USD kraken 1d': ['close', 0.05 * LAST] },
  },
  {
    name: 'cents after dollars',
    files: { 'binance_BTCUSDT_1d.csv': closes(0, 60), 'binance_BTCUSDT_1d-2.csv': closes(60, 120, 100) },
    refused:
      /closes in USDT of BTC\/USDT binance 1d are 98\.7 times those of .*1d\.csv from 2024-03-01 on.*--quote/s,
    followed: [{ files: [0] }, { files: [1], options: { quote: 'USX' } }],
    stored: { 'price BTC/USX binance 1d': ['close', 100 * LAST] },
  },
  {
    name: 'a price that did jump between two files',
    files: { 'binance_BTCUSDT_1d.csv': closes(0, 60), 'binance_BTCUSDT_1d-2.csv': closes(60, 120, 100) },
    refused: /say --allow-jumps/,
    followed: [{ files: [0, 1], options: { allowJumps: true } }],
    stored: { 'price BTC/USDT binance 1d': ['close', 100 * LAST] },
  },
  {
    name: 'volumes in contracts after volumes in coins',
    files: { 'a.csv': bars(0, 60, () => 5), 'b.csv': bars(60, 120, price => 50 * price) },
    options: { ...OWN, volumeUnit: 'base' },
    refused:
      /b\.csv: the volumes in BTC of BTC\/USD own 1d are \d+ times those of .*a\.csv from 2024-03-01 on.*--volume-unit/s,
    followed: [
      { files: [0], options: { ...OWN, volumeUnit: 'base' } },
      { files: [1], options: { ...OWN, volumeUnit: 'quote' } },
    ],
    stored: { 'price BTC/USD own 1d': ['volume', 50] },
  },
  {
    name: 'rates in percentage points after fractions',
    files: { 'a.csv': rates(0, 90, 1e-4), 'b.csv': rates(90, 180, 0.03) },
    options: { ...OWN, kind: 'funding', fundingUnit: 'fraction' },
    refused:
      /b\.csv: the rates of BTC\/USD own 8h are \d+ times those of .*a\.csv from 2024-01-31T00:00Z on.*--funding-unit/s,
    followed: [
      { files: [0], options: { ...OWN, kind: 'funding', fundingUnit: 'fraction' } },
      { files: [1], options: { ...OWN, kind: 'funding', fundingUnit: 'percent' } },
    ],
    stored: { 'funding BTC/USD own 8h': ['close', 0.0003 * 1.4] },
  },
  {
    name: 'rows that two files have with other numbers',
    files: { 'a.csv': bars(0, 60, () => 5), 'b.csv': bars(30, 120, () => 6) },
    options: { ...OWN, volumeUnit: 'base' },
    refused:
      /b\.csv: 30 of the 30 rows of price BTC\/USD own 1d that .*a\.csv has too .*with the right numbers alone/s,
    followed: [{ files: [1], options: { ...OWN, volumeUnit: 'base' } }],
    stored: { 'price BTC/USD own 1d': ['volume', 6] },
  },
];

describe('Files of one import', () => {
  it.each(CASES)('that differ in $name are refused, and the remedy leads to the numbers', async row => {
    const folder = writeFiles(temporaryFolder(), row.files);
    const store = join(folder, 'market');
    const paths = Object.keys(row.files).map(name => join(folder, name));
    const together = { store, paths, now: NOW, ...(row.options && { options: row.options }) };
    const refused = await importFiles(together).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ImportError);
    expect((refused as ImportError).message).toMatch(row.refused);
    for (const { files, options = {} } of row.followed)
      await importFiles({ store, paths: files.map(i => paths[i]), now: NOW, options });
    const held = await heldSeries(store);
    for (const [id, [column, value]] of Object.entries(row.stored)) {
      const key = held.keys.find(each => seriesId(each) === id);
      expect(key, id).toBeDefined();
      expect((await held.rowsOf(key!)).numbers[column].at(-1), id).toBeCloseTo(value, 3);
    }
  });

  it('agree where they follow each other, or are of two markets', async () => {
    const folder = writeFiles(temporaryFolder(), {
      'binance_BTCUSDT_1d.csv': closes(0, 61),
      'binance_BTCUSDT_1d-2.csv': closes(60, 120),
      'kraken_BTCUSD_1d.csv': closes(0, 120, 1.01),
      'kraken_BTCEUR_1d.csv': closes(0, 120, 1 / 1.09),
    });
    const report = await importFiles({ store: join(folder, 'market'), paths: [folder], now: NOW });
    expect(report.files).toHaveLength(4);
  });
});
