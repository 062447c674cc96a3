/**
 * The speed of the market store: an import, windows among 5,000 assets of ten years, a renewal, and how long each holds the
 * event loop.
 *
 *   node build/bench/operations/market-data.js [folder of market data]
 *
 * Takes: a folder to import (else that step is left out). Every window is held against its own numbers before a time is
 * taken. The first run of each task is one of a program that has just started; it counts like the others.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AlignedMarket } from '#src/market/aligned-market.js';
import { importFiles } from '#src/market/import/import-files.js';
import { DEFAULT_RULES } from '#src/market/rules.js';
import {
  type Manifest,
  type ManifestSeries,
  manifestText,
  POINTER,
  sha256,
  versionOf,
} from '#src/market/store/manifest.js';
import { columnStarts, encodeRows } from '#src/market/store/parquet.js';
import { contentHash, makeRows } from '#src/market/store/rows.js';
import { SeriesCache } from '#src/market/store/series-cache.js';
import { readCurrent, storeFilesAt } from '#src/market/store/store-files.js';
import { StoreSource } from '#src/market/store/store-source.js';
import { quantileOf, report } from './figures.ts';

const ASSETS = 5000;
const DAYS = 3650;
const FIRST_DAY = 16_000;
const LAST_DAY = FIRST_DAY + DAYS - 1;
const WINDOW_ASSETS = 32;
const WINDOW_DAYS = 365;
const REPEATS = 11;

const symbolOf = (asset: number): string => `A${String(asset).padStart(4, '0')}`;
/** The close of an asset on a day: what a window must show. */
const closeOf = (asset: number, day: number): number => 100 + asset + ((day * 7919) % 101) / 100;

/** Writes a store of 5,000 assets and ten years of days, as the importer would. */
function writeStore(folder: string): void {
  for (const name of ['series', 'manifests']) mkdirSync(join(folder, name), { recursive: true });
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
      columns: columnStarts(bytes),
    };
  });
  const writtenAt = new Date().toISOString();
  const manifest: Manifest = { format: 2, version: versionOf(series), writtenAt, imports: 1, series };
  const text = manifestText(manifest);
  const path = `manifests/${sha256(text)}.json`;
  writeFileSync(join(folder, path), text);
  writeFileSync(join(folder, POINTER), JSON.stringify({ manifest: path }));
}

/** The current version, read from the files as a server reads it. */
async function openVersion(folder: string): Promise<AlignedMarket> {
  const files = storeFilesAt(folder);
  const current = await readCurrent(files);
  if (current?.manifest === undefined) throw new Error(`there is no store at ${folder}`);
  return new AlignedMarket(await StoreSource.open(files, current.manifest, DEFAULT_RULES, new SeriesCache()));
}

interface Timed<T> {
  readonly result: T;
  readonly ms: number;
  /** Longest turn of the event loop meanwhile: what any other request would have waited. */
  readonly heldMs: number;
}

async function timed<T>(task: () => Promise<T>): Promise<Timed<T>> {
  let heldMs = 0;
  let last = performance.now();
  const begin = last;
  const look = (): void => {
    const present = performance.now();
    heldMs = Math.max(heldMs, present - last);
    last = present;
  };
  let done = false;
  const turn = (): void => {
    look();
    if (!done) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await task();
  const ms = performance.now() - begin;
  await new Promise(setImmediate);
  done = true;
  look();
  return { result, ms, heldMs };
}

/** What many runs of a task took. */
function summary(runs: readonly Timed<unknown>[]) {
  const times = runs.map(({ ms }) => ms);
  return {
    firstMs: times[0],
    leastMs: Math.min(...times),
    medianMs: quantileOf(times, 0.5),
    mostMs: Math.max(...times),
    loopHeldMs: {
      median: quantileOf(
        runs.map(({ heldMs }) => heldMs),
        0.5,
      ),
      most: Math.max(...runs.map(({ heldMs }) => heldMs)),
    },
  };
}

async function measureWindows(folder: string) {
  const symbols = Array.from({ length: WINDOW_ASSETS }, (_, i) => symbolOf(i * 150));
  const read = (market: AlignedMarket) => market.dailyCloses(symbols, LAST_DAY, WINDOW_DAYS + 1);
  const opening: Timed<unknown>[] = [];
  const cold: Timed<unknown>[] = [];
  const warm: Timed<unknown>[] = [];
  const listing: Timed<unknown>[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const opened = await timed(() => openVersion(folder));
    opening.push(opened);
    const window = await timed(() => read(opened.result));
    cold.push(window);
    const wrong = window.result.prices.some((closes, asset) =>
      closes.some((close, day) => close !== closeOf(asset * 150, LAST_DAY - WINDOW_DAYS + day)),
    );
    if (wrong) throw new Error('the window does not hold the closes that were written');
    warm.push(await timed(() => read(opened.result)));
    listing.push(await timed(() => opened.result.assets()));
  }
  return { opening: summary(opening), cold: summary(cold), warm: summary(warm), listing: summary(listing) };
}

async function measureImport(folder: string, data: string) {
  const { result, ms } = await timed(() => importFiles({ store: join(folder, 'imported'), paths: [data] }));
  const rows = result.files.reduce((sum, { added }) => sum + added, 0);
  if (rows === 0) throw new Error(`nothing was imported from ${data}`);
  return { rows, seconds: ms / 1000 };
}

const folder = mkdtempSync(join(tmpdir(), 'bench-market-'));
try {
  const data = process.argv[2];
  const imported = data === undefined ? undefined : await measureImport(folder, data);
  const large = join(folder, 'large');
  writeStore(large);
  const { opening, cold, warm, listing } = await measureWindows(large);
  const held = Math.max(...[opening, cold, warm, listing].map(({ loopHeldMs }) => loopHeldMs.median));
  report(
    'market-data',
    `node build/bench/operations/market-data.js${data === undefined ? '' : ' <folder of market data>'}`,
    {
      ...(imported === undefined ? {} : { import: imported }),
      store: { assets: ASSETS, daysEach: DAYS },
      window: { assets: WINDOW_ASSETS, days: WINDOW_DAYS },
      versionOpened: opening,
      coldWindow: cold,
      warmWindow: warm,
      listOfAssets: listing,
    },
    {
      ...(imported === undefined ? {} : { 'the folder is imported in under 20 s': imported.seconds < 20 }),
      'a cold window takes less than 50 ms, the first one of the program too':
        cold.firstMs < 50 && cold.medianMs < 50,
      'a warm window takes less than 1 ms, the median': warm.medianMs < 1,
      'nothing holds the event loop for 20 ms, the median': held < 20,
    },
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
