/** Dango, closed on 2026-07-29, as a rule set: just enough is closed, the largest maintenance first. */
import { flatRate, USDC_ONLY, type Venue } from './rule-set.ts';

export const DANGO: Venue = {
  name: 'dango',
  words:
    'E < M; the largest maintenance first, as much as brings M below E / 1.05; what finds no counterparty passes to winners at the bankruptcy price. Closed in July 2026.',
  strict: true,
  close: { rule: 'enough', buffer: 0.05 },
  fee_rate: 0.01,
  bankruptcy: 'whole',
  unfilled: 'bankruptcy',
  haircuts: USDC_ONLY,
  funding: { interval_hours: 1, interest: 0, clamp: 0, cap: 0.0007, weights: 'mean' },
  tiers: { BTC: { linear: flatRate(0.025) }, ETH: { linear: flatRate(0.05) } },
  source: 'github.com/left-curve/left-curve: book of the perpetuals, genesis of the test network',
  as_of: '2026-07-29',
};
