/**
 * The answer of GET /prices: the closes at which amounts would be valued.
 */
import { RiskError } from '../core/errors.ts';
import { lastCompleteDay } from '../market/last-complete-day.ts';
import { type MarketHandle, marketDataText } from '../market/market-data.ts';
import { checkPriceQuery } from '../request/price-query.ts';
import { dayOf, formatCalendarDate, formatHour } from '../text/calendar-date.ts';
import type { Middleware } from './context.ts';

export const PRICES_PATH = '/prices';

/** Answers 200 with the last close of each asset at or before the end of a day. */
export function pricesMiddleware(market: MarketHandle, now: () => Date): Middleware {
  return async ctx => {
    const current = market.current();
    const moment = now();
    const checked = checkPriceQuery(
      new URLSearchParams(ctx.querystring),
      dayOf(moment),
      current.symbols.resolve,
    );
    if (!checked.ok)
      throw new RiskError('invalid-request', 'The request is not valid.', { faults: checked.faults });
    const { assets, date } = checked.value;
    const day = lastCompleteDay(date, moment);
    const { prices, filled } = await current.dailyCloses(assets, day, 1).catch(atSymbols);
    const carried = new Set(filled.map(({ symbol }) => symbol));
    ctx.set('x-market-data', marketDataText(current));
    ctx.body = {
      date: formatCalendarDate(day),
      time: formatHour(24 * (day + 1)),
      prices: assets.map((symbol, i) => ({ symbol, price: prices[i][0], carried: carried.has(symbol) })),
    };
  };
}

/** The error with its faults at the parameter that names the assets. @throws always */
function atSymbols(error: unknown): never {
  if (!(error instanceof RiskError) || error.reason !== 'missing-market-data') throw error;
  const { reason, message, faults } = error;
  const moved = faults.map(fault => ({ ...fault, path: 'query.symbols' }));
  throw new RiskError(reason, message, { faults: moved, cause: error });
}
