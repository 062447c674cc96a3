/** GARCH(1,1) with constant correlation: parameters and contract (methodology 3.3). */
import { type Declared, doubles, perAsset, perAssetPair, positive } from '../fields.ts';
import { HOURS_PER_DAY, HOURS_PER_YEAR } from '../grid.ts';
import { assetCount } from '../portfolio.ts';
import { type DrawnPrices, diagonalFactor, type ModelContract, spreadOf } from './contract.ts';

/** Parameters of every model with a daily variance per asset. */
export const GARCH_FIELDS = {
  assets: assetCount,
  /** n intercepts of the daily variance. */
  omega: doubles(perAsset, { least: 0 }),
  alpha: doubles(perAsset, { least: 0 }),
  beta: doubles(perAsset, { least: 0 }),
  /** n variances of the first simulated day. */
  firstVariance: doubles(perAsset, { least: 0 }),
  /** n x n lower-triangular factor A of the correlation matrix of the standardised residuals. */
  factor: doubles(perAssetPair),
  /** 1 + volatility shock. */
  volatilityScale: positive,
};
type Variances = Declared<typeof GARCH_FIELDS>;

/**
 * GARCH(1,1) per asset with constant correlation, daily variance spread evenly over the 24 hours of a day:
 * hourly ln S_i += -(1+s)^2 h_i / 48 + (1+s) sqrt(h_i / 24) y_i, y = A Z; at the end of a day
 * h_i = omega_i + alpha_i e_i^2 + beta_i h_i with e_i the sum of the day's sqrt(h_i / 24) y_i.
 */
export interface GarchScenarios extends Variances {
  readonly kind: 'garch';
}

/** Of one asset. */
export interface AssetVariance {
  readonly omega: number;
  readonly alpha: number;
  readonly beta: number;
  readonly firstVariance: number;
}

/**
 * Sum of the daily variances expected over the next days, E[h_{T+1}] + ... + E[h_{T+d}]: E[h_{T+1}] is known,
 * E[h_{T+k+1}] = omega + (alpha + beta) E[h_{T+k}].
 */
export function forecastVariance({ omega, alpha, beta, firstVariance }: AssetVariance, days: number): number {
  let sum = 0;
  for (let day = 0, variance = firstVariance; day < days; day++) {
    sum += variance;
    variance = omega + (alpha + beta) * variance;
  }
  return sum;
}

/** Prices whose variances are the sums of the daily variances that the model forecasts. */
export const GARCH_PRICES: DrawnPrices<Variances> = {
  varianceOfTerm({ omega, alpha, beta, firstVariance, volatilityScale }, years) {
    const days = Math.ceil((years * HOURS_PER_YEAR) / HOURS_PER_DAY);
    return Array.from(omega, (_, i) => {
      const asset = { omega: omega[i], alpha: alpha[i], beta: beta[i], firstVariance: firstVariance[i] };
      return volatilityScale * volatilityScale * forecastVariance(asset, days);
    });
  },
  spreadOfTerm(scenarios, exposures, years) {
    const { assets, factor } = scenarios;
    const correlation = (i: number, j: number) => factor[i * assets + j];
    return spreadOf(exposures, GARCH_PRICES.varianceOfTerm(scenarios, years), correlation);
  },
  ratioIsOneWalk: false,
};

export function usualVariances(assets: number): Variances {
  const all = (value: number) => new Float64Array(assets).fill(value);
  return {
    assets,
    omega: all(1e-4),
    alpha: all(0.1),
    beta: all(0.8),
    firstVariance: all(1e-3),
    factor: diagonalFactor(assets, 1),
    volatilityScale: 1,
  };
}

export const GARCH: ModelContract<GarchScenarios> = {
  fields: GARCH_FIELDS,
  drawn: GARCH_PRICES,
  walkedPerDay: 0,
  usual: assets => ({ kind: 'garch', ...usualVariances(assets) }),
};
