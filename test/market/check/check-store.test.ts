/** What `market -- check` tells of a store, and what it passes over. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkRows, checkStore, DEFAULT_BOUNDS } from '#src/market/check/check-store.js';
import { importFiles } from '#src/market/import/import-files.js';
import type { ManifestSeries } from '#src/market/store/manifest.js';
import { makeRows } from '#src/market/store/rows.js';
import { storeFilesAt } from '#src/market/store/store-files.js';
import { manifestOf, temporaryFolder, writeFiles } from '../../support/market-files.ts';

const NOW = new Date('2024-03-01T12:00:00Z');
const dayAt = (i: number): string => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
/** Sixty days up to the day before NOW, closes within a percent. */
const days = (change: (i: number, row: string) => string | undefined = (_, row) => row): string[] => [
  'date,open,high,low,close,volume',
  ...Array.from({ length: 60 }, (_, i) => {
    const close = 100 + ((i * 7) % 5) / 5;
    return change(i, `${dayAt(i)},${close},${close},${close},${close},10`);
  }).flatMap(row => row ?? []),
];

async function findings(
  files: Readonly<Record<string, readonly string[]>>,
  spoil?: (store: string) => Promise<void>,
) {
  const folder = writeFiles(join(temporaryFolder(), 'files'), files);
  const store = join(folder, '../unit/market');
  await importFiles({ store, paths: [folder], now: NOW, options: { allowJumps: true } });
  await spoil?.(store);
  const found = await checkStore(storeFilesAt(store), await manifestOf(store), NOW, DEFAULT_BOUNDS);
  return found.map(({ series, kind, message }) => `${series}: ${kind}: ${message}`);
}

describe('a check', () => {
  it('passes a good store', async () => {
    expect(await findings({ 'daily/btc_usdt.csv': days() })).toEqual([]);
  });

  it('reports gaps, a stale end, and frozen bars', async () => {
    const rows = days((i, row) =>
      i > 50 || i === 20 ? undefined : i > 30 && i < 36 ? `${dayAt(i)},100,100,100,100,0` : row,
    );
    expect(await findings({ 'daily/btc_usdt.csv': rows })).toEqual([
      'price of BTC/USDT binance 1d: gap: 1 row missing in 1 gap, the longest 2024-01-21',
      'price of BTC/USDT binance 1d: stale: the last row, 2024-02-20, is 9 rows old',
      'price of BTC/USDT binance 1d: frozen: 5 bars of zero volume and unchanged close in 1 run, the first from 2024-02-01',
    ]);
  });

  it('reports a jump beyond a multiple of the volatility before it', async () => {
    const rows = days((i, row) => (i === 40 ? `${dayAt(i)},150,150,150,150,10` : row));
    const told = await findings({ 'daily/btc_usdt.csv': rows });
    expect(told[0]).toMatch(
      /^price of BTC\/USDT binance 1d: jump: 2024-02-10 moves by 49.1 %, \d+ standard deviations/,
    );
  });

  it('reports a move where the rows of another file begin, and none within a file', async () => {
    const half = (from: number, to: number, factor: number) => [
      days()[0],
      ...Array.from({ length: to - from }, (_, k) => {
        const close = factor * (100 + (((from + k) * 7) % 5) / 5);
        return `${dayAt(from + k)},${close},${close},${close},${close},10`;
      }),
    ];
    const twoFiles = (factor: number) =>
      findings({ 'daily/btc_usdt.csv': half(0, 40, 1) }, async store => {
        const later = writeFiles(join(temporaryFolder(), 'later'), {
          'daily/btc_usdt.csv': half(40, 60, factor),
        });
        await importFiles({ store, paths: [later], now: NOW, options: { allowJumps: true } });
      });
    const told = await twoFiles(1.05);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(
      /^price of BTC\/USDT binance 1d: seam: the rows of another file begin on 2024-02-10 with a move of \d\.\d %, \d+ standard deviations/,
    );
    expect(await twoFiles(1)).toEqual([]);
    const oneFile = [...half(0, 40, 1), ...half(40, 60, 1.05).slice(1)];
    expect(await findings({ 'daily/btc_usdt.csv': oneFile })).toEqual([]);
  });

  it('reports two sources that differ in price or volume', async () => {
    const other = days((i, row) => (i === 10 ? `${dayAt(i)},90,90,90,90,10` : row)).map(row =>
      row.split(',').slice(0, 5).join(','),
    );
    const told = await findings({
      'daily/btc_usdt.csv': days(),
      'daily/btc_usdc.csv': other,
      'exchange_volume/btc_daily_volume.csv': ['date,binance_usdt', '2024-01-05,10', '2024-02-29,11'],
    });
    expect(told.filter(line => line.includes('disagreement'))).toEqual([
      'price of BTC/USDC binance 1d: disagreement: closes differ from price of BTC/USDT binance 1d by more than 2 % on 1 day, most on 2024-01-11: 90 and 100',
      'price of BTC/USDT binance 1d: disagreement: volumes differ from volume of BTC/USDT binance 1d by more than 2 % on 1 day, most on 2024-02-29: 10 and 11',
    ]);
  });

  it('reports a duplicate time, and prices that are not above 0', () => {
    const rows = makeRows(6);
    const closes = [100, 101, 0, 102, -1, 103];
    const hours = NOW.getTime() / 3_600_000;
    closes.forEach((close, i) => {
      rows.hours[i] = 24 * Math.floor(hours / 24) - 24 * (closes.length - i);
      rows.numbers.close[i] = close;
    });
    rows.hours[1] = rows.hours[0];
    const series = { kind: 'price', asset: 'BTC', quote: 'USD', exchange: 'x', timeframe: '1d' };
    const found = checkRows(series as ManifestSeries, rows, NOW, DEFAULT_BOUNDS);
    expect(
      found.filter(({ kind }) => kind === 'order' || kind === 'price').map(({ message }) => message),
    ).toEqual([
      '2024-02-23 is there twice, or out of order',
      'close 0 on 2024-02-25 is not above 0',
      'close -1 on 2024-02-27 is not above 0',
    ]);
    expect(found.every(({ remedy }) => remedy.length > 0)).toBe(true);
  });

  it('reports a file that was changed on the disk', async () => {
    const told = await findings({ 'daily/btc_usdt.csv': days() }, async store => {
      const [{ file }] = (await manifestOf(store)).series;
      writeFileSync(join(store, file), 'not what it was');
    });
    expect(told).toEqual([
      expect.stringMatching(
        /^price of BTC\/USDT binance 1d: damage: series\/[0-9a-f]{64}\.parquet holds other bytes/,
      ),
    ]);
  });
});
