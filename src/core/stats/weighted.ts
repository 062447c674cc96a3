/**
 * Self-normalised means of weighted paths that are drawn by two laws in turns, sum w x / sum w, and their standard errors by linearisation.
 *
 * Every second path is of the other law: two strata of equal size, whose difference in means is no part of the error.
 *
 * Source: A. B. Owen, Monte Carlo theory, methods and examples (2013), 9.2 and 8.4.
 */
import { gammaCubes } from './skewness.ts';

/** Sums of a number over the paths. */
export interface WeightedSum {
  /** Under the weights. */
  readonly once: number;
  /** The same of paths 1, 3, 5 ... alone. */
  readonly odd: number;
  /** Under the squares of the weights. */
  readonly twice: number;
}

/** Sums over n paths of a number x with weights w. */
export interface WeightedSums {
  readonly paths: number;
  /** Of 1. */
  readonly weights: WeightedSum;
  /** Of x, and of x^2. */
  readonly sum: WeightedSum;
  readonly squares: WeightedSum;
}

/** A mean under weights. */
export interface WeightedMean {
  readonly mean: number;
  /** Of the mean; undefined below four paths. */
  readonly standardError: number | undefined;
  /** Plain paths that would have this error; undefined where the error is 0 or unknown. */
  readonly effective: number | undefined;
}

/** Share of the sum of squares below which a variance is rounding. */
const ROUNDING = 1e-12;

/**
 * The mean and its error, sqrt(V) with V = n/(n - 2) (sum w^2 (x - m)^2 - sum over both strata of D^2 / n_s) / (sum w)^2, D the sum of
 * w (x - m) over a stratum of n_s paths.
 */
export function weightedMean({ paths, weights, sum, squares }: WeightedSums): WeightedMean {
  const mean = sum.once / weights.once;
  if (paths < 4) return { mean, standardError: undefined, effective: undefined };
  const residuals = squares.twice - 2 * mean * sum.twice + mean * mean * weights.twice;
  // D of all paths is 0, so D of the even paths is minus D of the odd ones.
  const apart = sum.odd - mean * weights.odd;
  const between = apart * apart * (1 / Math.floor(paths / 2) + 1 / Math.ceil(paths / 2));
  // Equal amounts leave rounding.
  const within = residuals - between > ROUNDING * squares.twice ? residuals - between : 0;
  const variance = (within / (weights.once * weights.once)) * (paths / (paths - 2));
  const spread = Math.max(0, squares.once / weights.once - mean * mean);
  return {
    mean,
    standardError: Math.sqrt(variance),
    effective: variance > 0 ? spread / variance : undefined,
  };
}

/**
 * Skewness of the mean of a number that is not negative, about: sum w^3 (x - m)^3 / (sqrt(V) sum w)^3. Cubes are those of gamma laws
 * (`gammaCubes`) for w x where it is above 0, and for w.
 *
 * @param events paths with a number above 0
 * @param isShare whether every number is 0 or 1
 */
export function weightedSkewness(
  { paths, weights, sum, squares }: WeightedSums,
  { mean, standardError = 0 }: WeightedMean,
  events: number,
  isShare: boolean,
): number {
  if (!(standardError > 0)) return 0;
  const cubes = gammaCubes(events, sum.once, squares.twice);
  /** Mean weight of the products w^2 x^2 and w^2 x. */
  const weight = isShare ? cubes / squares.twice : sum.twice / sum.once;
  const third =
    cubes -
    3 * mean * weight * (squares.twice - mean * sum.twice) -
    mean ** 3 * gammaCubes(paths, weights.once, weights.twice);
  return third / (standardError * weights.once) ** 3;
}
