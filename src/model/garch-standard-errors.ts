/** Standard errors of a GARCH fit from the Hessian of its log-likelihood. */
import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import { garchLogLikelihood } from './garch-likelihood.ts';

/** One standard error per parameter, in the parameter's unit. */
export interface GarchStandardErrors {
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
export function hessianStandardErrors(
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
