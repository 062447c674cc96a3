/**
 * Figures of independent paths that have weights: self-normalised means and how sure they are.
 *
 * Takes: sums under the weights and under their squares. Gives: sum w x / sum w, its standard error by linearisation, and how many
 * paths of equal weight would have that error. Must not know: what x is.
 *
 * Source: A. B. Owen, Monte Carlo theory, methods and examples (2013), 9.2.
 */

/** Sums over n paths of a number x with weights w. */
export interface WeightedSums {
  readonly paths: number;
  /** Sum of w, and of w^2. */
  readonly weights: number;
  readonly weightSquares: number;
  /** Sum of w x, and of w^2 x. */
  readonly sum: number;
  readonly sumTwice: number;
  /** Sum of w x^2, and of w^2 x^2. */
  readonly squares: number;
  readonly squaresTwice: number;
}

/** A mean under weights. */
export interface WeightedMean {
  readonly mean: number;
  /** sqrt(sum w^2 (x - mean)^2) / sum w, times sqrt(n / (n - 1)); undefined below two paths. */
  readonly standardError: number | undefined;
  /** Paths of equal weight that would have this error; undefined where the error is 0 or unknown. */
  readonly effective: number | undefined;
}

export function weightedMean(sums: WeightedSums): WeightedMean {
  const { paths, weights } = sums;
  const mean = sums.sum / weights;
  if (paths < 2) return { mean, standardError: undefined, effective: undefined };
  const residuals = sums.squaresTwice - 2 * mean * sums.sumTwice + mean * mean * sums.weightSquares;
  const variance = (Math.max(0, residuals) / (weights * weights)) * (paths / (paths - 1));
  const spread = Math.max(0, sums.squares / weights - mean * mean);
  return {
    mean,
    standardError: Math.sqrt(variance),
    effective: variance > 0 ? spread / variance : undefined,
  };
}
