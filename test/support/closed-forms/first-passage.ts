/**
 * Probability that a Brownian motion with drift is below a level at some time of a term: of a margin call
 * (level ln(M/N)) and of being underwater (level ln(1/N)) for one collateral and one loan asset.
 */
import type { LogRatio } from './log-ratio.ts';
import { normalCdf, normalDensity } from './normal.ts';
import { compositeRule } from './quadrature.ts';

/** -zeta(1/2) / sqrt(2 pi). */
const BGK_SHIFT = 0.5825971579390106;

/**
 * P(min over 0 <= t <= T of X_t < level), watched continuously, level <= 0:
 * Phi((b - mT) / (s sqrt T)) + exp(2 m b / s^2) Phi((b + mT) / (s sqrt T)).
 *
 * Reflection principle with drift: Borodin and Salminen, Handbook of Brownian Motion, 2nd ed., part II, 2.1.2.4.
 */
export function firstPassageContinuous(ratio: LogRatio, level: number, years: number): number {
  const { drift: m, volatility: s } = ratio;
  const spread = s * Math.sqrt(years);
  const probability =
    normalCdf((level - m * years) / spread) +
    Math.exp((2 * m * level) / (s * s)) * normalCdf((level + m * years) / spread);
  return Math.min(1, probability);
}

/**
 * The same watched at `steps` equally spaced times only, by moving the level away by 0.5826 s sqrt(dt).
 *
 * Broadie, Glasserman, Kou, "A continuity correction for discrete barrier options", Mathematical Finance 7 (1997),
 * 325-349. The error is o(1/sqrt(steps)): small against a Monte Carlo error for hourly steps over days.
 */
export function firstPassageShifted(ratio: LogRatio, level: number, years: number, steps: number): number {
  const shifted = level - BGK_SHIFT * ratio.volatility * Math.sqrt(years / steps);
  return firstPassageContinuous(ratio, shifted, years);
}

/**
 * The same watched at `steps` times, exact to about 1e-9: the density of the paths still above the level is
 * carried from step to step, f_{k+1}(x) = integral over y > level of f_k(y) g(x - y) dy, g the density of a step.
 *
 * Gauss-Legendre nodes on panels of two standard deviations of a step; f is smooth above the level.
 */
export function firstPassageExact(ratio: LogRatio, level: number, years: number, steps: number): number {
  const mean = (ratio.drift * years) / steps;
  const spread = ratio.volatility * Math.sqrt(years / steps);
  const top = Math.max(0, ratio.drift * years) + 7 * ratio.volatility * Math.sqrt(years) + 9 * spread;
  const points = 10;
  const { nodes, weights } = compositeRule(level, top, Math.ceil((top - level) / (2 * spread)), points);
  const n = nodes.length;
  // A step reaches no further than nine standard deviations: five panels and the mean's shift to either side.
  const reach = points * (6 + Math.ceil(Math.abs(mean) / (2 * spread)));
  const width = 2 * reach + 1;
  const kernel = new Float64Array(n * width);
  for (let i = 0; i < n; i++) {
    for (let k = Math.max(0, i - reach); k <= Math.min(n - 1, i + reach); k++) {
      kernel[i * width + k - i + reach] =
        (weights[k] * normalDensity((nodes[i] - nodes[k] - mean) / spread)) / spread;
    }
  }
  let density = nodes.map(x => normalDensity((x - mean) / spread) / spread);
  let next = new Float64Array(n);
  for (let step = 1; step < steps; step++) {
    for (let i = 0; i < n; i++) {
      let sum = 0;
      const from = Math.max(0, i - reach);
      const to = Math.min(n - 1, i + reach);
      for (let k = from; k <= to; k++) sum += kernel[i * width + k - i + reach] * density[k];
      next[i] = sum;
    }
    [density, next] = [next, density];
  }
  let alive = 0;
  for (let i = 0; i < n; i++) alive += weights[i] * density[i];
  return 1 - alive;
}
