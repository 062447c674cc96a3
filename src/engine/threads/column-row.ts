/** The contract of a product whose outcome is the order of columns of values. */
import type { KindMergedBy, OutcomeOf, ProductOf } from '../../core/plan/products.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';

/** The columns of a product. @typeParam T its orders @typeParam A the answer to each of them */
export interface ColumnsOf<P extends ProductOf<KindMergedBy<'columns'>>, T, A> {
  horizons(plan: SimulationPlan<P>): number;
  columnsPerHorizon(plan: SimulationPlan<P>): number;
  /** The orders of the horizon of rank k. */
  orders(plan: SimulationPlan<P>, k: number, columns: readonly Float64Array[]): readonly T[];
  /** @param answers to the orders of each horizon */
  outcome(plan: SimulationPlan<P>, answers: readonly (readonly A[])[]): OutcomeOf<P>;
}
