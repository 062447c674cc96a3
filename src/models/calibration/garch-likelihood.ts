/**
 * The Gaussian log-likelihood of GARCH(1,1) with constant mean in (mu, omega, alpha, beta), its gradient, and its variances. Results go to
 * arrays of the caller: a fit makes some hundred evaluations.
 *
 * e_t = r_t - mu, h_{t+1} = omega + alpha e_t^2 + beta h_t, t = 1..T, with h_0 = e_0^2 = (1/T) sum e_t^2 at the
 * same mu: the start-up of the benchmark of Fiorentini, Calzolari, Panattoni, "Analytic derivatives and the
 * computation of GARCH estimates", Journal of Applied Econometrics 11 (1996), 399-417.
 */

/** Positions in a parameter vector and in its gradient. */
export const MU = 0;
export const OMEGA = 1;
export const ALPHA = 2;
export const BETA = 3;

const LOG_TWO_PI = Math.log(2 * Math.PI);

/**
 * ln L = -1/2 sum over t of (ln 2 pi + ln h_t + e_t^2 / h_t), and its four partial derivatives.
 *
 * With q_t = dh_t/dtheta, q_{t+1} = d(omega + alpha e_t^2 + beta h_t)/dtheta (recursion, equation 10 of the paper),
 * dlnL/dtheta = 1/2 sum (e_t^2/h_t - 1) q_t/h_t, for mu plus sum e_t/h_t. The start-up depends on mu.
 * @param returns T >= 1 returns
 * @param parameters mu, omega > 0, alpha >= 0, beta >= 0
 * @param gradient four entries, overwritten; per unit of each parameter
 * @returns the log-likelihood
 */
export function garchLogLikelihood(
  returns: Float64Array,
  parameters: Float64Array,
  gradient: Float64Array,
): number {
  const n = returns.length;
  const mu = parameters[MU];
  const omega = parameters[OMEGA];
  const alpha = parameters[ALPHA];
  const beta = parameters[BETA];
  let squares = 0;
  let residuals = 0;
  for (let t = 0; t < n; t++) {
    const e = returns[t] - mu;
    squares += e * e;
    residuals += e;
  }
  const initial = squares / n;
  let h = omega + (alpha + beta) * initial;
  let hMu = (-2 * (alpha + beta) * residuals) / n;
  let hOmega = 1;
  let hAlpha = initial;
  let hBeta = initial;
  let logSum = 0;
  let ratioSum = 0;
  let gMu = 0;
  let gOmega = 0;
  let gAlpha = 0;
  let gBeta = 0;
  for (let t = 0; t < n; t++) {
    const e = returns[t] - mu;
    const inverse = 1 / h;
    const square = e * e;
    const ratio = square * inverse;
    const weight = 0.5 * (ratio - 1) * inverse;
    logSum += Math.log(h);
    ratioSum += ratio;
    gMu += weight * hMu + e * inverse;
    gOmega += weight * hOmega;
    gAlpha += weight * hAlpha;
    gBeta += weight * hBeta;
    hMu = beta * hMu - 2 * alpha * e;
    hOmega = beta * hOmega + 1;
    hAlpha = beta * hAlpha + square;
    hBeta = beta * hBeta + h;
    h = omega + alpha * square + beta * h;
  }
  gradient[MU] = gMu;
  gradient[OMEGA] = gOmega;
  gradient[ALPHA] = gAlpha;
  gradient[BETA] = gBeta;
  return -0.5 * (n * LOG_TWO_PI + logSum + ratioSum);
}

/**
 * Standardised residuals e_t / sqrt(h_t), and the variance forecast for the step after the last return.
 *
 * @param returns T >= 1 returns
 * @param parameters mu, omega > 0, alpha >= 0, beta >= 0
 * @param standardised T entries, overwritten; dimensionless
 * @returns h_{T+1}, in squared units of the returns
 */
export function garchResiduals(
  returns: Float64Array,
  parameters: Float64Array,
  standardised: Float64Array,
): number {
  const n = returns.length;
  const [mu, omega, alpha, beta] = parameters;
  let squares = 0;
  for (let t = 0; t < n; t++) squares += (returns[t] - mu) ** 2;
  let h = omega + ((alpha + beta) * squares) / n;
  for (let t = 0; t < n; t++) {
    const e = returns[t] - mu;
    standardised[t] = e / Math.sqrt(h);
    h = omega + alpha * e * e + beta * h;
  }
  return h;
}
