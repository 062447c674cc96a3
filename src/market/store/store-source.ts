/**
 * One version of a store as a source of series: which stored series answers for what, each read once.
 *
 * Prices follow `choosePrices`. The volume of a market is that of its daily bars, on days that these lack that of its volume
 * series. Must not know: how versions follow each other.
 */
import { formatIsoDate } from '../../calendar-date.ts';
import { counted } from '../counted.ts';
import type { AssetSummary, MarketTriple, SeriesSummary } from '../market-data.ts';
import type { MarketRules } from '../rules.ts';
import { dailyFromHourly, lastPoint, type Series, type SeriesSource, seriesOf, valueAt } from '../series.ts';
import { type SymbolTable, symbolTable } from '../symbols.ts';
import { type Manifest, type ManifestSeries, SHORT_VERSION, sha256 } from './manifest.ts';
import { decodeColumn } from './parquet.ts';
import { choosePrices, type PriceSeries } from './price-choice.ts';
import type { SeriesCache } from './series-cache.ts';
import { rowName, seriesName } from './series-key.ts';
import type { StoreFiles } from './store-files.ts';

export class StoreSource implements SeriesSource {
  readonly sample = false;
  readonly version: string;
  readonly description: string;
  readonly symbolTable: SymbolTable;
  readonly #files: StoreFiles;
  readonly #cache: SeriesCache;
  readonly #manifest: Manifest;
  readonly #prices: ReadonlyMap<string, PriceSeries>;
  readonly #volumes: ReadonlyMap<string, readonly ManifestSeries[]>;
  readonly #indices: ReadonlyMap<string, ManifestSeries>;
  readonly #assets: readonly AssetSummary[];

  constructor(files: StoreFiles, manifest: Manifest, rules: MarketRules, cache: SeriesCache) {
    this.#files = files;
    this.#cache = cache;
    this.#manifest = manifest;
    this.version = sha256(`${manifest.version}\n${JSON.stringify(rules)}`).slice(0, SHORT_VERSION);
    this.#prices = choosePrices(manifest.series, rules);
    this.#volumes = volumeSeries(manifest.series);
    this.#indices = new Map(
      manifest.series
        .filter(({ kind, timeframe }) => kind === 'index' && timeframe === '1d')
        .map(series => [series.asset, series]),
    );
    this.#assets = [...this.#prices].map(([symbol, prices]) => assetSummary(symbol, prices));
    this.symbolTable = symbolTable(new Set(this.#prices.keys()), rules);
    this.description = describe(files.place, this.#assets, this.version);
  }

  dailyCloses(symbol: string): Promise<Series | undefined> {
    const { daily, hourly } = this.#pricesOf(symbol);
    if (daily === undefined && hourly === undefined) return NONE;
    return this.#cache.get(`days ${daily?.file} ${hourly?.file}`, async () => {
      const [days, hours] = await Promise.all([this.#load(daily, 'close'), this.#load(hourly, 'close')]);
      const midnights = hours === undefined ? undefined : dailyFromHourly(hours);
      return days === undefined || midnights === undefined ? (days ?? midnights) : overlay(days, midnights);
    });
  }

  async hourlyCloses(symbol: string): Promise<Series | undefined> {
    return this.#load(this.#pricesOf(symbol).hourly, 'close');
  }

  async volatilityIndex(symbol: string): Promise<Series | undefined> {
    return this.#load(this.#indices.get(symbol), 'close');
  }

  baseVolume({ base, quote, exchange }: MarketTriple): Promise<Series | undefined> {
    const held = this.#volumes.get(marketName(base, quote, exchange));
    if (held === undefined) return NONE;
    return this.#cache.get(`volume ${held.map(({ file }) => file).join(' ')}`, async () => {
      const [first, second] = await Promise.all(held.map(series => this.#load(series, 'volume')));
      return first === undefined || second === undefined ? (first ?? second) : overlay(first, second);
    });
  }

  assets(): readonly AssetSummary[] {
    return this.#assets;
  }

  markets(): readonly MarketTriple[] {
    return [...this.#volumes.values()].map(([{ asset, quote, exchange }]) => ({
      base: asset,
      quote,
      exchange,
    }));
  }

  async list(): Promise<readonly SeriesSummary[]> {
    const pricing = new Set([...this.#prices.values()].flatMap(({ daily, hourly }) => [daily, hourly]));
    return this.#manifest.series.map(series => {
      const { kind, asset, quote, exchange, timeframe, rows, gaps, firstHour, lastHour } = series;
      return {
        kind,
        asset,
        quote,
        exchange,
        timeframe,
        used: kind !== 'price' || pricing.has(series),
        first: rowName(series, firstHour),
        last: rowName(series, lastHour),
        rows,
        gaps,
      };
    });
  }

  /** Nothing is held open. */
  async close(): Promise<void> {}

  #pricesOf(symbol: string): PriceSeries {
    return this.#prices.get(symbol) ?? { daily: undefined, hourly: undefined };
  }

  #load(series: ManifestSeries | undefined, column: 'close' | 'volume'): Promise<Series | undefined> {
    if (series === undefined) return NONE;
    const daily = series.timeframe === '1d';
    return this.#cache.get(`${series.file} ${column}`, async () => {
      const { hours, values } = await decodeColumn(await this.#files.read(series.file), column);
      const points: number[] = [];
      const kept: number[] = [];
      for (let i = 0; i < hours.length; i++) {
        if (Number.isNaN(values[i])) continue;
        points.push(daily ? hours[i] / 24 - 1 : hours[i]);
        kept.push(values[i]);
      }
      return seriesOf(points, kept);
    });
  }
}

const NONE: Promise<undefined> = Promise.resolve(undefined);

const marketName = (base: string, quote: string, exchange: string): string => `${base} ${quote} ${exchange}`;

/** The series with volumes of each market, the bars first. */
function volumeSeries(series: readonly ManifestSeries[]): ReadonlyMap<string, readonly ManifestSeries[]> {
  const markets = new Map<string, ManifestSeries[]>();
  for (const kind of ['price', 'volume'] as const) {
    for (const each of series) {
      if (each.kind !== kind || each.timeframe !== '1d' || !each.volumes) continue;
      const name = marketName(each.asset, each.quote, each.exchange);
      const known = markets.get(name);
      if (known === undefined) markets.set(name, [each]);
      else known.push(each);
    }
  }
  return new Map([...markets].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function assetSummary(symbol: string, { daily, hourly }: PriceSeries): AssetSummary {
  const held = [daily, hourly].flatMap(series => series ?? []);
  const firstHour = Math.min(...held.map(series => series.firstHour));
  const lastHour = Math.max(...held.map(series => series.lastHour));
  return {
    symbol,
    firstDay: formatIsoDate(Math.ceil(firstHour / 24) - 1),
    lastDay: formatIsoDate(Math.floor(lastHour / 24) - 1),
    lastHour,
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
    sources: held.map(seriesName),
  };
}

function describe(place: string, assets: readonly AssetSummary[], version: string): string {
  if (assets.length === 0) return `store ${place}, without prices, version ${version}`;
  const first = assets.reduce(
    (best, { firstDay }) => (firstDay < best ? firstDay : best),
    assets[0].firstDay,
  );
  const last = assets.reduce((best, { lastDay }) => (lastDay > best ? lastDay : best), assets[0].lastDay);
  return `store ${place}, ${counted(assets.length, 'asset')}, ${first} to ${last}, version ${version}`;
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
