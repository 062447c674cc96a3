/**
 * Value at risk: docs/methodology.md, part 6 (Value at risk).
 *
 * Takes: values of all scenarios at a horizon. Gives: quantiles and the means of their tails.
 */

/** Var and CVar of the values V at the level q: docs/methodology.md, "Value at risk". */
export function valueAtRisk(values: readonly number[], q: number): { Var: number; CVar: number } {
  const Var = quantile(values, 1 - q);
  const tail = values.filter(V => V <= Var);
  return { Var, CVar: tail.reduce((sum, V) => sum + V, 0) / tail.length };
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
