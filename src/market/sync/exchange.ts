/**
 * The interface of an exchange for a sync, implemented by ccxt.
 *
 * Only this file loads ccxt, when a sync starts: it is large, and a server does not need it.
 * Must not know: the store, pages, retries.
 */
import type { Exchange } from 'ccxt';
import { isMissingPackage } from '../../host/missing-package.ts';
import { MarketStoreError } from '../store/store-error.ts';

/** A bar as exchanges give it: opening in milliseconds, then numbers; undefined where the exchange gives none. */
export interface Bar {
  readonly openMs: number;
  readonly open: number | undefined;
  readonly high: number | undefined;
  readonly low: number | undefined;
  readonly close: number;
  readonly volume: number | undefined;
}

/** A settlement of a perpetual. */
export interface Settlement {
  readonly ms: number;
  readonly rate: number;
}

/** An exchange whose answer cannot be used: broken off, or not of the form that it should have. */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer';
}

/** The public data of one exchange. An implementation observes the limits of the exchange. */
export interface ExchangeClient {
  /** Name under which series are stored. */
  readonly name: string;
  /** Largest number of bars of one request. */
  readonly barsPerRequest: number;
  /** Bars that open at or after `sinceMs`, in any order, perhaps with the unfinished one. */
  bars(symbol: string, timeframe: '1h' | '1d', sinceMs: number, limit: number): Promise<readonly Bar[]>;
  settlements(symbol: string, sinceMs: number, limit: number): Promise<readonly Settlement[]>;
  /** Levels of the volatility index of an asset between two moments; at most some 1000, the newest ones. */
  volatilityIndex(
    asset: string,
    timeframe: '1h' | '1d',
    sinceMs: number,
    untilMs: number,
  ): Promise<readonly Bar[]>;
  /** Whether a failure may be temporary: a limit, an outage, a broken answer; not an unknown symbol. */
  mayPass(error: unknown): boolean;
  close(): Promise<void>;
}

/** Where ccxt calls an exchange by another name: the older interface of Coinbase gives candles without a key. */
const CCXT_NAMES: Readonly<Record<string, string>> = { coinbase: 'coinbaseexchange' };
const BARS_PER_REQUEST: Readonly<Record<string, number>> = { coinbase: 300, kraken: 720, okx: 100 };
const USUAL_BARS_PER_REQUEST = 1000;

export interface ExchangeOptions {
  /** Origin in place of the exchange's: a proxy, or a test server. */
  readonly apiUrl?: string;
  /** Milliseconds after which a request has failed, its answer not being whole. */
  readonly timeoutMs?: number;
  /** A signal that ends a request when its time is over; AbortSignal.timeout unless given. */
  readonly timeLimit?: (milliseconds: number) => AbortSignal;
  /** Ends the requests that are under way. */
  readonly signal?: AbortSignal;
}

const USUAL_TIMEOUT_MS = 20_000;

/** There is no exchange of that name. */
export class UnknownExchange extends Error {
  override readonly name = 'UnknownExchange';
}

/** Opens an exchange by its name in ccxt. @throws UnknownExchange; MarketStoreError where ccxt is not installed */
export async function openExchange(name: string, options: ExchangeOptions = {}): Promise<ExchangeClient> {
  const { default: ccxt } = await import('ccxt').catch((error: unknown) => {
    if (!isMissingPackage(error, 'ccxt')) throw error;
    throw new MarketStoreError(
      'The package ccxt is not installed here, and market sync needs it; the image of a server leaves it out.',
    );
  });
  const id = Object.hasOwn(CCXT_NAMES, name) ? CCXT_NAMES[name] : name;
  if (!ccxt.exchanges.includes(id)) {
    throw new UnknownExchange(
      `${name} is no exchange that ccxt knows; some are binance, coinbase, kraken, okx, deribit`,
    );
  }
  const timeoutMs = options.timeoutMs ?? USUAL_TIMEOUT_MS;
  const classes = ccxt as unknown as Record<string, new (config: object) => Exchange>;
  const exchange = new classes[id]({ enableRateLimit: true, timeout: timeoutMs });
  exchange.enableLastHttpResponse = true;
  exchange.fetchImplementation = fetchWithin(
    () => (options.timeLimit ?? AbortSignal.timeout)(timeoutMs),
    options.signal,
  );
  if (options.apiUrl !== undefined) {
    const origin = new URL(options.apiUrl).origin;
    exchange.urls.api = redirected(exchange.urls.api, origin) as typeof exchange.urls.api;
  }
  const permanent = [
    ccxt.BadSymbol,
    ccxt.BadRequest,
    ccxt.AuthenticationError,
    ccxt.NotSupported,
    ccxt.ArgumentsRequired,
  ];
  const prepare = async (perpetual: boolean): Promise<void> => {
    // Binance would load its futures as well; spot is on another host, which may be the only one that is reached.
    exchange.options.fetchMarkets = { types: [perpetual ? 'linear' : 'spot'] };
    await exchange.loadMarkets();
  };
  return {
    name,
    barsPerRequest: Object.hasOwn(BARS_PER_REQUEST, name) ? BARS_PER_REQUEST[name] : USUAL_BARS_PER_REQUEST,
    async bars(symbol, timeframe, sinceMs, limit) {
      await prepare(false);
      const bars = await exchange.fetchOHLCV(symbol, timeframe, sinceMs, limit);
      refuseBroken(exchange);
      return barsOf(bars);
    },
    async settlements(symbol, sinceMs, limit) {
      await prepare(true);
      const history = await exchange.fetchFundingRateHistory(symbol, sinceMs, limit);
      refuseBroken(exchange);
      return list(history).map((each): Settlement => {
        const { timestamp, fundingRate } = each as { timestamp?: number; fundingRate?: number };
        if (!isNumber(timestamp) || !isNumber(fundingRate))
          throw new BrokenAnswer('a settlement without time or rate');
        return { ms: timestamp, rate: fundingRate };
      });
    },
    async volatilityIndex(asset, timeframe, sinceMs, untilMs) {
      // Not fetchVolatilityHistory, which is realised volatility.
      const get = (exchange as unknown as Record<string, unknown>).publicGetGetVolatilityIndexData;
      if (typeof get !== 'function')
        throw new ccxt.NotSupported(`${name} has no volatility index; Deribit has one`);
      const answer = (await get.call(exchange, {
        currency: asset,
        start_timestamp: sinceMs,
        end_timestamp: untilMs,
        resolution: timeframe === '1d' ? '1D' : '3600',
      })) as { result?: { data?: unknown } };
      return barsOf(answer?.result?.data);
    },
    mayPass: error => !permanent.some(kind => error instanceof kind),
    async close() {
      await exchange.close();
    },
  };
}

/** A fetch with a time limit for the whole answer; the limit of ccxt ends with the headers. */
function fetchWithin(timeLimit: () => AbortSignal, stop: AbortSignal | undefined): typeof fetch {
  return (url, init) => {
    const timeout = timeLimit();
    const signal = stop === undefined ? timeout : AbortSignal.any([stop, timeout]);
    // An interface does not redirect; a page to log in at does.
    return fetch(url, { ...init, redirect: 'error', signal });
  };
}

/** ccxt reads a truncated answer as an empty one, which would leave a gap. @throws BrokenAnswer where its text is not JSON */
function refuseBroken(exchange: Exchange): void {
  const text: unknown = exchange.last_http_response;
  try {
    if (typeof text === 'string') JSON.parse(text);
  } catch {
    throw new BrokenAnswer('the answer is not whole JSON');
  }
}

/** Every address of a tree of addresses, on another origin. */
function redirected(urls: unknown, origin: string): unknown {
  if (typeof urls === 'string') return urls.replace(/^https?:\/\/[^/]+/, origin);
  if (typeof urls !== 'object' || urls === null) return urls;
  return Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, redirected(url, origin)]));
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** ccxt passes on a text that is not JSON unchanged. */
function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new BrokenAnswer('the answer is no list');
}

function barsOf(value: unknown): readonly Bar[] {
  return list(value).map((row): Bar => {
    const [openMs, open, high, low, close, volume] = list(row).map(cell =>
      cell === null || cell === undefined ? undefined : Number(cell),
    );
    if (!isNumber(openMs) || !isNumber(close)) throw new BrokenAnswer('a bar without time or close');
    return { openMs, open, high, low, close, volume };
  });
}
