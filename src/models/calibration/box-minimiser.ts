/**
 * Minimises a smooth function of a few variables inside a box: projected BFGS with an active set.
 *
 * No package: the maintained ones for Node have no bounds, where half of the fits end, or no gradient.
 * Sources: Nocedal and Wright, Numerical Optimization, 2nd ed. (2006), 6.1 (BFGS) and 16.7 (gradient projection);
 * Lewis and Overton, Mathematical Programming 141 (2013), 135-163, algorithm 2.6 (line search).
 */
import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import { dot } from '../../core/stats/moments.ts';

/** Value at a point; writes the gradient there. */
export type Objective = (point: Float64Array, gradient: Float64Array) => number;

/** Limits of the search, per variable. */
export interface Box {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Longest step of one iteration, > 0, which limits the step on a flat function. */
  readonly longestStep: Float64Array;
}

/** The point reached. */
export interface Minimum {
  readonly point: Float64Array;
  readonly value: number;
  readonly iterations: number;
}

/** Least predicted decrease of a Newton step, in units of the value: less ends the search. */
const MIN_DECREASE = 1e-13;
/** Least share of the predicted decrease of a step, and largest share of the slope after it. */
const SUFFICIENT_DECREASE = 1e-4;
const SUFFICIENT_FLATTENING = 0.9;
const LINE_SEARCH_TRIALS = 40;
/** A variable this near to a bound, in longest steps, is on it. */
const TOUCHING = 1e-13;

/**
 * Local minimum inside the box, from one start.
 *
 * @param start inside the box, or clamped into it
 * @param maxIterations after which the search stops
 */
export function minimiseInBox(
  objective: Objective,
  start: Float64Array,
  box: Box,
  maxIterations: number,
): Minimum {
  const n = start.length;
  let point: Float64Array = start.map((value, i) => clamp(value, box, i));
  let gradient: Float64Array = new Float64Array(n);
  let value = objective(point, gradient);
  let curvature = diagonalCurvature(objective, point, gradient, box);
  let fresh = true;
  let iterations = 0;
  while (iterations < maxIterations) {
    iterations++;
    const direction = descentDirection(curvature, point, gradient, box);
    const slope = dot(gradient, direction);
    if (-slope / 2 <= MIN_DECREASE) break;
    const next = searchLine(objective, point, value, slope, direction, box);
    if (next === undefined) {
      // Rounding noise, or a wrong curvature: one more attempt with a new one.
      if (fresh) break;
      curvature = diagonalCurvature(objective, point, gradient, box);
      fresh = true;
      continue;
    }
    fresh = !updateCurvature(curvature, point, next.point, gradient, next.gradient) && fresh;
    ({ point, value, gradient } = next);
  }
  return { point, value, iterations };
}

/** -B^-1 g over the free variables; the others are at their bound. */
function descentDirection(
  curvature: Matrix,
  point: Float64Array,
  gradient: Float64Array,
  box: Box,
): Float64Array {
  const n = point.length;
  const free: number[] = [];
  for (let i = 0; i < n; i++) if (!pushesOut(point, i, -gradient[i], box)) free.push(i);
  const direction = new Float64Array(n);
  const cholesky = free.length === 0 ? undefined : new CholeskyDecomposition(curvature.selection(free, free));
  if (cholesky?.isPositiveDefinite()) {
    const step = cholesky.solve(Matrix.columnVector(free.map(i => -gradient[i])));
    free.forEach((i, k) => {
      direction[i] = step.get(k, 0);
    });
  }
  const usable =
    dot(gradient, direction) < 0 &&
    !free.some(i => pushesOut(point, i, direction[i], box)) &&
    direction.every(Number.isFinite);
  if (!usable) for (const i of free) direction[i] = -gradient[i] / Math.abs(curvature.get(i, i));
  let excess = 1;
  for (let i = 0; i < n; i++) excess = Math.max(excess, Math.abs(direction[i]) / box.longestStep[i]);
  return direction.map(d => d / excess);
}

/** Weak Wolfe conditions by doubling and halving, never past the first bound; undefined if no step decreases. */
function searchLine(
  objective: Objective,
  point: Float64Array,
  value: number,
  slope: number,
  direction: Float64Array,
  box: Box,
): { point: Float64Array; value: number; gradient: Float64Array } | undefined {
  let longest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < point.length; i++) {
    if (direction[i] === 0) continue;
    const bound = direction[i] > 0 ? box.upper[i] : box.lower[i];
    longest = Math.min(longest, (bound - point[i]) / direction[i]);
  }
  let best: { point: Float64Array; value: number; gradient: Float64Array } | undefined;
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  let step = Math.min(1, longest);
  for (let trial = 0; trial < LINE_SEARCH_TRIALS; trial++) {
    const candidate = point.map((x, i) => clamp(x + step * direction[i], box, i));
    const candidateGradient = new Float64Array(point.length);
    const candidateValue = objective(candidate, candidateGradient);
    if (!(candidateValue < value + SUFFICIENT_DECREASE * step * slope)) {
      high = step;
    } else {
      best = { point: candidate, value: candidateValue, gradient: candidateGradient };
      low = step;
      const flattened = dot(candidateGradient, direction) >= SUFFICIENT_FLATTENING * slope;
      if (flattened || step === longest) break;
    }
    step = high === Number.POSITIVE_INFINITY ? Math.min(2 * step, longest) : (low + high) / 2;
  }
  return best;
}

/** BFGS: B - B s s' B / s' B s + y y' / s' y. @returns false, without a change, where s' y is not clearly positive */
function updateCurvature(
  curvature: Matrix,
  from: Float64Array,
  to: Float64Array,
  gradientFrom: Float64Array,
  gradientTo: Float64Array,
): boolean {
  const n = from.length;
  const s = to.map((x, i) => x - from[i]);
  const y = gradientTo.map((g, i) => g - gradientFrom[i]);
  const sy = dot(s, y);
  const bs = Float64Array.from({ length: n }, (_, i) => dot(curvature.getRow(i), s));
  const sbs = dot(s, bs);
  if (!(sy > 1e-10 * sbs)) return false;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      curvature.set(i, j, curvature.get(i, j) - (bs[i] * bs[j]) / sbs + (y[i] * y[j]) / sy);
    }
  }
  return true;
}

/** Absolute second differences per variable: the initial scale of each variable. */
function diagonalCurvature(
  objective: Objective,
  point: Float64Array,
  gradient: Float64Array,
  box: Box,
): Matrix {
  const shifted = new Float64Array(point.length);
  return Matrix.diag(
    Array.from(point, (x, i) => {
      const step = 1e-4 * box.longestStep[i];
      const moved = point.slice();
      moved[i] = x + step <= box.upper[i] ? x + step : x - step;
      objective(moved, shifted);
      const second = Math.abs((shifted[i] - gradient[i]) / (moved[i] - x));
      // Where the function is flat or kinked, a step along the gradient of the longest length.
      return second > 0 ? second : Math.max(Math.abs(gradient[i]) / box.longestStep[i], 1);
    }),
  );
}

function pushesOut(point: Float64Array, i: number, direction: number, box: Box): boolean {
  return (point[i] <= box.lower[i] && direction <= 0) || (point[i] >= box.upper[i] && direction >= 0);
}

/** Into the box, and to a bound within rounding: a remainder would block every step. */
function clamp(value: number, box: Box, i: number): number {
  const touching = TOUCHING * box.longestStep[i];
  if (value <= box.lower[i] + touching) return box.lower[i];
  if (value >= box.upper[i] - touching) return box.upper[i];
  return value;
}
