/** The one place that decides between the imported store and the sample market. */
import { existsSync } from 'node:fs';
import type { Logger } from '../log.ts';
import { AlignedMarket } from './aligned-market.ts';
import type { MarketData } from './market-data.ts';
import { openSampleMarket } from './sample-market.ts';
import { StoreSource } from './store/store-source.ts';

/**
 * The store at `path`, or the sample market where there is no such file. A file that cannot be served is an error:
 * made-up prices never stand in for real ones. Where `path` was asked for and is absent, the log warns.
 *
 * @param options.asked whether whoever runs the server named `path`
 * @throws MarketStoreError if the file is no store, of another version, or being written
 */
export async function openMarket(options: {
  readonly path: string;
  readonly asked: boolean;
  readonly now: () => Date;
  readonly log: Logger;
}): Promise<MarketData> {
  const { path, asked, now, log } = options;
  const market = existsSync(path) ? new AlignedMarket(await StoreSource.open(path)) : openSampleMarket(now);
  if (market.sample && asked)
    log.warn(
      { path },
      `MARKET_DB names ${path}, where there is no file: the synthetic sample market is served`,
    );
  log.info({ path, sample: market.sample }, market.description);
  return market;
}
