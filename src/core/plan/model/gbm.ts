/** Geometric Brownian motion: parameters and contract (methodology 3.1). */
import { diagonalFactor, type ModelContract, spreadOf } from './contract.ts';

/**
 * Correlated geometric Brownian motion, a martingale in price:
 * ln S_i += -sigma_i^2 dt / 2 + sqrt(dt) * sum_j factor[i][j] Z_j.
 */
export interface GbmScenarios {
  readonly kind: 'gbm';
  /** Number of assets n. */
  readonly assets: number;
  /** n annual volatilities sigma_i, fractions per year, shock included. */
  readonly annualVolatility: Float64Array;
  /** n x n lower-triangular: row i is sigma_i times row i of a factor A of the correlation matrix, A A' = rho. */
  readonly factor: Float64Array;
}

export const GBM: ModelContract<GbmScenarios> = {
  drawn: {
    varianceOfTerm: variances,
    spreadOfTerm: (scenarios, exposures, years) => {
      const { annualVolatility, factor, assets } = scenarios;
      // Row i carries the volatility of asset i; a volatility of 0 leaves nothing to divide.
      const correlation = (i: number, j: number) => factor[i * assets + j] / (annualVolatility[i] || 1);
      return spreadOf(exposures, variances(scenarios, years), correlation);
    },
    ratioIsOneWalk: true,
  },
  assetStepWork: 1,
  walkedPerDay: 0,
  usual: assets => ({
    kind: 'gbm',
    assets,
    annualVolatility: new Float64Array(assets).fill(0.5),
    factor: diagonalFactor(assets, 0.5),
  }),
};

function variances({ annualVolatility }: GbmScenarios, years: number): readonly number[] {
  return Array.from(annualVolatility, sigma => sigma * sigma * years);
}
