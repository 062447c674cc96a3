/** The one place that decides between the imported store and the sample market. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Logger } from '../log.ts';
import { AlignedMarket } from './aligned-market.ts';
import type { MarketData } from './market-data.ts';
import { openSampleMarket } from './sample-market.ts';
import { MarketStoreError } from './store/database.ts';
import { StoreSource } from './store/store-source.ts';

/** Stands for the sample market where a path of a store would stand. */
export const SAMPLE_MARKET = 'sample';

/**
 * The store at `path`, or the sample market where that was asked for, or where nothing was and there is no store. Made-up
 * prices never stand in for real ones: a file that was asked for and is not there, or cannot be served, is an error.
 *
 * @param options.asked whether whoever runs the server named `path`
 * @throws MarketStoreError if `path` was asked for and is absent, is no store, of another version, or being written
 */
export async function openMarket(options: {
  readonly path: string;
  readonly asked: boolean;
  readonly now: () => Date;
  readonly log: Logger;
}): Promise<MarketData> {
  const { path, asked, now, log } = options;
  const present = path !== SAMPLE_MARKET && existsSync(path);
  if (!present && asked && path !== SAMPLE_MARKET) throw absent(path);
  const market = present ? new AlignedMarket(await StoreSource.open(path)) : openSampleMarket(now);
  log.info({ path, sample: market.sample }, market.description);
  return market;
}

function absent(path: string): MarketStoreError {
  const full = resolve(path);
  const place = full === path ? '' : ` (${full})`;
  return new MarketStoreError(
    `MARKET_DB names ${path}${place}, where there is no market store. Make it with ` +
      '`npm run market -- import <folder>` under the same MARKET_DB (in an image: node dist/cli/market.js import ' +
      `<folder>), name another, or set MARKET_DB=${SAMPLE_MARKET} to serve made-up prices.`,
  );
}
