/**
 * The age of the prices of a market, for health checks and metrics.
 *
 * Takes: a market and the time. Gives: seconds since the last close of each symbol, of the version that is current.
 * Must not know: which age is too old.
 */
import type { MarketHandle } from './market-data.ts';

/** Seconds since a close at `hour`, in hours since 1970; 0 where the clock is behind it. */
export const secondsSince = (hour: number, now: Date): number =>
  Math.max(0, now.getTime() / 1000 - 3600 * hour);

export interface DataAges {
  /** Seconds since the last close, by symbol. */
  bySymbol(): ReadonlyMap<string, number>;
  /** Seconds since the latest close of any symbol; infinite without any. */
  latest(): number;
}

/** @param now the time; tests replace it */
export function dataAgesOf(market: MarketHandle, now: () => Date): DataAges {
  const bySymbol = (): ReadonlyMap<string, number> => {
    const time = now();
    const closes = market.current().youngestCloses();
    return new Map(closes.map(({ symbol, lastHour }) => [symbol, secondsSince(lastHour, time)]));
  };
  return {
    bySymbol,
    latest: () => Math.min(...bySymbol().values()),
  };
}
