/** Hyperliquid: cross margin in USDC; a fifth of a large position first, the rest of the rows after it. */
import { type TierTable, USDC_ONLY, type Venue } from './rule-set.ts';

/** Half the initial margin at the largest leverage, and at the one above a notional. */
const byLeverage = (leverage: number, above: number, then: number): TierTable => ({
  tiers: [
    { from: 0, rate: 1 / (2 * leverage) },
    { from: above, rate: 1 / (2 * then) },
  ],
});

const linear = (table: TierTable, ...markets: readonly string[]) =>
  Object.fromEntries(markets.map(market => [market, { linear: table }]));

export const HYPERLIQUID: Venue = {
  name: 'hyperliquid',
  words:
    'E < M; 20 % of a position above 100,000 USD, then whole positions; below two thirds of M the backstop takes the account.',
  strict: true,
  // The order of the rows, largest maintenance first, is our reading.
  close: { rule: 'portion', portion: 0.2, above: 100_000 },
  fee_rate: 0,
  backstop: 2 / 3,
  unfilled: 'open',
  haircuts: USDC_ONLY,
  funding: { interval_hours: 1, interest: 0.0001, clamp: 0.0005, cap: 0.04, weights: 'mean' },
  tiers: {
    ...linear(byLeverage(40, 150e6, 20), 'BTC'),
    ...linear(byLeverage(25, 100e6, 15), 'ETH'),
    ...linear(byLeverage(20, 70e6, 10), 'SOL'),
    ...linear(byLeverage(20, 40e6, 10), 'XRP'),
    ...linear(byLeverage(10, 20e6, 5), 'DOGE', 'AVAX', 'LINK', 'SUI', 'HYPE'),
    ...linear(byLeverage(10, 3e6, 5), 'ARB', 'OP', 'BNB'),
  },
  source: 'hyperliquid.gitbook.io/hyperliquid-docs: liquidations, margin tiers, funding',
  as_of: '2026-11-28',
};
