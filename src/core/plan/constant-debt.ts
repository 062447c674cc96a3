/** Debts that no price changes, such as dollars. */
import { drawnPrices } from './models.ts';
import { contractOf } from './products.ts';
import { sumOfWeights } from './ratio-path.ts';
import type { CappedLoanProduct, LoanProduct, SimulationPlan } from './simulation-plan.ts';

/** L_t of every step without interest, if no asset of the loan has any variance; `undefined` otherwise and for given prices. */
export function constantLoan({
  scenarios,
  product,
}: SimulationPlan<LoanProduct | CappedLoanProduct>): number | undefined {
  const variances = drawnPrices(scenarios)?.varianceOfTerm(scenarios, contractOf(product).years(product));
  const { loanWeights } = product.portfolio;
  const isConstant =
    variances !== undefined && loanWeights.every((weight, i) => weight === 0 || variances[i] === 0);
  return isConstant ? sumOfWeights(loanWeights) : undefined;
}

/** Whether the debt is the same at every step of every path. */
export const isDebtConstant = (plan: SimulationPlan<LoanProduct | CappedLoanProduct>): boolean =>
  (plan.product.debtGrowth ?? 1) === 1 && constantLoan(plan) !== undefined;
