/**
 * Syncs with exchanges: every requested series is updated to the last complete bar, page by page.
 *
 * Fetched rows are written as a new version of the store after a number of rows and at the end of each series, so that
 * a sync can be killed at any moment, and the next one continues there. Must not know: ccxt, the terminal.
 */
import { splitPair } from '../import/file-name.ts';
import { mergeRows, NO_ROWS, type RowCounts, type Rows } from '../store/rows.ts';
import {
  type SeriesKey,
  type SeriesKind,
  seriesId,
  seriesName,
  type Timeframe,
} from '../store/series-key.ts';
import { readCurrent, storeFilesAt } from '../store/store-files.ts';
import { openStoreWriter } from '../store/store-writer.ts';
import { isDollar } from '../symbols.ts';
import type { ExchangeClient } from './exchange.ts';
import { pagesOf, type SeriesToSync } from './sync-series.ts';

export interface SyncRequest {
  /** Folder of the store. */
  readonly store: string;
  /** Days for which versions that answers were made from stay. */
  readonly keepDays?: number | undefined;
  readonly client: ExchangeClient;
  readonly kind: Exclude<SeriesKind, 'volume'>;
  /** Markets as ccxt names them: `BTC/USDT`, for a perpetual `BTC/USDT:USDT`; assets for an index. */
  readonly symbols: readonly string[];
  readonly timeframe: Timeframe;
  /** Moment from which rows of a new series are requested. */
  readonly since: Date | undefined;
  /** Whether rows are requested again from `since` on, to replace wrong rows and fill gaps of a stored series. */
  readonly again?: boolean;
  readonly now: () => Date;
  /** Waits; rejects when the sync is stopped. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Stops the sync: received rows are written, and no more are requested. */
  readonly signal?: AbortSignal;
  readonly attempts?: number;
  /** Called after each page. */
  readonly onPage?: (name: string, fetched: number, untilHour: number) => void;
  readonly onRetry?: (name: string, error: Error, waitMs: number) => void;
}

/** The result of one series. */
export interface SyncedSeries extends RowCounts {
  readonly name: string;
  /** Why it was not brought up to the present. */
  readonly failure: string | undefined;
}

/** The failure of a series whose sync was stopped by the signal. */
export const STOPPED = 'the sync was stopped';

const ATTEMPTS = 8;
/** Rows fetched before they are written. */
const ROWS_PER_VERSION = 20_000;

/** The key under which a market of an exchange is stored; undefined for a text that names none. */
function keyOf(
  { kind, timeframe }: Pick<SyncRequest, 'kind' | 'timeframe'>,
  symbol: string,
  exchange: string,
): SeriesKey | undefined {
  if (kind === 'index') return { kind, asset: symbol.toUpperCase(), quote: '', exchange, timeframe };
  const pair = symbol.includes('/') ? splitPair(symbol.split(':')[0]) : undefined;
  return pair === undefined || isDollar(pair.asset) ? undefined : { kind, ...pair, exchange, timeframe };
}

/** Brings all series up to the present, one after the other; the failure of one leaves the others. */
export async function syncOnce(request: SyncRequest): Promise<readonly SyncedSeries[]> {
  const results: SyncedSeries[] = [];
  const current = await readCurrent(storeFilesAt(request.store));
  for (const symbol of request.symbols) {
    if (request.signal?.aborted) break;
    const key = keyOf(request, symbol, request.client.name);
    const none = { added: 0, replaced: 0, unchanged: 0 };
    if (key === undefined) {
      results.push({ name: symbol, ...none, failure: 'it names no market; one is written BTC/USDT' });
      continue;
    }
    const held = current?.manifest?.series.find(each => seriesId(each) === seriesId(key));
    if (held === undefined && request.since === undefined) {
      results.push({
        name: seriesName(key),
        ...none,
        failure: 'no rows are stored; set the first day with --since',
      });
      continue;
    }
    const sinceMs = request.since?.getTime() ?? 0;
    const lastHour = request.again && request.since !== undefined ? undefined : held?.lastHour;
    results.push(await syncSeries(request, { key, symbol, lastHour, sinceMs }));
  }
  return results;
}

async function syncSeries(request: SyncRequest, series: SeriesToSync): Promise<SyncedSeries> {
  const name = seriesName(series.key);
  const sum = { added: 0, replaced: 0, unchanged: 0 };
  let pending: Rows = NO_ROWS;
  let fetched = 0;
  const write = async (): Promise<void> => {
    if (pending.hours.length === 0) return;
    const counts = await writeRows(request, series.key, pending);
    sum.added += counts.added;
    sum.replaced += counts.replaced;
    sum.unchanged += counts.unchanged;
    pending = NO_ROWS;
  };
  let failure: string | undefined;
  try {
    const pages = pagesOf(series, request.client, request.now, {
      attempts: request.attempts ?? ATTEMPTS,
      wait: request.wait,
      onRetry: (error, waitMs) => request.onRetry?.(name, error, waitMs),
    });
    for await (const page of pages) {
      pending = mergeRows(pending, page).rows;
      fetched += page.hours.length;
      request.onPage?.(name, fetched, page.hours[page.hours.length - 1]);
      if (pending.hours.length >= ROWS_PER_VERSION && series.key.kind !== 'index') await write();
      request.signal?.throwIfAborted();
    }
  } catch (error) {
    failure = request.signal?.aborted ? STOPPED : firstLine((error as Error).message);
  }
  // Rows before a failure are complete. An index comes newest first: a part of it would hide missing older rows.
  if (failure === undefined || series.key.kind !== 'index') await write();
  return { name, ...sum, failure };
}

async function writeRows(request: SyncRequest, key: SeriesKey, rows: Rows): Promise<RowCounts> {
  const writer = await openStoreWriter(request.store, request.keepDays);
  try {
    rows.imports.fill(writer.importNumber);
    rows.files.fill(0);
    const counts = await writer.merge(key, rows);
    await writer.commit([{ source: `${request.client.name} ${seriesName(key)}` }], request.now());
    return counts;
  } finally {
    writer.close();
  }
}

const firstLine = (text: string): string => text.split('\n')[0].slice(0, 300);
