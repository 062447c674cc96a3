/**
 * The speed of the market store: an import, a cold window, a warm one, and the same among 5,000 assets.
 *
 *   node build/bench/market-data.js [folder of market data]
 *
 * Takes: a folder to import (else that step is left out). Every window is held against its own numbers before a time is
 * printed. Times are of the wall clock, the least of five and their median; run it on a quiet machine.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AlignedMarket } from '#src/market/aligned-market.js';
import { importFiles } from '#src/market/import/import-files.js';
import { DEFAULT_RULES } from '#src/market/rules.js';
import { type Manifest, type ManifestSeries, sha256, versionOf } from '#src/market/store/manifest.js';
import { encodeRows } from '#src/market/store/parquet.js';
import { contentHash, makeRows } from '#src/market/store/rows.js';
import { SeriesCache } from '#src/market/store/series-cache.js';
import { storeFilesAt } from '#src/market/store/store-files.js';
import { StoreSource } from '#src/market/store/store-source.js';

const ASSETS = 5000;
const DAYS = 3650;
const FIRST_DAY = 16_000;
const LAST_DAY = FIRST_DAY + DAYS - 1;
const WINDOW_ASSETS = 32;
const WINDOW_DAYS = 365;
const REPEATS = 5;

const symbolOf = (asset: number): string => `A${String(asset).padStart(4, '0')}`;
/** The close of an asset on a day: what a window must show. */
const closeOf = (asset: number, day: number): number => 100 + asset + ((day * 7919) % 101) / 100;

/** Writes a store of 5,000 assets and ten years of days, as the importer would. */
function writeStore(folder: string): Manifest {
  mkdirSync(join(folder, 'series'), { recursive: true });
  const series = Array.from({ length: ASSETS }, (_, asset): ManifestSeries => {
    const key = {
      kind: 'price',
      asset: symbolOf(asset),
      quote: 'USDT',
      exchange: 'binance',
      timeframe: '1d',
    } as const;
    const rows = makeRows(DAYS);
    for (let i = 0; i < DAYS; i++) {
      rows.hours[i] = 24 * (FIRST_DAY + i + 1);
      rows.numbers.close[i] = closeOf(asset, FIRST_DAY + i);
    }
    const bytes = encodeRows(rows);
    const file = `series/${sha256(bytes)}.parquet`;
    writeFileSync(join(folder, file), bytes);
    return {
      ...key,
      rows: DAYS,
      gaps: 0,
      volumes: false,
      firstHour: rows.hours[0],
      lastHour: rows.hours[DAYS - 1],
      content: contentHash(key, rows),
      file,
      bytes: bytes.byteLength,
    };
  });
  return { format: 2, version: versionOf(series), writtenAt: new Date().toISOString(), imports: 1, series };
}

const marketOf = (folder: string, manifest: Manifest): AlignedMarket =>
  new AlignedMarket(new StoreSource(storeFilesAt(folder), manifest, DEFAULT_RULES, new SeriesCache()));

async function milliseconds(task: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await task();
  return performance.now() - begin;
}

function report(what: string, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  console.log(`${what}: least ${sorted[0].toFixed(2)} ms, median ${median.toFixed(2)} ms`);
}

async function windows(folder: string, manifest: Manifest): Promise<void> {
  const symbols = Array.from({ length: WINDOW_ASSETS }, (_, i) => symbolOf(i * 150));
  const read = (market: AlignedMarket) => market.dailyCloses(symbols, LAST_DAY, WINDOW_DAYS + 1);
  const { prices } = await read(marketOf(folder, manifest));
  const wrong = prices.some((closes, i) =>
    closes.some((close, day) => close !== closeOf(i * 150, LAST_DAY - WINDOW_DAYS + day)),
  );
  if (wrong) throw new Error('the window does not hold the closes that were written');
  const cold: number[] = [];
  const warm: number[] = [];
  const opening: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    let market = marketOf(folder, manifest);
    opening.push(
      await milliseconds(async () => {
        market = marketOf(folder, manifest);
      }),
    );
    cold.push(await milliseconds(() => read(market)));
    warm.push(await milliseconds(() => read(market)));
  }
  report(`version of ${ASSETS} assets, manifest at hand`, opening);
  report(`cold window, ${WINDOW_ASSETS} of ${ASSETS} assets x ${WINDOW_DAYS} of ${DAYS} days`, cold);
  report('the same, warm', warm);
}

const folder = mkdtempSync(join(tmpdir(), 'bench-market-'));
try {
  const data = process.argv[2];
  if (data !== undefined) {
    const store = join(folder, 'imported');
    let rows = 0;
    const time = await milliseconds(async () => {
      const { files } = await importFiles({ store, paths: [data] });
      rows = files.reduce((sum, { added }) => sum + added, 0);
    });
    if (rows === 0) throw new Error(`nothing was imported from ${data}`);
    console.log(`import of ${data}: ${rows} rows in ${(time / 1000).toFixed(1)} s`);
  }
  const large = join(folder, 'large');
  await windows(large, writeStore(large));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
