/** Windows of real history: parameters and contract (methodology 3.4). */
import type { ModelContract } from './contract.ts';

/**
 * Windows of real history. Scenario p ends at grid point `lead + p` and, for a horizon of k steps, begins at
 * `lead + p - k`: S_i(t) = prices[i][lead + p - k + t] / prices[i][lead + p - k].
 */
export interface HistoricalScenarios {
  readonly kind: 'historical';
  readonly assets: number;
  /** n series of USD prices on one grid, each of length lead + paths. */
  readonly prices: readonly Float64Array[];
  /** Grid points before the first window's end: the longest horizon in steps. */
  readonly lead: number;
}

/** Hours of the usual history: enough for the terms of the usual products. */
const USUAL_HOURS = 49;

export const HISTORICAL: ModelContract<HistoricalScenarios> = {
  drawn: undefined,
  assetStepWork: 1,
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
