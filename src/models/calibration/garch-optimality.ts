/**
 * Test of a local optimum of the GARCH likelihood, bounds included, without derivatives: a gradient is not reliable on a bound, on a ridge, or
 * where it is below its rounding.
 */
import { ALPHA, BETA, garchLogLikelihood, MU, OMEGA } from './garch-likelihood.ts';

/** alpha + beta may not exceed this: the process has a variance. */
export const LARGEST_PERSISTENCE = 1 - 1e-6;
/** The same with a margin of rounding: the sum of the rounded alpha and beta is below the bound, too. */
export const SEARCHED_PERSISTENCE = LARGEST_PERSISTENCE - 4 * Number.EPSILON;
/** omega > 0 as a closed bound: this share of the mean squared residual. */
export const MIN_OMEGA = 1e-12;

/** Step sizes: in mu as a share of the standard deviation, in ln omega times three, in alpha and beta as they are. */
const STEPS = [0.1, 0.01, 1e-3, 1e-4];
/** Least gain in ln L of an improvement: a thousandth of a relevant one, far above rounding. */
const MIN_GAIN = 1e-6;
/** Directions in (mu, ln omega, alpha, beta): each parameter alone, and pairs that trade one against another. */
const DIRECTIONS: readonly (readonly [number, number, number, number])[] = [
  [1, 0, 0, 0],
  [0, 3, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
  [0, 0, 1, -1],
  [0, 3, 0, -1],
  [0, 3, -1, 0],
];

/**
 * The best feasible neighbour with a higher likelihood, or undefined if no small feasible step improves it.
 *
 * @param scaled returns of unit variance
 * @param parameters mu, omega, alpha, beta of these returns, feasible
 */
export function betterNeighbour(scaled: Float64Array, parameters: Float64Array): Float64Array | undefined {
  const gradient = new Float64Array(4);
  let best = garchLogLikelihood(scaled, parameters, gradient) + MIN_GAIN;
  let better: Float64Array | undefined;
  for (const direction of DIRECTIONS) {
    for (const size of STEPS) {
      for (const step of [size, -size]) {
        const neighbour = moved(parameters, direction, step);
        const value = garchLogLikelihood(scaled, neighbour, gradient);
        if (value > best) {
          best = value;
          better = neighbour;
        }
      }
    }
  }
  return better;
}

/** The step, projected on the feasible set one parameter after the other. */
function moved(
  parameters: Float64Array,
  direction: readonly [number, number, number, number],
  step: number,
): Float64Array {
  const alpha = Math.min(SEARCHED_PERSISTENCE, Math.max(0, parameters[ALPHA] + step * direction[ALPHA]));
  const beta = Math.max(0, parameters[BETA] + step * direction[BETA]);
  return Float64Array.of(
    parameters[MU] + step * direction[MU],
    Math.max(MIN_OMEGA, parameters[OMEGA] * Math.exp(step * direction[OMEGA])),
    alpha,
    Math.min(beta, SEARCHED_PERSISTENCE - alpha),
  );
}
