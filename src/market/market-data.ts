/**
 * The interface of market data for the rest of the program: aligned windows of prices, indices and volumes.
 *
 * Takes: symbols (upper-case, aliases resolved), days, counts. Gives: typed arrays with every carried value
 * counted, or one `RiskError` `missing-market-data` that names all that is missing at once.
 * Must not know: requests, models, HTTP, where the numbers come from.
 *
 * All times are UTC. The close of day D is the price at the end of D (00:00 of D + 1). The faults of an error
 * carry the path `<SYMBOL>` for a price, `volatility_index.<SYMBOL>` for an index, `funding.<SYMBOL>` for funding rates and `markets.<index>` for a volume.
 */
import type { Day, Hour } from '../text/calendar-date.ts';
import type { SeriesKey } from './store/series-key.ts';
import type { SymbolTable } from './symbols.ts';

/** How many closes of one series in a window were carried forward: `USDC=9` in days, `BTC=4h` in hours; and its jump. */
export interface FilledSeries {
  readonly symbol: string;
  readonly count: number;
  readonly unit: 'day' | 'hour';
  /** Closes of the window, carried ones among them; absent for an index, which is one close. */
  readonly of?: number;
  /** The largest jump of the window without a counterpart in another asset; `count` may then be 0. */
  readonly jump?: WindowJump;
}

/** A jump of a price that no other asset has, as of a coin that was redenominated. */
export interface WindowJump {
  /** Day or moment of the close after it. */
  readonly at: string;
  /** First day whose closes are of the new scale. */
  readonly firstDay: string;
  /** That close over the one before it. */
  readonly factor: number;
  /** Its return in standard deviations of the window. */
  readonly scales: number;
  /** The stored series with it, as `market rescale` names them. */
  readonly series: readonly string[];
}

/** `USDC=9,BTC=4h`: the value of the header `x-market-data-filled`, empty where nothing was carried. */
export function formatFilled(filled: readonly FilledSeries[]): string {
  return filled
    .filter(({ count }) => count > 0)
    .map(({ symbol, count, unit }) => `${symbol}=${count}${unit === 'hour' ? 'h' : ''}`)
    .join(',');
}

/** Prices of several assets on one grid without holes. */
export interface AlignedPrices {
  /** In the requested order. */
  readonly symbols: readonly string[];
  /** Hours between two points. */
  readonly gridHours: 1 | 24;
  /** One series per symbol, all of the same length, oldest first. USD, > 0. */
  readonly prices: readonly Float64Array[];
  /** The series in which closes were carried, in the order of `symbols`; empty where nothing was. */
  readonly filled: readonly FilledSeries[];
  /** Points, from 0, at which a close of any series was carried. */
  readonly carried: ReadonlySet<number>;
}

/** The history of an asset before its own: that of another, whose log returns times beta precede its first close. */
export interface HistoryJoin {
  readonly asset: string;
  readonly beta: number;
}

/** How a window of closes is cut. */
export interface ClosesOptions {
  /** Refuses a window whose last close would be carried. */
  readonly endsHeld?: boolean;
}

/** The volatility indices of a day, in volatility points (55.3 is 55.3 % a year). */
export interface IndexLevels {
  readonly levels: { readonly BTC: number; readonly ETH: number };
  /** `BTC-VIX`, `ETH-VIX` with the age in days of a close that is older than the day. */
  readonly filled: readonly FilledSeries[];
}

/** The settlements of a perpetual in a window. */
export interface FundingRates {
  readonly market: MarketTriple;
  /** Fractions of the notional, oldest first; a long pays a positive one. */
  readonly rates: Float64Array;
  /** Hours between each settlement and the one before it; an exchange may change them. */
  readonly hours: Float64Array;
}

/** One market: base and quote symbol upper-case, exchange lower-case. */
export interface MarketTriple {
  readonly base: string;
  readonly quote: string;
  readonly exchange: string;
}

/** Why hourly closes of a window cannot be given. */
export interface MissingHours {
  /** A sentence that names the missing hours, or that there are none at all. */
  readonly missing: string;
  /** Whether the window has any hour of the asset; days may replace hours only if it has none. */
  readonly partlyHeld: boolean;
}

/** One stored series, for a list. */
export interface SeriesSummary extends SeriesKey {
  /** Whether the rules take it: for the price of its asset, or as volume, index or funding rate. */
  readonly used: boolean;
  /** First and last row: a day, the opening of an hour, or the moment of a settlement. */
  readonly first: string;
  readonly last: string;
  readonly rows: number;
  /** Points missing between first and last. */
  readonly gaps: number;
}

/** An asset with a price, and its stored data. */
export interface AssetSummary {
  readonly symbol: string;
  /** ISO dates of the first and the last day with a close. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** Moment of the youngest close, hours since 1970. */
  readonly lastHour: number;
  /** Days missing between the first and the last of the daily series; 0 where days are taken from hours. */
  readonly missingDays: number;
  /** Hourly data: openings of the first and last bar; undefined where the asset has no hours. */
  readonly hours:
    | { readonly first: string; readonly last: string; readonly held: number; readonly missing: number }
    | undefined;
  /** `BTC/USDT binance 1d`: the series that the price is taken from. */
  readonly sources: readonly string[];
}

/** The youngest close of an asset. */
export interface YoungestClose {
  readonly symbol: string;
  /** Moment of the close, hours since 1970. */
  readonly lastHour: number;
}

/** The present market. Every request uses one version of it. */
export interface MarketHandle {
  current(): MarketData;
  /** The market of a version that is still kept; undefined where it is gone. Absent where there are no versions. */
  at?(version: string): Promise<MarketData | undefined>;
  /** Notes that an answer was made from a version, which the store then keeps for a time. */
  noteUse?(version: string): void;
}

/** `sample`, or `store; version=0123456789ab`: the data of an answer, for headers and log. */
export const marketDataText = ({ version }: Pick<MarketData, 'version'>): string =>
  version === undefined ? 'sample' : `store; version=${version}`;

export interface MarketData extends MarketHandle {
  /** Short hash of the data and of the rules applied to them; undefined for the sample market. */
  readonly version: string | undefined;
  /** The asset of each alias. */
  readonly symbols: SymbolTable;
  /** Every asset that has a price, sorted by symbol; with thousands of them some turns of the event loop. */
  assets(): Promise<readonly AssetSummary[]>;
  /** The youngest close of each of them. */
  youngestCloses(): readonly YoungestClose[];
  /** True for the embedded synthetic market. */
  readonly sample: boolean;
  /** A line for the banner. */
  readonly description: string;

  /**
   * Daily closes of the days lastDay - closes + 1 .. lastDay; up to 3 missing in a row are carried forward (for the
   * first close from the days before), at most 2 at the end.
   * @throws RiskError `missing-market-data`: every asset, its missing dates and its available range, all at once.
   */
  dailyCloses(
    symbols: readonly string[],
    lastDay: Day,
    closes: number,
    options?: ClosesOptions,
  ): Promise<AlignedPrices>;

  /**
   * Prices for windows of history that end in the last `lookbackDays` days: hourly where every symbol has hourly
   * prices over the whole range, else daily. Each series has lead + windows points, the last being the close of
   * `lastDay`; windows = 24 x lookbackDays or lookbackDays, lead = `lead.hours` or `lead.days` on the grid taken.
   * @param lead the longest horizon, in hours and in days, whole numbers >= 1.
   * @throws RiskError `missing-market-data` where the daily prices do not cover the range either.
   */
  history(
    symbols: readonly string[],
    lastDay: Day,
    lookbackDays: number,
    lead: { readonly hours: number; readonly days: number },
  ): Promise<AlignedPrices>;

  /**
   * The `closes` hourly closes of one symbol up to the close of `lastDay` (24 x days + 1 of them for n days of
   * returns), or what is missing of them, so that the caller can go daily or refuse with the reason.
   */
  hourlyCloses(symbol: string, lastDay: Day, closes: number): Promise<AlignedPrices | MissingHours>;

  /**
   * The hourly closes of one symbol from `first` on, or what is missing of them: up to 6 missing in a row are carried forward.
   *
   * @param closes that have to be there
   * @param more closes after them, as far as available
   */
  hourlyClosesFrom(
    symbol: string,
    first: Hour,
    closes: number,
    more?: number,
  ): Promise<AlignedPrices | MissingHours>;

  /** The daily closes of one symbol of the days `first` .. `last`, NaN where there is none: its own ones, never those of a join. */
  heldCloses(symbol: string, first: Day, last: Day): Promise<Float64Array>;

  /**
   * The last close of both volatility indices at or at most 2 days before `day`.
   * @throws RiskError `missing-market-data` that names the range of the index.
   */
  volatilityIndex(day: Day): Promise<IndexLevels>;

  /**
   * USD volume of the days lastDay - days + 1 .. lastDay, oldest first, summed over the markets: base volume x
   * close of the base asset. `filled` counts carried closes; a missing volume is neither carried nor 0.
   * @throws RiskError `missing-market-data`: unknown markets with those there are, and all missing days.
   */
  dailyVolumeUsd(
    markets: readonly MarketTriple[],
    lastDay: Day,
    days: number,
  ): Promise<{ readonly volumeUsd: Float64Array; readonly filled: readonly FilledSeries[] }>;

  /**
   * The funding rates settled in the `days` days that end with the close of `lastDay`, its last hour included; none is
   * ever carried.
   * @throws RiskError `missing-market-data` that names the settlements that are missing
   */
  fundingRates(symbol: string, lastDay: Day, days: number): Promise<FundingRates>;

  /** Every stored series, sorted by kind and name. */
  list(): Promise<readonly SeriesSummary[]>;

  /** This market with the windows of some assets continued before their first close by others. @param joins by symbol */
  joined(joins: ReadonlyMap<string, HistoryJoin>): MarketData;
}
