import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createLogger } from '#src/host/log.js';
import { importFiles } from '#src/market/import/import-files.js';
import { openMarket } from '#src/market/open-market.js';
import { temporaryFolder, writeFiles } from '../support/market-files.ts';

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

describe('the market that a server opens', () => {
  it('is the sample where there is no store', async () => {
    const market = await openMarket({
      path: join(temporaryFolder(), 'market'),
      asked: false,
      now,
      log,
    });
    expect(market.current().sample).toBe(true);
    await market.close();
  });

  it('is the sample where it is named', async () => {
    const market = await openMarket({ path: 'sample', asked: true, now, log });
    expect(market.current().sample).toBe(true);
    await market.close();
  });

  it('is an error, never the sample, where a requested store is absent', async () => {
    const path = join(temporaryFolder(), 'absent');
    const opening = openMarket({ path, asked: true, now, log });
    await expect(opening).rejects.toThrow(`MARKET_DB names ${path}, where there is no market store.`);
    const relative = openMarket({ path: 'no/such', asked: true, now, log });
    await expect(relative).rejects.toThrow(`MARKET_DB names no/such (${resolve('no/such')}), where`);
  });

  it('is the store where there is one, described with its range', async () => {
    const folder = writeFiles(temporaryFolder(), FILES);
    const path = join(folder, 'market');
    await importFiles({ store: path, paths: [folder] });
    const market = await openMarket({ path, asked: true, now, log });
    expect(market.current().sample).toBe(false);
    expect(market.current().description).toMatch(
      /^store .*market, 2 assets, 2024-01-01 to 2024-01-03, version [0-9a-f]{12}$/,
    );
    await market.close();
    await market.close();
  });

  it('caches nothing for symbols and markets that it does not have', async () => {
    const folder = writeFiles(temporaryFolder(), FILES);
    const path = join(folder, 'market');
    await importFiles({ store: path, paths: [folder] });
    const market = await openMarket({ path, asked: true, now, log });
    const before = heapMegabytes();
    for (let i = 0; i < 2000; i++) {
      const unknown = `${'X'.repeat(30_000)}${i}`;
      // No `expect` here: it would keep the very names that are to be let go.
      await market
        .current()
        .dailyCloses([unknown], 20_000, 2)
        .catch(() => {});
      await market.current().hourlyCloses(unknown, 20_000, 2);
      const triple = { base: 'BTC', quote: unknown, exchange: 'binance' };
      await market
        .current()
        .dailyVolumeUsd([triple], 20_000, 2)
        .catch(() => {});
    }
    // 60 megabytes of names went in, each three times.
    expect(heapMegabytes() - before).toBeLessThan(20);
    await market.close();
  });

  it.each([
    [
      'a file, as stores were once',
      (path: string) => writeFileSync(path, 'DUCK'.repeat(1000)),
      /is a file, and a market store is a folder\. .*import the market data again into a folder\./,
    ],
    [
      'a folder of something else',
      (path: string) => writeFiles(path, { CURRENT: ['hello'] }),
      /CURRENT is not a file of a market store\./,
    ],
    [
      'a pointer to no manifest',
      (path: string) => writeFiles(path, { CURRENT: ['{"manifest": "../../etc/passwd"}'] }),
      /CURRENT is not the CURRENT file of a market store\./,
    ],
    [
      'a store of another format',
      (path: string) =>
        writeFiles(path, {
          CURRENT: [`{"manifest": "manifests/${'0'.repeat(64)}.json"}`],
          [`manifests/${'0'.repeat(64)}.json`]: ['{"format": 7}'],
        }),
      /is a market store of format 7; this program uses format 2\. Import the market data again into a new folder\./,
    ],
  ])('is never the sample for %s, but an error', async (_, make, message) => {
    const path = join(temporaryFolder(), 'market');
    make(path);
    await expect(openMarket({ path, asked: true, now, log })).rejects.toThrow(message);
    await expect(openMarket({ path, asked: false, now, log })).rejects.toThrow(message);
    const files = writeFiles(temporaryFolder(), FILES);
    await expect(importFiles({ store: path, paths: [files] })).rejects.toThrow(message);
  });

  it('is never a folder with other files, for an import', async () => {
    const path = writeFiles(temporaryFolder(), { 'thesis.txt': ['text'] });
    const files = writeFiles(temporaryFolder(), FILES);
    await expect(importFiles({ store: path, paths: [files] })).rejects.toThrow(
      `${path} holds other files (thesis.txt) and is no market store. Name an empty or new folder.`,
    );
  });
});
