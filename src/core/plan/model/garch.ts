/** GARCH(1,1) with constant correlation: parameters and contract (methodology 3.3). */
import { HOURS_PER_DAY, HOURS_PER_YEAR } from '../grid.ts';
import { diagonalFactor, type ModelContract, spreadOf } from './contract.ts';

/**
 * GARCH(1,1) per asset with constant correlation, daily variance spread evenly over the 24 hours of a day:
 * hourly ln S_i += -(1+s)^2 h_i / 48 + (1+s) sqrt(h_i / 24) y_i, y = A Z; at the end of a day
 * h_i = omega_i + alpha_i e_i^2 + beta_i h_i with e_i the sum of the day's sqrt(h_i / 24) y_i.
 */
export interface GarchScenarios {
  readonly kind: 'garch';
  readonly assets: number;
  /** n intercepts of the daily variance. */
  readonly omega: Float64Array;
  readonly alpha: Float64Array;
  readonly beta: Float64Array;
  /** n variances of the first simulated day. */
  readonly firstVariance: Float64Array;
  /** n x n lower-triangular factor A of the correlation matrix of the standardised residuals. */
  readonly factor: Float64Array;
  /** 1 + volatility shock. */
  readonly volatilityScale: number;
}

export const GARCH: ModelContract<GarchScenarios> = {
  drawn: {
    varianceOfTerm: variances,
    spreadOfTerm: (scenarios, exposures, years) =>
      spreadOf(exposures, variances(scenarios, years), (i, j) => scenarios.factor[i * scenarios.assets + j]),
    ratioIsOneWalk: false,
  },
  assetStepWork: 1,
  walkedPerDay: 0,
  usual: assets => {
    const all = (value: number) => new Float64Array(assets).fill(value);
    return {
      kind: 'garch',
      assets,
      omega: all(1e-4),
      alpha: all(0.1),
      beta: all(0.8),
      firstVariance: all(1e-3),
      factor: diagonalFactor(assets, 1),
      volatilityScale: 1,
    };
  },
};

/** Sums of the daily variances that the model forecasts. */
function variances(scenarios: GarchScenarios, years: number): readonly number[] {
  const days = Math.ceil((years * HOURS_PER_YEAR) / HOURS_PER_DAY);
  const { omega, alpha, beta, firstVariance, volatilityScale } = scenarios;
  return Array.from(omega, (_, i) => {
    let total = 0;
    for (let day = 0, h = firstVariance[i]; day < days; day++) {
      total += h;
      h = omega[i] + (alpha[i] + beta[i]) * h;
    }
    return volatilityScale * volatilityScale * total;
  });
}
