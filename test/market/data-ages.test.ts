/** How old prices are, by the last close of each asset. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLogger } from '#src/host/log.js';
import { dataAgesOf, secondsSince } from '#src/market/data-ages.js';
import { importFiles } from '#src/market/import/import-files.js';
import { openMarket } from '#src/market/open-market.js';
import { temporaryFolder, writeFiles } from '../support/market-files.ts';

const HOUR = 3600;
const NOW = () => new Date('2026-06-11T12:00:00Z');
const log = createLogger('silent');

it('The age of data counts from the later close of days and hours, and follows new data', async () => {
  const folder = writeFiles(join(temporaryFolder(), 'files'), {
    'daily/btc_usdt.csv': ['date,close', '2026-06-10,1'],
    'hourly/eth_usdt.csv': ['timestamp,close', '2026-06-11T10:00:00Z,1'],
    'daily/eth_usdt.csv': ['date,close', '2026-06-01,1'],
    'stablecoin/usdc_usd.csv': ['date,timestamp,price', '2026-06-11,2026-06-11T00:00:01Z,1'],
    'dvol/btc_dvol.csv': ['date,close', '2026-06-10,55'],
  });
  const store = join(folder, '../unit/market');
  await importFiles({ store, paths: [folder], now: NOW() });
  const market = await openMarket({ path: store, asked: true, now: NOW, log });
  const ages = dataAgesOf(market, NOW);
  expect(Object.fromEntries(ages.bySymbol())).toEqual({ BTC: 12 * HOUR, ETH: HOUR, USDC: 12 * HOUR });
  expect(ages.latest()).toBe(HOUR);
  const more = writeFiles(join(folder, '../more'), {
    'hourly/eth_usdt.csv': ['timestamp,close', '2026-06-11T11:00:00Z,1'],
  });
  await importFiles({ store, paths: [more], now: NOW() });
  await market.renew();
  expect(ages.latest()).toBe(0);
  await market.close();
});

it('The age of a close counts from its hour, and is 0 where the clock is behind it', () => {
  const hour = NOW().getTime() / 3_600_000;
  expect([1, 0, -1].map(hours => secondsSince(hour - hours, NOW()))).toEqual([HOUR, 0, 0]);
});

it('The age of data is infinite without any price', async () => {
  const market = await openMarket({
    path: 'sample',
    asked: true,
    now: () => new Date('2020-06-01T00:00:00Z'),
    log,
  });
  expect(dataAgesOf(market, NOW).latest()).toBe(Number.POSITIVE_INFINITY);
  await market.close();
});
