/** The columns of advance rates: the ratio at which each path sells, and of windows of history the grid point at which its exposure begins. */
import type { AdvanceRateOutcome, AdvanceRateProduct } from '../../core/plan/product/advance-rate.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { type RatesAtHorizon, ratesOf } from '../../core/product/advance-rate.ts';
import type { ColumnsOf } from './column-row.ts';

/** The order of the ratios of one horizon. */
export interface RatesTask {
  readonly kind: 'rates';
  readonly plan: SimulationPlan<AdvanceRateProduct>;
  readonly ratios: Float64Array;
  readonly starts: Float64Array | undefined;
  readonly steps: number;
}

const hasStarts = ({ scenarios }: SimulationPlan): boolean => scenarios.kind === 'historical';

export const ADVANCE_RATE_COLUMNS: ColumnsOf<AdvanceRateProduct, RatesTask, RatesAtHorizon> = {
  horizons: ({ product }) => product.horizonSteps.length,
  columnsPerHorizon: plan => (hasStarts(plan) ? 2 : 1),
  orders: (plan, k, [ratios, starts]) => [
    { kind: 'rates', plan, ratios, starts, steps: plan.product.horizonSteps[k] },
  ],
  outcome: ({ paths }, answers): AdvanceRateOutcome => ({
    kind: 'advance-rate',
    paths,
    horizons: answers.flat(),
  }),
};

export const ratesOfColumn = ({ plan, ...column }: RatesTask): RatesAtHorizon =>
  ratesOf(column, plan.product);
