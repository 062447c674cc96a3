/**
 * What everything above this folder sees of market data: aligned windows of prices, indices and volumes.
 *
 * Takes: symbols (upper-case, aliases resolved), days, counts. Gives: typed arrays with every carried value
 * counted, or one `RiskError` `missing-market-data` that names all that is missing at once.
 * Must not know: requests, models, HTTP, where the numbers come from.
 *
 * All times are UTC. The close of day D is the price at the end of D (00:00 of D + 1). The faults of an error
 * carry the path `<SYMBOL>` for a price, `volatility_index.<SYMBOL>` for an index and `markets.<index>` for a volume.
 */
import type { Day } from '../request/calendar-date.ts';

/** How many closes of one series in a window were carried forward: `USDC=9` in days, `BTC=4h` in hours. */
export interface FilledSeries {
  readonly symbol: string;
  readonly count: number;
  readonly unit: 'day' | 'hour';
}

/** Prices of several assets on one grid without holes. */
export interface AlignedPrices {
  /** In the order asked for. */
  readonly symbols: readonly string[];
  /** Hours between two points. */
  readonly gridHours: 1 | 24;
  /** One series per symbol, all of the same length, oldest first. USD, > 0. */
  readonly prices: readonly Float64Array[];
  /** The series in which closes were carried, in the order of `symbols`; empty where nothing was. */
  readonly filled: readonly FilledSeries[];
}

/** The volatility indices of a day, in volatility points (55.3 is 55.3 % a year). */
export interface IndexLevels {
  readonly levels: { readonly BTC: number; readonly ETH: number };
  /** `BTC-VIX`, `ETH-VIX` with the age in days of a close that is older than the day. */
  readonly filled: readonly FilledSeries[];
}

/** One market: base and quote symbol upper-case, exchange lower-case. */
export interface MarketTriple {
  readonly base: string;
  readonly quote: string;
  readonly exchange: string;
}

export type SeriesKind =
  | 'daily prices'
  | 'hourly prices'
  | 'volatility index'
  | 'daily volume'
  | 'funding rate';

/** One stored series, for a list that people read. */
export interface SeriesSummary {
  /** Folder that it was imported from (`daily`, `hourly`, `stablecoin`, ...), or `sample`. */
  readonly source: string;
  readonly kind: SeriesKind;
  /** `BTC` for a price or an index, `BTC/USD kraken` for a volume or a funding rate. */
  readonly symbol: string;
  /** Stamp of the first and last row, ISO date or hour: a bar's opening, a snapshot's date, a settlement. */
  readonly first: string;
  readonly last: string;
  readonly rows: number;
  /** Points missing between first and last. */
  readonly gaps: number;
}

export interface MarketData {
  /** True for the embedded synthetic market. */
  readonly sample: boolean;
  /** A line for the banner. */
  readonly description: string;

  /**
   * Daily closes of the days lastDay - closes + 1 .. lastDay; up to 3 missing in a row are carried forward (for the
   * first close from the days before), at most 2 at the end.
   * @throws RiskError `missing-market-data`: every asset, its missing dates and the range held, all at once.
   */
  dailyCloses(symbols: readonly string[], lastDay: Day, closes: number): Promise<AlignedPrices>;

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
   * returns), or a sentence on what is missing, so that the caller can go daily or refuse with the reason.
   */
  hourlyCloses(
    symbol: string,
    lastDay: Day,
    closes: number,
  ): Promise<AlignedPrices | { readonly missing: string }>;

  /**
   * The last close of both volatility indices at or at most 2 days before `day`.
   * @throws RiskError `missing-market-data` that says from when to when there is an index.
   */
  volatilityIndex(day: Day): Promise<IndexLevels>;

  /**
   * USD volume of the days lastDay - days + 1 .. lastDay, oldest first, summed over the markets: base volume x
   * close of the base asset. `filled` counts carried closes; a volume is never carried and never taken as 0.
   * @throws RiskError `missing-market-data`: unknown markets with those there are, and all missing days.
   */
  dailyVolumeUsd(
    markets: readonly MarketTriple[],
    lastDay: Day,
    days: number,
  ): Promise<{ readonly volumeUsd: Float64Array; readonly filled: readonly FilledSeries[] }>;

  /** Every series held, sorted by kind and symbol. */
  list(): Promise<readonly SeriesSummary[]>;

  /** Lets go of files; a second call does nothing. */
  close(): Promise<void>;
}
