/** Windows read two columns of a file and not the rest: the same numbers as the whole file gives, and damage is told. */
import { readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { importFiles } from '#src/market/import/import-files.js';
import { DEFAULT_RULES } from '#src/market/rules.js';
import {
  type Manifest,
  type ManifestSeries,
  manifestText,
  parseManifest,
  sha256,
} from '#src/market/store/manifest.js';
import {
  columnRanges,
  columnStarts,
  columnsOf,
  decodeColumn,
  encodeRows,
} from '#src/market/store/parquet.js';
import { makeRows } from '#src/market/store/rows.js';
import { SeriesCache } from '#src/market/store/series-cache.js';
import { storeFilesAt } from '#src/market/store/store-files.js';
import { openStoredVersion, StoreSource } from '#src/market/store/store-source.js';
import { manifestOf, temporaryFolder, writeFiles } from '../../support/market-files.ts';

// 200,000 rows are more than one page of the writer's usual size.
for (const [count, tags] of [
  [1, []],
  [2, []],
  [3650, []],
  [200_000, ['slow']],
] as const)
  it(`finds the columns of a file of ${count} rows`, { tags: [...tags] }, async () => {
    const rows = makeRows(count);
    for (let i = 0; i < count; i++) {
      rows.hours[i] = 400_000 + i;
      rows.numbers.close[i] = 1 + i / 7;
      if (i % 3 > 0) rows.numbers.volume[i] = i;
    }
    const bytes = encodeRows(rows);
    for (const column of ['close', 'volume'] as const) {
      const ranges = columnRanges(columnStarts(bytes), column, count);
      const read = columnsOf(ranges.map(({ start, bytes: length }) => bytes.slice(start, start + length)));
      expect(read.hours).toEqual(rows.hours);
      expect(read.values).toEqual(rows.numbers[column]);
      const whole = await decodeColumn(bytes, column);
      expect(Array.from(whole.values)).toEqual(Array.from(read.values));
    }
  });

it('reads a file of several pages and groups whole, and knows no columns of it', async () => {
  const hours = Int32Array.of(1, 2, 3, 4, 5);
  const close = Float64Array.of(10, 20, 30, 40, 50);
  const fileOf = (options: object): Uint8Array =>
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'hour', data: hours, type: 'INT32', encoding: 'PLAIN' },
          { name: 'close', data: close, type: 'DOUBLE', encoding: 'PLAIN' },
          { name: 'volume', data: close, type: 'DOUBLE', encoding: 'PLAIN' },
        ],
        codec: 'UNCOMPRESSED',
        statistics: false,
        dictionarySize: 0,
        ...options,
      }),
    );
  const plain = { rowGroupSize: 5, pageSize: 0 };
  expect(Object.keys(columnStarts(fileOf(plain)))).toEqual(['hour', 'close', 'volume']);
  for (const options of [{ rowGroupSize: 2 }, { rowGroupSize: 3 }, { codec: 'SNAPPY' }]) {
    const bytes = fileOf({ ...plain, ...options });
    expect(() => columnStarts(bytes), JSON.stringify(options)).toThrow(
      'the column hour is not one plain page',
    );
    const { hours: read, values } = await decodeColumn(bytes, 'close');
    expect([Array.from(read), Array.from(values)]).toEqual([Array.from(hours), Array.from(close)]);
  }
  // Bytes that are a part of a larger buffer.
  const bytes = fileOf(plain);
  const larger = new Uint8Array(bytes.length + 16);
  larger.set(bytes, 5);
  const part = larger.subarray(5, 5 + bytes.length);
  expect(columnStarts(part)).toEqual(columnStarts(bytes));
  expect(Array.from((await decodeColumn(part, 'close')).values)).toEqual(Array.from(close));
});

it('writes the same bytes for the same rows, in every version of this program', () => {
  const rows = makeRows(3);
  rows.hours.set([400_000, 400_001, 400_003]);
  rows.numbers.close.set([1.5, 2.5, 3.5]);
  rows.numbers.volume.set([7]);
  rows.imports.fill(2);
  rows.files.fill(1);
  // Written down from a run. Where it changes, stores keep a second file of every series that an import touches.
  expect(sha256(encodeRows(rows))).toBe('dc6c4306a3e6da084ff222bb5422115d9ec13a88f1be0718dabdefddce64cbec');
});

async function smallStore(): Promise<string> {
  const folder = temporaryFolder();
  const store = join(folder, 'market');
  const files = writeFiles(join(folder, 'files'), {
    'daily/btc_usdt.csv': ['date,close', '2024-01-01,10', '2024-01-02,11', '2024-01-04,13'],
    'daily/eth_usdt.csv': ['date,close', '2024-01-01,1', '2024-01-02,2', '2024-01-03,3'],
  });
  await importFiles({ store, paths: [files], now: new Date('2024-06-01T00:00:00Z') });
  return store;
}

const closesOf = async (source: StoreSource, symbol: string) =>
  Array.from((await source.dailyCloses(symbol))?.values ?? []);

it('A store is read without the positions of columns in its manifest, and from one line', async () => {
  const store = await smallStore();
  const { series, ...rest } = await manifestOf(store);
  const old: Manifest = {
    ...rest,
    series: series.map(({ columns, ...each }): ManifestSeries => each),
  };
  const text = `${JSON.stringify(old)}\n`;
  expect(parseManifest(text, 'here')).toEqual(old);
  const source = await StoreSource.open(storeFilesAt(store), old, DEFAULT_RULES, new SeriesCache());
  expect(await closesOf(source, 'BTC')).toEqual([10, 11, Number.NaN, 13]);
});

it('A manifest is written with a series a line, and read as JSON', async () => {
  const { series, ...rest } = await manifestOf(await smallStore());
  for (const count of [1, 2, 700]) {
    const manifest: Manifest = {
      ...rest,
      series: Array.from({ length: count }, (_, i) => ({ ...series[i % 2], asset: `A${i}` })),
    };
    const text = manifestText(manifest);
    expect(text.trimEnd().split('\n')).toHaveLength(count + 2);
    expect(parseManifest(text, 'here')).toEqual(manifest);
    expect(() => parseManifest(text.slice(0, -10), 'here')).toThrow('here is not a file of a market store.');
    expect(() => parseManifest(text.replace('"format":2', '"format":1'), 'here')).toThrow(
      'here is a market store of format 1; this program uses format 2.',
    );
  }
});

it('A file that was truncated, or has other rows, is refused', async () => {
  const store = await smallStore();
  const { series } = await manifestOf(store);
  const file = (asset: string) => join(store, series.find(each => each.asset === asset)?.file ?? '');
  const bytes = readFileSync(file('BTC'));
  truncateSync(file('BTC'), 60);
  const cut = await openStoredVersion(store, DEFAULT_RULES);
  await expect(cut.dailyCloses('BTC')).rejects.toMatchObject({
    reason: 'market-data-unavailable',
    message: 'The market data cannot be read at this moment.',
    retryAfterSeconds: 5,
    cause: {
      message: expect.stringMatching(/series\/[0-9a-f]{64}\.parquet cannot be read: it ends before byte/),
    },
  });
  // A failed read is no answer for good.
  writeFileSync(file('BTC'), bytes);
  expect(await closesOf(cut, 'BTC')).toEqual([10, 11, Number.NaN, 13]);
  renameSync(file('BTC'), file('ETH'));
  const swapped = await openStoredVersion(store, DEFAULT_RULES);
  await expect(swapped.dailyCloses('ETH')).rejects.toMatchObject({
    reason: 'market-data-unavailable',
    cause: {
      message: expect.stringMatching(
        /series\/[0-9a-f]{64}\.parquet of the store at .* does not hold the rows of ETH\/USDT binance 1d/,
      ),
    },
  });
});
