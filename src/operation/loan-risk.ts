/**
 * /loan_risk: what can become of one loan over its term (methodology part 4).
 */
import { loanDistribution } from '../core/figures/distribution.ts';
import { loanFigures } from '../core/figures/loan.ts';
import type { LoanProduct, SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { LoanRiskRequest } from '../request/loan-risk-request.ts';
import { exactLoanFigures } from './accuracy/exact.ts';
import { accuracyMember } from './accuracy/figures.ts';
import { historicalLoanAccuracy } from './accuracy/historical-loan.ts';
import { loanAccuracy, withExact } from './accuracy/loan.ts';
import { type LoanScenarios, loanScenarios } from './loan-scenarios.ts';
import type { IncludedMembers, Operation, OperationContext } from './operation.ts';
import { processedArguments } from './processed-arguments.ts';
import { distributionOf, modelMembers, type PlanRun, runPlan, wantsAccuracy } from './run-plan.ts';

/** The ratios of a loan by the letters of the interface. */
export interface LoanRatios {
  readonly N: number;
  readonly M: number;
  readonly L: number;
  readonly R: number;
}

/** The plan of one loan with given ratios. */
export function loanPlan(
  set: LoanScenarios,
  ratios: LoanRatios,
  context: OperationContext,
): SimulationPlan<LoanProduct> {
  return {
    seed: context.seed,
    paths: set.paths,
    scenarios: set.scenarios,
    product: {
      kind: 'loan',
      portfolio: set.portfolio,
      steps: set.steps,
      topUpSteps: set.topUpSteps,
      nominalRatio: ratios.N,
      marginCallRatio: ratios.M,
      liquidationRatio: ratios.L,
      recoveryRatio: ratios.R,
    },
    ...distributionOf(set.scenarios, set.gridHours, context),
  };
}

/** Answers /loan_risk. */
export const loanRisk: Operation<LoanRiskRequest> = async (request, context) => {
  const set = await loanScenarios(request, context);
  const plan = loanPlan(set, request.params, context);
  const { value, engine } = await runPlan(plan, context);
  return {
    resultMember: 'Output',
    arguments: processedArguments(request.params, set.addedArguments),
    result: { ...loanFigures(value.outcome, set.steps), ...set.volatilityFigures },
    engine,
    filled: set.filled,
    basis: set.basis,
    plan,
    fitted: set.fitted,
    included: {
      ...(await loanMembers(plan, value, Object.keys(set.volatilityFigures), context)),
      ...modelMembers(set, request.params, context),
    },
  };
};

/** The members beside the result that the query of a loan operation asks for. */
export async function loanMembers(
  plan: SimulationPlan<LoanProduct>,
  { outcome, records }: PlanRun<LoanProduct>,
  ofWindow: readonly string[],
  context: OperationContext,
): Promise<IncludedMembers> {
  const { distribution } = plan;
  const counted =
    distribution && outcome.distribution
      ? { Distribution: loanDistribution(outcome.distribution, plan.paths, plan.product.steps, distribution) }
      : {};
  if (!wantsAccuracy(context)) return counted;
  const { signal } = context;
  const level = context.query.confidence;
  const figures =
    records === undefined
      ? loanAccuracy(outcome, plan.product.steps, level)
      : await historicalLoanAccuracy(plan, records, level, signal);
  const exact = await exactLoanFigures(plan, signal);
  return { Accuracy: accuracyMember(level, plan.paths, withExact(figures, exact, ofWindow)), ...counted };
}
