/**
 * The series of a store for the price of an asset and for its funding rate, by a rule that does not depend on the order of imports
 * (`market -- list` shows the result).
 *
 * The market of an asset is the one that the rules name for it; else the first in the order of exchanges, then of quotes,
 * that has any price. Its daily closes are its daily bars, and on days without these the midnight closes of its
 * hours; its hourly closes are its hours. Two markets are never mixed.
 */

import { sortedBy } from '../../text/sorted-by.ts';
import type { MarketRules } from '../rules.ts';
import type { ManifestSeries } from './manifest.ts';
import { TIMEFRAME_HOURS } from './series-key.ts';

/** The series of one market. */
export interface PriceSeries {
  readonly daily: ManifestSeries | undefined;
  readonly hourly: ManifestSeries | undefined;
  /** The series of an old name of the asset, which end where these begin. */
  readonly before?: PriceSeries;
}

/** A market and its place among others. */
interface Candidate {
  readonly place: number;
  readonly exchange: string;
  /** Of its youngest row. */
  lastHour: number;
  daily: ManifestSeries | undefined;
  hourly: ManifestSeries | undefined;
}

/** A market whose last row is so many hours older than another market's is inactive, and prices nothing. */
const STOPPED_HOURS = 30 * 24;

/** Selects the market of each asset from series that are added in any order. */
export class PriceChoice {
  readonly #rules: MarketRules;
  readonly #markets = new Map<string, Map<string, Candidate>>();

  constructor(rules: MarketRules) {
    this.#rules = rules;
  }

  /** Considers one series. */
  add(series: ManifestSeries): void {
    const place = series.kind === 'price' ? placeOf(series, this.#rules) : undefined;
    if (place === undefined) return;
    const { asset, exchange, quote, timeframe, lastHour } = series;
    const ofAsset = this.#markets.get(asset) ?? new Map<string, Candidate>();
    this.#markets.set(asset, ofAsset);
    const key = `${quote} ${exchange}`;
    const market = ofAsset.get(key) ?? { place, exchange, lastHour, daily: undefined, hourly: undefined };
    ofAsset.set(key, market);
    market.lastHour = Math.max(market.lastHour, lastHour);
    if (timeframe === '1d') market.daily = series;
    if (timeframe === '1h') market.hourly = series;
  }

  /** The market that prices each asset, sorted by symbol. */
  chosen(): ReadonlyMap<string, PriceSeries> {
    const best = [...this.#markets].map(
      ([asset, markets]) => [asset, bestOf([...markets.values()])] as const,
    );
    return new Map(sortedBy(best, ([asset]) => asset));
  }
}

/** The first active market in the order of the rules; one that the rules name for the asset has priority. */
function bestOf(markets: readonly Candidate[]): Candidate {
  const newest = Math.max(...markets.map(({ lastHour }) => lastHour));
  const going = markets.filter(({ place, lastHour }) => place < 0 || lastHour >= newest - STOPPED_HOURS);
  return going.reduce((best, each) => (goesBefore(each.place, each.exchange, best) ? each : best));
}

/** Exchanges that the rules do not name have one place, and follow in alphabetical order. */
const goesBefore = (place: number, exchange: string, best: Candidate): boolean =>
  place < best.place || (place === best.place && exchange < best.exchange);

/** The place of a market in the order of the rules, the lowest first; undefined for one that prices nothing. */
function placeOf({ asset, exchange, quote }: ManifestSeries, rules: MarketRules): number | undefined {
  const own = Object.hasOwn(rules.prices, asset) ? rules.prices[asset] : undefined;
  return own?.exchange === exchange && own.quote === quote ? -1 : placeInOrder(exchange, quote, rules);
}

/** By exchange, then by quote. */
function placeInOrder(exchange: string, quote: string, rules: MarketRules): number | undefined {
  const place = rules.quotes.indexOf(quote);
  if (place < 0) return undefined;
  const known = rules.exchanges.indexOf(exchange);
  return (known < 0 ? rules.exchanges.length : known) * rules.quotes.length + place;
}

/**
 * Whether one market's settlements have priority over another's for the funding rate of an asset: by the order of exchanges, then of
 * quotes; of one market those with the latest row, then those at the shorter interval.
 */
export function fundingGoesBefore(one: ManifestSeries, other: ManifestSeries, rules: MarketRules): boolean {
  const order = ({ exchange, quote, lastHour, timeframe }: ManifestSeries) => [
    placeInOrder(exchange, quote, rules) ?? Number.POSITIVE_INFINITY,
    exchange,
    quote,
    -lastHour,
    TIMEFRAME_HOURS[timeframe],
  ];
  const [a, b] = [order(one), order(other)];
  const first = a.findIndex((part, i) => part !== b[i]);
  return first >= 0 && a[first] < b[first];
}
