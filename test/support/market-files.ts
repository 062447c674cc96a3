/** Market data files and stores in temporary folders. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { onTestFinished } from 'vitest';
import { AlignedMarket } from '#src/market/aligned-market.js';
import type { MarketData } from '#src/market/market-data.js';
import { DEFAULT_RULES, type MarketRules } from '#src/market/rules.js';
import { type Manifest, parseManifest } from '#src/market/store/manifest.js';
import { seriesId } from '#src/market/store/series-key.js';
import { readCurrent, storeFilesAt } from '#src/market/store/store-files.js';
import { openStoredVersion } from '#src/market/store/store-source.js';

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'market-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files, rows joined by line feeds, under `folder`: `{ 'daily/btc_usdt.csv': ['date,...', '...'] }`. */
export function writeFiles(folder: string, files: Readonly<Record<string, readonly string[]>>): string {
  for (const [name, lines] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines.map(line => `${line}\n`).join(''));
  }
  return folder;
}

/** Does something with the current version of a store. */
export async function withStore<T>(
  path: string,
  use: (market: MarketData) => Promise<T>,
  rules: MarketRules = DEFAULT_RULES,
): Promise<T> {
  return use(new AlignedMarket(await openStoredVersion(path, rules)));
}

/** `price BTC/USDT binance 1d 2024-01-01 2024-01-02 rows=2 gaps=0` of every series held. */
export const listStore = (path: string): Promise<readonly string[]> =>
  withStore(path, async market =>
    (await market.list()).map(
      series => `${seriesId(series)} ${series.first} ${series.last} rows=${series.rows} gaps=${series.gaps}`,
    ),
  );

/** The current manifest of a store. */
export async function manifestOf(path: string): Promise<Manifest> {
  const current = await readCurrent(storeFilesAt(path));
  if (current?.manifest === undefined) throw new Error(`there is no store at ${path}`);
  return parseManifest(JSON.stringify(current.manifest), path);
}

/** Columns of the Parquet file of one series, row by row; a moment as milliseconds. */
export async function storedRows(
  path: string,
  id: string,
  columns: readonly string[],
): Promise<readonly unknown[][]> {
  const { series } = await manifestOf(path);
  const found = series.find(each => seriesId(each) === id);
  if (found === undefined) throw new Error(`there is no ${id}; there are ${series.map(seriesId).join(', ')}`);
  const file = new Uint8Array(readFileSync(join(path, found.file))).buffer;
  const rows = await parquetReadObjects({ file, columns: [...columns] });
  return rows.map(row =>
    columns.map(name => {
      const value: unknown = row[name];
      return value instanceof Date ? value.getTime() : value;
    }),
  );
}
