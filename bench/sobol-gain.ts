/**
 * What Sobol points gain over random paths for value at risk: error against error, at equal points and at equal processor time.
 *
 *   node build/bench/sobol-gain.js [seeds]
 *
 * One thread, double precision; plain sampling by the SIMD kernel is timed beside. Samplings take turns, so that what else the
 * machine does slows all of them. The truth is a known law for one asset, else 16 times 2^18 points with a seed of their own.
 */

import { exactTailFigures } from '#src/core/figures/exact-value-at-risk.js';
import { SCRAMBLES } from '#src/core/plan/model/gbm-sobol.js';
import type { GbmScenarios, SimulationPlan, ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import { writeHorizonValues } from '#src/core/product/value-at-risk.js';
import { referenceModel } from '#src/core/reference/models.js';
import { instantiateKernel } from '#src/core/simd/kernel.js';
import { simdHorizons } from '#src/core/simd/products.js';
import { lowerTails } from '#src/core/stats/tail.js';
import { readKernel } from '#src/engine/wasm/read-kernel.js';
import { sobolScenarios } from '#src/model/principal-components.js';
import { report } from './operations/figures.ts';

type TailPlan = SimulationPlan<ValueAtRiskProduct>;

const PATHS = SCRAMBLES * 2 ** 10;
const TRUTH_PATHS = SCRAMBLES * 2 ** 18;
const SEED_OF_TRUTH = 4_000_000_000;
const HORIZON_DAYS = 10;
const CORRELATION = 0.6;
const seeds = Number(process.argv[2] ?? 200);

/** So many assets of 50 to 110 % a year, in equal parts, against the first of them. */
function planOf(n: number): TailPlan {
  const sigma = (i: number) => 0.5 + (0.6 * i) / Math.max(1, n - 1);
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    // One common factor: equal correlations, by the Cholesky factor of their matrix.
    for (let j = 0; j <= i; j++) factor[i * n + j] = sigma(i) * equicorrelated(i, j);
  }
  const scenarios: GbmScenarios = {
    kind: 'gbm',
    assets: n,
    annualVolatility: Float64Array.from({ length: n }, (_, i) => sigma(i)),
    factor,
  };
  const weights = (of: (i: number) => number) => Float64Array.from({ length: n }, (_, i) => of(i));
  return {
    seed: 0,
    paths: PATHS,
    scenarios,
    product: {
      kind: 'value-at-risk',
      portfolio: {
        collateralWeights: weights(() => 1 / n),
        loanWeights: weights(i => (i === 0 ? 1 : 0)),
      },
      collateralValue: 1,
      loanValue: 0.5,
      horizonYears: Float64Array.of(HORIZON_DAYS / 365),
      horizonSteps: new Uint32Array(0),
      quantiles: Float64Array.of(0.95, 0.99),
    },
  };
}

/** Entry (i, j), j <= i, of the lower-triangular factor of a matrix with ones and `CORRELATION`. */
function equicorrelated(i: number, j: number): number {
  let squares = 0;
  let diagonal = 1;
  let entry = CORRELATION;
  for (let k = 0; k <= j; k++) {
    diagonal = Math.sqrt(1 - squares);
    entry = (CORRELATION - squares) / diagonal;
    squares += entry * entry;
  }
  return i === j ? diagonal : entry;
}

const kernel = instantiateKernel(readKernel());

/** Var and CVar of the collateral at both quantiles, and the processor seconds that they took. */
function run(plan: TailPlan, engine: 'double' | 'simd'): { figures: number[]; seconds: number } {
  const before = process.cpuUsage();
  const horizons = engine === 'simd' ? simdHorizons(kernel, plan, 1) : referenceModel(plan).horizons(plan, 1);
  const values = new Float64Array(3 * plan.paths);
  writeHorizonValues(plan, { first: 0, count: plan.paths }, { first: 0, count: 1, values }, horizons);
  const tails = lowerTails(values.subarray(0, plan.paths), plan.product.quantiles);
  const { user, system } = process.cpuUsage(before);
  return {
    figures: tails.flatMap(({ quantile, tailMean }) => [quantile, tailMean]),
    seconds: (user + system) / 1e6,
  };
}

const atSobolPoints = (plan: TailPlan): TailPlan => ({
  ...plan,
  scenarios: sobolScenarios(plan.scenarios as GbmScenarios),
});

function truthOf(plan: TailPlan): number[] {
  const exact = [0, 1].flatMap(i => {
    const { CollateralVar, CollateralCVar } = exactTailFigures(plan, 0, i);
    return [CollateralVar, CollateralCVar];
  });
  if (exact.every(figure => figure !== undefined)) return exact;
  return run({ ...atSobolPoints(plan), paths: TRUTH_PATHS, seed: SEED_OF_TRUTH }, 'double').figures;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];
const NAMES = ['Var 95 %', 'CVar 95 %', 'Var 99 %', 'CVar 99 %'];

const rows = [1, 2, 5, 32].map(assets => {
  const plan = planOf(assets);
  const truth = truthOf(plan);
  const squares = { random: NAMES.map(() => 0), sobol: NAMES.map(() => 0) };
  const seconds = { random: [] as number[], sobol: [] as number[], simd: [] as number[] };
  for (let seed = 0; seed < seeds; seed++) {
    const seeded = { ...plan, seed };
    const [random, sobol] = [run(seeded, 'double'), run(atSobolPoints(seeded), 'double')];
    seconds.simd.push(run(seeded, 'simd').seconds);
    for (const [name, each] of Object.entries({ random, sobol })) {
      const key = name as 'random' | 'sobol';
      seconds[key].push(each.seconds);
      each.figures.forEach((figure, i) => {
        squares[key][i] += (figure - truth[i]) ** 2;
      });
    }
  }
  const errors = NAMES.map((_, i) => Math.sqrt(squares.random[i] / squares.sobol[i]));
  const times = { random: median(seconds.random), sobol: median(seconds.sobol), simd: median(seconds.simd) };
  // The error of random paths falls with the root of their number, so with the root of the time.
  const atTime = (time: number) => errors.map(error => error * Math.sqrt(time / times.sobol));
  console.error(`${assets} assets: ${errors.map(error => error.toFixed(1)).join(', ')}`);
  return {
    assets,
    seconds: times,
    gain: Object.fromEntries(NAMES.map((name, i) => [name, errors[i]])),
    gainAtEqualTime: Object.fromEntries(NAMES.map((name, i) => [name, atTime(times.random)[i]])),
    gainAtEqualTimeOverSimd: Object.fromEntries(NAMES.map((name, i) => [name, atTime(times.simd)[i]])),
  };
});

report(
  'sobol-gain',
  'node build/bench/sobol-gain.js',
  { points: PATHS, seeds, horizonDays: HORIZON_DAYS, correlation: CORRELATION, rows },
  {
    'Sobol points are nearer to the truth in the same time, in every row': rows.every(row =>
      Object.values(row.gainAtEqualTime).every(gain => gain > 1),
    ),
  },
);
