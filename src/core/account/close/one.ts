/** One row, the whole of it: the one with the lowest unrealised profit, with the largest maintenance, or the first one. */
import type { CloseTerms } from '../../plan/product/account.ts';
import { type ClosingEvent, type ClosingRule, leading } from './closing-rule.ts';

const VALUES: Readonly<Record<NonNullable<CloseTerms['order']>, (event: ClosingEvent) => Float64Array>> = {
  pnl: ({ state, prices }) => state.open.map((_, i) => -state.profit(i, prices)),
  maintenance: ({ state }) => state.maintenance,
  // All are equal: the first one leads.
  listed: ({ state }) => new Float64Array(state.open.length),
};

export const ONE: ClosingRule = {
  pass(event, shares) {
    const { open } = event.state;
    const values = VALUES[event.terms.order ?? 'listed'](event);
    shares[leading(values, row => open[row] > 0)] = 1;
  },
  closesRemainders: false,
};
