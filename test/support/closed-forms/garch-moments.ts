/** Moments of a Gaussian GARCH(1,1): h_{t+1} = omega + alpha e_t^2 + beta h_t, e_t = sqrt(h_t) z_t. */

export interface GarchCoefficients {
  readonly omega: number;
  readonly alpha: number;
  readonly beta: number;
}

/** E[e^2] = omega / (1 - alpha - beta), for alpha + beta < 1. Bollerslev, J. Econometrics 31 (1986), theorem 1. */
export function unconditionalVariance({ omega, alpha, beta }: GarchCoefficients): number {
  return omega / (1 - alpha - beta);
}

/**
 * E[h of day k], k = 1, 2, ..., given the variance of day 1: hbar + (alpha + beta)^(k-1) (h_1 - hbar).
 * It is also E[e_k^2].
 */
export function expectedVariance(model: GarchCoefficients, firstVariance: number, day: number): number {
  const level = unconditionalVariance(model);
  return level + (model.alpha + model.beta) ** (day - 1) * (firstVariance - level);
}

/**
 * Autocorrelation of e^2 at lag k >= 1: rho_1 (alpha + beta)^(k-1),
 * rho_1 = alpha (1 - alpha beta - beta^2) / (1 - 2 alpha beta - beta^2).
 *
 * Bollerslev, "On the correlation structure for the generalized ARCH process", J. Time Series Analysis 9 (1988),
 * 121-131. Needs a finite fourth moment: 3 alpha^2 + 2 alpha beta + beta^2 < 1.
 */
export function squaresAutocorrelation({ alpha, beta }: GarchCoefficients, lag: number): number {
  const first = (alpha * (1 - alpha * beta - beta * beta)) / (1 - 2 * alpha * beta - beta * beta);
  return first * (alpha + beta) ** (lag - 1);
}

/** E[e^4] / E[e^2]^2 = 3 (1 - (alpha + beta)^2) / (1 - (alpha + beta)^2 - 2 alpha^2). Bollerslev (1986), section 3. */
export function kurtosis({ alpha, beta }: GarchCoefficients): number {
  const persistence = (alpha + beta) ** 2;
  return (3 * (1 - persistence)) / (1 - persistence - 2 * alpha * alpha);
}

/**
 * E[h^2 of day k], k = 1, 2, ..., given the variance of day 1; E[e_k^4] is three times this.
 *
 * With h' = omega + (alpha z^2 + beta) h, E[z^2] = 1 and E[z^4] = 3:
 * E[h'^2] = omega^2 + 2 omega (alpha + beta) E[h] + (3 alpha^2 + 2 alpha beta + beta^2) E[h^2].
 */
export function expectedSquaredVariance(
  { omega, alpha, beta }: GarchCoefficients,
  firstVariance: number,
  day: number,
): number {
  let mean = firstVariance;
  let square = firstVariance * firstVariance;
  for (let k = 1; k < day; k++) {
    square =
      omega * omega +
      2 * omega * (alpha + beta) * mean +
      (3 * alpha * alpha + 2 * alpha * beta + beta * beta) * square;
    mean = omega + (alpha + beta) * mean;
  }
  return square;
}
