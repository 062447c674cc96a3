/**
 * The plans of the bench: fixed, named, each with a known answer.
 */
import type { BenchPlan } from './bench-plan.ts';
import { bookOfBaskets } from './plans/book.ts';
import { heavyTailedPlans } from './plans/heavy-tails.ts';
import { garchPlan, loanFiveAssets, lowLiquidityPlan } from './plans/known-loans.ts';
import { originationPlan } from './plans/origination.ts';
import { perpetualPlan } from './plans/perpetual.ts';
import { valueAtRiskPlan } from './plans/value-at-risk.ts';
import { w1Plan, w1WithDistribution } from './plans/w1.ts';

/** Every plan, in the order of the report. */
export const PLANS: readonly BenchPlan[] = [
  w1Plan(),
  loanFiveAssets,
  valueAtRiskPlan,
  lowLiquidityPlan,
  garchPlan,
  ...heavyTailedPlans,
  perpetualPlan('linear'),
  perpetualPlan('inverse'),
  originationPlan('path-minimum'),
  originationPlan('liquidation'),
  originationPlan('closeout'),
  bookOfBaskets,
  w1WithDistribution(),
];

/** The plan of a name. @throws RangeError where there is none */
export function planNamed(name: string): BenchPlan {
  const plan = PLANS.find(each => each.name === name);
  if (plan !== undefined) return plan;
  throw new RangeError(`There is no plan "${name}"; there are ${PLANS.map(each => each.name).join(', ')}.`);
}

/** What the cost of W1 is measured against. */
export type Axis = 'paths' | 'steps' | 'assets';

/** W1 at one size of one axis; the paths are the run's own matter. */
export function stretchedPlan(axis: Axis, size: number): BenchPlan {
  return w1Plan(axis === 'paths' ? {} : { [axis]: size });
}
