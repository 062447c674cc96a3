/** No venue's: everything is closed at once, at the rates of the server. */
import type { Venue } from './rule-set.ts';

export const SIMPLE: Venue = {
  name: 'simple',
  words: 'No venue: E <= M closes everything, any collateral counts at its price, one rate a market.',
  serverMargins: true,
  strict: false,
  close: { rule: 'all' },
  reserve_fee: true,
  fee_rate: 0,
  source: 'the maintenance margins of this server (MAINTENANCE_MARGINS), fixed at the start',
};
