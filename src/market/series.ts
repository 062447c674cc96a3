/**
 * One series on a regular grid, with gaps, and the interface of its sources.
 *
 * Days are `Day`. An hour is the moment at which it ends, in hours since 1970-01-01 UTC, so that the close of day D is the
 * close of hour 24 (D + 1). Must not know: windows, rules for gaps.
 */
import type { Day } from '../text/calendar-date.ts';
import type { AssetSummary, MarketTriple, SeriesSummary, YoungestClose } from './market-data.ts';
import type { SymbolTable } from './symbols.ts';

/** `values[i]` belongs to grid point `first + i`; NaN where there is no observation. First and last are numbers. */
export interface Series {
  readonly first: number;
  readonly values: Float64Array;
}

/** The hour that ends with the close of `day`. */
export const closingHour = (day: Day): number => 24 * (day + 1);

/** The last grid point of a series. */
export const lastPoint = (series: Series): number => series.first + series.values.length - 1;

/** The observation at a grid point, NaN where there is none. */
export function valueAt(series: Series, point: number): number {
  return point < series.first || point > lastPoint(series) ? Number.NaN : series.values[point - series.first];
}

/**
 * The series through `values[i]` at `points[i]`; undefined if there are none.
 *
 * @param points rising
 */
export function seriesOf(points: ArrayLike<number>, values: ArrayLike<number>): Series | undefined {
  if (points.length === 0) return undefined;
  const first = points[0];
  const dense = new Float64Array(points[points.length - 1] - first + 1).fill(Number.NaN);
  for (let i = 0; i < points.length; i++) dense[points[i] - first] = values[i];
  return { first, values: dense };
}

/** The daily series of an hourly one: a day closes with the bar that ends at midnight, if any. */
export function dailyFromHourly(hourly: Series): Series | undefined {
  const days: Day[] = [];
  const closes: number[] = [];
  for (let hour = Math.ceil(hourly.first / 24) * 24; hour <= lastPoint(hourly); hour += 24) {
    const close = valueAt(hourly, hour);
    if (Number.isNaN(close)) continue;
    days.push(hour / 24 - 1);
    closes.push(close);
  }
  return seriesOf(days, closes);
}

/** The settlements of a perpetual, by their hours. */
export interface SettlementSeries {
  readonly market: MarketTriple;
  /** Hours between two settlements that are alone, and of the grid that has all of them. */
  readonly intervalHours: number;
  /** Rates, fractions of the notional; NaN at hours without a settlement. */
  readonly rates: Series;
}

/** A source of series: the imported store, or the sample market. Undefined where it has no such series. */
export interface SeriesSource {
  readonly sample: boolean;
  readonly description: string;
  readonly version: string | undefined;
  readonly symbolTable: SymbolTable;
  /** Closes by day, USD. */
  dailyCloses(symbol: string): Promise<Series | undefined>;
  /** Closes by the hour's end, USD. */
  hourlyCloses(symbol: string): Promise<Series | undefined>;
  /** Closes by day, volatility points. */
  volatilityIndex(symbol: string): Promise<Series | undefined>;
  /** Funding rates of the perpetual on an asset. */
  settlements(symbol: string): Promise<SettlementSeries | undefined>;
  /** Volumes by day, in units of the base asset. */
  baseVolume(market: MarketTriple): Promise<Series | undefined>;
  /** Symbols of the assets with prices, sorted. */
  symbols(): readonly string[];
  /** The youngest close of each of them. */
  youngestCloses(): readonly YoungestClose[];
  /** The stored data of each of them. */
  assets(): Promise<readonly AssetSummary[]>;
  /** Markets with volumes, sorted. */
  markets(): readonly MarketTriple[];
  list(): Promise<readonly SeriesSummary[]>;
}
