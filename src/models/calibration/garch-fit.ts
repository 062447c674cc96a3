/**
 * Fits GARCH(1,1) with constant mean to one series of log returns by Gaussian quasi-maximum likelihood. Returns can have any unit;
 * internally they are scaled to unit variance. A pure function: it may run in a worker.
 * Sources: Bollerslev, Journal of Econometrics 31 (1986), 307-327 (model); Bollerslev and Wooldridge,
 * Econometric Reviews 11 (1992), 143-172 (quasi-likelihood).
 */
import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import { RiskError } from '../../core/errors.ts';
import { mean, meanSquaredDeviation, sampleStandardDeviation } from '../../core/stats/moments.ts';
import { ALPHA, BETA, garchLogLikelihood, garchResiduals, MU, OMEGA } from './garch-likelihood.ts';
import { LARGEST_PERSISTENCE, MIN_OMEGA } from './garch-optimality.ts';
import { type Optimum, SAME_HEIGHT, searchOptimum } from './garch-search.ts';

/** Fewest returns of a fit. */
const MIN_GARCH_RETURNS = 30;
/** Sample standard deviation below which a series has constant variance. */
export const CONSTANT_DEVIATION = 1e-6;
/** Several times the largest number observed. */
const MAX_ITERATIONS = 500;

/**
 * Starting values (alpha, beta, omega over the mean squared residual): slow, typical and bursting variance that
 * returns to its mean; little memory; one burst; and variance that started high and decays, as after a crisis.
 */
const STARTS: readonly (readonly [number, number, number])[] = [
  [0.05, 0.9, 0.05],
  [0.15, 0.7, 0.15],
  [0.4, 0.5, 0.1],
  [0.1, 0.3, 0.6],
  [0.2, 0.01, 0.8],
  [0.9, 0.05, 0.3],
  [0.15, 0.84, 0.001],
  [0.001, 0.99, 1e-8],
];

/** A constraint on which an optimum is. */
type GarchBound = 'omega' | 'alpha' | 'beta' | 'persistence';

/** Parameters of h_{t+1} = omega + alpha e_t^2 + beta h_t, e_t = r_t - mu, with residuals and forecast. */
export interface GarchFit {
  readonly symbol: string;
  /** Mean return per step. */
  readonly mu: number;
  /** Squared unit of the returns; > 0 unless every return is the same. */
  readonly omega: number;
  readonly alpha: number;
  /** alpha + beta <= 1 - 1e-6. */
  readonly beta: number;
  /** ln L at the optimum, for returns in their own unit; undefined with constant variance. */
  readonly logLikelihood: number | undefined;
  /** h_{T+1}: variance forecast for the step after the last return, squared unit of the returns. */
  readonly firstVariance: number;
  /** T entries e_t / sqrt(h_t); all 0 where every return is the same. */
  readonly standardisedResiduals: Float64Array;
  /** From the Hessian; undefined on a bound, with constant variance, or where parameters are not identified. */
  readonly standardErrors: GarchStandardErrors | undefined;
  /** Constraints on which the optimum is; empty for an inner one. */
  readonly onBound: readonly GarchBound[];
  /** True where the series is too quiet to fit: omega is its mean squared residual, alpha and beta are 0. */
  readonly constantVariance: boolean;
  /** Number of starting values. */
  readonly startsTried: number;
  /** Iterations over all of them. */
  readonly iterations: number;
}

/**
 * Quasi-maximum likelihood estimate with omega > 0, alpha, beta >= 0, alpha + beta <= 1 - 1e-6; h_0 and e_0^2
 * are the mean squared residual. The result has the best likelihood of several starts; an optimum on a bound is a fit.
 *
 * Multiplying the returns by c multiplies mu by c, omega and variances by c^2, and leaves the rest.
 * @param returns T >= 30 finite log returns per step (a day)
 * @param symbol names the series in messages
 * @param maxIterations of each search
 * @throws RiskError `calibration-failed` for fewer than 30 returns, or if no start reaches a point where no small
 *   feasible step improves the likelihood
 */
export function fitGarch(returns: Float64Array, symbol: string, maxIterations = MAX_ITERATIONS): GarchFit {
  if (returns.length < MIN_GARCH_RETURNS) {
    throw new RiskError(
      'calibration-failed',
      `GARCH of ${symbol} needs at least ${MIN_GARCH_RETURNS} returns; the window has ${returns.length}.`,
    );
  }
  const level = mean(returns);
  const meanSquare = meanSquaredDeviation(returns);
  if (sampleStandardDeviation(returns) < CONSTANT_DEVIATION) {
    return constantFit(returns, symbol, level, meanSquare);
  }
  const scale = Math.sqrt(meanSquare);
  const scaled = returns.map(r => r / scale);
  let best: Optimum | undefined;
  let iterations = 0;
  for (const [alpha, beta, omega] of STARTS) {
    const start = Float64Array.of(level / scale, omega, alpha, beta);
    const optimum: Optimum = searchOptimum(scaled, start, maxIterations, best?.logLikelihood);
    iterations += optimum.iterations;
    if (!optimum.arrived) continue;
    // The first of optima of the same height: rounding has no influence.
    if (best === undefined || optimum.logLikelihood > best.logLikelihood + SAME_HEIGHT) best = optimum;
  }
  if (best === undefined) {
    throw new RiskError(
      'calibration-failed',
      `GARCH of ${symbol} could not be fitted: none of ${STARTS.length} starting values reached an optimum.`,
    );
  }
  return { symbol, ...unscale(scaled, scale, best), startsTried: STARTS.length, iterations };
}

/** The optimum in the unit of the returns: T ln scale less in ln L, variances times scale^2. */
function unscale(
  scaled: Float64Array,
  scale: number,
  { parameters, logLikelihood }: Optimum,
): Omit<GarchFit, 'symbol' | 'startsTried' | 'iterations'> {
  const standardisedResiduals = new Float64Array(scaled.length);
  const firstVariance = garchResiduals(scaled, parameters, standardisedResiduals);
  const onBound = boundsOf(parameters);
  const errors = onBound.length > 0 ? undefined : hessianStandardErrors(scaled, parameters);
  const square = scale * scale;
  return {
    mu: parameters[MU] * scale,
    omega: parameters[OMEGA] * square,
    alpha: parameters[ALPHA],
    beta: parameters[BETA],
    logLikelihood: logLikelihood - scaled.length * Math.log(scale),
    firstVariance: firstVariance * square,
    standardisedResiduals,
    standardErrors: errors && { ...errors, mu: errors.mu * scale, omega: errors.omega * square },
    onBound,
    constantVariance: false,
  };
}

/** The constraints on which a point of the box is, with margins for the rounding of exp and of a sum. */
function boundsOf(parameters: Float64Array): GarchBound[] {
  const bounds: GarchBound[] = [];
  if (parameters[OMEGA] <= MIN_OMEGA * (1 + 1e-9)) bounds.push('omega');
  if (parameters[ALPHA] === 0) bounds.push('alpha');
  if (parameters[BETA] === 0) bounds.push('beta');
  if (parameters[ALPHA] + parameters[BETA] >= LARGEST_PERSISTENCE - 1e-14) bounds.push('persistence');
  return bounds;
}

function constantFit(returns: Float64Array, symbol: string, mu: number, variance: number): GarchFit {
  const deviation = Math.sqrt(variance);
  return {
    symbol,
    mu,
    omega: variance,
    alpha: 0,
    beta: 0,
    logLikelihood: undefined,
    firstVariance: variance,
    standardisedResiduals: returns.map(r => (deviation === 0 ? 0 : (r - mu) / deviation)),
    standardErrors: undefined,
    onBound: [],
    constantVariance: true,
    startsTried: 0,
    iterations: 0,
  };
}

/** One standard error per parameter, in the parameter's unit. */
interface GarchStandardErrors {
  readonly mu: number;
  readonly omega: number;
  readonly alpha: number;
  readonly beta: number;
}

/** Step of the central differences as a share of a parameter: the cube root of the rounding of a gradient. */
const DIFFERENCE = 1e-5;
/** Smallest step, for a parameter near zero; returns have unit variance. */
const MIN_DIFFERENCE = 1e-7;

/**
 * Square roots of the diagonal of (-H)^-1, H the Hessian of ln L, by central differences of the analytic gradient.
 *
 * @param scaled returns of unit variance
 * @param parameters mu, omega, alpha, beta of these returns, an inner optimum
 * @returns undefined where -H is not positive definite: the parameters are not identified
 */
function hessianStandardErrors(
  scaled: Float64Array,
  parameters: Float64Array,
): GarchStandardErrors | undefined {
  const n = parameters.length;
  const information = new Matrix(n, n);
  const up = new Float64Array(n);
  const down = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const step = Math.max(MIN_DIFFERENCE, DIFFERENCE * Math.abs(parameters[i]));
    const shifted = parameters.slice();
    shifted[i] = parameters[i] + step;
    garchLogLikelihood(scaled, shifted, up);
    shifted[i] = parameters[i] - step;
    garchLogLikelihood(scaled, shifted, down);
    for (let j = 0; j < n; j++) information.set(i, j, -(up[j] - down[j]) / (2 * step));
  }
  const symmetric = Matrix.add(information, information.transpose()).div(2);
  const cholesky = new CholeskyDecomposition(symmetric);
  if (!cholesky.isPositiveDefinite()) return undefined;
  const [mu, omega, alpha, beta] = cholesky.solve(Matrix.eye(n)).diagonal().map(Math.sqrt);
  return { mu, omega, alpha, beta };
}
