/**
 * Bringing one series up to the present: pages of an exchange from the last complete bar on.
 *
 * Takes: a client, the stored rows, the present moment. Gives: rows page by page, each page complete. The
 * unfinished bar is never given. Must not know: the store, ccxt.
 */
import { MS_PER_HOUR } from '../../text/calendar-date.ts';
import { FUNDING_RATE, INDEX_LEVEL, type NumberRule, PRICE, VOLUME } from '../../text/number-rules.ts';
import { firstRows, makeRows, NUMBER_COLUMNS, type Rows } from '../store/rows.ts';
import { rowName, type SeriesKey, TIMEFRAME_HOURS } from '../store/series-key.ts';
import { type Bar, BrokenAnswer, type ExchangeClient } from './exchange.ts';

/** Settlements per request; all exchanges give as many. */
const SETTLEMENTS_PER_REQUEST = 100;
/** A settlement is stamped with its hour, give or take. */
const SETTLEMENT_TOLERANCE_MS = 60_000;
/** Bars that are requested again: the exchange may have corrected the last ones. */
const OVERLAP = 2;

/** A bar with impossible values: the sync of its series ends. */
class UnusableBar extends Error {
  override readonly name = 'UnusableBar';
}

export interface SeriesToSync {
  readonly key: SeriesKey;
  /** Name of the market at the exchange: `BTC/USDT`, `BTC/USDT:USDT`, or an asset for an index. */
  readonly symbol: string;
  /** Hour since 1970 at which the last stored row is known; undefined without rows. */
  readonly lastHour: number | undefined;
  /** Moment from which rows are requested if none is stored. */
  readonly sinceMs: number;
}

/**
 * The rows from the last complete bar on, in pages.
 *
 * @throws UnusableBar, or the error of the last attempt of a page
 */
export async function* pagesOf(
  series: SeriesToSync,
  client: ExchangeClient,
  now: () => Date,
  retry: Omit<RetryOptions, 'mayPass'>,
): AsyncGenerator<Rows> {
  const { key, lastHour } = series;
  const stepMs = TIMEFRAME_HOURS[key.timeframe] * MS_PER_HOUR;
  const resumeMs = lastHour === undefined ? series.sinceMs : lastHour * MS_PER_HOUR - OVERLAP * stepMs;
  const retries = {
    ...retry,
    mayPass: (error: unknown) => !(error instanceof UnusableBar) && client.mayPass(error),
  };
  if (key.kind === 'index') {
    yield* indexPages(series, client, resumeMs, now, retries);
    return;
  }
  const limit = key.kind === 'funding' ? SETTLEMENTS_PER_REQUEST : client.barsPerRequest;
  for (let fromMs = Math.ceil(resumeMs / stepMs) * stepMs; ; ) {
    const present = now().getTime();
    // The bar that opens here is not finished, or the settlement is in the future.
    if (fromMs + (key.kind === 'funding' ? 0 : stepMs) > present) return;
    const rows = await withRetries(() => onePage(series, client, fromMs, limit, present), retries);
    const { hours } = rows;
    if (hours.length > 0) yield rows;
    const lastMs = hours.length === 0 ? Number.NEGATIVE_INFINITY : hours[hours.length - 1] * MS_PER_HOUR;
    // After a page without rows (before a listing, or in an outage) the next page follows directly.
    fromMs = Math.max(
      lastMs + (key.kind === 'funding' ? 1 : 0),
      hours.length > 0 ? fromMs + 1 : fromMs + limit * stepMs,
    );
    fromMs = Math.ceil(fromMs / stepMs) * stepMs;
  }
}

async function onePage(
  { key, symbol }: SeriesToSync,
  client: ExchangeClient,
  fromMs: number,
  limit: number,
  present: number,
): Promise<Rows> {
  if (key.kind === 'funding') {
    const settlements = await client.settlements(symbol, fromMs, limit);
    return rowsOf(
      key,
      settlements.map(({ ms, rate }) => ({
        openMs: ms,
        open: undefined,
        high: undefined,
        low: undefined,
        close: rate,
        volume: undefined,
      })),
      fromMs,
      present,
    );
  }
  const bars = await client.bars(symbol, key.timeframe as '1h' | '1d', fromMs, limit);
  return rowsOf(key, bars, fromMs, present);
}

/** An index comes newest first: the previous page ends at the oldest level of the last one. */
async function* indexPages(
  { key, symbol }: SeriesToSync,
  client: ExchangeClient,
  fromMs: number,
  now: () => Date,
  retries: RetryOptions,
): AsyncGenerator<Rows> {
  const present = now().getTime();
  for (let untilMs = present; untilMs > fromMs; ) {
    const before = untilMs;
    const bars = await withRetries(
      () => client.volatilityIndex(symbol, key.timeframe as '1h' | '1d', fromMs, before),
      retries,
    );
    const rows = rowsOf(key, bars, fromMs, present);
    if (rows.hours.length > 0) yield rows;
    const oldest = bars.reduce((least, { openMs }) => Math.min(least, openMs), before);
    if (bars.length === 0 || oldest >= before) return;
    untilMs = oldest - 1;
  }
}

/**
 * The complete bars from `fromMs` on, in order of time, each once.
 *
 * @throws BrokenAnswer where two bars of one time differ: the exchange changed them between requests
 * @throws UnusableBar for a number that cannot be
 */
export function rowsOf(key: SeriesKey, bars: readonly Bar[], fromMs: number, present: number): Rows {
  const settlement = key.kind === 'funding';
  const stepMs = TIMEFRAME_HOURS[key.timeframe] * MS_PER_HOUR;
  const sorted = [...bars].sort((a, b) => a.openMs - b.openMs);
  const rows = makeRows(sorted.length);
  let count = 0;
  for (const bar of sorted) {
    const openMs = settlement ? Math.round(bar.openMs / MS_PER_HOUR) * MS_PER_HOUR : bar.openMs;
    const finalMs = openMs + (settlement ? 0 : stepMs);
    if (openMs < fromMs || finalMs > present) continue;
    const grid = settlement
      ? Math.abs(bar.openMs - openMs) <= SETTLEMENT_TOLERANCE_MS
      : openMs % stepMs === 0;
    const hour = finalMs / MS_PER_HOUR;
    if (!grid || (settlement && openMs % stepMs !== 0)) {
      throw new UnusableBar(
        `the row of ${new Date(bar.openMs).toISOString()} is not on the grid of ${key.timeframe}`,
      );
    }
    const numbers = NUMBER_COLUMNS.map(column => bar[column] ?? Number.NaN);
    if (count > 0 && rows.hours[count - 1] === hour) {
      if (NUMBER_COLUMNS.every((column, i) => Object.is(rows.numbers[column][count - 1], numbers[i])))
        continue;
      throw new BrokenAnswer(`${rowName(key, hour)} came twice, with different numbers`);
    }
    checkBar(key, bar, hour);
    rows.hours[count] = hour;
    NUMBER_COLUMNS.forEach((column, i) => {
      rows.numbers[column][count] = numbers[i];
    });
    count++;
  }
  return firstRows(rows, count);
}

const LEVELS: Readonly<Record<SeriesKey['kind'], NumberRule>> = {
  price: PRICE,
  volume: VOLUME,
  index: INDEX_LEVEL,
  funding: FUNDING_RATE,
};

function checkBar(key: SeriesKey, bar: Bar, hour: number): void {
  for (const column of NUMBER_COLUMNS) {
    const value = bar[column];
    const rule = column === 'volume' ? VOLUME : LEVELS[key.kind];
    if (value !== undefined && !rule.holds(value)) {
      throw new UnusableBar(`${column} ${value} of ${rowName(key, hour)} is not ${rule.bound}`);
    }
  }
  const { open = bar.close, high = Number.POSITIVE_INFINITY, low = 0, close } = bar;
  if (high < Math.max(open, close) || (key.kind !== 'funding' && low > Math.min(open, close))) {
    throw new UnusableBar(`high and low of ${rowName(key, hour)} do not enclose open and close`);
  }
}

/** Waits between two attempts, milliseconds: the first, and the longest. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

interface RetryOptions {
  /** Attempts in all. */
  readonly attempts: number;
  readonly mayPass: (error: unknown) => boolean;
  /** Waits; rejects when it is stopped. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly onRetry?: (error: Error, waitMs: number) => void;
}

/** The result of `attempt`, which is retried after temporary failures. @throws the error of the last attempt */
async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (tried >= options.attempts || !options.mayPass(error)) throw error;
      const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tried - 1));
      options.onRetry?.(error as Error, waitMs);
      await options.wait(waitMs);
    }
  }
}
