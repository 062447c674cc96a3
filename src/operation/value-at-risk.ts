/**
 * /var: value at risk of collateral, loan and net exposure (methodology part 5).
 */
import type { ValueAtRiskOutcome } from '../engine/engine.ts';
import { stepsOfDays } from '../plan/grid.ts';
import { type NumberedPortfolio, numberAssets } from '../plan/portfolio.ts';
import type { Scenarios, SimulationPlan, ValueAtRiskProduct } from '../plan/simulation-plan.ts';
import type { ValueAtRiskRequest } from '../request/value-at-risk-request.ts';
import type { Operation, OperationContext } from './operation.ts';
import { processedArguments } from './processed-arguments.ts';
import { readTogether } from './read-together.ts';
import {
  gbmScenarioSet,
  historicalScenarioSet,
  lookbackCloses,
  type ScenarioSet,
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
    },
  };
  const { value, engine } = await context.engines.use(
    plan,
    context.compute,
    engine => engine.run(plan, { signal: context.signal }),
    { log: context.log },
  );
  return {
    resultMember: 'Output',
    arguments: processedArguments(params, set.addedArguments),
    result: { ...keyedTails(value, horizonsDays, plan.product.quantiles), ...set.volatilityFigures },
    engine,
    filled: set.filled,
    basis: { gridHours: set.gridHours, scenarios: set.paths },
  };
};

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
    case 'HISTORICAL': {
      const longestDays = Math.max(...params.var_duration);
      const set = await historicalScenarioSet(portfolio, params, longestDays, context);
      return {
        ...set,
        paths: set.windows,
        horizonSteps: Uint32Array.from(rising(params.var_duration), days => stepsOfDays(days, set.gridHours)),
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

/** Horizon, then quantile, each as JavaScript prints the number. */
function keyedTails(
  outcome: ValueAtRiskOutcome,
  horizonsDays: Float64Array,
  quantiles: Float64Array,
): Record<string, unknown> {
  const perHorizon = outcome.horizons.map(({ collateral, loan, netExposure }, k) => {
    const perQuantile = [...quantiles].map((q, i) => [
      String(q),
      {
        CollateralVar: collateral[i].valueAtRisk,
        CollateralCVar: collateral[i].conditionalValueAtRisk,
        LoanVar: loan[i].valueAtRisk,
        LoanCVar: loan[i].conditionalValueAtRisk,
        NetExposureVar: netExposure[i].valueAtRisk,
        NetExposureCVar: netExposure[i].conditionalValueAtRisk,
      },
    ]);
    return [String(horizonsDays[k]), Object.fromEntries(perQuantile)];
  });
  return Object.fromEntries(perHorizon);
}
