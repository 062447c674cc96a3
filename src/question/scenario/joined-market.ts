/** A market in which proxies continue the history of young assets, for the windows of a question; a replay has rules of its own. */
import { type Warning, warnIf } from '../../core/warnings.ts';
import type { HistoryJoin, MarketData } from '../../market/market-data.ts';
import { DAILY_CARRY } from '../../market/window.ts';
import { type Day, formatIsoDate } from '../../text/calendar-date.ts';
import type { Proxies } from '../request/proxies.ts';
import { betaOf } from './beta.ts';

export interface JoinedMarket {
  readonly market: MarketData;
  readonly warnings: readonly Warning[];
}

/**
 * Continues those of the assets that have a proxy and no close at the beginning of the window.
 *
 * @param first first and last day of the window
 */
export async function joinedMarket(
  market: MarketData,
  proxies: Proxies | undefined,
  symbols: readonly string[],
  [first, last]: readonly [first: Day, last: Day],
): Promise<JoinedMarket> {
  const joins = new Map<string, HistoryJoin>();
  const told: string[] = [];
  for (const symbol of symbols) {
    const proxy = proxies?.[symbol];
    if (proxy === undefined) continue;
    const begin = first - DAILY_CARRY.longestRun;
    const closes = await market.heldCloses(symbol, begin, last);
    const own = closes.findIndex(close => !Number.isNaN(close));
    if (own >= 0 && begin + own <= first) continue;
    const { asset, beta: sent } = proxy;
    const slope = sent ?? (await betaOf(market, symbol, asset, last));
    const beta = slope ?? 1;
    joins.set(symbol, { asset, beta });
    const when = own < 0 ? 'in the whole window' : `before ${formatIsoDate(begin + own)}`;
    told.push(
      `${symbol} ${when} moves as ${asset}, beta ${beta}${sent === undefined && slope !== undefined ? ' of its daily closes' : ''}`,
    );
  }
  return {
    market: joins.size === 0 ? market : market.joined(joins),
    warnings: warnIf(
      told.length > 0,
      'joined-history',
      `Prices of the window are missing: ${told.join('; ')}. What such an asset did by itself before is in no figure.`,
    ),
  };
}
