/**
 * Probability that a Gaussian walk is below a level at one of its steps: the exact law of a margin call and of being
 * underwater for one asset against one. Up to a second of CPU time: run it in a worker.
 *
 * The density of the walks that are still at or above the level is computed step by step,
 * f_{k+1}(x) = integral over y >= level of f_k(y) phi(x - y - m) dy, on Gauss-Legendre nodes in panels of two standard
 * deviations of a step. f is smooth there and its kernel depends on distances only: one small matrix for all pairs of
 * panels at the same distance. Source of the recursion: R. Ait-Sahalia, T. L. Lai, "Random walk duality and the valuation of
 * discrete lookback options", Applied Mathematical Finance 5 (1998), 227-240.
 */
import { normalCdf, normalQuantile } from './special-functions.ts';

/** Nodes and weights of the ten-point rule on [-1, 1]: Abramowitz and Stegun, table 25.4. */
const HALF_NODES = [
  0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845, 0.9739065285171717,
];
const HALF_WEIGHTS = [
  0.2955242247147529, 0.2692667193099964, 0.219086362515982, 0.1494513491505806, 0.0666713443086881,
];
const POINTS = 10;
const NODES = [...HALF_NODES.map(x => -x).reverse(), ...HALF_NODES];
const WEIGHTS = [...[...HALF_WEIGHTS].reverse(), ...HALF_WEIGHTS];
/** Width of a panel in step standard deviations, and its half. */
const PANEL = 2;
/** Deviations of one step that are computed: beyond lies 1e-12. */
const STEP_REACH = 7;
/** Upward deviations of the whole walk that are computed: walks beyond, 4e-8 of all, hardly return to the level. */
const WALK_REACH = 5.5;
/** Deviations of the whole walk below which a level is reached with probability below 1e-14. */
const OUT_OF_REACH = 8;

/** Bound of the error of a probability p: a part of it, for walks in reach, and one of all walks. */
export const firstPassageError = (p: number): number => 1e-9 * p + 1e-14;

/** A walk X_t = X_{t-1} + drift + deviation Z_t from X_0 = 0. */
export interface GaussianWalk {
  /** Mean of a step. */
  readonly drift: number;
  /** Standard deviation of a step, >= 0. */
  readonly deviation: number;
  readonly steps: number;
}

/**
 * P(X_t < level for some t = 1..T), up to 8,760 steps, with the error of `firstPassageError`: the sum over the steps of the walks that
 * pass in each, so that a small probability is no difference of large numbers.
 *
 * @param level of either sign
 */
export function firstPassageProbability({ drift, deviation, steps }: GaussianWalk, level: number): number {
  if (deviation === 0) return Math.min(drift, drift * steps) < level ? 1 : 0;
  // In units of a step's deviation from here on.
  const mean = drift / deviation;
  const barrier = level / deviation;
  const spread = Math.sqrt(steps);
  if (barrier < Math.min(0, mean * steps) - OUT_OF_REACH * spread) return 0;
  const top = Math.max(0, mean * steps) + WALK_REACH * spread + STEP_REACH;
  if (barrier >= top) return 1;
  const panels = Math.ceil((top - barrier) / PANEL);
  const reach = Math.ceil((STEP_REACH + Math.abs(mean)) / PANEL);
  const kernels = Array.from({ length: 2 * reach + 1 }, (_, k) => panelKernel(k - reach, mean));
  let density = new Float64Array(panels * POINTS);
  let next = new Float64Array(panels * POINTS);
  const placeOf = (i: number) => barrier + PANEL * Math.floor(i / POINTS) + NODES[i % POINTS] + PANEL / 2;
  for (let i = 0; i < density.length; i++) density[i] = normalDensity(placeOf(i) - mean);
  // Probability to pass from each node in a step, times its weight; beyond a few panels there is none.
  const passing = Float64Array.from(
    { length: Math.min(panels, reach) * POINTS },
    (_, i) => WEIGHTS[i % POINTS] * normalCdf(barrier - placeOf(i) - mean),
  );
  let passed = normalCdf(barrier - mean);
  for (let step = 2; step <= steps; step++) {
    // The density is 0 above this panel.
    const ceiling = Math.max(0, mean * step) + (WALK_REACH + 1) * Math.sqrt(step) + STEP_REACH - barrier;
    const used = Math.max(0, Math.min(panels, Math.ceil(ceiling / PANEL)));
    for (let i = 0; i < passing.length; i++) passed += passing[i] * density[i];
    next.fill(0);
    for (let to = 0; to < used; to++) {
      for (let from = Math.max(0, to - reach); from <= Math.min(used - 1, to + reach); from++) {
        addPanel(kernels[to - from + reach], density, from * POINTS, next, to * POINTS);
      }
    }
    [density, next] = [next, density];
  }
  return Math.min(1, passed);
}

/** A level, and a bound of its error. */
export interface PassageLevel {
  readonly level: number;
  readonly error: number;
}

/** The barrier of a continuous walk with the first passages of one at steps lies so many deviations of a step below its level. */
const DISCRETE_SHIFT = 0.5825971579390107;
/** Most first passages of a search. */
const MAX_SEARCH = 40;

/**
 * The level below which a walk with a deviation above 0 is at some step with a probability: secants in the normal quantile of the
 * probability, which is nearly a line there, from the level of the continuous walk. M. Broadie, P. Glasserman, S. Kou, "A continuity
 * correction for discrete barrier options", Mathematical Finance 7 (1997), 325-349.
 *
 * @param probability in (0, 1/2)
 */
export function passageLevel(walk: GaussianWalk, probability: number): PassageLevel {
  const target = normalQuantile(probability);
  const passed = (level: number) => firstPassageProbability(walk, level);
  const spread = walk.deviation * Math.sqrt(walk.steps);
  let before = continuousLevel(walk, probability);
  let atBefore = passed(before);
  let level = before + 0.01 * spread;
  for (let i = 0; ; i++) {
    const at = passed(level);
    const slope = (normalQuantile(at) - normalQuantile(atBefore)) / (level - before);
    const next = level + (target - normalQuantile(at)) / slope;
    const density = slope * normalDensity(target);
    if (Math.abs(at - probability) <= firstPassageError(probability) || next === level || i === MAX_SEARCH)
      return { level, error: (Math.abs(at - probability) + firstPassageError(probability)) / density };
    [before, atBefore, level] = [level, at, next];
  }
}

/** The level of the continuous walk with that probability, shifted to one at steps. */
function continuousLevel({ drift, deviation, steps }: GaussianWalk, probability: number): number {
  const spread = deviation * Math.sqrt(steps);
  const mean = drift * steps;
  const passed = (level: number) =>
    normalCdf((level - mean) / spread) +
    Math.exp((2 * drift * level) / (deviation * deviation)) * normalCdf((level + mean) / spread);
  let low = Math.min(0, mean) - 12 * spread;
  let high = 0;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (passed(middle) < probability) low = middle;
    else high = middle;
  }
  return low + DISCRETE_SHIFT * deviation;
}

/** Entry [i][k]: weight of node k times the density of a step from it to node i, `distance` panels above. */
function panelKernel(distance: number, mean: number): Float64Array {
  return Float64Array.from(
    { length: POINTS * POINTS },
    (_, at) =>
      WEIGHTS[at % POINTS] *
      normalDensity(NODES[Math.floor(at / POINTS)] - NODES[at % POINTS] + PANEL * distance - mean),
  );
}

function addPanel(
  kernel: Float64Array,
  density: Float64Array,
  from: number,
  out: Float64Array,
  to: number,
): void {
  for (let i = 0; i < POINTS; i++) {
    let sum = 0;
    for (let k = 0; k < POINTS; k++) sum += kernel[i * POINTS + k] * density[from + k];
    out[to + i] += sum;
  }
}

const normalDensity = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
