/** What a pass of forced closes closes. */
import { type AccountState, type At, maintenance, type Prices, sum, tierOf } from './account-state.ts';

/** A later row leads only by more than this share. */
const EQUAL = 2 ** -16;

/**
 * The shares of what is open of each row: docs/accounts.md, "Closing".
 *
 * @param further deficit beyond that at these prices
 * @param turned rows that have had a turn in this event
 * @param turn the row of the latest turn, -1 before the first
 */
export function plannedShares(
  account: AccountState,
  now: At,
  prices: Prices,
  further: number,
  turned: Set<number>,
  turn: number,
): { readonly shares: number[]; readonly turn: number } {
  const { rows, venue } = account.product;
  const {
    rule,
    share = 1,
    target = 1,
    buffer = 0,
    order,
    portion = 1,
    above = 0,
    again,
    steps = 1,
  } = venue.close;
  const shares = rows.map(() => 0);
  const isOpen = (i: number) => account.open[i] > 0;
  const lead = (values: readonly number[], may: (i: number) => boolean) =>
    values.reduce(
      (first, value, i) =>
        may(i) && (first < 0 || value > values[first] + EQUAL * Math.abs(values[first])) ? i : first,
      -1,
    );
  const requirement = (i: number, part: number) => {
    const usd = account.counted(rows[i], prices);
    const size = part * now.notionals[i];
    return usd * maintenance(rows[i].tiers, size / usd) + account.reserved * size;
  };
  switch (rule) {
    case 'all':
      return { shares: rows.map(() => 1), turn };
    case 'share': {
      const all =
        venue.maintenanceFee === undefined
          ? venue.feeRate * sum(now.notionals)
          : venue.maintenanceFee * sum(now.maintenances);
      for (let k = 1; k * share < 1; k++) {
        const y = k * share;
        const after = sum(rows.map((_, i) => (isOpen(i) ? requirement(i, 1 - y) : 0)));
        if (after < target * (now.margin - y * all)) return { shares: rows.map(() => y), turn };
      }
      return { shares: rows.map(() => 1), turn };
    }
    case 'enough': {
      let deficit = now.required - now.margin / (1 + buffer) + further;
      while (deficit > 0) {
        const i = lead(now.maintenances, row => isOpen(row) && shares[row] === 0);
        if (i < 0) break;
        const needed = requirement(i, 1);
        const usd = account.counted(rows[i], prices);
        const largest = Math.min(
          ...rows[i].tiers.map(
            tier => (needed - deficit + tier.deduction * usd) / (tier.rate + account.reserved),
          ),
        );
        shares[i] = needed <= deficit ? 1 : 1 - Math.max(0, largest) / now.notionals[i];
        deficit -= needed;
      }
      return { shares, turn };
    }
    case 'one': {
      const profits = rows.map(
        ({ currency }, i) => -account.profit(i, prices) * account.unit(currency, prices),
      );
      const values =
        order === 'pnl' ? profits : order === 'maintenance' ? now.maintenances : rows.map(() => 0);
      shares[lead(values, isOpen)] = 1;
      return { shares, turn };
    }
    case 'portion': {
      if (again) {
        let next = (turn + 1) % rows.length;
        while (!isOpen(next)) next = (next + 1) % rows.length;
        const size = now.notionals[next];
        shares[next] = Math.min(1, Math.max(portion * size, above) / size);
        return { shares, turn: next };
      }
      const next = lead(now.maintenances, i => isOpen(i) && !turned.has(i));
      if (next < 0) shares[lead(now.maintenances, isOpen)] = 1;
      else {
        turned.add(next);
        shares[next] = now.notionals[next] > above ? portion : 1;
      }
      return { shares, turn };
    }
    case 'tier': {
      const i = lead(now.maintenances, isOpen);
      const usd = account.counted(rows[i], prices);
      const lower = tierOf(rows[i].tiers, now.notionals[i] / usd) - steps;
      shares[i] = lower < 0 ? 1 : 1 - (rows[i].tiers[lower].from * usd) / now.notionals[i];
      return { shares, turn };
    }
  }
}
