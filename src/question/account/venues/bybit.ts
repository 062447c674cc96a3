/** Bybit, unified account in cross margin: risk limits are taken down a tier at a time. */
import type { Venue } from './rule-set.ts';

export const BYBIT: Venue = {
  name: 'bybit',
  words:
    "E <= M with the fee of closing set aside; the row of the largest maintenance goes down a tier; what is left of the last one is the fund's.",
  strict: false,
  // The order of the rows is our reading.
  close: { rule: 'tier', steps: 1 },
  reserve_fee: true,
  fee_rate: 0.00055,
  rest: 'fund',
  funding: {
    interval_hours: 8,
    interest: 0.0001,
    clamp: 0.0005,
    cap: { BTC: 0.00375 },
    weights: 'linear',
  },
  tiers: {
    BTC: {
      linear: {
        tiers: [
          { from: 0, rate: 0.005 },
          { from: 2e6, rate: 0.0056 },
        ],
      },
    },
  },
  source:
    'bybit.com/help-center: liquidation in the unified trading account, risk limits of BTCUSDT, funding',
  as_of: '2026-11-28',
};
