/** Mean and spread of a sample, in two passes with a correction: no digits are lost where the mean is large against the spread. */
import { requireFinite } from './preconditions.ts';

/**
 * Arithmetic mean, (1/n) sum x_i.
 *
 * The second pass adds the mean of the rounding residuals, so that equal values give exactly that value.
 * @param values n >= 1 finite numbers
 * @throws RangeError if there are none or one is not finite
 */
export function mean(values: ArrayLike<number>): number {
  requireFinite('values', values);
  return correctedMean(values);
}

/**
 * Sample variance, sum (x_i - mean)^2 / (n - 1); the unit is the squared unit of the values.
 *
 * Corrected two-pass algorithm: Chan, Golub, LeVeque, "Algorithms for computing the sample variance",
 * The American Statistician 37 (1983), 242-247, equation 1.7.
 * @param values n >= 2 finite numbers
 * @returns a number >= 0
 * @throws RangeError if there are fewer than two or one is not finite
 */
export function sampleVariance(values: ArrayLike<number>): number {
  requireFinite('values', values, 2);
  return centredSquares(values, correctedMean(values)) / (values.length - 1);
}

/** Square root of `sampleVariance`, in the unit of the values. */
export function sampleStandardDeviation(values: ArrayLike<number>): number {
  return Math.sqrt(sampleVariance(values));
}

/**
 * Mean squared deviation from the mean, sum (x_i - mean)^2 / n (divisor n: the maximum likelihood variance).
 *
 * @param values n >= 1 finite numbers
 * @returns a number >= 0
 * @throws RangeError if there are none or one is not finite
 */
export function meanSquaredDeviation(values: ArrayLike<number>): number {
  requireFinite('values', values);
  return centredSquares(values, correctedMean(values)) / values.length;
}

/** sum a_i b_i. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function correctedMean(values: ArrayLike<number>): number {
  const n = values.length;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += values[i];
  const first = sum / n;
  let residual = 0;
  for (let i = 0; i < n; i++) residual += values[i] - first;
  return first + residual / n;
}

function centredSquares(values: ArrayLike<number>, centre: number): number {
  let squares = 0;
  let residual = 0;
  for (let i = 0; i < values.length; i++) {
    const deviation = values[i] - centre;
    squares += deviation * deviation;
    residual += deviation;
  }
  return Math.max(0, squares - (residual * residual) / values.length);
}
