/**
 * One version of a store as a source of series, each of which is read once.
 *
 * Prices follow `PriceChoice`. The volume of a market comes from its daily bars, and on days without these from its volume
 * series. Must not know: other versions.
 */
import { RiskError } from '../../core/errors.ts';
import { marketCommand } from '../../host/market-command.ts';
import { formatIsoDate } from '../../text/calendar-date.ts';
import { counted } from '../../text/counted.ts';
import { sortedBy } from '../../text/sorted-by.ts';
import type { AssetSummary, MarketTriple, SeriesSummary, YoungestClose } from '../market-data.ts';
import type { MarketRules } from '../rules.ts';
import {
  dailyFromHourly,
  lastPoint,
  type Series,
  type SeriesSource,
  type SettlementSeries,
  seriesOf,
  valueAt,
} from '../series.ts';
import { isDollar, type SymbolTable, symbolTable } from '../symbols.ts';
import { inPieces } from './in-pieces.ts';
import { type Manifest, type ManifestSeries, SHORT_VERSION, sha256 } from './manifest.ts';
import { type ColumnRows, columnRanges, columnsOf, decodeColumn } from './parquet.ts';
import { fundingGoesBefore, PriceChoice, type PriceSeries } from './price-choice.ts';
import { SeriesCache } from './series-cache.ts';
import { rowName, seriesKeyOf, seriesName, TIMEFRAME_HOURS } from './series-key.ts';
import { MarketStoreError } from './store-error.ts';
import { readExisting, type StoreFiles, storeFilesAt } from './store-files.ts';

/** The series of one market with volumes. */
interface VolumeSeries {
  bars: ManifestSeries | undefined;
  volumes: ManifestSeries | undefined;
}

/** The series of a version by their use. */
interface StoreIndex {
  /** Sorted by symbol. */
  readonly prices: ReadonlyMap<string, PriceSeries>;
  /** By `marketName`. */
  readonly volumes: ReadonlyMap<string, VolumeSeries>;
  /** By asset. */
  readonly indices: ReadonlyMap<string, ManifestSeries>;
  /** Settlements of the perpetual on an asset, by asset: the series of one market at all intervals. */
  readonly fundings: ReadonlyMap<string, readonly ManifestSeries[]>;
}

/** The index of a version, made without blocking the event loop. */
async function indexOf(series: readonly ManifestSeries[], rules: MarketRules): Promise<StoreIndex> {
  const choice = new PriceChoice(rules);
  const volumes = new Map<string, VolumeSeries>();
  const indices = new Map<string, ManifestSeries>();
  const fundings = new Map<string, ManifestSeries[]>();
  await inPieces(series, each => {
    const { kind, asset, quote, exchange, timeframe } = each;
    // A store of an earlier version may have a series with the name of the dollar.
    if (!isDollar(asset)) choice.add(each);
    if (kind === 'funding') {
      const [best, ...others] = fundings.get(asset) ?? [];
      const isSame = best?.exchange === exchange && best.quote === quote;
      const goesBefore = best === undefined || fundingGoesBefore(each, best, rules);
      if (isSame) fundings.set(asset, goesBefore ? [each, best, ...others] : [best, ...others, each]);
      else if (goesBefore) fundings.set(asset, [each]);
      return;
    }
    if (timeframe !== '1d') return;
    if (kind === 'index') indices.set(asset, each);
    if ((kind !== 'price' && kind !== 'volume') || !each.volumes) return;
    const name = marketName(asset, quote, exchange);
    const held = volumes.get(name) ?? { bars: undefined, volumes: undefined };
    held[kind === 'price' ? 'bars' : 'volumes'] = each;
    volumes.set(name, held);
  });
  return { prices: joined(choice.chosen(), rules), volumes, indices, fundings };
}

/** The prices of each asset; a coin that a rule says was renamed has those of its old name before its own. */
function joined(
  prices: ReadonlyMap<string, PriceSeries>,
  { renamed }: MarketRules,
): ReadonlyMap<string, PriceSeries> {
  const all = new Map(prices);
  for (const [from, to] of Object.entries(renamed)) {
    const [before, own] = [all.get(from), all.get(to)];
    if (before === undefined || own === undefined) continue;
    all.set(to, { ...own, before });
    all.delete(from);
  }
  return all;
}

/** The name of a version of the data under some rules, as in `x-market-data`. */
export const marketVersion = ({ version }: Pick<Manifest, 'version'>, rules: MarketRules): string =>
  sha256(`${version}\n${JSON.stringify(rules)}`).slice(0, SHORT_VERSION);

export class StoreSource implements SeriesSource {
  readonly sample = false;
  readonly version: string;
  readonly description: string;
  readonly symbolTable: SymbolTable;
  readonly #files: StoreFiles;
  readonly #cache: SeriesCache;
  readonly #manifest: Manifest;
  readonly #index: StoreIndex;
  readonly #rules: MarketRules;
  #assets: Promise<readonly AssetSummary[]> | undefined;

  private constructor(
    files: StoreFiles,
    manifest: Manifest,
    rules: MarketRules,
    cache: SeriesCache,
    index: StoreIndex,
  ) {
    this.#files = files;
    this.#cache = cache;
    this.#manifest = manifest;
    this.#index = index;
    this.#rules = rules;
    this.version = marketVersion(manifest, rules);
    this.symbolTable = symbolTable(index.prices, rules);
    this.description = describe(files.place, index.prices, this.version);
  }

  /** @param cache shared with other versions of the store */
  static async open(
    files: StoreFiles,
    manifest: Manifest,
    rules: MarketRules,
    cache: SeriesCache,
  ): Promise<StoreSource> {
    return new StoreSource(files, manifest, rules, cache, await indexOf(manifest.series, rules));
  }

  dailyCloses(symbol: string): Promise<Series | undefined> {
    return this.#joinedCloses(this.#pricesOf(symbol), prices => this.#dailyCloses(prices));
  }

  hourlyCloses(symbol: string): Promise<Series | undefined> {
    return this.#joinedCloses(this.#pricesOf(symbol), ({ hourly }) => this.#load(hourly, 'close'));
  }

  /** The closes of a coin, and before its first those of its old name. */
  async #joinedCloses(
    prices: PriceSeries,
    read: (prices: PriceSeries) => Promise<Series | undefined>,
  ): Promise<Series | undefined> {
    if (prices.before === undefined) return read(prices);
    const [own, before] = await Promise.all([read(prices), read(prices.before)]);
    return own === undefined || before === undefined
      ? (own ?? before)
      : overlay(own, until(before, own.first));
  }

  #dailyCloses({ daily, hourly }: PriceSeries): Promise<Series | undefined> {
    if (daily === undefined && hourly === undefined) return NONE;
    return this.#cache.get(`days ${daily?.file} ${hourly?.file}`, async () => {
      const [days, hours] = await Promise.all([this.#load(daily, 'close'), this.#load(hourly, 'close')]);
      const midnights = hours === undefined ? undefined : dailyFromHourly(hours);
      return days === undefined || midnights === undefined ? (days ?? midnights) : overlay(days, midnights);
    });
  }

  async volatilityIndex(symbol: string): Promise<Series | undefined> {
    return this.#load(this.#index.indices.get(symbol), 'close');
  }

  async settlements(symbol: string): Promise<SettlementSeries | undefined> {
    const series = this.#index.fundings.get(symbol) ?? [];
    const loaded = await Promise.all(series.map(each => this.#load(each, 'close')));
    const rates = loaded.reduce(
      (all, each) => (all === undefined || each === undefined ? (all ?? each) : overlay(all, each)),
      undefined,
    );
    if (rates === undefined) return undefined;
    const [{ asset, quote, exchange }] = series;
    const market = { base: asset, quote, exchange };
    const intervalHours = Math.min(...series.map(({ timeframe }) => TIMEFRAME_HOURS[timeframe]));
    return { market, intervalHours, rates };
  }

  async baseVolume(market: MarketTriple): Promise<Series | undefined> {
    const own = await this.#baseVolume(market);
    const old = Object.entries(this.#rules.renamed).find(([, to]) => to === market.base)?.[0];
    const before = old === undefined ? undefined : await this.#baseVolume({ ...market, base: old });
    return own === undefined || before === undefined
      ? (own ?? before)
      : overlay(own, until(before, own.first));
  }

  #baseVolume({ base, quote, exchange }: MarketTriple): Promise<Series | undefined> {
    const held = this.#index.volumes.get(marketName(base, quote, exchange));
    if (held === undefined) return NONE;
    const { bars, volumes } = held;
    return this.#cache.get(`volume ${bars?.file} ${volumes?.file}`, async () => {
      const [first, second] = await Promise.all([this.#load(bars, 'volume'), this.#load(volumes, 'volume')]);
      return first === undefined || second === undefined ? (first ?? second) : overlay(first, second);
    });
  }

  symbols(): readonly string[] {
    return [...this.#index.prices.keys()];
  }

  youngestCloses(): readonly YoungestClose[] {
    return [...this.#index.prices].map(([symbol, prices]) => ({ symbol, lastHour: hoursOf(prices).last }));
  }

  /** Made at first use: requests do not need it. */
  assets(): Promise<readonly AssetSummary[]> {
    this.#assets ??= (async () => {
      const summaries: AssetSummary[] = [];
      await inPieces(this.#index.prices, ([symbol, prices]) => summaries.push(assetSummary(symbol, prices)));
      return summaries;
    })();
    return this.#assets;
  }

  markets(): readonly MarketTriple[] {
    return sortedBy(this.#index.volumes, ([name]) => name)
      .flatMap(([, { bars, volumes }]) => bars ?? volumes ?? [])
      .map(({ asset, quote, exchange }) => ({ base: asset, quote, exchange }));
  }

  async list(): Promise<readonly SeriesSummary[]> {
    const pricing = new Set([...this.#index.prices.values()].flatMap(seriesOfPrice));
    return this.#manifest.series.map(series => {
      const { rows, gaps, firstHour, lastHour } = series;
      return {
        ...seriesKeyOf(series),
        used: series.kind !== 'price' || pricing.has(series),
        first: rowName(series, firstHour),
        last: rowName(series, lastHour),
        rows,
        gaps,
      };
    });
  }

  #pricesOf(symbol: string): PriceSeries {
    return this.#index.prices.get(symbol) ?? { daily: undefined, hourly: undefined };
  }

  #load(series: ManifestSeries | undefined, column: 'close' | 'volume'): Promise<Series | undefined> {
    if (series === undefined) return NONE;
    const daily = series.timeframe === '1d' && series.kind !== 'funding';
    return this.#cache.get(`${series.file} ${column}`, async () => {
      const { hours, values } = await this.#read(series, column);
      const points: number[] = [];
      const present: number[] = [];
      for (let i = 0; i < hours.length; i++) {
        if (Number.isNaN(values[i])) continue;
        points.push(daily ? hours[i] / 24 - 1 : hours[i]);
        present.push(values[i]);
      }
      return seriesOf(points, present);
    });
  }

  /**
   * The times and one column, without the rest of the file where their positions are known.
   *
   * @throws RiskError `market-data-unavailable`
   */
  async #read(series: ManifestSeries, column: 'close' | 'volume'): Promise<ColumnRows> {
    try {
      return await this.#readColumns(series, column);
    } catch (cause) {
      if (!(cause instanceof MarketStoreError)) throw cause;
      throw new RiskError('market-data-unavailable', 'The market data cannot be read at this moment.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause,
      });
    }
  }

  async #readColumns(series: ManifestSeries, column: 'close' | 'volume'): Promise<ColumnRows> {
    const { file, columns, rows, firstHour, lastHour } = series;
    const read =
      columns === undefined
        ? await decodeColumn(await this.#files.read(file), column)
        : columnsOf(await this.#files.readRanges(file, columnRanges(columns, column, rows)));
    const { hours } = read;
    if (hours.length !== rows || hours[0] !== firstHour || hours[rows - 1] !== lastHour) {
      throw new MarketStoreError(
        `${file} of the store at ${this.#files.place} does not hold the rows of ${seriesName(series)}. ` +
          `Run \`${marketCommand()} check\`.`,
      );
    }
    return read;
  }
}

/** Opens the current version of the store at a folder or address. @throws MarketStoreError where there is none, or it cannot be read */
export async function openStoredVersion(location: string, rules: MarketRules): Promise<StoreSource> {
  const files = storeFilesAt(location);
  return StoreSource.open(files, await readExisting(files), rules, new SeriesCache());
}

/** A file server that restarts is back within seconds. */
const RETRY_AFTER_SECONDS = 5;
const NONE: Promise<undefined> = Promise.resolve(undefined);

const marketName = (base: string, quote: string, exchange: string): string => `${base} ${quote} ${exchange}`;

/** Hours since 1970 of the first and the last close of an asset. */
function hoursOf(prices: PriceSeries): { readonly first: number; readonly last: number } {
  const all = seriesOfPrice(prices);
  return {
    first: Math.min(...all.map(({ firstHour }) => firstHour)),
    last: Math.max(...all.map(({ lastHour }) => lastHour)),
  };
}

/** The series behind a price, those of an old name last. */
const seriesOfPrice = ({ daily, hourly, before }: PriceSeries): readonly ManifestSeries[] => [
  ...[daily, hourly].flatMap(series => series ?? []),
  ...(before === undefined ? [] : seriesOfPrice(before)),
];

const firstDayOf = (firstHour: number): string => formatIsoDate(Math.ceil(firstHour / 24) - 1);
const lastDayOf = (lastHour: number): string => formatIsoDate(Math.floor(lastHour / 24) - 1);

function assetSummary(symbol: string, prices: PriceSeries): AssetSummary {
  const { daily, hourly } = prices;
  const { first, last } = hoursOf(prices);
  return {
    symbol,
    firstDay: firstDayOf(first),
    lastDay: lastDayOf(last),
    lastHour: last,
    missingDays: daily?.gaps ?? 0,
    hours:
      hourly === undefined
        ? undefined
        : {
            first: rowName(hourly, hourly.firstHour),
            last: rowName(hourly, hourly.lastHour),
            held: hourly.rows,
            missing: hourly.gaps,
          },
    sources: seriesOfPrice(prices).map(seriesName),
  };
}

function describe(place: string, prices: ReadonlyMap<string, PriceSeries>, version: string): string {
  if (prices.size === 0) return `store ${place}, without prices, version ${version}`;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const held of prices.values()) {
    const hours = hoursOf(held);
    first = Math.min(first, hours.first);
    last = Math.max(last, hours.last);
  }
  return `store ${place}, ${counted(prices.size, 'asset')}, ${firstDayOf(first)} to ${lastDayOf(last)}, version ${version}`;
}

/** A series before a point. */
const until = ({ first, values }: Series, point: number): Series => ({
  first,
  values: values.slice(0, Math.max(0, point - first)),
});

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
