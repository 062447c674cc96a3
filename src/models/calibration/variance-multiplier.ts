/**
 * The variance of a day as a random multiple of its mean, which turns Gaussian shocks into Student's t: W(u) = c min(400, (nu - 2) / X(u)),
 * X the chi-square quantile with nu degrees of freedom, and c such that E W = 1. A shock times sqrt(W) is Student's t with unit variance up
 * to the cap.
 */
import {
  MULTIPLIER_COEFFICIENTS,
  MULTIPLIER_OCTAVES,
  MULTIPLIER_ROWS,
  MULTIPLIER_SEGMENTS,
} from '../../core/random/multiplier-table.ts';
import { powersThrough } from '../../core/random/octave-table.ts';
import { chiSquareQuantile, regularisedGamma } from '../../core/stats/special-functions.ts';

/** Largest (nu - 2) / X: a day of twenty times the usual deviation. With it prices are in the range of single precision. */
export const LARGEST_RATIO = 400;

/** A multiplier in the form of plans. */
export interface VarianceMultiplier {
  /** Rows of cubics for `multiplierOfWord`, before the cap. */
  readonly table: Float64Array;
  /** Largest value: 400 c. */
  readonly cap: number;
}

/**
 * c: 1 / E min(400, (nu - 2) / X). With x0 = (nu - 2) / 400, E[(nu - 2) / X; X > x0] = P(Y > x0) for Y chi-square with
 * nu - 2 degrees of freedom.
 *
 * @param degreesOfFreedom nu above 2
 */
export function unitMeanFactor(degreesOfFreedom: number): number {
  const least = (degreesOfFreedom - 2) / LARGEST_RATIO;
  const beyond = regularisedGamma((degreesOfFreedom - 2) / 2, least / 2).upper;
  const capped = regularisedGamma(degreesOfFreedom / 2, least / 2).lower;
  return 1 / (beyond + LARGEST_RATIO * capped);
}

/** The multiplier; about a tenth of a second of CPU time. @param degreesOfFreedom nu, 3 to 100 */
export function varianceMultiplier(degreesOfFreedom: number): VarianceMultiplier {
  const scale = unitMeanFactor(degreesOfFreedom) * (degreesOfFreedom - 2);
  const table = new Float64Array(MULTIPLIER_ROWS * MULTIPLIER_COEFFICIENTS);
  for (let row = 0; row < MULTIPLIER_ROWS; row++) {
    const octave = Math.floor(row / MULTIPLIER_SEGMENTS) % MULTIPLIER_OCTAVES;
    const inLowerHalf = row < MULTIPLIER_ROWS / 2;
    const segment = row % MULTIPLIER_SEGMENTS;
    const coefficients = cubicThrough(d => {
      const tail = (1 + (segment + d) / MULTIPLIER_SEGMENTS) * 2 ** -(octave + 2);
      const [lower, upper] = inLowerHalf ? [tail, 1 - tail] : [1 - tail, tail];
      return scale / chiSquareQuantile(degreesOfFreedom, lower, upper);
    });
    table.set(coefficients, row * MULTIPLIER_COEFFICIENTS);
  }
  return { table, cap: LARGEST_RATIO * unitMeanFactor(degreesOfFreedom) };
}

/** Coefficients of the cubic through f at the Chebyshev points of [0, 1], of rising power. */
export function cubicThrough(f: (x: number) => number): number[] {
  const nodes = [0, 1, 2, 3].map(k => (1 - Math.cos(((2 * k + 1) * Math.PI) / 8)) / 2);
  return powersThrough(nodes, nodes.map(f));
}
