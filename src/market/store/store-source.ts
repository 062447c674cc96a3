/**
 * The imported store as a source of series: which stored series answers for what, read once and kept in memory.
 *
 * Precedence, independent of the order of imports:
 * - daily price of an asset: its snapshots of `stablecoin/`; else `daily/` against USDT; else against USDC; else the
 *   midnight closes of `hourly/`. An asset priced by snapshots has no hourly price: one asset, one price series.
 * - volume of a market: the volume of `daily/` (those bars are Binance's); on days that it lacks, `exchange_volume/`.
 */
import { formatIsoDate } from '../../request/calendar-date.ts';
import { counted } from '../counted.ts';
import type { MarketTriple, SeriesSummary } from '../market-data.ts';
import { dailyFromHourly, lastPoint, type Series, type SeriesSource, seriesOf, valueAt } from '../series.ts';
import { openStoreFile, type StoreFile } from './database.ts';
import {
  BAR_QUOTES,
  readDirectory,
  SOURCES,
  type SourceName,
  type StoredSeries,
  summarise,
} from './directory.ts';

export class StoreSource implements SeriesSource {
  readonly sample = false;
  readonly description: string;
  readonly #file: StoreFile;
  readonly #directory: readonly StoredSeries[];
  readonly #symbols: readonly string[];
  readonly #markets: readonly MarketTriple[];
  /** Promises, so that two requests at once read a series once. */
  readonly #read = new Map<string, Promise<Series | undefined>>();
  #closed = false;

  private constructor(path: string, file: StoreFile, directory: readonly StoredSeries[]) {
    this.#file = file;
    this.#directory = directory;
    const priced = directory.filter(({ source }) => SOURCES[source].kind.endsWith('prices'));
    this.#symbols = [...new Set(priced.map(({ symbol }) => symbol))].sort();
    this.#markets = marketsOf(directory);
    const first = Math.min(...priced.map(({ firstHour }) => firstHour));
    const last = Math.max(...priced.map(({ lastHour }) => lastHour));
    const range =
      priced.length === 0
        ? 'without prices'
        : `${counted(this.#symbols.length, 'asset')}, ${formatIsoDate(Math.floor((first - 1) / 24))} to ${formatIsoDate(Math.floor((last - 1) / 24))}`;
    this.description = `store ${path}, ${range}`;
  }

  /**
   * Opens the store at `path` for reading.
   * @throws MarketStoreError if there is none, or it cannot be read
   */
  static async open(path: string): Promise<StoreSource> {
    const file = await openStoreFile(path, 'read');
    try {
      return new StoreSource(path, file, await readDirectory(file.connection));
    } catch (error) {
      file.close();
      throw error;
    }
  }

  dailyCloses(symbol: string): Promise<Series | undefined> {
    return this.#once(`daily ${symbol}`, async () => {
      const snapshots = this.#find('stablecoin', symbol);
      const daily = snapshots ?? this.#findBars('daily', symbol);
      if (daily !== undefined) return this.#load(daily, 'close');
      const hourly = await this.hourlyCloses(symbol);
      return hourly === undefined ? undefined : dailyFromHourly(hourly);
    });
  }

  hourlyCloses(symbol: string): Promise<Series | undefined> {
    return this.#once(`hourly ${symbol}`, async () => {
      if (this.#find('stablecoin', symbol) !== undefined) return undefined;
      const bars = this.#findBars('hourly', symbol);
      return bars === undefined ? undefined : this.#load(bars, 'close');
    });
  }

  volatilityIndex(symbol: string): Promise<Series | undefined> {
    return this.#once(`index ${symbol}`, async () => {
      const index = this.#find('dvol', symbol);
      return index === undefined ? undefined : this.#load(index, 'close');
    });
  }

  baseVolume(market: MarketTriple): Promise<Series | undefined> {
    const { base, quote, exchange } = market;
    return this.#once(`volume ${base} ${quote} ${exchange}`, async () => {
      const [first, second] = await Promise.all(
        (['daily', 'exchange_volume'] as const).map(source => {
          const series = this.#find(source, base, quote, exchange);
          return series === undefined ? undefined : this.#load(series, 'volume');
        }),
      );
      return first === undefined || second === undefined ? (first ?? second) : overlay(first, second);
    });
  }

  symbols(): readonly string[] {
    return this.#symbols;
  }

  markets(): readonly MarketTriple[] {
    return this.#markets;
  }

  async list(): Promise<readonly SeriesSummary[]> {
    return this.#directory.map(summarise);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled(this.#read.values());
    this.#file.close();
  }

  #find(source: SourceName, symbol: string, quote?: string, exchange?: string): StoredSeries | undefined {
    return this.#directory.find(
      series =>
        series.source === source &&
        series.symbol === symbol &&
        (quote === undefined || series.quote === quote) &&
        (exchange === undefined || series.exchange === exchange),
    );
  }

  #findBars(source: 'daily' | 'hourly', symbol: string): StoredSeries | undefined {
    const [preferred, other] = BAR_QUOTES;
    return this.#find(source, symbol, preferred) ?? this.#find(source, symbol, other);
  }

  #once(key: string, read: () => Promise<Series | undefined>): Promise<Series | undefined> {
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    const reading = read();
    this.#read.set(key, reading);
    // A failed read is tried again by the next request; names that nothing is held of are callers' and without end.
    reading.then(
      series => series === undefined && this.#read.delete(key),
      () => this.#read.delete(key),
    );
    return reading;
  }

  async #load(series: StoredSeries, column: 'close' | 'volume'): Promise<Series | undefined> {
    const daily = SOURCES[series.source].stepHours === 24;
    const point = daily ? '(epoch_ms(final_at) // 86400000 - 1)' : '(epoch_ms(final_at) // 3600000)';
    const result = await this.#file.connection.runAndReadAll(
      `SELECT ${point}::INTEGER, ${column} FROM observation WHERE series = $1 AND ${column} IS NOT NULL ORDER BY 1`,
      [series.id],
    );
    const [points, values] = result.getColumns() as [number[], number[]];
    return seriesOf(points, values);
  }
}

/** The markets that have volumes: every one of `exchange_volume/`, and Binance's of `daily/`. */
function marketsOf(directory: readonly StoredSeries[]): readonly MarketTriple[] {
  const markets = new Map<string, MarketTriple>();
  for (const { source, symbol: base, quote, exchange } of directory) {
    if (source === 'daily' || source === 'exchange_volume') {
      markets.set(`${base} ${quote} ${exchange}`, { base, quote, exchange });
    }
  }
  return [...markets.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, market]) => market);
}

/** `first` where it has a value, else `second`. */
function overlay(first: Series, second: Series): Series {
  const start = Math.min(first.first, second.first);
  const values = new Float64Array(Math.max(lastPoint(first), lastPoint(second)) - start + 1);
  for (let i = 0; i < values.length; i++) {
    const preferred = valueAt(first, start + i);
    values[i] = Number.isNaN(preferred) ? valueAt(second, start + i) : preferred;
  }
  return { first: start, values };
}
