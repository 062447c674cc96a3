/** Scenarios of GBM for one asset and for two. */
import type { GbmScenarios } from '#src/core/plan/simulation-plan.js';

/** One asset. @param sigma annual volatility */
export const gbmOfOne = (sigma: number): GbmScenarios => ({
  kind: 'gbm',
  assets: 1,
  annualVolatility: Float64Array.of(sigma),
  factor: Float64Array.of(sigma),
});

/** Two assets. @param first annual volatility @param second annual volatility @param rho correlation */
export const gbmPair = (first: number, second: number, rho: number): GbmScenarios => ({
  kind: 'gbm',
  assets: 2,
  annualVolatility: Float64Array.of(first, second),
  factor: Float64Array.of(first, 0, second * rho, second * Math.sqrt(1 - rho * rho)),
});
