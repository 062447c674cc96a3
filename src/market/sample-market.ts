/**
 * The sample market: a synthetic one that runs up to the present hour, so that a server without data can be tried.
 *
 * Takes: a clock. Gives: the same interface as the imported store, marked as a sample. Series are made when they are
 * first used, and again when another hour has passed: one in a turn of the event loop, some milliseconds. Must not know: files, the
 * store.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatIsoDate, MS_PER_HOUR } from '../text/calendar-date.ts';
import { AlignedMarket } from './aligned-market.ts';
import type { AssetSummary, MarketData, MarketTriple, SeriesSummary, YoungestClose } from './market-data.ts';
import { DEFAULT_RULES } from './rules.ts';
import {
  baseVolumes,
  COINS,
  coinCloses,
  EXCHANGES,
  INDEXED,
  indexCloses,
  type MarketState,
  marketState,
  STABLECOINS,
  START_HOUR,
  stablecoinCloses,
} from './sample/paths.ts';
import { dailyFromHourly, type Series, type SeriesSource } from './series.ts';
import { rowName, type SeriesKey, seriesName } from './store/series-key.ts';
import { symbolTable } from './symbols.ts';

const START_DAY = START_HOUR / 24;
const SYMBOLS = [...COINS.map(({ symbol }) => symbol), ...STABLECOINS];
const MARKETS: readonly MarketTriple[] = COINS.flatMap(({ symbol }) =>
  EXCHANGES.map(({ exchange, quote }) => ({ base: symbol, quote, exchange })),
);

const priceKey = (asset: string): SeriesKey => ({
  kind: 'price',
  asset,
  quote: 'USD',
  exchange: 'sample',
  timeframe: '1h',
});

/** The sample market as of `now`. */
export function openSampleMarket(now: () => Date): MarketData {
  return new AlignedMarket(new SampleSource(now));
}

/** All series up to one hour. */
interface Generation {
  readonly hours: number;
  readonly state: MarketState;
  readonly hourly: Map<string, Series>;
  readonly daily: Map<string, Series | undefined>;
}

class SampleSource implements SeriesSource {
  readonly sample = true;
  readonly description =
    `synthetic sample market, ${SYMBOLS.length} assets, hourly from ${formatIsoDate(START_DAY)} to the present hour`;
  /** Values depend on their hours alone, so that the sample has no versions. */
  readonly version = undefined;
  readonly symbolTable = symbolTable(new Set(SYMBOLS), DEFAULT_RULES);
  readonly #now: () => Date;
  #generation: Generation | undefined;
  /** Resolves in the turn of the series that is made last. */
  #made: Promise<unknown> = Promise.resolve();

  constructor(now: () => Date) {
    this.#now = now;
  }

  async dailyCloses(symbol: string): Promise<Series | undefined> {
    const generation = this.#current();
    const hourly = await this.#hourly(symbol, generation);
    if (hourly === undefined) return undefined;
    const { daily } = generation;
    if (!daily.has(symbol)) daily.set(symbol, dailyFromHourly(hourly));
    return daily.get(symbol);
  }

  async hourlyCloses(symbol: string): Promise<Series | undefined> {
    return this.#hourly(symbol, this.#current());
  }

  async volatilityIndex(symbol: string): Promise<Series | undefined> {
    const coin = INDEXED.includes(symbol) ? COINS.find(each => each.symbol === symbol) : undefined;
    const { state, hours } = this.#current();
    const days = Math.floor(hours / 24);
    return coin === undefined || days === 0
      ? undefined
      : { first: START_DAY, values: indexCloses(state, coin, days) };
  }

  /** The sample has no perpetuals. */
  async settlements(): Promise<undefined> {
    return undefined;
  }

  async baseVolume(market: MarketTriple): Promise<Series | undefined> {
    const index = COINS.findIndex(({ symbol }) => symbol === market.base);
    const place = EXCHANGES.findIndex(
      ({ exchange, quote }) => exchange === market.exchange && quote === market.quote,
    );
    if (index < 0 || place < 0) return undefined;
    const { state } = this.#current();
    const closes = await this.dailyCloses(market.base);
    if (closes === undefined) return undefined;
    const { share } = EXCHANGES[place];
    return {
      first: closes.first,
      values: baseVolumes(state, COINS[index], index, place, share, closes.values),
    };
  }

  symbols(): readonly string[] {
    return this.#hoursHeld() < 24 ? [] : [...SYMBOLS].sort();
  }

  youngestCloses(): readonly YoungestClose[] {
    const lastHour = START_HOUR + this.#hoursHeld();
    return this.symbols().map(symbol => ({ symbol, lastHour }));
  }

  async assets(): Promise<readonly AssetSummary[]> {
    const hours = this.#hoursHeld();
    const days = Math.floor(hours / 24);
    return this.symbols().map(symbol => ({
      symbol,
      firstDay: formatIsoDate(START_DAY),
      lastDay: formatIsoDate(START_DAY + days - 1),
      lastHour: START_HOUR + hours,
      missingDays: 0,
      hours: {
        first: rowName(priceKey(symbol), START_HOUR + 1),
        last: rowName(priceKey(symbol), START_HOUR + hours),
        held: hours,
        missing: 0,
      },
      sources: [seriesName(priceKey(symbol))],
    }));
  }

  markets(): readonly MarketTriple[] {
    return MARKETS;
  }

  async list(): Promise<readonly SeriesSummary[]> {
    const hours = this.#hoursHeld();
    const days = Math.floor(hours / 24);
    const summary = (key: SeriesKey): SeriesSummary => {
      const hourly = key.timeframe === '1h';
      return {
        ...key,
        used: true,
        first: rowName(key, START_HOUR + (hourly ? 1 : 24)),
        last: rowName(key, START_HOUR + (hourly ? hours : 24 * days)),
        rows: hourly ? hours : days,
        gaps: 0,
      };
    };
    return [
      ...INDEXED.map(asset => summary({ ...priceKey(asset), kind: 'index', quote: '', timeframe: '1d' })),
      ...[...SYMBOLS].sort().map(symbol => summary(priceKey(symbol))),
      ...MARKETS.map(({ base, quote, exchange }) =>
        summary({ kind: 'volume', asset: base, quote, exchange, timeframe: '1d' }),
      ),
    ];
  }

  /** Whole hours from the start to the present. */
  #hoursHeld(): number {
    return Math.max(0, Math.floor(this.#now().getTime() / MS_PER_HOUR) - START_HOUR);
  }

  #current(): Generation {
    const hours = this.#hoursHeld();
    if (this.#generation?.hours !== hours) {
      this.#generation = { hours, state: marketState(hours), hourly: new Map(), daily: new Map() };
    }
    return this.#generation;
  }

  async #hourly(symbol: string, { hours, state, hourly }: Generation): Promise<Series | undefined> {
    const index = SYMBOLS.indexOf(symbol);
    if (index < 0 || hours === 0) return undefined;
    if (!hourly.has(symbol)) {
      this.#made = this.#made.then(() => nextTurn());
      await this.#made;
    }
    const known = hourly.get(symbol);
    if (known !== undefined) return known;
    const values =
      index < COINS.length ? coinCloses(state, COINS[index], index) : stablecoinCloses(hours, index);
    const series = { first: START_HOUR + 1, values };
    hourly.set(symbol, series);
    return series;
  }
}
