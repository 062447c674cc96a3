/**
 * /var: value at risk of collateral, loan and net exposure (methodology part 5).
 */
import { refuseIfFaulty } from '../core/errors.ts';
import { keyedTails } from '../core/figures/value-at-risk.ts';
import { roundedSteps, stepsOfDays } from '../core/plan/grid.ts';
import { type NumberedPortfolio, numberAssets } from '../core/plan/portfolio.ts';
import type { Scenarios, SimulationPlan, ValueAtRiskProduct } from '../core/plan/simulation-plan.ts';
import type { ValueAtRiskRequest } from '../request/value-at-risk-request.ts';
import { accuracyMember, EXACT_OF_WINDOW } from './accuracy/figures.ts';
import { historicalTailAccuracy, keyedFigures, tailAccuracy } from './accuracy/value-at-risk.ts';
import { heavyTailedScenarioSet } from './heavy-tailed-scenarios.ts';
import type { IncludedMembers, Operation, OperationContext } from './operation.ts';
import { processedArguments } from './processed-arguments.ts';
import { readTogether } from './read-together.ts';
import { type PlanRun, runPlan, wantsAccuracy } from './run-plan.ts';
import {
  gbmScenarioSet,
  historicalScenarioSet,
  lookbackCloses,
  type ScenarioSet,
  unresolvedHorizons,
  volatilityIndexLevels,
} from './scenarios.ts';

const DAYS_PER_YEAR = 365;

/** Scenarios, their number, the horizons on their grid, and what `Arguments` gains. */
interface HorizonScenarios extends ScenarioSet<Scenarios> {
  readonly paths: number;
  readonly horizonSteps: Uint32Array;
  readonly addedArguments: Readonly<Record<string, unknown>>;
}

/** Answers /var. */
export const valueAtRisk: Operation<ValueAtRiskRequest> = async (request, context) => {
  const { params } = request;
  const portfolio = numberAssets(params.collateral_weights, params.loan_weights);
  const set = await horizonScenarios(request, portfolio, context);
  const horizonsDays = rising(params.var_duration);
  const plan: SimulationPlan<ValueAtRiskProduct> = {
    seed: context.seed,
    paths: set.paths,
    scenarios: set.scenarios,
    product: {
      kind: 'value-at-risk',
      portfolio,
      collateralValue: params.collateral_value,
      loanValue: params.loan_value,
      horizonYears: horizonsDays.map(days => days / DAYS_PER_YEAR),
      horizonSteps: set.horizonSteps,
      quantiles: rising(params.quantile),
      ...(wantsAccuracy(context) ? { intervalLevel: context.query.confidence } : {}),
    },
  };
  const { value, engine } = await context.engines.use(
    plan,
    context.compute,
    engine => runPlan(engine, plan, context),
    { log: context.log },
  );
  return {
    resultMember: 'Output',
    arguments: processedArguments(params, set.addedArguments),
    result: { ...keyedTails(value.outcome, horizonsDays, plan.product.quantiles), ...set.volatilityFigures },
    engine,
    filled: set.filled,
    basis: { gridHours: set.gridHours, scenarios: set.paths },
    plan,
    included: wantsAccuracy(context)
      ? await valueAtRiskAccuracy(plan, value, horizonsDays, Object.keys(set.volatilityFigures), context)
      : {},
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

async function horizonScenarios(
  request: ValueAtRiskRequest,
  portfolio: NumberedPortfolio,
  context: OperationContext,
): Promise<HorizonScenarios> {
  const { params } = request;
  const noSteps = new Uint32Array(0);
  switch (request.type) {
    case 'GBM': {
      const { mc_iter, volatility_shock } = request.params;
      const closes = await lookbackCloses(portfolio, params, context);
      const set = gbmScenarioSet(portfolio, closes, volatility_shock);
      return { ...set, paths: mc_iter, horizonSteps: noSteps, addedArguments: { lookback_factor: 1 } };
    }
    case 'GBM_VIX': {
      const [index, closes] = await readTogether([
        volatilityIndexLevels(params, context),
        lookbackCloses(portfolio, params, context),
      ]);
      const set = gbmScenarioSet(portfolio, closes, 0, index.levels);
      return {
        ...set,
        filled: [...set.filled, ...index.filled],
        paths: request.params.mc_iter,
        horizonSteps: noSteps,
        addedArguments: { lookback_factor: 1, vix_data: index.levels },
      };
    }
    case 'STUDENT_T':
    case 'FHS':
    case 'BOOTSTRAP': {
      const closes = await lookbackCloses(portfolio, params, context);
      const asked = { ...request.params, type: request.type };
      const steps = stepsOfDays(Math.max(...params.var_duration), 1);
      const set = await heavyTailedScenarioSet(portfolio, asked, closes, steps, context);
      const common = { ...set, paths: request.params.mc_iter, addedArguments: { lookback_factor: 1 } };
      if (request.type !== 'BOOTSTRAP') return { ...common, horizonSteps: noSteps };
      // Rows are walked: horizons are whole numbers of them, as of the steps of history.
      const horizons = params.var_duration.map((days, i) => ({ path: `params.var_duration.${i}`, days }));
      refuseIfFaulty(unresolvedHorizons(horizons, set.gridHours));
      return {
        ...common,
        horizonSteps: Uint32Array.from(rising(params.var_duration), days =>
          roundedSteps(days, set.gridHours),
        ),
      };
    }
    case 'HISTORICAL': {
      const longestDays = Math.max(...params.var_duration);
      const horizons = params.var_duration.map((days, i) => ({ path: `params.var_duration.${i}`, days }));
      const set = await historicalScenarioSet(portfolio, params, horizons, context);
      return {
        ...set,
        paths: set.windows,
        horizonSteps: Uint32Array.from(rising(params.var_duration), days =>
          roundedSteps(days, set.gridHours),
        ),
        addedArguments: {
          lookback_factor: 1 + longestDays / params.model_lookback,
          dt: set.gridHours / 24,
          var_duration_max: longestDays,
        },
      };
    }
  }
}

function rising(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}
