/** The mean of independent values, and how far it may lie from the truth. */
import { mean, sampleVariance } from '#src/core/stats/moments.js';

/** Mean and its standard error. @param values n >= 2 finite numbers */
export function meanWithError(values: ArrayLike<number>): { mean: number; standardError: number } {
  return { mean: mean(values), standardError: Math.sqrt(sampleVariance(values) / values.length) };
}
