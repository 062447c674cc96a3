/** dYdX v4: a tenth of a position a turn, at a price between the oracle's and that of bankruptcy. */
import { flatRate, USDC_ONLY, type Venue } from './rule-set.ts';

const linear = (rate: number, ...markets: readonly string[]) =>
  Object.fromEntries(markets.map(market => [market, { linear: flatRate(rate) }]));

export const DYDX: Venue = {
  name: 'dydx',
  words:
    'E < M; positions take turns of 10 %, at least 1,000 USD, until the account is healthy; the fee ends at the bankruptcy price of the position.',
  strict: true,
  // There rows come by chance, and a block has up to 100,000 USD.
  close: { rule: 'portion', portion: 0.1, above: 1_000, again: true },
  fee_rate: 0.015,
  fee_cap: 'bankruptcy',
  bankruptcy: 'share',
  unfilled: 'open',
  haircuts: USDC_ONLY,
  funding: { interval_hours: 1, interest: 0, clamp: 0, cap: { BTC: 0.006, ETH: 0.006 }, weights: 'mean' },
  tiers: {
    ...linear(0.012, 'BTC', 'ETH'),
    ...linear(0.03, 'SOL'),
    ...linear(0.05, 'AVAX', 'DOGE', 'LINK', 'XRP'),
    ...linear(0.1, 'ARB', 'OP', 'SUI'),
  },
  source: 'github.com/dydxprotocol/v4-chain: x/subaccounts, x/clob liquidations, genesis of the main network',
  as_of: '2026-04-01',
};
