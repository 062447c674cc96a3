/**
 * z-scores of a hundred seeds against closed forms are standard normal: not too large, as a biased draw would make
 * them, and not too small, as seeds that share draws would.
 *
 * Each case uses the draws in another way: a pair projected on its ratio, baskets of four assets, single horizons. The seeds
 * are 0 to 99, neighbours of each other, as callers choose them.
 *
 * @module-tag slow
 */
import { describe, expect, it } from 'vitest';
import type { LoanProduct, SimulationPlan, ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import { regularisedGamma } from '#src/core/stats/special-functions.js';
import { referenceEngineOn } from '#src/engine/threads/reference-engine.js';
import { openSimdThreads } from '#src/engine/threads/simd-engine.js';
import { firstPassageExact } from '../support/closed-forms/first-passage.ts';
import { logRatio } from '../support/closed-forms/log-ratio.ts';
import { normalCdf, normalQuantile } from '../support/closed-forms/normal.ts';
import { gbmPair } from '../support/gbm.ts';
import { kolmogorovTail, normalDistance } from '../support/kolmogorov-smirnov.ts';
import { sharedThreads } from '../support/threads.ts';

const pool = sharedThreads(2);
const reference = referenceEngineOn(pool);
const fast = openSimdThreads(pool);

const SEEDS = Array.from({ length: 100 }, (_, seed) => seed);
const PATHS = 10_000;
/**
 * What is judged: twelve probabilities that are uniform for right draws. One below this bound would be seen in one set of
 * seeds among some 80; the seeds are fixed, so what has passed passes always.
 */
const MIN_PROBABILITY = 1e-3;

/** Distances and scipy.stats.kstwo.sf(distance, 100), SciPy 1.17.1. */
const KNOWN_TAILS = [
  [0.05, 0.953216],
  [0.08, 0.518219],
  [0.1, 0.252693],
  [0.13, 0.062092],
  [0.17, 0.005376],
] as const;

const zOfShare = (events: number, p: number) => (events - PATHS * p) / Math.sqrt(PATHS * p * (1 - p));

/** W1, one asset against one. */
const [sigmaC, sigmaL, rho] = [0.8, 0.1, 0.3];
const steps = 720;
/** The probability of its margin call, a first passage on hourly steps: that of every seed. */
let called: number | undefined;

/** Its share of margin calls. */
async function firstPassages(seed: number): Promise<number> {
  const plan: SimulationPlan<LoanProduct> = {
    seed,
    paths: PATHS,
    scenarios: gbmPair(sigmaC, sigmaL, rho),
    product: {
      kind: 'loan',
      portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
      steps,
      topUpSteps: steps,
      nominalRatio: 1.5,
      marginCallRatio: 1.3,
      liquidationRatio: 1.1,
      recoveryRatio: 1.5,
    },
  };
  called ??= firstPassageExact(logRatio(sigmaC, sigmaL, rho), Math.log(1.3 / 1.5), steps / 8760, steps);
  const { marginCalls } = await fast.run(plan);
  return zOfShare(marginCalls, called);
}

/** Four correlated assets against cash: the mean of C/L at the end is 1, its variance a sum of lognormal moments. */
async function basketMeans(seed: number): Promise<number> {
  const weights = [0.4, 0.3, 0.2, 0.1, 0];
  const factor = Float64Array.of(
    ...[0.6, 0, 0, 0, 0],
    ...[0.4, 0.5, 0, 0, 0],
    ...[-0.2, 0.3, 0.7, 0, 0],
    ...[0.5, -0.4, 0.1, 0.6, 0],
    ...[0, 0, 0, 0, 0],
  );
  const covariance = (i: number, j: number) =>
    weights.reduce((sum, _, k) => sum + factor[5 * i + k] * factor[5 * j + k], 0);
  const steps = 240;
  const plan: SimulationPlan<LoanProduct> = {
    seed,
    paths: PATHS,
    scenarios: {
      kind: 'gbm',
      assets: 5,
      annualVolatility: Float64Array.from(weights, (_, i) => Math.sqrt(covariance(i, i))),
      factor,
    },
    product: {
      kind: 'loan',
      portfolio: {
        collateralWeights: Float64Array.from(weights),
        loanWeights: Float64Array.of(0, 0, 0, 0, 1),
      },
      steps,
      topUpSteps: steps,
      nominalRatio: 1.5,
      marginCallRatio: 1.3,
      liquidationRatio: 1.1,
      recoveryRatio: 1.5,
    },
  };
  const variance = weights.reduce(
    (sum, wi, i) =>
      weights.reduce((row, wj, j) => row + wi * wj * Math.expm1((covariance(i, j) * steps) / 8760), sum),
    0,
  );
  const { finalRatio } = await fast.trace(plan);
  const mean = finalRatio.reduce((sum, ratio) => sum + ratio, 0) / PATHS;
  return (mean - 1) / Math.sqrt(variance / PATHS);
}

/** The share of values of the collateral below a level at the second of three horizons, in double precision. */
async function horizonShares(seed: number): Promise<number> {
  const sigma = 0.7;
  const years = 7 / 365;
  const plan: SimulationPlan<ValueAtRiskProduct> = {
    seed,
    paths: PATHS,
    scenarios: {
      kind: 'gbm',
      assets: 2,
      annualVolatility: Float64Array.of(0.5, sigma),
      factor: Float64Array.of(0.5, 0, 0.6 * sigma, 0.8 * sigma),
    },
    product: {
      kind: 'value-at-risk',
      portfolio: { collateralWeights: Float64Array.of(0, 1), loanWeights: Float64Array.of(1, 0) },
      collateralValue: 1,
      loanValue: 1,
      horizonYears: Float64Array.of(1 / 365, years, 30 / 365),
      horizonSteps: new Uint32Array(0),
      quantiles: Float64Array.of(0.95),
    },
  };
  const level = 0.93;
  const deviation = sigma * Math.sqrt(years);
  const exact = normalCdf((Math.log(level) + (deviation * deviation) / 2) / deviation);
  const { 'collateral.1': values } = await reference.trace(plan);
  return zOfShare(values.filter(value => value < level).length, exact);
}

describe('the distance of a sample from the standard normal', () => {
  it('has the probabilities of SciPy', () => {
    for (const [distance, tail] of KNOWN_TAILS) {
      expect(Math.abs(kolmogorovTail(distance, 100) - tail), `${distance}`).toBeLessThan(0.01);
    }
  });

  it('distinguishes a shifted sample from one that is not', () => {
    const scores = SEEDS.map(i => normalQuantile((i + 0.5) / SEEDS.length));
    expect(kolmogorovTail(normalDistance(scores), 100)).toBeGreaterThan(0.99);
    expect(kolmogorovTail(normalDistance(scores.map(z => z + 0.5)), 100)).toBeLessThan(1e-3);
  });
});

describe('z-scores of a hundred seeds', () => {
  const cases = { firstPassages, basketMeans, horizonShares };
  const all: number[] = [];

  it.each(Object.entries(cases))('are standard normal: %s', async (name, zOf) => {
    const scores: number[] = [];
    for (const seed of SEEDS) scores.push(await zOf(seed));
    all.push(...scores);
    judge(name, scores);
  });

  it('are standard normal together', () => judge('all', all));
});

/** Kolmogorov and Smirnov's distance; the sum of squares, from below and above, as a chi-square. */
function judge(name: string, scores: readonly number[]): void {
  const distance = normalDistance(scores);
  const squares = scores.reduce((sum, z) => sum + z * z, 0);
  const { lower, upper } = regularisedGamma(scores.length / 2, squares / 2);
  const probabilities = { distance: kolmogorovTail(distance, scores.length), lower, upper };
  const largest = Math.max(...scores.map(Math.abs));
  const mean = scores.reduce((sum, z) => sum + z, 0) / scores.length;
  const told = JSON.stringify({ name, mean, square: squares / scores.length, largest, ...probabilities });
  for (const probability of Object.values(probabilities)) {
    expect(probability, told).toBeGreaterThan(MIN_PROBABILITY);
  }
}
