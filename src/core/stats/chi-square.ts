/**
 * Upper tail of the chi-square distribution with one or two degrees of freedom: erfc(sqrt(x / 2)) and exp(-x / 2).
 *
 * No package for erfc: the maintained one brings some 140 others.
 */

/** Where the power series of erf and the continued fraction of erfc cost about the same. */
const SERIES_LIMIT = 2;

/**
 * P(X > x) for X chi-square with 1 or 2 degrees of freedom: the p-value of a likelihood ratio x.
 *
 * @param x statistic, >= 0
 * @returns in [0, 1], relative accuracy about 1e-14
 * @throws RangeError for a negative or undefined statistic
 */
export function chiSquareUpperTail(x: number, degreesOfFreedom: 1 | 2): number {
  if (!(x >= 0)) throw new RangeError(`chi-square statistic is ${x}, must be at least 0`);
  return degreesOfFreedom === 2 ? Math.exp(-x / 2) : complementaryErrorFunction(Math.sqrt(x / 2));
}

/**
 * erfc(x) = 2/sqrt(pi) integral from x to infinity of exp(-t^2) dt, for x >= 0.
 *
 * Abramowitz and Stegun, Handbook of Mathematical Functions: 7.1.6 (series) and 7.1.14 (continued fraction).
 */
function complementaryErrorFunction(x: number): number {
  const density = Math.exp(-x * x) / Math.sqrt(Math.PI);
  if (x < SERIES_LIMIT) {
    let term = x;
    let sum = x;
    for (let k = 1; term > sum * 1e-17; k++) {
      term *= (2 * x * x) / (2 * k + 1);
      sum += term;
    }
    return 1 - 2 * density * sum;
  }
  // From the inside out; 60 levels give full precision from SERIES_LIMIT on.
  let fraction = x;
  for (let k = 60; k >= 1; k--) fraction = x + k / 2 / fraction;
  return density / fraction;
}
