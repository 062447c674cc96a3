/** The search for the largest GARCH likelihood of a series of unit variance, from one start. */
import { type Box, minimiseInBox, type Objective } from './box-minimiser.ts';
import { ALPHA, BETA, garchLogLikelihood, MU, OMEGA } from './garch-likelihood.ts';
import { betterNeighbour, MIN_OMEGA, SEARCHED_PERSISTENCE } from './garch-optimality.ts';

/** Log-likelihoods that differ by no more are equal up to rounding and the end of a search. */
export const SAME_HEIGHT = 1e-7;
/** Most searches, each from a better neighbour of the end of the one before. */
const MAX_ROUNDS = 8;

/** The end of a search. */
export interface Optimum {
  /** mu, omega, alpha, beta of the scaled returns. */
  readonly parameters: Float64Array;
  readonly logLikelihood: number;
  /** Whether no small feasible step improves it. */
  readonly arrived: boolean;
  readonly iterations: number;
}

/**
 * The box of the search: mu, ln omega, persistence p = alpha + beta, and alpha's share a of it. Every constraint is a bound of one variable.
 */
const BOX: Box = {
  lower: Float64Array.of(Number.NEGATIVE_INFINITY, Math.log(MIN_OMEGA), 0, 0),
  upper: Float64Array.of(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, SEARCHED_PERSISTENCE, 1),
  longestStep: Float64Array.of(0.5, 2, 0.3, 0.3),
};

/**
 * Climbs from a start to a local optimum of the likelihood.
 *
 * @param scaled returns of unit variance
 * @param start mu, omega > 0, alpha, beta, feasible
 * @param maxIterations of each descent; after as many it has arrived only at an optimum
 * @param known log-likelihood of an optimum found before; a point of the same height is not examined again
 */
export function searchOptimum(
  scaled: Float64Array,
  start: Float64Array,
  maxIterations: number,
  known = Number.NEGATIVE_INFINITY,
): Optimum {
  const objective = negativeLogLikelihood(scaled);
  let parameters = start;
  let logLikelihood = Number.NEGATIVE_INFINITY;
  let iterations = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const minimum = minimiseInBox(objective, toBox(parameters), BOX, maxIterations);
    iterations += minimum.iterations;
    parameters = fromBox(minimum.point);
    logLikelihood = -minimum.value;
    const examined = Math.abs(logLikelihood - known) <= SAME_HEIGHT;
    const better = examined ? undefined : betterNeighbour(scaled, parameters);
    if (better === undefined) return { parameters, logLikelihood, arrived: true, iterations };
    parameters = better;
  }
  return { parameters, logLikelihood, arrived: false, iterations };
}

/** -ln L as a function of (mu, ln omega, p, a), with the gradient by the chain rule. */
function negativeLogLikelihood(scaled: Float64Array): Objective {
  const parameters = new Float64Array(4);
  const slope = new Float64Array(4);
  return (point, gradient) => {
    const p = point[2];
    const a = point[3];
    parameters[MU] = point[0];
    parameters[OMEGA] = Math.exp(point[1]);
    parameters[ALPHA] = p * a;
    parameters[BETA] = p * (1 - a);
    const logLikelihood = garchLogLikelihood(scaled, parameters, slope);
    gradient[0] = -slope[MU];
    gradient[1] = -slope[OMEGA] * parameters[OMEGA];
    gradient[2] = -(a * slope[ALPHA] + (1 - a) * slope[BETA]);
    gradient[3] = -p * (slope[ALPHA] - slope[BETA]);
    return -logLikelihood;
  };
}

function toBox([mu, omega, alpha, beta]: Float64Array): Float64Array {
  const p = alpha + beta;
  return Float64Array.of(mu, Math.log(omega), p, p === 0 ? 0.5 : alpha / p);
}

function fromBox([mu, logOmega, p, a]: Float64Array): Float64Array {
  return Float64Array.of(mu, Math.exp(logOmega), p * a, p * (1 - a));
}
