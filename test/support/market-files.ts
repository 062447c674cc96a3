/** Market data files and stores in temporary folders. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { AlignedMarket } from '#src/market/aligned-market.js';
import type { SeriesSummary } from '#src/market/market-data.js';
import { openStoreFile } from '#src/market/store/database.js';
import { StoreSource } from '#src/market/store/store-source.js';

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

/** Does something with a store that is closed afterwards. */
export async function withStore<T>(path: string, use: (market: AlignedMarket) => Promise<T>): Promise<T> {
  const market = new AlignedMarket(await StoreSource.open(path));
  try {
    return await use(market);
  } finally {
    await market.close();
  }
}

export const listStore = (path: string): Promise<readonly SeriesSummary[]> =>
  withStore(path, market => market.list());

/** Every number of a store as text, to see whether two stores hold the same. */
export async function dumpStore(path: string): Promise<string> {
  const file = await openStoreFile(path, 'read');
  try {
    const rows = await file.connection.runAndReadAll(
      `SELECT source, symbol, quote, exchange, final_at::VARCHAR, open, high, low, close, volume
       FROM series JOIN observation ON observation.series = series.id ORDER BY ALL`,
    );
    return JSON.stringify(rows.getRows());
  } finally {
    file.close();
  }
}
