/** Versions that follow each other: what was begun on one ends on it, and files are kept as long as that may take. */
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLogger } from '#src/host/log.js';
import { importFiles } from '#src/market/import/import-files.js';
import { openMarket } from '#src/market/open-market.js';
import { parseIsoDate } from '#src/text/calendar-date.js';
import { temporaryFolder, writeFiles } from '../../support/market-files.ts';

const log = createLogger('silent');
const DAY = parseIsoDate('2024-01-02') as number;
const HOUR_MS = 3_600_000;

/** Imports closes of two days for BTC and ETH that are those of version `number`. */
const importVersion = (store: string, number: number) =>
  importFiles({
    store,
    replace: true,
    paths: [
      writeFiles(join(store, '..', `files-${number}`), {
        'daily/btc_usdt.csv': ['date,close', `2024-01-01,${number}`, `2024-01-02,${number}`],
        'daily/eth_usdt.csv': ['date,close', `2024-01-01,${number}`, `2024-01-02,${number}`],
      }),
    ],
  });

/** Makes everything in the store look as if it had been written so many hours before. */
function age(store: string, hours: number): void {
  for (const name of readdirSync(store, { recursive: true, encoding: 'utf8' })) {
    const path = join(store, name);
    const seconds = statSync(path).mtimeMs / 1000 - 3600 * hours;
    utimesSync(path, seconds, seconds);
  }
}

it('A reader continues with its version while others replace it one after another', async () => {
  const store = join(temporaryFolder(), 'market');
  await importVersion(store, 1);
  // The version is old; that it was current until now is what counts.
  age(store, 5);
  const market = await openMarket({ path: store, asked: true, now: () => new Date(), log, everyMs: HOUR_MS });
  const begun = market.current();
  const closes = async (symbol: string) => [...(await begun.dailyCloses([symbol], DAY, 2)).prices[0]];
  expect(await closes('BTC')).toEqual([1, 1]);
  for (const number of [2, 3, 4, 5, 6]) {
    await importVersion(store, number);
    expect(await market.renew()).toBe(true);
  }
  // Nothing of ETH had been read before.
  expect(await closes('ETH')).toEqual([1, 1]);
  expect([...(await market.current().dailyCloses(['BTC', 'ETH'], DAY, 1)).prices]).toEqual([
    new Float64Array([6]),
    new Float64Array([6]),
  ]);
  await market.close();
});

it('A version is removed an hour after its replacement, except the last three', async () => {
  const store = join(temporaryFolder(), 'market');
  const files = () => readdirSync(join(store, 'series'));
  for (const number of [1, 2, 3, 4, 5]) {
    await importVersion(store, number);
    age(store, 2);
  }
  // Of five versions of two series each, the fifth import has left the last four.
  expect(readdirSync(join(store, 'manifests'))).toHaveLength(4);
  expect(files()).toHaveLength(8);
  await importVersion(store, 6);
  expect(readdirSync(join(store, 'manifests'))).toHaveLength(4);
  expect(files()).toHaveLength(8);
  expect(existsSync(join(store, 'CURRENT'))).toBe(true);
});
