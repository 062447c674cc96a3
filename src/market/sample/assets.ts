/**
 * The assets of the sample market. The figures are round numbers of the size that such assets have had; none of them
 * is a real price.
 */

/** A coin with a volatile price. */
export interface SampleCoin {
  readonly symbol: string;
  /** Level that the price swings around, USD. */
  readonly levelUsd: number;
  /** Mean annual volatility, a fraction per year. */
  readonly annualVolatility: number;
  /** Correlation of its returns with those of the whole market. */
  readonly marketCorrelation: number;
  /** Mean volume per day over all exchanges, USD. */
  readonly dailyVolumeUsd: number;
}

const coin = (
  symbol: string,
  levelUsd: number,
  annualVolatility: number,
  marketCorrelation: number,
  dailyVolumeUsd: number,
): SampleCoin => ({ symbol, levelUsd, annualVolatility, marketCorrelation, dailyVolumeUsd });

export const COINS: readonly SampleCoin[] = [
  coin('BTC', 60_000, 0.5, 0.92, 2.4e9),
  coin('ETH', 2_800, 0.65, 0.92, 1.5e9),
  coin('SOL', 130, 0.85, 0.8, 6e8),
  coin('BNB', 550, 0.55, 0.75, 3e8),
  coin('XRP', 1.4, 0.75, 0.72, 5e8),
  coin('ADA', 0.6, 0.8, 0.78, 1.2e8),
  coin('DOGE', 0.18, 0.9, 0.72, 3e8),
  coin('AVAX', 28, 0.85, 0.78, 9e7),
  coin('LINK', 15, 0.8, 0.8, 9e7),
  coin('LTC', 95, 0.65, 0.76, 8e7),
  coin('PEPE', 0.000009, 1.2, 0.62, 2e8),
  coin('PAXG', 2_600, 0.15, 0.12, 1.5e7),
];

/** Coins that stay near 1 USD. */
export const STABLECOINS: readonly string[] = ['USDC', 'USDT', 'DAI'];

/** Exchanges, their quotes, and their shares of a coin's volume. */
export const EXCHANGES = [
  { exchange: 'binance', quote: 'USDT', share: 0.7 },
  { exchange: 'coinbase', quote: 'USD', share: 0.2 },
  { exchange: 'kraken', quote: 'USD', share: 0.1 },
] as const;

/** Coins with a volatility index. */
export const INDEXED: readonly string[] = ['BTC', 'ETH'];
