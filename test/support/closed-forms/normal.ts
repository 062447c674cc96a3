/** The standard normal distribution, by another route than the product's: series, continued fraction, Newton. */

const ROOT_TWO_PI = Math.sqrt(2 * Math.PI);
/** Where the series is left for the continued fraction. */
const SERIES_LIMIT = 2.5;

/** phi(x) = exp(-x^2/2) / sqrt(2 pi). */
export function normalDensity(x: number): number {
  return Math.exp((-x * x) / 2) / ROOT_TWO_PI;
}

/**
 * Phi(x), relative accuracy about 1e-13 in both tails.
 *
 * Abramowitz and Stegun 26.2.11 (series) and 26.2.14 (continued fraction of the Mills ratio).
 */
export function normalCdf(x: number): number {
  if (x > 0) return 1 - normalCdf(-x);
  const a = -x;
  if (a < SERIES_LIMIT) {
    let term = a;
    let sum = a;
    for (let k = 1; term > 1e-18; k++) {
      term *= (a * a) / (2 * k + 1);
      sum += term;
    }
    return 0.5 - normalDensity(a) * sum;
  }
  let fraction = a;
  for (let k = 120; k >= 1; k--) fraction = a + k / fraction;
  return normalDensity(a) / fraction;
}

/**
 * z with Phi(z) = p, 0 < p < 1: Newton steps on ln Phi. It is concave, so the first step from 0 may land below the
 * root and all others rise to it.
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`p is ${p}`);
  if (p > 0.5) return -normalQuantile(1 - p);
  let z = 0;
  for (let i = 0; i < 200; i++) {
    const cdf = normalCdf(z);
    const step = ((Math.log(cdf) - Math.log(p)) * cdf) / normalDensity(z);
    z -= step;
    if (Math.abs(step) <= 1e-15 * (1 + Math.abs(z))) break;
  }
  return z;
}
