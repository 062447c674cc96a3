/**
 * What /loan_risk and /loan_origination have in common: the scenarios and the term of a loan, whatever the type.
 */

import { type GridHours, graceSteps, stepsOfDays } from '../core/plan/grid.ts';
import type { NumberedPortfolio } from '../core/plan/portfolio.ts';
import { numberAssets } from '../core/plan/portfolio.ts';
import type { Scenarios } from '../core/plan/simulation-plan.ts';
import type { LoanOriginationRequest } from '../request/loan-origination-request.ts';
import type { LoanRiskRequest } from '../request/loan-risk-request.ts';
import type { FittedSet } from './fitted-model.ts';
import { heavyTailedScenarioSet } from './heavy-tailed-scenarios.ts';
import type { AnswerBasis, OperationContext } from './operation.ts';
import { readTogether } from './read-together.ts';
import {
  gbmScenarioSet,
  historicalScenarioSet,
  lookbackCloses,
  type ScenarioSet,
  volatilityIndexLevels,
} from './scenarios.ts';

/** Everything of a plan but the ratios. */
export interface LoanScenarios extends FittedSet {
  readonly portfolio: NumberedPortfolio;
  readonly scenarios: Scenarios;
  readonly paths: number;
  readonly steps: number;
  readonly topUpSteps: number;
  readonly basis: AnswerBasis;
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
    gridHours: set.gridHours,
    fitted: set.fitted,
    basis: { gridHours: set.gridHours, paths },
    volatilityFigures: set.volatilityFigures,
    addedArguments: {},
  });
  switch (request.type) {
    case 'GBM': {
      const { volatility_shock, mc_iter } = request.params;
      const closes = await lookbackCloses(portfolio, params, context);
      return term(gbmScenarioSet(portfolio, closes, volatility_shock), mc_iter, 1);
    }
    case 'GBM_VIX': {
      const [index, closes] = await readTogether([
        volatilityIndexLevels(params, context),
        lookbackCloses(portfolio, params, context),
      ]);
      const set = gbmScenarioSet(portfolio, closes, 0, index.levels);
      return {
        ...term({ ...set, filled: [...set.filled, ...index.filled] }, request.params.mc_iter, 1),
        addedArguments: { vix_data: index.levels },
      };
    }
    case 'STUDENT_T':
    case 'FHS':
    case 'BOOTSTRAP': {
      const closes = await lookbackCloses(portfolio, params, context);
      const steps = stepsOfDays(params.loan_duration, 1);
      const asked = { ...request.params, type: request.type };
      const set = await heavyTailedScenarioSet(portfolio, asked, closes, steps, context);
      return term(set, request.params.mc_iter, 1);
    }
    case 'HISTORICAL': {
      const horizon = { path: 'params.loan_duration', days: params.loan_duration };
      const set = await historicalScenarioSet(portfolio, params, [horizon], context);
      return term(set, set.windows, set.gridHours);
    }
  }
}
