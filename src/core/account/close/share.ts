/** The same part y of every row: the smallest multiple of `share` below 1 with M(1 - y) < target (E - y F), F the fee for everything; else all. */
import type { ClosingRule } from './closing-rule.ts';

export const SHARE: ClosingRule = {
  pass({ state, prices, terms: { share = 1, target = 1 }, feeOfAll }, shares) {
    for (let k = 1; k * share < 1; k++) {
      const part = k * share;
      const after = state.requiredAt(1 - part, prices);
      if (after >= target * (state.marginEquity - part * feeOfAll)) continue;
      shares.fill(part);
      return;
    }
    shares.fill(1);
  },
  closesRemainders: true,
};
