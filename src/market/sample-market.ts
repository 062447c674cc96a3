/**
 * The sample market: a synthetic one that runs up to the present hour, so that a server without data can be tried.
 *
 * Takes: a clock. Gives: the same interface as the imported store, marked as a sample. Series are made when they are
 * first asked for, and again when another hour has passed. Must not know: files, the store.
 */
import { formatIsoDate } from '../request/calendar-date.ts';
import { AlignedMarket } from './aligned-market.ts';
import type { MarketData, MarketTriple, SeriesKind, SeriesSummary } from './market-data.ts';
import { COINS, EXCHANGES, INDEXED, STABLECOINS } from './sample/assets.ts';
import {
  baseVolumes,
  coinCloses,
  indexCloses,
  type MarketState,
  marketState,
  START_HOUR,
  stablecoinCloses,
} from './sample/paths.ts';
import { dailyFromHourly, type Series, type SeriesSource } from './series.ts';

const START_DAY = START_HOUR / 24;
const SYMBOLS = [...COINS.map(({ symbol }) => symbol), ...STABLECOINS];
const MARKETS: readonly MarketTriple[] = COINS.flatMap(({ symbol }) =>
  EXCHANGES.map(({ exchange, quote }) => ({ base: symbol, quote, exchange })),
);

/** The sample market as of `now`. */
export function openSampleMarket(now: () => Date): MarketData {
  return new AlignedMarket(new SampleSource(now));
}

/** All series up to one hour. */
interface Generation {
  readonly hours: number;
  readonly state: MarketState;
  readonly hourly: Map<string, Series>;
}

class SampleSource implements SeriesSource {
  readonly sample = true;
  readonly description =
    `synthetic sample market, ${SYMBOLS.length} assets, hourly from ${formatIsoDate(START_DAY)} to the present hour`;
  readonly #now: () => Date;
  #generation: Generation | undefined;

  constructor(now: () => Date) {
    this.#now = now;
  }

  async dailyCloses(symbol: string): Promise<Series | undefined> {
    const hourly = this.#hourly(symbol);
    return hourly === undefined ? undefined : dailyFromHourly(hourly);
  }

  async hourlyCloses(symbol: string): Promise<Series | undefined> {
    return this.#hourly(symbol);
  }

  async volatilityIndex(symbol: string): Promise<Series | undefined> {
    const coin = INDEXED.includes(symbol) ? COINS.find(each => each.symbol === symbol) : undefined;
    const { state, hours } = this.#current();
    const days = Math.floor(hours / 24);
    return coin === undefined || days === 0
      ? undefined
      : { first: START_DAY, values: indexCloses(state, coin, days) };
  }

  async baseVolume(market: MarketTriple): Promise<Series | undefined> {
    const index = COINS.findIndex(({ symbol }) => symbol === market.base);
    const place = EXCHANGES.findIndex(
      ({ exchange, quote }) => exchange === market.exchange && quote === market.quote,
    );
    if (index < 0 || place < 0) return undefined;
    const closes = await this.dailyCloses(market.base);
    if (closes === undefined) return undefined;
    const { state } = this.#current();
    const { share } = EXCHANGES[place];
    return {
      first: closes.first,
      values: baseVolumes(state, COINS[index], index, place, share, closes.values),
    };
  }

  symbols(): readonly string[] {
    return [...SYMBOLS].sort();
  }

  markets(): readonly MarketTriple[] {
    return MARKETS;
  }

  async list(): Promise<readonly SeriesSummary[]> {
    const hours = this.#hoursHeld();
    const days = Math.floor(hours / 24);
    const summary = (kind: SeriesKind, symbol: string): SeriesSummary => {
      const rows = kind === 'hourly prices' ? hours : days;
      // A bar is stamped with its opening, an hour before the last close.
      const last = new Date((START_HOUR + hours - 1) * 3_600_000).toISOString();
      return {
        source: 'sample',
        kind,
        symbol,
        first: kind === 'hourly prices' ? `${formatIsoDate(START_DAY)}T00:00Z` : formatIsoDate(START_DAY),
        last: kind === 'hourly prices' ? `${last.slice(0, 16)}Z` : formatIsoDate(START_DAY + days - 1),
        rows,
        gaps: 0,
      };
    };
    return [
      ...MARKETS.map(({ base, quote, exchange }) => summary('daily volume', `${base}/${quote} ${exchange}`)),
      ...this.symbols().map(symbol => summary('hourly prices', symbol)),
      ...INDEXED.map(symbol => summary('volatility index', symbol)),
    ];
  }

  async close(): Promise<void> {
    this.#generation = undefined;
  }

  /** Whole hours from the start to the present. */
  #hoursHeld(): number {
    return Math.max(0, Math.floor(this.#now().getTime() / 3_600_000) - START_HOUR);
  }

  #current(): Generation {
    const hours = this.#hoursHeld();
    if (this.#generation?.hours !== hours) {
      this.#generation = { hours, state: marketState(hours), hourly: new Map() };
    }
    return this.#generation;
  }

  #hourly(symbol: string): Series | undefined {
    const { hours, state, hourly } = this.#current();
    const known = hourly.get(symbol);
    const index = SYMBOLS.indexOf(symbol);
    if (known !== undefined || index < 0 || hours === 0) return known;
    const values =
      index < COINS.length ? coinCloses(state, COINS[index], index) : stablecoinCloses(hours, index);
    const series = { first: START_HOUR + 1, values };
    hourly.set(symbol, series);
    return series;
  }
}
