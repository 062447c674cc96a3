/**
 * The parts of a series' key that follow from the names of its file and folder, if they are unambiguous.
 *
 * Takes: a path. Gives: parts of a key. Must not know: the content of the file.
 */
import { basename, dirname } from 'node:path';
import { SNAPSHOT_PUBLISHER } from '../rules.ts';
import type { SeriesKind, Timeframe } from '../store/series-key.ts';
import { EXCHANGE_NAMES } from '../symbols.ts';
import type { FundingUnit } from './funding-unit.ts';

/** Parts of a key, and how the rows are stamped. */
export interface Hints {
  readonly kind?: SeriesKind | undefined;
  readonly asset?: string | undefined;
  readonly quote?: string | undefined;
  readonly exchange?: string | undefined;
  readonly timeframe?: Timeframe | undefined;
  readonly stamp?: Stamp | undefined;
  /** Whether the prices belong to a derivative: `perp`, `swap`, `futures` in the name, or a derivative's symbol. */
  readonly derivative?: boolean | undefined;
  /** The unit of funding rates, where it does not follow from their size. */
  readonly fundingUnit?: FundingUnit | undefined;
}

/** The meaning of a row's time: the opening of its bar, the end of its bar, or the instant of a price snapshot. */
export const STAMPS = ['open', 'close', 'snapshot'] as const;
export type Stamp = (typeof STAMPS)[number];

const words = (text: string): readonly string[] => text.split(' ');

/** Exchanges and publishers that are recognised in a name. */
const EXCHANGES = words(
  'binance binanceus bitfinex bitstamp bybit coinbase coingecko deribit gateio gemini huobi kraken ' +
    'kucoin mexc okx bitget cryptocompare coinmetrics coinmarketcap',
);
/** Publishers whose volumes are no coins of one market. */
const PUBLISHERS: ReadonlySet<string> = new Set([
  'coingecko',
  'cryptocompare',
  'coinmetrics',
  'coinmarketcap',
]);

/** Whether an exchange is known to count the volume of its bars in coins of the asset. */
export const isExchangeOfBars = (exchange: string): boolean =>
  EXCHANGES.includes(exchange) && !PUBLISHERS.has(exchange);

/** The longer first, so that USDT is not read as USD. */
const QUOTES = words('FDUSD TUSD USDT USDC BUSD USD EUR GBP JPY DAI BTC ETH');
const TIMEFRAMES: Readonly<Record<string, Timeframe>> = {
  '1h': '1h',
  '60m': '1h',
  '60min': '1h',
  hour: '1h',
  hourly: '1h',
  '60': '1h',
  '8h': '8h',
  '1d': '1d',
  '24h': '1d',
  d: '1d',
  day: '1d',
  daily: '1d',
  '1440': '1d',
};

/** Words of a name that describe a file and are not symbols: a name with ohlcv, BTC and USDT is of BTC. */
const FILE_WORDS: ReadonlySet<string> = new Set(
  words(
    'ohlc ohlcv ohlcvt bar bars candle candles candlestick candlesticks kline klines spot price ' +
      'prices close closes data dataset export download history historical hist market chart ticker ' +
      'tickers crypto full all raw clean merged new the funding fundingrate rate rates dvol cm um',
  ),
);
/** Words in the names of derivatives, and in those of their folders: cm_btc.csv is a file of Coin Metrics. */
const DERIVATIVE =
  /^(perp|perps|perpetual|perpetuals|swap|swaps|future|futures|fut|umcbl|dmcbl|linear|inverse|mark)$/;
const DERIVATIVE_FOLDER = /^(um|cm)$/;
/** Symbols of derivatives: `BTC/USDT:USDT` of ccxt, `BTC-USDT-SWAP`, `BTC-PERP`, `BTCUSDT_PERP`, `PF_XBTUSD`, `BTCUSDT.P`. */
const DERIVATIVE_SYMBOL =
  /:[A-Z0-9]+(-\d{6})?$|[-_.](SWAP|PERP|PERPETUAL|UMCBL|DMCBL|P|\d{6})$|(^|[-_.])P[FI]_[A-Z]+USD$/i;

/** Whether a symbol, as an exchange writes it, names a perpetual or another future. */
export const isDerivative = (symbol: string): boolean => DERIVATIVE_SYMBOL.test(symbol.trim());

/** Coins whose name went to a successor: files have `classic`, with the symbol at their trading time. */
const CLASSIC = new Map([
  ['luna_classic', 'LUNA'],
  ['ust_classic', 'UST'],
]);

/** An asset by the symbol that an exchange or file gives it. */
export const assetOf = (symbol: string): string =>
  CLASSIC.get(symbol.toLowerCase()) ??
  (Object.hasOwn(EXCHANGE_NAMES, symbol.toUpperCase())
    ? EXCHANGE_NAMES[symbol.toUpperCase()]
    : symbol.toUpperCase());

/** Coins against USD whose pair looks like one against TUSD or BUSD. */
const ENDING_IN_T_OR_B = words('XBT BNB USDT DOT SHIB ARB GRT APT BAT ANT FTT MNT CKB TNT');

/** The names of the files of a folder, with groups `asset`, `quote` and `exchange`, and their common hints. */
interface Layout {
  readonly name: RegExp;
  readonly hints: Hints;
}

const bars = (timeframe: Timeframe): Layout => ({
  name: /^(?<asset>luna_classic|ust_classic|[a-z0-9]+)_(?<quote>usdt|usdc)$/,
  hints: { kind: 'price', exchange: 'binance', timeframe, stamp: 'open' },
});

/** Folders with a meaning, and the names of the files in them. */
const LAYOUT: Readonly<Record<string, Layout>> = {
  daily: bars('1d'),
  hourly: bars('1h'),
  stablecoin: {
    name: /^(?<asset>[a-z0-9]+)_(?<quote>usd)$/,
    hints: { kind: 'price', exchange: SNAPSHOT_PUBLISHER, timeframe: '1d', stamp: 'snapshot' },
  },
  dvol: {
    name: /^(?<asset>[a-z0-9]+)_dvol$/,
    hints: { kind: 'index', exchange: 'deribit', timeframe: '1d', stamp: 'open' },
  },
  exchange_volume: {
    name: /^(?<asset>[a-z0-9]+)_daily_volume$/,
    hints: { kind: 'volume', timeframe: '1d', stamp: 'open' },
  },
  funding: {
    name: /^(?<exchange>[a-z0-9]+)_(?<asset>[a-z0-9]+)_(?<quote>[a-z0-9]+)_perp$/,
    hints: { kind: 'funding', timeframe: '8h', fundingUnit: 'fraction' },
  },
};

/** Folders of the layout, which are looked into when the folder above them is given. */
export const LAYOUT_FOLDERS: readonly string[] = Object.keys(LAYOUT);

/** The facts in the name of a file. */
export function hintsOfName(path: string): Hints {
  const folder = basename(dirname(path)).toLowerCase();
  const name = basename(path).replace(/\.(csv|txt|json|parquet)$/i, '');
  const layout = Object.hasOwn(LAYOUT, folder) ? LAYOUT[folder] : undefined;
  const parts = layout?.name.exec(name.toLowerCase())?.groups;
  if (parts === undefined) return free(name, folder);
  const { asset, quote, exchange = layout?.hints.exchange } = parts;
  return { ...layout?.hints, exchange, asset: assetOf(asset), quote: quote?.toUpperCase() };
}

function free(name: string, folder: string): Hints {
  const tokens = name.split(/[^A-Za-z0-9]+/).filter(token => token !== '');
  const lower = tokens.map(token => token.toLowerCase());
  const exchange = lower.find(token => EXCHANGES.includes(token)) ?? EXCHANGES.find(each => each === folder);
  const timeframe = lower.flatMap(token => (Object.hasOwn(TIMEFRAMES, token) ? [TIMEFRAMES[token]] : []))[0];
  const market = marketOf(tokens.filter(token => !isNoSymbol(token.toLowerCase())));
  const index = lower.includes('dvol');
  const folders = folder.split(/[^a-z0-9]+/);
  const derivative =
    [...lower, ...folders].some(token => DERIVATIVE.test(token)) ||
    folders.some(token => DERIVATIVE_FOLDER.test(token)) ||
    isDerivative(name);
  const isFunding = lower.includes('funding') || lower.includes('fundingrate');
  return {
    ...(index && market === undefined ? indexAsset(tokens) : market),
    derivative,
    kind: isFunding ? 'funding' : index ? 'index' : undefined,
    exchange: exchange ?? (index ? 'deribit' : undefined),
    timeframe,
  };
}

const isNoSymbol = (token: string): boolean =>
  EXCHANGES.includes(token) ||
  FILE_WORDS.has(token) ||
  DERIVATIVE.test(token) ||
  (Object.hasOwn(TIMEFRAMES, token) && token !== 'd');

const indexAsset = (tokens: readonly string[]): Hints => {
  const asset = tokens.find(token => /^(btc|eth)$/i.test(token));
  return asset === undefined ? {} : { asset: assetOf(asset) };
};

/** `BTCUSDT`, or `BTC` followed by `USDT`: the first token, or the first two, with a quote. */
function marketOf(tokens: readonly string[]): Hints | undefined {
  for (const [i, token] of tokens.entries()) {
    const pair = splitPair(token);
    if (pair !== undefined) return pair;
    const quote = tokens[i + 1]?.toUpperCase();
    if (QUOTES.includes(quote) && /[a-z]/i.test(token)) return { asset: assetOf(token), quote };
  }
  return undefined;
}

/** Kraken's older names: X before a coin, Z before money. */
const KRAKEN_PAIR =
  /^X(ETC|ETH|LTC|MLN|REP|XBT|XDG|XLM|XMR|XRP|ZEC)[/_-]?[ZX](USD|EUR|GBP|JPY|CAD|AUD|KRW|XBT|ETH)$/i;

/** Asset and quote of `BTCUSDT`, `XBTUSD`, `BTC/USDT`; undefined where the text has no known quote. */
export function splitPair(text: string): { readonly asset: string; readonly quote: string } | undefined {
  const [, coin, money] = KRAKEN_PAIR.exec(text.trim()) ?? [];
  if (coin !== undefined)
    return { asset: assetOf(coin), quote: money.toUpperCase() === 'XBT' ? 'BTC' : money.toUpperCase() };
  const plain = text.replace(/^P[FI]_(?=[A-Z]+USD$)/i, '');
  const [base, quote] = plain.split(/[/:_-]/);
  if (quote !== undefined && base !== '' && /^[A-Za-z0-9]+$/.test(quote)) {
    return { asset: assetOf(base), quote: quote.toUpperCase() };
  }
  const upper = plain.toUpperCase();
  // BNBUSD is BNB against USD, BTCBUSD is BTC against BUSD: only a coin that is known ends the doubt.
  if (/[TB]USD$/.test(upper)) {
    const coin = upper.slice(0, -'USD'.length);
    return ENDING_IN_T_OR_B.includes(coin) ? { asset: assetOf(coin), quote: 'USD' } : undefined;
  }
  const found = QUOTES.find(each => upper.length > each.length + 1 && upper.endsWith(each));
  return found === undefined ? undefined : { asset: assetOf(upper.slice(0, -found.length)), quote: found };
}
