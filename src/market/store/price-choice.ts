/**
 * Which series of a store price an asset: one rule, which shows in `market -- list` and never depends on the order of imports.
 *
 * The market of an asset is the one that the rules name for it; else the first in the order of exchanges, then of quotes,
 * that has any price. Its daily closes are its daily bars, and on days that these lack the midnight closes of its
 * hours; its hourly closes are its hours. Two markets are never mixed: one asset, one price series.
 */
import type { MarketRules } from '../rules.ts';
import type { ManifestSeries } from './manifest.ts';

/** The series of one market. */
export interface PriceSeries {
  readonly daily: ManifestSeries | undefined;
  readonly hourly: ManifestSeries | undefined;
}

/** The market that prices each asset, sorted by symbol. */
export function choosePrices(
  series: readonly ManifestSeries[],
  rules: MarketRules,
): ReadonlyMap<string, PriceSeries> {
  const byAsset = new Map<string, ManifestSeries[]>();
  for (const each of series) {
    if (each.kind !== 'price') continue;
    const known = byAsset.get(each.asset);
    if (known === undefined) byAsset.set(each.asset, [each]);
    else known.push(each);
  }
  const chosen = new Map<string, PriceSeries>();
  for (const asset of [...byAsset.keys()].sort()) {
    const best = bestMarket(asset, byAsset.get(asset) ?? [], rules);
    if (best !== undefined) chosen.set(asset, best);
  }
  return chosen;
}

function bestMarket(
  asset: string,
  series: readonly ManifestSeries[],
  rules: MarketRules,
): PriceSeries | undefined {
  const own = Object.hasOwn(rules.prices, asset) ? rules.prices[asset] : undefined;
  const rank = ({ exchange, quote }: ManifestSeries): number | undefined => {
    if (own?.exchange === exchange && own.quote === quote) return -1;
    const place = rules.quotes.indexOf(quote);
    if (place < 0) return undefined;
    const known = rules.exchanges.indexOf(exchange);
    return (known < 0 ? rules.exchanges.length : known) * rules.quotes.length + place;
  };
  const ranked = series
    .flatMap(each => {
      const place = rank(each);
      return place === undefined ? [] : [{ each, place }];
    })
    // Exchanges that the rules do not name follow in alphabetical order.
    .sort((a, b) => a.place - b.place || (a.each.exchange < b.each.exchange ? -1 : 1));
  const [first] = ranked;
  if (first === undefined) return undefined;
  const ofMarket = series.filter(
    ({ exchange, quote }) => exchange === first.each.exchange && quote === first.each.quote,
  );
  return {
    daily: ofMarket.find(({ timeframe }) => timeframe === '1d'),
    hourly: ofMarket.find(({ timeframe }) => timeframe === '1h'),
  };
}
