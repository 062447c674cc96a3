/** The one place that decides between an imported store and the sample market. */
import { resolve } from 'node:path';
import type { Logger } from '../host/log.ts';
import { marketCommand } from '../host/market-command.ts';
import { type LiveMarket, openLiveMarket } from './live-market.ts';
import { DEFAULT_RULES, type MarketRules } from './rules.ts';
import { openSampleMarket } from './sample-market.ts';
import { MarketStoreError } from './store/store-error.ts';
import { isAddress, storeFilesAt } from './store/store-files.ts';

/** The value of MARKET_DB for the sample market. */
export const SAMPLE_MARKET = 'sample';

/** Milliseconds between two reads of the pointer of a store: a file is cheaper to read than an address. */
const FOLDER_EVERY_MS = 1000;
const ADDRESS_EVERY_MS = 3000;

/**
 * The store at `path`, a folder or an http(s) address, or the sample market if it is named, or if nothing is configured
 * and there is no store yet. Synthetic prices never replace real ones: a configured store that is absent or cannot be served is an
 * error.
 *
 * @param options.asked whether the configuration names `path`
 * @throws MarketStoreError if `path` is configured and absent, or is not a store of this format
 */
export async function openMarket(options: {
  readonly path: string;
  readonly asked: boolean;
  readonly now: () => Date;
  readonly log: Logger;
  readonly rules?: MarketRules;
  /** Milliseconds between two looks for a new version. */
  readonly everyMs?: number;
}): Promise<LiveMarket> {
  const { path, asked, now, log, rules = DEFAULT_RULES } = options;
  if (path === SAMPLE_MARKET) {
    const sample = openSampleMarket(now);
    log.info({ path, sample: true }, sample.description);
    return { current: () => sample, renew: async () => false, isReadable: true, close: async () => {} };
  }
  const everyMs = options.everyMs ?? (isAddress(path) ? ADDRESS_EVERY_MS : FOLDER_EVERY_MS);
  const market = await openLiveMarket({ files: storeFilesAt(path), rules, log, everyMs }, () => {
    if (asked) throw absent(path);
    return openSampleMarket(now);
  });
  const { sample, description, version } = market.current();
  log.info({ path: storeFilesAt(path).place, sample, version }, description);
  return market;
}

function absent(path: string): MarketStoreError {
  if (isAddress(path)) {
    return new MarketStoreError(
      `MARKET_DB names ${storeFilesAt(path).place}, where there is no market store: CURRENT is not found below it. ` +
        `Serve the folder of a store there, or set MARKET_DB=${SAMPLE_MARKET} to serve made-up prices.`,
    );
  }
  const full = resolve(path);
  const place = full === path ? '' : ` (${full})`;
  return new MarketStoreError(
    `MARKET_DB names ${path}${place}, where there is no market store. Make it with ` +
      `\`${marketCommand()} import <file or folder>\` under the same MARKET_DB, name another, or set MARKET_DB=${SAMPLE_MARKET} to serve made-up prices.`,
  );
}
