/** Real rates of funding, and whole files as users have them, from the shared folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fundingUnitOf } from '#src/market/import/funding-unit.js';
import { readSeries } from '#src/market/import/read-series.js';
import type { ImportOptions } from '#src/market/import/reading.js';
import { readTable } from '#src/market/import/table.js';
import { rowName, seriesId } from '#src/market/store/series-key.js';
import { describeWithSharedData, readColumn } from '../../support/shared-data.ts';

describeWithSharedData('The unit of real funding rates', dataDir => {
  const rates = readdirSync(join(dataDir, 'funding')).map(name =>
    readColumn(join(dataDir, 'funding', name), 'funding_rate').map(Number),
  );

  it.each([1, 3, 9, 21, 90])(
    'is right or open in every window of %d, in fractions and in percentage points',
    count => {
      let windows = 0;
      for (const all of rates)
        for (let i = 0; i + count <= all.length; i += Math.ceil(count / 3)) {
          const window = all.slice(i, i + count);
          if (window.every(rate => rate === 0)) continue;
          windows++;
          if (fundingUnitOf(window, 8) === 'percent') expect.fail(`fractions at ${i}: ${window}`);
          const points = window.map(rate => 100 * rate);
          if (fundingUnitOf(points, 8) === 'fraction' && count >= 9) expect.fail(`points at ${i}: ${points}`);
        }
      expect(windows).toBeGreaterThan(100);
    },
  );
});

describeWithSharedData('A file of a case', dataDir => {
  const folder = join(dataDir, '../cases/files');
  const read = async (name: string, options: ImportOptions) => {
    const path = join(folder, name);
    const found = readSeries(
      path,
      await readTable(path, readFileSync(path)),
      options,
      new Date('2026-06-01'),
    );
    if ('faults' in found) return found.faults.map(({ kind }) => kind).join();
    const [{ key, rows }] = found.series;
    const { close, volume } = rows.numbers;
    return `${seriesId(key)}, ${rows.hours.length} rows, ${rowName(key, rows.hours[0])} ${close[0]}${Number.isNaN(volume[0]) ? '' : ` volume ${volume[0]}`}`;
  };

  it.skipIf(!existsSync(folder)).each([
    [
      '01-Ethereum Historical Data.csv',
      { asset: 'ETH', quote: 'USD', exchange: 'own', volumeUnit: 'none' },
      'price ETH/USD own 1d, 400 rows, 2024-01-01 2386.66',
    ],
    [
      '02-coinmetrics-btc.csv',
      { asset: 'BTC' },
      'price BTC/USD coinmetrics 1d, 400 rows, 2024-01-01 42045.125452',
    ],
    ['02-cm_btc.csv', { asset: 'BTC' }, 'price BTC/USD coinmetrics 1d, 400 rows, 2024-01-01 42045.125452'],
    [
      '03-BTCUSD_PERP-1d-2025-03.csv',
      { kind: 'price', exchange: 'binance' },
      'price BTC/USD binance 1d, 182 rows, 2024-10-01 60654.7 volume 1000',
    ],
    [
      '03-BTCUSDT-1d-2025-03.csv',
      {},
      'price BTC/USDT binance 1d, 182 rows, 2024-10-01 60654.7399121 volume 1000.5',
    ],
    [
      '07-binance_SOLUSDT_funding_points.csv',
      {},
      'funding SOL/USDT binance 8h, 90 rows, 2025-01-01T00:00Z 0.0001',
    ],
    [
      '10-SUIUSDT-fundingRate-2025.csv',
      { exchange: 'binance' },
      'funding SUI/USDT binance 4h, 192 rows, 2025-01-01T00:00Z 0.0001',
    ],
    [
      '11-BTC_USDT_USDT-8h-funding_rate.json',
      { exchange: 'binance' },
      'funding BTC/USDT binance 8h, 180 rows, 2025-01-01T00:00Z 0.0001',
    ],
    ['17-kraken_XETHZEUR_1d.csv', {}, 'price ETH/EUR kraken 1d, 39 rows, 2025-01-01 2067.3'],
    ['18-kraken_ETHUSD_thousands.csv', {}, 'thousands'],
    [
      '19-Coinbase_BTCUSD_1h.csv',
      {},
      'price BTC/USD coinbase 1h, 18 rows, 2019-10-02T06:00Z 5161.7 volume 10.5',
    ],
  ] as const)('is read as what it is: %s', async (name, options, expected) => {
    expect(await read(name, options)).toBe(expected);
  });
});
