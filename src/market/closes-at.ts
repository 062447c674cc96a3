/** Closes of assets at the end of a window, read separately, so that all missing ones are reported. */
import { type Day, dayOf } from '../text/calendar-date.ts';
import { DOLLAR } from '../text/symbols.ts';
import { lastCompleteDay } from './last-complete-day.ts';
import type { MarketData } from './market-data.ts';
import { MissingMarketData } from './missing-data.ts';

/** A close, or why there is none. `young`: only closes before its first one are missing. */
export type CloseAt =
  | { readonly price: number; readonly carried: boolean }
  | { readonly missing: string; readonly young: boolean };

/** A reader of the last closes of a window. @param date its last day; default: the day of `moment` */
export const closesAt =
  (market: MarketData, moment: Date) =>
  async ({
    symbols,
    date = dayOf(moment),
    closes = 1,
    standIns = {},
  }: {
    readonly symbols: readonly string[];
    readonly date: Day | undefined;
    /** Closes that are needed, the last of them that of `date`. */
    readonly closes?: number | undefined;
    /** The asset that stands in for another before its first close. */
    readonly standIns?: Readonly<Record<string, string>> | undefined;
  }) => {
    const day = lastCompleteDay(date, moment);
    const found = await Promise.all(
      symbols.map(symbol => closeAt(joinedBy(market, symbol, standIns[symbol]), symbol, day, closes)),
    );
    return new Map(symbols.map((symbol, i) => [symbol, found[i]]));
  };

/** Whether closes are missing does not depend on beta. */
const joinedBy = (market: MarketData, symbol: string, asset: string | undefined) =>
  asset === undefined ? market : market.joined(new Map([[symbol, { asset, beta: 1 }]]));

async function closeAt(market: MarketData, symbol: string, day: Day, closes: number): Promise<CloseAt> {
  try {
    const { prices, carried } = await market.dailyCloses([symbol], day, closes);
    return { price: prices[0][closes - 1], carried: carried.has(closes - 1) };
  } catch (error) {
    if (!(error instanceof MissingMarketData)) throw error;
    const missing = error.faults.map(({ message }) => message).join('; ');
    const isYoung = joinedBy(market, symbol, DOLLAR)
      .dailyCloses([symbol], day, closes)
      .then(
        () => true,
        () => false,
      );
    return { missing, young: await isYoung };
  }
}
