/**
 * An origination scan: 4,097 candidates of N for the pair of W1, by each of the three scores.
 *
 * The path minimum of a candidate is a first passage with an exact probability. Liquidation and closeout are judged
 * by brute force: the loan of a candidate, run for itself on the same paths, must give the same count.
 */
import type { Engine } from '#src/core/engine.js';
import type {
  LoanProduct,
  OriginationProduct,
  OriginationScore,
  SimulationPlan,
} from '#src/core/plan/simulation-plan.js';
import { firstPassageExact } from '../../test/support/closed-forms/first-passage.ts';
import { logRatio } from '../../test/support/closed-forms/log-ratio.ts';
import { type BenchPlan, type FinishedRun, pooled } from '../bench-plan.ts';
import { type Comparison, compareExactly, compareShare } from '../judge.ts';
import { w1Simulation } from './w1.ts';

const CANDIDATE_INTERVALS = 4096;
const LOWEST_RATIO = 1.2;
const HIGHEST_RATIO = 3;
const LIQUIDATION_RATIO = 1.1;
const TOP_UP_STEPS = 72;
const STEPS = 720;
/** Candidates that are judged. */
const JUDGED = [0, 256, 1024];
/** Of the density recursion; single precision moves a threshold by less than 1e-6. */
const ALLOWANCE = 1e-5;

const candidates = Float64Array.from(
  { length: CANDIDATE_INTERVALS + 1 },
  (_, k) => LOWEST_RATIO + (k * (HIGHEST_RATIO - LOWEST_RATIO)) / CANDIDATE_INTERVALS,
);
const marginCallRatio = (n: number) => (LIQUIDATION_RATIO + n) / 2;

/** The scan for one score. */
export function originationPlan(score: OriginationScore): BenchPlan<OriginationProduct> {
  return {
    name: `origination-${score}`,
    title: `Origination by ${score}, 4,097 candidates, one asset against one, 720 hourly steps`,
    paths: { quick: 2_000, cpu: 50_000, software: 5_000, gpu: 4_000_000 },
    plan: (paths, seed) => scan(score, paths, seed),
    judge: (runs, engine) =>
      score === 'path-minimum' ? judgeMinimum(runs) : judgeByLoans(score, runs[0], engine),
  };
}

function scan(score: OriginationScore, paths: number, seed: number): SimulationPlan<OriginationProduct> {
  const { scenarios, product } = w1Simulation({ steps: STEPS, assets: 2 }, paths, seed);
  const marginCalls = candidates.map(n => marginCallRatio(n) / n);
  const alone = score === 'path-minimum';
  return {
    seed,
    paths,
    scenarios,
    product: {
      kind: 'origination',
      portfolio: product.portfolio,
      steps: STEPS,
      topUpSteps: TOP_UP_STEPS,
      score,
      liquidationThreshold: alone ? marginCalls : candidates.map(n => LIQUIDATION_RATIO / n),
      marginCallThreshold: alone ? new Float64Array(0) : marginCalls,
    },
  };
}

/** Shares of the margin calls against the exact first passages. */
async function judgeMinimum(runs: readonly FinishedRun<OriginationProduct>[]): Promise<Comparison[]> {
  const paths = pooled(runs, outcome => outcome.paths);
  const ratio = logRatio(0.8, 0.1, 0.3);
  return JUDGED.map(k => {
    const n = candidates[k];
    const probability = firstPassageExact(ratio, Math.log(marginCallRatio(n) / n), STEPS / 8760, STEPS);
    const count = pooled(runs, outcome => outcome.counts[k]);
    return compareShare(`share called at N = ${n}`, count, paths, probability, ALLOWANCE);
  });
}

/** Counts of a timed scan against one loan run per candidate, on the same paths. */
async function judgeByLoans(
  score: 'liquidation' | 'closeout',
  { plan, outcome }: FinishedRun<OriginationProduct>,
  engine: Engine,
): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const k of JUDGED) {
    const n = candidates[k];
    const loan = await engine.run(loanOf(n, plan));
    const own = score === 'liquidation' ? loan.liquidations : loan.closeouts;
    comparisons.push(compareExactly(`paths in ${score} at N = ${n}`, outcome.counts[k], own));
  }
  return comparisons;
}

/** The loan of the candidate `n` on the paths of a scan: R = N. */
function loanOf(n: number, { paths, seed }: SimulationPlan): SimulationPlan<LoanProduct> {
  const plan = w1Simulation({ steps: STEPS, assets: 2 }, paths, seed);
  return {
    ...plan,
    product: {
      ...plan.product,
      topUpSteps: TOP_UP_STEPS,
      nominalRatio: n,
      marginCallRatio: marginCallRatio(n),
      liquidationRatio: LIQUIDATION_RATIO,
      recoveryRatio: n,
    },
  };
}
