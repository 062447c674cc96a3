/** Paradex: the same part of every position goes to the fund at the mark. */
import { flatRate, USDC_ONLY, type Venue } from './rule-set.ts';

export const PARADEX: Venue = {
  name: 'paradex',
  words:
    'E < M; the smallest multiple of 20 % of every position that brings M below 90 % of E passes to the fund, which takes 70 % of the maintenance margin.',
  strict: true,
  close: { rule: 'share', share: 0.2, target: 0.9 },
  // The taker fee of retail accounts; professional ones have 0.00045.
  reserve_fee: true,
  fee_rate: 0,
  // Its table of parameters has 0.5.
  maintenance_fee: 0.7,
  costs: 'fund',
  haircuts: USDC_ONLY,
  funding: {
    interval_hours: 1,
    interest: 0.0001,
    clamp: 0.0005,
    cap: { BTC: 0.0025, ETH: 0.0025, SOL: 0.0025, '*': 0.00625 },
    weights: 'mean',
  },
  tiers: {
    BTC: { linear: flatRate(0.01) },
    ETH: { linear: flatRate(0.01) },
    SOL: { linear: flatRate(0.01) },
    DOGE: { linear: flatRate(0.016667) },
  },
  source: 'docs.paradex.trade: liquidations, account margin, funding mechanism',
  as_of: '2026-06-17',
};
