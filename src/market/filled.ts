/** Writing down how many closes were carried forward. */
import type { FilledSeries } from './market-data.ts';

/** `USDC=9,BTC=4h`: the value of the header `x-market-data-filled`, empty where nothing was carried. */
export function formatFilled(filled: readonly FilledSeries[]): string {
  return filled.map(({ symbol, count, unit }) => `${symbol}=${count}${unit === 'hour' ? 'h' : ''}`).join(',');
}
