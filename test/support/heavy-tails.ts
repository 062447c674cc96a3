/** Scenarios of the models with heavy tails, calibrated to made-up returns. */
import type { ModelKind } from '#src/core/plan/models.js';
import type { Scenarios } from '#src/core/plan/simulation-plan.js';
import { bootstrapScenarios } from '#src/models/calibration/bootstrap.js';
import { calibrateConstantVolatility, gbmScenarios } from '#src/models/calibration/constant-volatility.js';
import {
  filteredHistoricalScenarios,
  paretoTailedScenarios,
} from '#src/models/calibration/filtered-historical.js';
import { fitGarchModel } from '#src/models/calibration/garch.js';
import { varianceMultiplier } from '#src/models/calibration/variance-multiplier.js';
import { simulateGarch } from './simulated-garch.ts';

const multiplier = varianceMultiplier(3.5);

/** Names of the models, the bootstrap on either grid. */
export const HEAVY_TAILS = [
  'student-t',
  'filtered-historical',
  'filtered-historical with Pareto tails',
  'bootstrap by days',
  'bootstrap by hours',
] as const;
export type HeavyTail = (typeof HEAVY_TAILS)[number];

/** The market model of scenarios by name. */
export const kindOfHeavyTail = (model: HeavyTail): ModelKind => {
  if (model === 'filtered-historical with Pareto tails') return 'filtered-historical';
  return model === 'bootstrap by days' || model === 'bootstrap by hours' ? 'bootstrap' : model;
};

/** Correlated returns: the same market moves all assets, each with noise of its own. */
export function madeUpReturns(assets: number, length: number, seed: number): Float64Array[] {
  const parameters = { mu: 0, omega: 4e-5, alpha: 0.1, beta: 0.85 };
  const market = simulateGarch(parameters, length, seed);
  return Array.from({ length: assets }, (_, i) => {
    const own = simulateGarch(parameters, length, seed + 1 + i);
    return market.map((r, t) => 0.8 * r + 0.5 * own[t]);
  });
}

/** Scenarios of one of the models. */
export function heavyTailed(
  model: HeavyTail,
  assets: number,
  seed: number,
  volatilityShock = 0.1,
): Exclude<Scenarios, { kind: 'gbm' | 'garch' | 'historical' }> {
  const returns = madeUpReturns(assets, 150, seed);
  const symbols = returns.map((_, i) => `A${i}`);
  switch (model) {
    case 'student-t': {
      const calibrated = calibrateConstantVolatility(symbols, returns, 365, volatilityShock);
      return {
        ...gbmScenarios(calibrated),
        kind: 'student-t',
        degreesOfFreedom: 3.5,
        multiplier: multiplier.table,
        multiplierCap: multiplier.cap,
      };
    }
    case 'filtered-historical':
      return filteredHistoricalScenarios(fitGarchModel(symbols, returns), volatilityShock);
    case 'filtered-historical with Pareto tails':
      return paretoTailedScenarios(fitGarchModel(symbols, madeUpReturns(assets, 210, seed)), volatilityShock)
        .scenarios;
    case 'bootstrap by days':
      return bootstrapScenarios(returns, 24, volatilityShock);
    case 'bootstrap by hours':
      return bootstrapScenarios(
        returns.map(series => series.map(r => r / 5)),
        1,
        volatilityShock,
      );
  }
}
