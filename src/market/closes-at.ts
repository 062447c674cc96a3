/** Closes of assets at the end of a window, read separately, so that all missing ones are reported. */
import { type Day, dayOf } from '../text/calendar-date.ts';
import { lastCompleteDay } from './last-complete-day.ts';
import type { MarketData } from './market-data.ts';
import { MissingMarketData } from './missing-data.ts';

/** A close, or why there is none. */
export type CloseAt = { readonly price: number; readonly carried: boolean } | { readonly missing: string };

/** A reader of the last closes of a window. @param date its last day; default: the day of `moment` */
export const closesAt =
  (market: MarketData, moment: Date) =>
  async ({
    symbols,
    date = dayOf(moment),
  }: {
    readonly symbols: readonly string[];
    readonly date: Day | undefined;
  }) => {
    const day = lastCompleteDay(date, moment);
    const found = await Promise.all(symbols.map(symbol => closeAt(market, symbol, day)));
    return new Map(symbols.map((symbol, i) => [symbol, found[i]]));
  };

async function closeAt(market: MarketData, symbol: string, day: Day): Promise<CloseAt> {
  try {
    const { prices, filled } = await market.dailyCloses([symbol], day, 1);
    return { price: prices[0][0], carried: filled.length > 0 };
  } catch (error) {
    if (!(error instanceof MissingMarketData)) throw error;
    return { missing: error.faults.map(({ message }) => message).join('; ') };
  }
}
