/**
 * Degrees of freedom of a multivariate Student t by maximum likelihood, at given mean and covariance, from daily log returns.
 * Density: S. Kotz, S. Nadarajah, Multivariate t Distributions and Their Applications (2004), 1.1, with the scale matrix
 * (nu - 2) / nu times the covariance.
 */
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { RiskError } from '../../core/errors.ts';
import { correlationMatrix } from '../../core/stats/correlation.ts';
import { mean, sampleStandardDeviation } from '../../core/stats/moments.ts';
import { logGamma } from '../../core/stats/special-functions.ts';
import { CONSTANT_DEVIATION } from './garch-fit.ts';

/** Range of nu: below 3 a variance can hardly be estimated, above 100 the law is nearly the normal one. */
const MIN_DEGREES = 3;
const MAX_DEGREES = 100;
/** Fewest returns of a fit. */
const MIN_T_RETURNS = 30;
/** Stablecoins: their returns are noise of quotes and would determine nu. */
const STABLE = new Set(['USDC', 'USDT', 'DAI', 'USD']);

export const isStablecoin = (symbol: string): boolean => STABLE.has(symbol);

/** Least eigenvalue of the correlations, per asset, of a direction that moves. */
const SINGULAR = 1e-10;
/** Points of the first scan in ln nu, and the width in ln nu that the search ends at. */
const SCAN_POINTS = 64;
const LOG_RESOLUTION = 1e-10;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

export interface DegreesOfFreedomFit {
  /** nu in [3, 100]. */
  readonly degreesOfFreedom: number;
  /** ln L at nu, with mean and covariance of the sample; undefined without assets in the fit. */
  readonly logLikelihood: number | undefined;
  /** The end of the range at the optimum. */
  readonly onBound: 'lower' | 'upper' | undefined;
  /** Symbols in the fit: those that move and are no stablecoins. */
  readonly symbols: readonly string[];
}

/**
 * nu that maximises the likelihood of a multivariate t on returns at their sample mean and covariance, over the assets
 * other than stablecoins and constants; the pseudo-inverse and its rank where the covariance is singular. Without such
 * assets nu is 100.
 *
 * @param symbols n symbols
 * @param returns n series of one length, at least 30
 * @throws RiskError `calibration-failed` for fewer returns
 */
export function fitDegreesOfFreedom(
  symbols: readonly string[],
  returns: readonly Float64Array[],
): DegreesOfFreedomFit {
  const count = returns[0].length;
  requireReturns('STUDENT_T', MIN_T_RETURNS, count);
  const decide = symbols
    .map((symbol, i) => ({ symbol, i }))
    .filter(
      ({ symbol, i }) => !STABLE.has(symbol) && sampleStandardDeviation(returns[i]) >= CONSTANT_DEVIATION,
    );
  if (decide.length === 0)
    return { degreesOfFreedom: MAX_DEGREES, logLikelihood: undefined, onBound: undefined, symbols: [] };
  const { distances, rank, logDeterminant } = mahalanobis(decide.map(({ i }) => returns[i]));
  const likelihood = (nu: number) => {
    let sum = 0;
    for (let t = 0; t < count; t++) sum += Math.log1p(distances[t] / (nu - 2));
    const normaliser =
      logGamma((nu + rank) / 2) - logGamma(nu / 2) - (rank / 2) * Math.log((nu - 2) * Math.PI);
    return count * (normaliser - logDeterminant / 2) - ((nu + rank) / 2) * sum;
  };
  const degreesOfFreedom = maximise(likelihood);
  return {
    degreesOfFreedom,
    logLikelihood: likelihood(degreesOfFreedom),
    onBound:
      degreesOfFreedom === MIN_DEGREES ? 'lower' : degreesOfFreedom === MAX_DEGREES ? 'upper' : undefined,
    symbols: decide.map(({ symbol }) => symbol),
  };
}

/** @throws RiskError `calibration-failed` at `model_lookback` where a window has fewer returns than a model needs */
export function requireReturns(type: string, least: number, got: number): void {
  if (got >= least) return;
  throw new RiskError(
    'calibration-failed',
    `${type} needs at least ${least} daily returns; the window has ${got}.`,
    {
      faults: [
        {
          code: 'out_of_range',
          path: 'model_lookback',
          message: `model_lookback must be at least ${least} days for ${type}; got ${got}`,
        },
      ],
    },
  );
}

/** Squared distances (r_t - m)' S^+ (r_t - m), the rank of S, and the logarithm of its pseudo-determinant. */
function mahalanobis(returns: readonly Float64Array[]) {
  const assets = returns.length;
  const deviations = returns.map(sampleStandardDeviation);
  const standard = returns.map((series, i) => {
    const centre = mean(series);
    return series.map(r => (r - centre) / deviations[i]);
  });
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(
    Matrix.from1DArray(assets, assets, correlationMatrix(returns)),
    { assumeSymmetric: true },
  );
  const kept = realEigenvalues.flatMap((value, k) => (value > SINGULAR * assets ? [k] : []));
  const distances = new Float64Array(returns[0].length);
  let logDeterminant = 0;
  for (const k of kept) {
    logDeterminant += Math.log(realEigenvalues[k]);
    for (let t = 0; t < distances.length; t++) {
      let projection = 0;
      for (let i = 0; i < assets; i++) projection += eigenvectorMatrix.get(i, k) * standard[i][t];
      distances[t] += (projection * projection) / realEigenvalues[k];
    }
  }
  // Of full rank, S has the determinant of the correlations times the variances.
  if (kept.length === assets) for (const deviation of deviations) logDeterminant += 2 * Math.log(deviation);
  return { distances, rank: kept.length, logDeterminant };
}

/** The best of a scan in ln nu, then a golden section between its neighbours; an end of the range is a maximum too. */
function maximise(f: (nu: number) => number): number {
  const first = Math.log(MIN_DEGREES);
  const width = (Math.log(MAX_DEGREES) - first) / (SCAN_POINTS - 1);
  const at = (k: number) =>
    k <= 0 ? MIN_DEGREES : k >= SCAN_POINTS - 1 ? MAX_DEGREES : Math.exp(first + k * width);
  let best = 0;
  for (let k = 1; k < SCAN_POINTS; k++) if (f(at(k)) > f(at(best))) best = k;
  let low = Math.log(at(best - 1));
  let high = Math.log(at(best + 1));
  let left = high - GOLDEN * (high - low);
  let right = low + GOLDEN * (high - low);
  let atLeft = f(Math.exp(left));
  let atRight = f(Math.exp(right));
  while (high - low > LOG_RESOLUTION) {
    if (atLeft >= atRight) {
      high = right;
      [right, atRight] = [left, atLeft];
      left = high - GOLDEN * (high - low);
      atLeft = f(Math.exp(left));
    } else {
      low = left;
      [left, atLeft] = [right, atRight];
      right = low + GOLDEN * (high - low);
      atRight = f(Math.exp(right));
    }
  }
  const inner = Math.exp((low + high) / 2);
  const ends = [MIN_DEGREES, MAX_DEGREES];
  return ends.find(end => f(end) >= f(inner)) ?? inner;
}
