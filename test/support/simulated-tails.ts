/** Forecasts of the tails of normal returns, right ones or wrong by a factor, and the returns. */
import type { JudgedTails } from '#src/core/stats/shortfall/judged.js';
import { normals } from './simulated-garch.ts';

/** z, f(z) / a and the deviation beyond z of the standard normal at 5 %, by SciPy. */
export const [LEVEL, SHORTFALL, SPREAD] = [-1.6448536269514729, -2.062712807507435, 0.37158648593924887];
export const PROBABILITY = 0.05;

/** Normal days whose deviation goes up and down, with forecasts that are `factor` times the right ones. */
export function simulated(days: number, seed: number, factor = 1): JudgedTails {
  const draw = normals(seed);
  const deviation = Float64Array.from({ length: days }, (_, t) => 0.03 * (1 + 0.5 * Math.sin(t / 20)));
  return {
    returns: deviation.map(s => s * draw()),
    levels: deviation.map(s => factor * s * LEVEL),
    shortfalls: deviation.map(s => factor * s * SHORTFALL),
    spreads: deviation.map(s => factor * s * SPREAD),
    probability: PROBABILITY,
  };
}

export const mean = (values: ArrayLike<number>) =>
  Array.from(values).reduce((a, b) => a + b, 0) / values.length;
