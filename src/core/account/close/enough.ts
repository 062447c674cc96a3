/**
 * Just enough: rows by maintenance, largest first, until the deficit D = M - E / (1 + buffer) is gone. A row whose requirement is at most D is
 * closed whole; the last one down to the notional whose requirement is D less.
 */
import { type ClosingRule, leading } from './closing-rule.ts';

export const ENOUGH: ClosingRule = {
  pass({ state, prices, terms: { buffer = 0 }, further }, shares) {
    const { maintenance, notional, open, required, marginEquity, account } = state;
    let deficit = required - marginEquity / (1 + buffer) + further;
    while (deficit > 0) {
      const i = leading(maintenance, row => open[row] > 0 && shares[row] === 0);
      if (i < 0) return;
      const requirement = maintenance[i] + account.reserved * notional[i];
      if (requirement <= deficit) shares[i] = 1;
      else shares[i] = 1 - state.notionalRequiring(i, requirement - deficit, prices) / notional[i];
      deficit -= requirement;
    }
  },
  closesRemainders: true,
};
