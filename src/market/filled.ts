/** Putting together and writing down how many closes were carried forward. */
import type { FilledSeries } from './market-data.ts';

/**
 * One entry per symbol and unit for a request that read several windows: the largest count of any of them, since
 * windows of one request overlap. Sorted by symbol.
 */
export function joinFilled(...lists: readonly (readonly FilledSeries[])[]): readonly FilledSeries[] {
  const largest = new Map<string, FilledSeries>();
  for (const entry of lists.flat()) {
    const key = `${entry.symbol} ${entry.unit}`;
    const seen = largest.get(key);
    if (seen === undefined || seen.count < entry.count) largest.set(key, entry);
  }
  return [...largest.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}

/** `USDC=9,BTC=4h`: the value of the header `x-market-data-filled`, empty where nothing was carried. */
export function formatFilled(filled: readonly FilledSeries[]): string {
  return filled.map(({ symbol, count, unit }) => `${symbol}=${count}${unit === 'hour' ? 'h' : ''}`).join(',');
}
