/**
 * Correlated geometric Brownian motion with constant volatility (GBM), from one series of log returns per asset, in the plan's asset order.
 */
import { RiskError } from '../../core/errors.ts';
import type { GbmScenarios } from '../../core/plan/simulation-plan.ts';
import { correlationMatrix } from '../../core/stats/correlation.ts';
import { sampleStandardDeviation } from '../../core/stats/moments.ts';
import { correlationFactor } from './correlation-factor.ts';

/** Fewest returns of a sample standard deviation. */
const MIN_RETURNS = 2;

/** Volatilities and correlations of n assets. */
export interface ConstantVolatilityModel {
  /** n symbols in the order of everything below. */
  readonly symbols: readonly string[];
  /** n annual volatilities sigma_i, fractions per year (0.6 is 60 %), shock or index included. */
  readonly annualVolatility: Float64Array;
  /** n x n row-major correlation of the returns. */
  readonly correlation: Float64Array;
}

/**
 * Calibrates GBM: sigma_i = (1 + shock) sqrt(m) s_i, s_i the sample standard deviation (n - 1) of the log returns
 * and m their number per year; rho = Pearson correlation of the same returns, 0 where either is constant.
 *
 * @param symbols n symbols, for the model and for messages
 * @param returns n series of log returns of one length, at least 2
 * @param returnsPerYear m: 365 for daily returns, 8760 for hourly ones
 * @param volatilityShock fraction above -1: 0.1 raises every volatility by a tenth
 * @throws RiskError `calibration-failed` for fewer than two returns
 */
export function calibrateConstantVolatility(
  symbols: readonly string[],
  returns: readonly Float64Array[],
  returnsPerYear: number,
  volatilityShock: number,
): ConstantVolatilityModel {
  const count = returns[0].length;
  if (count < MIN_RETURNS) {
    throw new RiskError(
      'calibration-failed',
      `A volatility needs at least ${MIN_RETURNS} returns; the window has ${count}.`,
      {
        faults: [
          {
            code: 'out_of_range',
            path: 'model_lookback',
            message: `model_lookback must give at least ${MIN_RETURNS} returns; got ${count}`,
          },
        ],
      },
    );
  }
  const scale = (1 + volatilityShock) * Math.sqrt(returnsPerYear);
  return {
    symbols,
    annualVolatility: Float64Array.from(returns, series => scale * sampleStandardDeviation(series)),
    correlation: correlationMatrix(returns),
  };
}

/** Annual covariance S_ij = sigma_i sigma_j rho_ij, n x n row-major, per year. */
export function annualCovariance(model: {
  readonly annualVolatility: Float64Array;
  readonly correlation: Float64Array;
}): Float64Array {
  const { annualVolatility, correlation } = model;
  const n = annualVolatility.length;
  return correlation.map((rho, k) => rho * annualVolatility[Math.floor(k / n)] * annualVolatility[k % n]);
}

/**
 * The scenarios of an engine: the volatilities, and sigma_i times row i of the factor of the correlations.
 *
 * @throws RangeError if the correlations are not positive semidefinite
 */
export function gbmScenarios(model: ConstantVolatilityModel): GbmScenarios {
  const assets = model.symbols.length;
  const factor = correlationFactor(model.correlation, assets);
  return {
    kind: 'gbm',
    assets,
    annualVolatility: model.annualVolatility,
    factor: factor.map((entry, k) => entry * model.annualVolatility[Math.floor(k / assets)]),
  };
}
