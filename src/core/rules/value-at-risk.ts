/**
 * Value at risk: docs/methodology.md, part 6 (Value at risk).
 *
 * Takes: values of all scenarios at a horizon. Gives: quantiles and the means of their tails.
 */

/** Var and CVar of the values V at the level q: docs/methodology.md, "Value at risk". CVar is the mean of the lowest n (1 - q), the last in part. */
export function valueAtRisk(values: readonly number[], q: number): { Var: number; CVar: number } {
  const rising = [...values].sort((a, b) => a - b);
  // As 1 - 0.9 is not 0.1 in binary, a size within rounding of a whole one is that.
  const size = Math.round(rising.length * (1 - q) * 1e9) / 1e9;
  const sum = rising.reduce((total, V, k) => total + Math.max(0, Math.min(1, size - k)) * V, 0);
  return { Var: quantile(values, 1 - q), CVar: sum / size };
}

/** A quantile by linear interpolation between order statistics: type 7 of Hyndman and Fan 1996. */
export function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  // As 1 - 0.9 is not 0.1 in binary, a position within rounding of a whole one is that.
  const position = Math.round((sorted.length - 1) * p * 1e9) / 1e9;
  const rank = Math.floor(position);
  const next = sorted[Math.min(rank + 1, sorted.length - 1)];
  return sorted[rank] + (position - rank) * (next - sorted[rank]);
}
