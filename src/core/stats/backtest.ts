/**
 * Back-tests of value at risk: likelihood ratio tests of a quantile's coverage and of the independence of its failures.
 *
 * Throughout, 0 ln 0 = 0: a transition that never happened adds nothing to a likelihood.
 * Sources: Kupiec, "Techniques for verifying the accuracy of risk measurement models", Journal of Derivatives 3
 * (1995), 73-84; Christoffersen, "Evaluating interval forecasts", International Economic Review 39 (1998), 841-862.
 */
import { chiSquareUpperTail } from './chi-square.ts';
import { requireInnerProbability } from './preconditions.ts';

/** A likelihood ratio statistic; chi-square if the model is right. */
export interface LikelihoodRatio {
  /** -2 ln(L0 / L1), >= 0. */
  readonly statistic: number;
  readonly degreesOfFreedom: 1 | 2;
  /** Probability of a statistic at least this large if the model is right. */
  readonly pValue: number;
}

/** Counts of a hit sequence and Christoffersen's three tests on it. */
export interface CoverageTests {
  readonly observations: number;
  readonly exceedances: number;
  /** Days without (0) or with (1) an exceedance, followed by one without or with: [n00, n01, n10, n11]. */
  readonly transitions: readonly [number, number, number, number];
  /** LR_uc: the share of exceedances is the promised one. */
  readonly unconditionalCoverage: LikelihoodRatio;
  /** LR_ind: an exceedance does not change the chance of one on the next day. */
  readonly independence: LikelihoodRatio;
  /** LR_cc = LR_uc + LR_ind. */
  readonly conditionalCoverage: LikelihoodRatio;
}

/**
 * Kupiec's proportion-of-failures test, LR_uc = 2 ln[(x/n)^x (1-x/n)^(n-x) / (p^x (1-p)^(n-x))].
 *
 * @param observations days n >= 1
 * @param exceedances days x below the level, 0..n
 * @param probability promised share p of such days, in (0, 1): 0.05 for a 95 % level
 * @throws RangeError for counts or a probability outside these ranges
 */
export function kupiecTest(observations: number, exceedances: number, probability: number): LikelihoodRatio {
  if (!(Number.isInteger(observations) && observations >= 1)) {
    throw new RangeError(`observations is ${observations}, a whole number of at least 1 needed`);
  }
  if (!(Number.isInteger(exceedances) && exceedances >= 0 && exceedances <= observations)) {
    throw new RangeError(`exceedances is ${exceedances}, a whole number from 0 to ${observations} needed`);
  }
  requireInnerProbability('probability', probability);
  const quiet = observations - exceedances;
  const free = bernoulliLogLikelihood(quiet, exceedances);
  const promised = quiet * Math.log1p(-probability) + exceedances * Math.log(probability);
  return likelihoodRatio(2 * (free - promised), 1);
}

/**
 * Christoffersen's tests of unconditional coverage, independence (first-order Markov) and both together.
 *
 * The independence test conditions on the first day: it uses the n - 1 transitions.
 * @param hits one entry per day in order, true where the value fell below the level, undefined for a day that is left out; at least two
 *   others. A transition is a pair of days that follow each other, neither left out.
 * @param probability promised share of hits, in (0, 1)
 * @throws RangeError for fewer than two days or a probability outside (0, 1)
 */
export function christoffersenTest(
  hits: readonly (boolean | undefined)[],
  probability: number,
): CoverageTests {
  const observations = hits.filter(hit => hit !== undefined).length;
  if (observations < 2) throw new RangeError(`hits has ${observations} days, at least 2 needed`);
  const transitions: [number, number, number, number] = [0, 0, 0, 0];
  for (let i = 1; i < hits.length; i++) {
    const [first, second] = [hits[i - 1], hits[i]];
    if (first !== undefined && second !== undefined) transitions[(first ? 2 : 0) + (second ? 1 : 0)]++;
  }
  const [n00, n01, n10, n11] = transitions;
  const markov = bernoulliLogLikelihood(n00, n01) + bernoulliLogLikelihood(n10, n11);
  const independence = likelihoodRatio(2 * (markov - bernoulliLogLikelihood(n00 + n10, n01 + n11)), 1);
  const exceedances = hits.filter(Boolean).length;
  const unconditionalCoverage = kupiecTest(observations, exceedances, probability);
  return {
    observations,
    exceedances,
    transitions,
    unconditionalCoverage,
    independence,
    conditionalCoverage: likelihoodRatio(unconditionalCoverage.statistic + independence.statistic, 2),
  };
}

/**
 * Mean score of quantile forecasts, (x - v)(probability - 1{x < v}): lower is better, and the true quantile has the least expected score.
 *
 * Source: Koenker and Bassett, "Regression quantiles", Econometrica 46 (1978), 33-50; as a proper score Gneiting, "Making and
 * evaluating point forecasts", JASA 106 (2011), 746-762.
 * @param outcomes x, at least one
 * @param forecasts v, as many
 * @param probability promised share of outcomes below the forecast, in (0, 1): 0.05 for a 95 % level
 * @returns >= 0, in the unit of the outcomes
 * @throws RangeError for no outcomes, another number of forecasts, or a probability outside (0, 1)
 */
export function quantileScore(
  outcomes: ArrayLike<number>,
  forecasts: ArrayLike<number>,
  probability: number,
): number {
  if (outcomes.length === 0 || outcomes.length !== forecasts.length) {
    throw new RangeError(
      `${outcomes.length} outcomes and ${forecasts.length} forecasts: as many of each needed, and at least one`,
    );
  }
  requireInnerProbability('probability', probability);
  let sum = 0;
  for (let i = 0; i < outcomes.length; i++) {
    const distance = outcomes[i] - forecasts[i];
    sum += distance * (probability - (distance < 0 ? 1 : 0));
  }
  return sum / outcomes.length;
}

/** Log-likelihood of independent days at the share of failures that fits them best. */
function bernoulliLogLikelihood(successes: number, failures: number): number {
  const total = successes + failures;
  return countLog(successes, total) + countLog(failures, total);
}

/** count x ln(count / total), 0 where the count is 0. */
function countLog(count: number, total: number): number {
  return count === 0 ? 0 : count * Math.log(count / total);
}

/** The ratio of equal likelihoods can be below zero by rounding. */
function likelihoodRatio(statistic: number, degreesOfFreedom: 1 | 2): LikelihoodRatio {
  const value = Math.max(0, statistic);
  return { statistic: value, degreesOfFreedom, pValue: chiSquareUpperTail(value, degreesOfFreedom) };
}
