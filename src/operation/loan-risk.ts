/**
 * /loan_risk: what can become of one loan over its term (methodology part 4).
 */
import type { LoanProduct, SimulationPlan } from '../plan/simulation-plan.ts';
import type { LoanRiskRequest } from '../request/loan-risk-request.ts';
import { loanFigures } from './loan-figures.ts';
import { type LoanScenarios, loanScenarios } from './loan-scenarios.ts';
import type { Operation } from './operation.ts';
import { processedArguments } from './processed-arguments.ts';

/** The ratios of a loan by the letters of the interface. */
export interface LoanRatios {
  readonly N: number;
  readonly M: number;
  readonly L: number;
  readonly R: number;
}

/** The plan of one loan with given ratios. */
export function loanPlan(set: LoanScenarios, ratios: LoanRatios, seed: number): SimulationPlan<LoanProduct> {
  return {
    seed,
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
  };
}

/** Answers /loan_risk. */
export const loanRisk: Operation<LoanRiskRequest> = async (request, context) => {
  const set = await loanScenarios(request, context);
  const plan = loanPlan(set, request.params, context.seed);
  const { value, engine } = await context.engines.use(
    plan,
    context.compute,
    engine => engine.run(plan, { signal: context.signal }),
    { log: context.log },
  );
  return {
    resultMember: 'Output',
    arguments: processedArguments(request.params, set.addedArguments),
    result: { ...loanFigures(value, set.steps), ...set.volatilityFigures },
    engine,
    filled: set.filled,
    basis: set.basis,
  };
};
