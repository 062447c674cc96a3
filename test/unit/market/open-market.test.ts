import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { createLogger } from '#src/log.js';
import { importFiles } from '#src/market/import/import-files.js';
import { openMarket } from '#src/market/open-market.js';
import { temporaryFolder, writeFiles } from '../../support/market-files.js';

const log = createLogger('silent');
const now = () => new Date('2026-01-30T12:00:00Z');
const FILES = {
  'daily/btc_usdt.csv': ['date,open,high,low,close,volume', '2024-01-01,10,12,9,11,100'],
  'stablecoin/usdc_usd.csv': ['date,timestamp,price', '2024-01-04,2024-01-04T00:00:01Z,1'],
};

/** Megabytes in use after a full collection. */
function heapMegabytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1e6;
}

/** A database made by somebody else. */
async function database(path: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

describe('the market that a server opens', () => {
  it('is the sample where there is no store', async () => {
    const market = await openMarket({
      path: join(temporaryFolder(), 'market.duckdb'),
      asked: false,
      now,
      log,
    });
    expect(market.sample).toBe(true);
    await market.close();
  });

  it('is the sample where that is asked for by name', async () => {
    const market = await openMarket({ path: 'sample', asked: true, now, log });
    expect(market.sample).toBe(true);
    await market.close();
  });

  it('is never the sample where a store was asked for and is absent, but an error', async () => {
    const path = join(temporaryFolder(), 'absent.duckdb');
    const opening = openMarket({ path, asked: true, now, log });
    await expect(opening).rejects.toThrow(`MARKET_DB names ${path}, where there is no market store.`);
    const relative = openMarket({ path: 'no/such.duckdb', asked: true, now, log });
    await expect(relative).rejects.toThrow(
      `MARKET_DB names no/such.duckdb (${resolve('no/such.duckdb')}), where`,
    );
  });

  it('is the store where there is one, named with its extent', async () => {
    const folder = writeFiles(temporaryFolder(), FILES);
    const path = join(folder, 'market.duckdb');
    await importFiles({ store: path, paths: [folder] });
    const market = await openMarket({ path, asked: true, now, log });
    expect(market.sample).toBe(false);
    expect(market.description).toBe(`store ${path}, 2 assets, 2024-01-01 to 2024-01-03`);
    await market.close();
    await market.close();
  });

  it('keeps nothing of the symbols and markets it does not hold', async () => {
    const folder = writeFiles(temporaryFolder(), FILES);
    const path = join(folder, 'market.duckdb');
    await importFiles({ store: path, paths: [folder] });
    const market = await openMarket({ path, asked: true, now, log });
    const before = heapMegabytes();
    for (let i = 0; i < 2000; i++) {
      const unknown = `${'X'.repeat(30_000)}${i}`;
      // No `expect` here: it would keep the very names that are to be let go.
      await market.dailyCloses([unknown], 20_000, 2).catch(() => {});
      await market.hourlyCloses(unknown, 20_000, 2);
      const triple = { base: 'BTC', quote: unknown, exchange: 'binance' };
      await market.dailyVolumeUsd([triple], 20_000, 2).catch(() => {});
    }
    // 60 megabytes of names went in, each three times.
    expect(heapMegabytes() - before).toBeLessThan(20);
    await market.close();
  });

  it.each([
    [
      'no database',
      (path: string) => writeFileSync(path, 'date,open\n'.repeat(1000)),
      'is not a market store.',
    ],
    [
      'a database of something else',
      (path: string) => database(path, 'CREATE TABLE series (id INTEGER)'),
      'is a database, but not a market store.',
    ],
    [
      'a store of another version',
      (path: string) => database(path, 'CREATE TABLE market_store AS SELECT 7 AS version'),
      'is a market store of version 7; this program uses version 1. Import the market data again into a new file.',
    ],
  ])('is never the sample for %s, but an error', async (_, make, message) => {
    const path = join(temporaryFolder(), 'market.duckdb');
    await make(path);
    await expect(openMarket({ path, asked: true, now, log })).rejects.toThrow(`${path} ${message}`);
    const files = writeFiles(temporaryFolder(), FILES);
    await expect(importFiles({ store: path, paths: [files] })).rejects.toThrow(`${path} ${message}`);
  });
});
