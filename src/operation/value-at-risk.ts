/**
 * /var: value at risk of collateral, loan and net exposure (methodology part 5).
 */
import { tailDistribution } from '../core/figures/distribution.ts';
import { keyedTails } from '../core/figures/value-at-risk.ts';
import { numberAssets } from '../core/plan/portfolio.ts';
import type { SimulationPlan, ValueAtRiskProduct } from '../core/plan/simulation-plan.ts';
import type { ValueAtRiskRequest } from '../request/value-at-risk-request.ts';
import { accuracyMember, EXACT_OF_WINDOW } from './accuracy/figures.ts';
import { historicalTailAccuracy } from './accuracy/historical-value-at-risk.ts';
import { keyedFigures, tailAccuracy } from './accuracy/value-at-risk.ts';
import { tailWarnings } from './fitted-model.ts';
import { horizonScenarios, rising, tailPlan } from './horizon-scenarios.ts';
import type { IncludedMembers, Operation, OperationContext } from './operation.ts';
import { processedArguments } from './processed-arguments.ts';
import { modelMembers, type PlanRun, runPlan, wantsAccuracy } from './run-plan.ts';

/** Answers /var. */
export const valueAtRisk: Operation<ValueAtRiskRequest> = async (request, context) => {
  const { params } = request;
  const portfolio = numberAssets(params.collateral_weights, params.loan_weights);
  const set = await horizonScenarios(request, portfolio, context);
  const horizonsDays = rising(params.var_duration);
  const plan = tailPlan(request, portfolio, set, context);
  const { value, engine } = await runPlan(plan, context);
  return {
    resultMember: 'Output',
    arguments: processedArguments(params, set.addedArguments),
    result: { ...keyedTails(value.outcome, horizonsDays, plan.product.quantiles), ...set.volatilityFigures },
    engine,
    filled: set.filled,
    basis: { gridHours: set.gridHours, paths: set.paths },
    plan,
    fitted: set.fitted,
    warnings: tailWarnings(set.paths, params.quantile),
    included: {
      ...(wantsAccuracy(context)
        ? await valueAtRiskAccuracy(plan, value, horizonsDays, Object.keys(set.volatilityFigures), context)
        : {}),
      ...(plan.distribution
        ? { Distribution: tailDistribution(value.outcome, horizonsDays, plan.product) }
        : {}),
      ...modelMembers(set, params, context),
    },
  };
};

async function valueAtRiskAccuracy(
  plan: SimulationPlan<ValueAtRiskProduct>,
  { outcome, records }: PlanRun<ValueAtRiskProduct>,
  horizonsDays: Float64Array,
  ofWindow: readonly string[],
  { query: { confidence }, signal }: OperationContext,
): Promise<IncludedMembers> {
  const figures =
    records === undefined
      ? tailAccuracy(plan, outcome, confidence)
      : await historicalTailAccuracy(plan, outcome, records, confidence, signal);
  const keyed = keyedFigures(
    figures,
    Array.from(horizonsDays, String),
    Array.from(plan.product.quantiles, String),
  );
  return {
    Accuracy: accuracyMember(confidence, plan.paths, {
      ...keyed,
      ...Object.fromEntries(ofWindow.map(name => [name, EXACT_OF_WINDOW])),
    }),
  };
}
