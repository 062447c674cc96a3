/**
 * Value at risk from a request to its plan: window -> model -> scenarios at the horizons, for each methodology. /var and
 * /backtest share it, so that what is judged is what is answered.
 */
import { refuseIfFaulty } from '../core/errors.ts';
import { roundedSteps, stepsOfDays } from '../core/plan/grid.ts';
import { sobolPaths } from '../core/plan/model/gbm-sobol.ts';
import type { NumberedPortfolio } from '../core/plan/portfolio.ts';
import type {
  GbmScenarios,
  Scenarios,
  SimulationPlan,
  ValueAtRiskProduct,
} from '../core/plan/simulation-plan.ts';
import { refuseSobolOnGpu } from '../engine/plan-refusals.ts';
import { sobolScenarios } from '../model/principal-components.ts';
import type { ValueAtRiskRequest } from '../request/value-at-risk-request.ts';
import { heavyTailedScenarioSet } from './heavy-tailed-scenarios.ts';
import type { OperationContext } from './operation.ts';
import { readTogether } from './read-together.ts';
import { distributionOf, wantsAccuracy } from './run-plan.ts';
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
export interface HorizonScenarios extends ScenarioSet<Scenarios> {
  readonly paths: number;
  readonly horizonSteps: Uint32Array;
  readonly addedArguments: Readonly<Record<string, unknown>>;
}

/** The plan of a request on its scenarios. */
export function tailPlan(
  { params }: ValueAtRiskRequest,
  portfolio: NumberedPortfolio,
  set: HorizonScenarios,
  context: OperationContext,
): SimulationPlan<ValueAtRiskProduct> {
  return {
    seed: context.seed,
    paths: set.paths,
    scenarios: set.scenarios,
    product: {
      kind: 'value-at-risk',
      portfolio,
      collateralValue: params.collateral_value,
      loanValue: params.loan_value,
      horizonYears: rising(params.var_duration).map(days => days / DAYS_PER_YEAR),
      horizonSteps: set.horizonSteps,
      quantiles: rising(params.quantile),
      ...(wantsAccuracy(context) ? { intervalLevel: context.query.confidence } : {}),
    },
    ...distributionOf(set.scenarios, set.gridHours, context),
  };
}

/** Reads the window of a request and calibrates the model that its type names. */
export async function horizonScenarios(
  request: ValueAtRiskRequest,
  portfolio: NumberedPortfolio,
  context: OperationContext,
): Promise<HorizonScenarios> {
  const { params } = request;
  const noSteps = new Uint32Array(0);
  const onSobolPoints = context.query.sampling === 'sobol';
  if (onSobolPoints) refuseSobolOnGpu(context.compute);
  /** As many paths as are asked for, or the next number that makes nets of Sobol points. */
  const sampled = (scenarios: GbmScenarios, paths: number) =>
    onSobolPoints ? { scenarios: sobolScenarios(scenarios), paths: sobolPaths(paths) } : { scenarios, paths };
  switch (request.type) {
    case 'GBM': {
      const { mc_iter, volatility_shock } = request.params;
      const closes = await lookbackCloses(portfolio, params, context);
      const set = gbmScenarioSet(portfolio, closes, volatility_shock);
      return {
        ...set,
        ...sampled(set.scenarios, mc_iter),
        horizonSteps: noSteps,
        addedArguments: { lookback_factor: 1 },
      };
    }
    case 'GBM_VIX': {
      const [index, closes] = await readTogether([
        volatilityIndexLevels(params, context),
        lookbackCloses(portfolio, params, context),
      ]);
      const set = gbmScenarioSet(portfolio, closes, 0, index.levels);
      return {
        ...set,
        ...sampled(set.scenarios, request.params.mc_iter),
        filled: [...set.filled, ...index.filled],
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

/** Numbers in rising order. */
export function rising(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}
