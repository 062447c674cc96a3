/** Parquet files of other programs, read as DuckDB reads them; test/fixtures/parquet has the programs that wrote them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { UnreadableFile } from '#src/market/import/import-error.js';
import { MAX_CELLS, parquetCells } from '#src/market/import/parquet-cells.js';
import { encodeRows } from '#src/market/store/parquet.js';
import { makeRows } from '#src/market/store/rows.js';

const FOLDER = join(import.meta.dirname, '../../fixtures/parquet');
const file = (name: string): Buffer => readFileSync(join(FOLDER, `${name}.parquet`));
const READINGS: Readonly<Record<string, { header: readonly string[]; rows: readonly unknown[][] }>> =
  JSON.parse(readFileSync(join(FOLDER, 'readings.json'), 'utf8'));
/** Where we read less than DuckDB. */
const LESS = new Set(['delta_text.parquet', 'nested.parquet', 'others.parquet']);

it('has a reading of every file but the one that is too large', () => {
  const files = readdirSync(FOLDER).filter(name => name.endsWith('.parquet'));
  expect(files.filter(name => !(name in READINGS))).toEqual(['large_texts.parquet']);
  expect(Object.keys(READINGS)).toHaveLength(files.length - 1);
});

it.each(Object.keys(READINGS).filter(name => !LESS.has(name)))('reads %s as DuckDB does', async name => {
  const { header, rows } = await parquetCells(readFileSync(join(FOLDER, name)));
  // JSON has no NaN.
  const shown = JSON.parse(JSON.stringify(rows.slice(0, READINGS[name].rows.length)));
  expect({ header, rows: shown }).toEqual(READINGS[name]);
});

it('writes the bytes that DuckDB and pyarrow read', () => {
  const rows = makeRows(3);
  for (let i = 0; i < 3; i++) {
    rows.hours[i] = 473_352 + 24 * i;
    rows.numbers.open[i] = 10 + i / 3;
    rows.numbers.close[i] = 11 + i / 7;
    if (i !== 1) rows.numbers.volume[i] = 100 * i;
    rows.imports[i] = 1;
    rows.files[i] = i;
  }
  expect(Buffer.from(encodeRows(rows)).equals(file('of_the_store'))).toBe(true);
});

it('does not depend on the time zone of the machine', async () => {
  const before = process.env.TZ;
  process.env.TZ = 'America/New_York';
  try {
    for (const name of ['timestamp_tz', 'zoned', 'timestamp_us', 'date'])
      expect((await parquetCells(file(name))).rows[1], name).toEqual(READINGS[`${name}.parquet`].rows[1]);
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

it('names a column that it does not read in its cells', async () => {
  const row = async (name: string) => (await parquetCells(file(name))).rows[1];
  expect(await row('nested')).toEqual([
    1_704_153_600_000,
    2.5,
    'list: a nested column, not read',
    'struct: a nested column, not read',
    'map: a nested column, not read',
  ]);
  expect((await row('others')).slice(2, 5)).toEqual([
    'clock: TIME, not read',
    'id: UUID, not read',
    'span: INTERVAL, not read',
  ]);
  expect(await row('delta_text')).toEqual(['date: DELTA_BYTE_ARRAY, not read', 2.5]);
});

/** The message of a refusal. */
const refusal = (bytes: Uint8Array): Promise<string> =>
  parquetCells(bytes).then(
    () => 'read',
    (error: unknown) => {
      expect(error).toBeInstanceOf(UnreadableFile);
      return (error as UnreadableFile).message;
    },
  );

it('refuses 2 kB that unpack to 629 MB before they are unpacked', async () => {
  const before = process.memoryUsage.rss();
  expect(await refusal(file('large_texts'))).toBe(
    'the file has 629157621 bytes, unpacked, and at most 536870912 are read',
  );
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 2 ** 20);
});

it('refuses more cells than the limit, and pages with other rows than their index says', async () => {
  const bars = file('bars_uncompressed');
  // A number of rows is a zigzag varint: 40 is 0x50 in the only group of the file, which ends its index.
  const lying = Buffer.from(bars);
  lying[bars.lastIndexOf(Buffer.of(0x16, 0x50)) + 1] = 0x52;
  expect(await refusal(lying)).toMatch(
    /^the file is no whole Parquet file: a group of 41 rows has 40 values of/,
  );
  expect(MAX_CELLS).toBe(10_000_000);
});

it.each(['GZIP', 'BROTLI', 'ZSTD', 'LZ4_RAW', 'SNAPPY'])(
  'refuses a file of %s that is cut off or damaged',
  async codec => {
    const bytes = file(`bars_${codec.toLowerCase()}`);
    expect(await refusal(bytes.subarray(0, -20))).toMatch(/^the file is no whole Parquet file: /);
    expect(await refusal(bytes.subarray(0, 8))).toMatch(/^the file is no whole Parquet file: /);
  },
);
