/**
 * The answer of GET /symbols: every asset with a price, and the aliases.
 */
import { secondsSince } from '../market/data-ages.ts';
import { type MarketHandle, marketDataText } from '../market/market-data.ts';
import { DOLLAR } from '../request/symbols.ts';
import type { Middleware } from './context.ts';

export const SYMBOLS_PATH = '/symbols';

/** Answers 200 with the assets of the current version of the market. */
export function symbolsMiddleware(market: MarketHandle, now: () => Date): Middleware {
  return async ctx => {
    const current = market.current();
    const moment = now();
    const aliases = current.symbols.aliases();
    const aliasesOf = (symbol: string) =>
      aliases.flatMap(([alias, asset]) => (asset === symbol ? [alias] : []));
    ctx.set('x-market-data', marketDataText(current));
    ctx.body = {
      symbols: (await current.assets()).map(
        ({ symbol, firstDay, lastDay, lastHour, missingDays, hours, sources }) => ({
          symbol,
          first_day: firstDay,
          last_day: lastDay,
          missing_days: missingDays,
          hours: hours ?? null,
          sources,
          aliases: aliasesOf(symbol),
          age_seconds: Math.round(secondsSince(lastHour, moment)),
        }),
      ),
      // The dollar itself: no series, price 1.
      cash: { symbol: DOLLAR, aliases: aliasesOf(DOLLAR) },
    };
  };
}
