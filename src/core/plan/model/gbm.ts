/** Geometric Brownian motion: parameters and contract (methodology 3.1). */
import { type Declared, doubles, perAsset, perAssetPair } from '../fields.ts';
import { assetCount } from '../portfolio.ts';
import { type DrawnPrices, diagonalFactor, type ModelContract, spreadOf } from './contract.ts';

/** Parameters of GBM and of the models that draw the same shocks. */
export const GBM_FIELDS = {
  /** Number of assets n. */
  assets: assetCount,
  /** n annual volatilities sigma_i, fractions per year, shock included. */
  annualVolatility: doubles(perAsset, { least: 0 }),
  /** n x n lower-triangular: row i is sigma_i times row i of a factor A of the correlation matrix, A A' = rho. */
  factor: doubles(perAssetPair),
};

/**
 * Correlated geometric Brownian motion, a martingale in price:
 * ln S_i += -sigma_i^2 dt / 2 + sqrt(dt) * sum_j factor[i][j] Z_j.
 */
export interface GbmScenarios extends Declared<typeof GBM_FIELDS> {
  readonly kind: 'gbm';
}

/** Variances of the n assets after `years`. */
export const gbmVariances = (
  { annualVolatility }: Pick<GbmScenarios, 'annualVolatility'>,
  years: number,
): number[] => Array.from(annualVolatility, sigma => sigma * sigma * years);

/** Prices with the variances and correlations of GBM. */
export const GBM_PRICES: DrawnPrices<Declared<typeof GBM_FIELDS>> = {
  varianceOfTerm: gbmVariances,
  spreadOfTerm(scenarios, exposures, years) {
    const { annualVolatility, factor, assets } = scenarios;
    // Row i contains the volatility of asset i; a volatility of 0 leaves nothing to divide.
    const correlation = (i: number, j: number) => factor[i * assets + j] / (annualVolatility[i] || 1);
    return spreadOf(exposures, gbmVariances(scenarios, years), correlation);
  },
  ratioIsOneWalk: true,
};

export const usualGbm = (assets: number): Declared<typeof GBM_FIELDS> => ({
  assets,
  annualVolatility: new Float64Array(assets).fill(0.5),
  factor: diagonalFactor(assets, 0.5),
});

export const GBM: ModelContract<GbmScenarios> = {
  fields: GBM_FIELDS,
  drawn: GBM_PRICES,
  walkedPerDay: 0,
  usual: assets => ({ kind: 'gbm', ...usualGbm(assets) }),
};
