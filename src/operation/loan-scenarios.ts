/**
 * What /loan_risk and /loan_origination have in common: the scenarios and the term of a loan, whatever the type.
 */
import type { FilledSeries } from '../market/market-data.ts';
import { type GridHours, graceSteps, stepsOfDays } from '../plan/grid.ts';
import type { NumberedPortfolio } from '../plan/portfolio.ts';
import { numberAssets } from '../plan/portfolio.ts';
import type { Scenarios } from '../plan/simulation-plan.ts';
import type { LoanOriginationRequest } from '../request/loan-origination-request.ts';
import type { LoanRiskRequest } from '../request/loan-risk-request.ts';
import type { OperationContext } from './operation.ts';
import {
  gbmScenarioSet,
  historicalScenarioSet,
  type ScenarioSet,
  volatilityIndexLevels,
} from './scenarios.ts';

/** Everything of a plan but the ratios. */
export interface LoanScenarios {
  readonly portfolio: NumberedPortfolio;
  readonly scenarios: Scenarios;
  readonly paths: number;
  readonly steps: number;
  readonly topUpSteps: number;
  readonly filled: readonly FilledSeries[];
  readonly volatilityFigures: Readonly<Record<string, number>>;
  /** What `Arguments` gains: `vix_data` for GBM_VIX. */
  readonly addedArguments: Readonly<Record<string, unknown>>;
}

/** Reads the window of a loan request and calibrates the model that its type names. */
export async function loanScenarios(
  request: LoanRiskRequest | LoanOriginationRequest,
  context: OperationContext,
): Promise<LoanScenarios> {
  const { params } = request;
  const portfolio = numberAssets(params.collateral_weights, params.loan_weights);
  const term = (set: ScenarioSet<Scenarios>, paths: number, gridHours: GridHours) => ({
    portfolio,
    scenarios: set.scenarios,
    paths,
    steps: stepsOfDays(params.loan_duration, gridHours),
    topUpSteps: graceSteps(params.mc_top_up, gridHours),
    filled: set.filled,
    volatilityFigures: set.volatilityFigures,
    addedArguments: {},
  });
  switch (request.type) {
    case 'GBM': {
      const { volatility_shock, mc_iter } = request.params;
      return term(await gbmScenarioSet(portfolio, params, volatility_shock, undefined, context), mc_iter, 1);
    }
    case 'GBM_VIX': {
      const levels = await volatilityIndexLevels(params, context);
      const set = await gbmScenarioSet(portfolio, params, 0, levels, context);
      return { ...term(set, request.params.mc_iter, 1), addedArguments: { vix_data: levels } };
    }
    case 'HISTORICAL': {
      const set = await historicalScenarioSet(portfolio, params, params.loan_duration, context);
      return term(set, set.windows, set.gridHours);
    }
  }
}
