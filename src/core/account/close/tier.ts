/** The row of the largest maintenance, down to the lower bound of the tier `steps` below its own; all of it from tier `steps` or lower. */
import { type ClosingRule, leading } from './closing-rule.ts';

export const TIER: ClosingRule = {
  pass({ state, prices, terms: { steps = 1 } }, shares) {
    const { open, maintenance, notional, tier, account } = state;
    const i = leading(maintenance, row => open[row] > 0);
    const target = tier[i] - steps;
    if (target < account.tierFirst[i]) {
      shares[i] = 1;
      return;
    }
    const usdOfUnit = account.coin[i] === 1 ? account.unit[i] * prices[account.asset[i]] : 1;
    shares[i] = Math.min(1, Math.max(0, 1 - (account.tierFrom[target] * usdOfUnit) / notional[i]));
  },
  closesRemainders: false,
};
