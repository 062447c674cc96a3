/**
 * The age of the prices of a market, for health checks and metrics.
 *
 * Takes: a market and the time. Gives: seconds since the last close of each symbol, of the version that is current.
 * Must not know: which age is too old.
 */
import type { MarketHandle } from './market-data.ts';

const SECONDS_PER_HOUR = 3600;

export interface DataAges {
  /** Seconds since the last close, by symbol. */
  bySymbol(): Promise<ReadonlyMap<string, number>>;
  /** Seconds since the latest close of any symbol; infinite without any. */
  latest(): Promise<number>;
}

/** @param now the time; tests replace it */
export function dataAgesOf(market: MarketHandle, now: () => Date): DataAges {
  const bySymbol = async (): Promise<ReadonlyMap<string, number>> => {
    const time = now().getTime();
    return new Map(
      market
        .current()
        .youngestCloses()
        .map(({ symbol, lastHour }) => [symbol, Math.max(0, time / 1000 - lastHour * SECONDS_PER_HOUR)]),
    );
  };
  return {
    bySymbol,
    async latest() {
      let least = Number.POSITIVE_INFINITY;
      for (const age of (await bySymbol()).values()) least = Math.min(least, age);
      return least;
    },
  };
}
