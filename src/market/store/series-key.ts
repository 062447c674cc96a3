/**
 * The key of a series: its kind, asset, quote, exchange and timeframe.
 *
 * Must not know: files, where the numbers come from.
 */
import { formatIsoDate } from '../../text/calendar-date.ts';

/** The kind of the numbers of a series. */
export const SERIES_KINDS = ['price', 'volume', 'index', 'funding'] as const;
/**
 * - `price`: bars or snapshots of a market; `close` always, the other columns where the source has them
 * - `volume`: volume alone, in units of the asset
 * - `index`: levels of a volatility index, in volatility points, in `close`
 * - `funding`: funding rates of a perpetual, fractions of the notional, in `close`
 */
export type SeriesKind = (typeof SERIES_KINDS)[number];

/** Hours between two rows of a series. */
export const TIMEFRAME_HOURS = { '1h': 1, '2h': 2, '4h': 4, '8h': 8, '12h': 12, '1d': 24 } as const;
export type Timeframe = keyof typeof TIMEFRAME_HOURS;

/** The timeframes of each kind; prices of another would be read by nothing. */
export const KIND_TIMEFRAMES: Readonly<Record<SeriesKind, readonly Timeframe[]>> = {
  price: ['1h', '1d'],
  volume: ['1d'],
  index: ['1h', '1d'],
  funding: ['1h', '2h', '4h', '8h', '12h', '1d'],
};

/** How an asset or a quote is written, and an exchange. */
export const SYMBOL_FORM = /^(?=.*[A-Z])[A-Z0-9$][A-Z0-9$._-]{0,31}$/;
export const EXCHANGE_FORM = /^[a-z0-9][a-z0-9_-]{0,31}$/;

export interface SeriesKey {
  readonly kind: SeriesKind;
  /** Upper-case. */
  readonly asset: string;
  /** Upper-case; empty for an index. */
  readonly quote: string;
  /** Lower-case name of the exchange or of the publisher of an index. */
  readonly exchange: string;
  readonly timeframe: Timeframe;
}

/** The key of a series with further members, alone. */
export const seriesKeyOf = ({ kind, asset, quote, exchange, timeframe }: SeriesKey): SeriesKey => ({
  kind,
  asset,
  quote,
  exchange,
  timeframe,
});

/** `price BTC/USDT binance 1d`: the same text for the same series, and different texts for different ones. */
export function seriesId({ kind, asset, quote, exchange, timeframe }: SeriesKey): string {
  return `${kind} ${quote === '' ? asset : `${asset}/${quote}`} ${exchange} ${timeframe}`;
}

/** `BTC/USDT binance 1d`. */
export const seriesName = (key: SeriesKey): string => seriesId(key).slice(key.kind.length + 1);

/** The row that ends at `hour`, as people name it: its day, the opening of its hour, or the moment of a settlement. */
export function rowName({ kind, timeframe }: SeriesKey, hour: number): string {
  if (timeframe === '1d' && kind !== 'funding') return formatIsoDate(Math.ceil(hour / 24) - 1);
  const stamp = kind === 'funding' ? hour : hour - TIMEFRAME_HOURS[timeframe];
  return `${formatIsoDate(Math.floor(stamp / 24))}T${String(stamp % 24).padStart(2, '0')}:00Z`;
}
