/**
 * GARCH(1,1) per asset with constant conditional correlation, from one series of daily log returns per asset, in the plan's asset order.
 * A pure function, up to a second for 32 long series: run it in a worker.
 * Source of the correlation: Bollerslev, "Modelling the coherence in short-run nominal exchange rates",
 * Review of Economics and Statistics 72 (1990), 498-505.
 */
import { type Fault, RiskError } from '../../core/errors.ts';
import { DAYS_PER_YEAR, HOURS_PER_DAY } from '../../core/plan/grid.ts';
import { forecastVariance } from '../../core/plan/model/garch.ts';
import type { GarchScenarios } from '../../core/plan/simulation-plan.ts';
import { correlationMatrix } from '../../core/stats/correlation.ts';
import { annualCovariance } from './constant-volatility.ts';
import { correlationFactor } from './correlation-factor.ts';
import { fitGarch, type GarchFit } from './garch-fit.ts';

/** Fits of n assets and the correlation between them. */
export interface GarchModel {
  /** n symbols in the order of everything below. */
  readonly symbols: readonly string[];
  /** n fits. */
  readonly fits: readonly GarchFit[];
  /** n x n row-major: Pearson correlation of the standardised residuals, 0 where either is constant. */
  readonly correlation: Float64Array;
}

/**
 * Fits every asset, then correlates the standardised residuals.
 *
 * @param symbols n symbols
 * @param returns n series of daily log returns of one length, at least 30
 * @throws RiskError `calibration-failed` naming every asset that could not be fitted, and why
 */
export function fitGarchModel(symbols: readonly string[], returns: readonly Float64Array[]): GarchModel {
  const faults: Fault[] = [];
  const fits: GarchFit[] = [];
  symbols.forEach((symbol, i) => {
    try {
      fits.push(rememberedFit(returns[i], symbol));
    } catch (error) {
      if (!(error instanceof RiskError)) throw error;
      faults.push({ code: 'not_fitted', path: symbol, message: error.message });
    }
  });
  if (faults.length > 0)
    throw new RiskError('calibration-failed', faults.map(fault => fault.message).join(' '), { faults });
  return { symbols, fits, correlation: correlationMatrix(fits.map(fit => fit.standardisedResiduals)) };
}

/**
 * The scenarios of an engine: parameters per asset, variance of the first day, factor of the correlations.
 *
 * @param volatilityShock fraction s above -1: simulated shocks are (1 + s) times the model's
 * @throws RangeError if the correlations are not positive semidefinite
 */
export function garchScenarios(model: GarchModel, volatilityShock: number): GarchScenarios {
  const assets = model.symbols.length;
  const of = (pick: (fit: GarchFit) => number) => Float64Array.from(model.fits, pick);
  return {
    kind: 'garch',
    assets,
    omega: of(fit => fit.omega),
    alpha: of(fit => fit.alpha),
    beta: of(fit => fit.beta),
    firstVariance: of(fit => fit.firstVariance),
    factor: correlationFactor(model.correlation, assets),
    volatilityScale: 1 + volatilityShock,
  };
}

/**
 * Annual covariance expected over a term: sigma_i sigma_j rho_ij with sigma_i^2 = 365 (1 + s)^2 times the mean of the
 * variances expected on the term's days.
 *
 * @param steps hours of the term, >= 1; its days are steps / 24, rounded up
 * @param volatilityShock fraction s above -1
 * @returns n x n row-major, per year
 */
export function garchAnnualCovariance(
  model: GarchModel,
  steps: number,
  volatilityShock: number,
): Float64Array {
  const days = Math.ceil(steps / HOURS_PER_DAY);
  const annualVolatility = Float64Array.from(
    model.fits,
    fit => (1 + volatilityShock) * Math.sqrt(DAYS_PER_YEAR * (forecastVariance(fit, days) / days)),
  );
  return annualCovariance({ annualVolatility, correlation: model.correlation });
}

/**
 * The fits of the last windows: back-tests, and several requests of one day, fit the same window again. The key of a fit is its symbol and
 * all bits of its returns.
 */
const fits = new Map<string, GarchFit>();

/** Most fits; with ten years of days each takes 60 KiB with its key. */
const MAX_FITS = 1024;

/** `fitGarch`, or its stored result for the same returns. @throws as `fitGarch`; failures are not stored */
export function rememberedFit(returns: Float64Array, symbol: string): GarchFit {
  const bits = Buffer.from(returns.buffer, returns.byteOffset, returns.byteLength).toString('latin1');
  const key = `${symbol} ${bits}`;
  const known = fits.get(key);
  const fit = known ?? fitGarch(returns, symbol);
  // The least recently used is first.
  fits.delete(key);
  fits.set(key, fit);
  if (fits.size > MAX_FITS) fits.delete(fits.keys().next().value as string);
  return fit;
}
