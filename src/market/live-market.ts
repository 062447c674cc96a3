/**
 * The market of a running server: always a whole version, and within seconds the newest.
 *
 * A request uses the version that is current when it arrives. A new version is read completely before it replaces the old one.
 * While the store cannot be read, the last version remains. Must not know: requests, the content of series.
 */
import type { Logger } from '../host/log.ts';
import { AlignedMarket } from './aligned-market.ts';
import type { MarketData, MarketHandle } from './market-data.ts';
import type { MarketRules } from './rules.ts';
import { SeriesCache } from './store/series-cache.ts';
import { MarketStoreError } from './store/store-error.ts';
import { readCurrent, readMarked, type StoreFiles } from './store/store-files.ts';
import { StoreSource } from './store/store-source.ts';

export interface LiveMarketOptions {
  readonly files: StoreFiles;
  readonly rules: MarketRules;
  readonly log: Logger;
  /** Milliseconds between two reads of the pointer. */
  readonly everyMs: number;
}

/** Versions that a server has at hand beside each other. */
const RECENT = 4;
/** A version in use is marked once in this time. */
const MARK_MS = 3_600_000;

/** A market that renews itself until it is closed. */
export interface LiveMarket extends MarketHandle {
  /** Looks for a new version now. True where there was one. */
  renew(): Promise<boolean>;
  /** Whether the last look could read the store. */
  readonly isReadable: boolean;
  close(): Promise<void>;
}

/**
 * Opens the current version of a store, or uses `otherwise` until there is one.
 * @throws MarketStoreError where the store cannot be read; the error of `otherwise`
 */
export async function openLiveMarket(
  options: LiveMarketOptions,
  otherwise: () => MarketData,
): Promise<LiveMarket> {
  const { files, rules, log, everyMs } = options;
  const cache = new SeriesCache();
  let path: string | undefined;
  let failing = false;
  let closed = false;
  let readOnly = false;
  let timer: NodeJS.Timeout | undefined;

  const read = async (): Promise<MarketData | undefined> => {
    const found = await readCurrent(files, path);
    if (found === undefined && path !== undefined)
      throw new MarketStoreError(`${files.place} has no market store any more`);
    if (found?.manifest === undefined) return undefined;
    const market = new AlignedMarket(await StoreSource.open(files, found.manifest, rules, cache));
    path = found.path;
    return market;
  };
  let market = (await read()) ?? otherwise();
  /** The versions that were read last, the current one among them: their files stay for an hour. */
  const recent = new Map<string, { readonly market: MarketData; readonly path?: string | undefined }>();
  const remember = (each: MarketData, of?: string) => {
    if (each.version === undefined) return;
    recent.delete(each.version);
    recent.set(each.version, { market: each, path: of });
    for (const version of [...recent.keys()].slice(0, -RECENT)) recent.delete(version);
  };
  remember(market, path);
  /** When each version was marked as used. */
  const marked = new Map<string, number>();

  let renewing: Promise<boolean> | undefined;
  const renew = (): Promise<boolean> => {
    renewing ??= read()
      .then(
        next => {
          if (failing) log.info({ store: files.place }, 'the market store can be read again');
          failing = false;
          if (next === undefined || closed) return false;
          market = next;
          remember(next, path);
          log.info({ version: next.version }, `new market data: ${next.description}`);
          return true;
        },
        (error: Error) => {
          if (!failing)
            log.warn({ reason: error.message }, 'the market store cannot be read; the last version stays');
          failing = true;
          return false;
        },
      )
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  };
  const schedule = (): void => {
    if (closed) return;
    timer = setTimeout(() => void renew().then(schedule), everyMs);
    timer.unref();
  };
  schedule();
  return {
    current: () => market,
    async at(version) {
      const known = recent.get(version)?.market;
      if (known !== undefined) return known;
      const manifest = await readMarked(files, version);
      const found = manifest && new AlignedMarket(await StoreSource.open(files, manifest, rules, cache));
      // Other rules make another market of the same rows.
      if (found?.version !== version) return undefined;
      remember(found);
      return found;
    },
    noteUse(version) {
      const of = recent.get(version)?.path;
      const now = Date.now();
      if (of === undefined || now - (marked.get(version) ?? 0) < MARK_MS) return;
      marked.set(version, now);
      for (const old of [...marked.keys()].slice(0, -RECENT)) marked.delete(old);
      void files.mark?.(`used/${version}.json`, `${JSON.stringify({ manifest: of })}\n`).then(isWritten => {
        if (!isWritten && !readOnly)
          log.info({ store: files.place }, 'versions that answers were made from are not kept');
        readOnly ||= !isWritten;
      });
    },
    renew,
    get isReadable() {
      return !failing;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await renewing;
    },
  };
}
