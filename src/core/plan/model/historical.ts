/** Windows of real history: parameters and contract (methodology 3.4). */
import { anyLength, type Declared, doubles, listPerAsset, whole } from '../fields.ts';
import { MAX_STEPS } from '../grid.ts';
import { assetCount } from '../portfolio.ts';
import type { ModelContract } from './contract.ts';

const HISTORICAL_FIELDS = {
  assets: assetCount,
  /** n series of USD prices on one grid, each of length lead + paths. */
  prices: listPerAsset(doubles(anyLength, { above: 0 })),
  /** Grid points before the first window's end: the longest horizon in steps. */
  lead: whole(1, MAX_STEPS),
};

/**
 * Windows of real history. Scenario p ends at grid point `lead + p` and, for a horizon of k steps, begins at
 * `lead + p - k`: S_i(t) = prices[i][lead + p - k + t] / prices[i][lead + p - k].
 */
export interface HistoricalScenarios extends Declared<typeof HISTORICAL_FIELDS> {
  readonly kind: 'historical';
}

/** Hours of the usual history, enough for the usual products. */
const USUAL_HOURS = 49;

export const HISTORICAL: ModelContract<HistoricalScenarios> = {
  fields: HISTORICAL_FIELDS,
  check({ prices, lead }, { paths, steps }, faults) {
    for (const [i, series] of prices.entries())
      if (series.length !== lead + paths)
        faults.add(`plan.scenarios.prices.${i}`, `a list of ${lead + paths}`, series);
    if (steps > lead) faults.add('plan.scenarios.lead', `at least the ${steps} steps of the product`, lead);
  },
  drawn: undefined,
  walkedPerDay: 0,
  usual: assets => ({
    kind: 'historical',
    assets,
    prices: Array.from({ length: assets }, (_, i) =>
      Float64Array.from({ length: USUAL_HOURS }, (_, t) => 100 + Math.sin(t + i)),
    ),
    lead: USUAL_HOURS - 1,
  }),
};
