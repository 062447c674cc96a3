/**
 * W1, the reference work: one volatile collateral against one calm loan asset, hourly over thirty days.
 *
 * A collateral of annual volatility 0.8 against a loan asset of 0.1, correlation 0.3, no drift in price, CCR from 1.5;
 * per path whether the CCR fell below 1.3, 1.1 and 1.0 and where it was lowest. The grace period is as long as the
 * term, so that no loan is closed out and the three states are the three first passages.
 *
 * For cost against size the term can be of any length, and the collateral can be split into perfectly correlated
 * equal parts: more assets to draw and step, the same answer.
 */
import type { Engine, LoanOutcome } from '#src/core/engine.js';
import type { LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { firstPassageExact } from '../../test/support/closed-forms/first-passage.ts';
import { logRatio } from '../../test/support/closed-forms/log-ratio.ts';
import { meanWithError } from '../../test/support/mean-with-error.ts';
import type { BenchPlan, FinishedRun } from '../bench-plan.ts';
import { pooled } from '../bench-plan.ts';
import { type Comparison, compareShare } from '../judge.ts';

const COLLATERAL_VOLATILITY = 0.8;
const LOAN_VOLATILITY = 0.1;
const CORRELATION = 0.3;
const NOMINAL_RATIO = 1.5;
const LEVELS = { marginCalls: 1.3, liquidations: 1.1, underwater: 1 } as const;
const STEPS = 720;
const HOURS_PER_YEAR = 8760;

/** Of W1 itself, discretely monitored, by density recursion to six digits. */
export const W1_EXACT = { marginCalls: 0.545359, liquidations: 0.184137, underwater: 0.080363 } as const;
/** Mean of the lowest CCR, the start included; by the continuity correction, to five digits. */
export const W1_MEAN_MINIMUM = 1.25705;
const DIGITS = 5e-7;
/** The continuity correction puts the probabilities up to 0.9e-4 too low, and their integral over 0..1.5 with them. */
const MEAN_MINIMUM_ALLOWANCE = 1e-4;
/** The density recursion of the closed forms, in probability. */
const RECURSION_ERROR = 1e-8;
/** Paths that are looked into for the mean minimum. */
const TRACED_PATHS = 16_384;

/** The shape of the work: W1 itself is 720 steps of 2 assets. */
export interface W1Shape {
  readonly steps: number;
  /** 2 or more: the last is the loan's, the others share the collateral. */
  readonly assets: number;
}

/** W1, or W1 stretched. */
export function w1Plan({ steps = STEPS, assets = 2 }: Partial<W1Shape> = {}): BenchPlan<LoanProduct> {
  const shape = { steps, assets };
  return {
    name: 'w1',
    title: 'W1: one asset against one, 720 hourly steps, three levels and the lowest CCR',
    paths: { quick: 4_000, cpu: 50_000, software: 8_000, gpu: 16_000_000 },
    plan: (paths, seed) => w1Simulation(shape, paths, seed),
    async judge(runs, engine) {
      const levels = judgeLevels(runs, w1Probabilities(steps), steps === STEPS ? DIGITS : RECURSION_ERROR);
      if (steps !== STEPS || assets !== 2) return levels;
      return [...levels, await judgeMinimum(w1Simulation(shape, TRACED_PATHS, runs[0].plan.seed), engine)];
    },
  };
}

/** W1 whose ratios are counted, too. */
export function w1WithDistribution(): BenchPlan<LoanProduct> {
  const plain = w1Plan();
  return {
    ...plain,
    name: 'w1-distribution',
    title: 'W1 with the distribution of its ratios over time',
    plan: (paths, seed) => ({ ...plain.plan(paths, seed), distribution: { daySteps: 24 } }),
  };
}

/** The simulation itself; also run beside the programs of others. */
export function w1Simulation(
  { steps, assets }: W1Shape,
  paths: number,
  seed: number,
): SimulationPlan<LoanProduct> {
  const parts = assets - 1;
  const factor = new Float64Array(assets * assets);
  for (let i = 0; i < parts; i++) factor[i * assets] = COLLATERAL_VOLATILITY;
  factor[parts * assets] = LOAN_VOLATILITY * CORRELATION;
  factor[parts * assets + parts] = LOAN_VOLATILITY * Math.sqrt(1 - CORRELATION ** 2);
  const isLoan = (i: number) => i === parts;
  const perAsset = (value: (i: number) => number) =>
    Float64Array.from({ length: assets }, (_, i) => value(i));
  return {
    seed,
    paths,
    scenarios: {
      kind: 'gbm',
      assets,
      annualVolatility: perAsset(i => (isLoan(i) ? LOAN_VOLATILITY : COLLATERAL_VOLATILITY)),
      factor,
    },
    product: {
      kind: 'loan',
      portfolio: {
        collateralWeights: perAsset(i => (isLoan(i) ? 0 : 1 / parts)),
        loanWeights: perAsset(i => (isLoan(i) ? 1 : 0)),
      },
      steps,
      topUpSteps: steps,
      nominalRatio: NOMINAL_RATIO,
      marginCallRatio: LEVELS.marginCalls,
      liquidationRatio: LEVELS.liquidations,
      recoveryRatio: NOMINAL_RATIO,
    },
  };
}

type Probabilities = Readonly<Record<keyof typeof LEVELS, number>>;

/** Probability of each state after `steps` hours. */
export function w1Probabilities(steps: number): Probabilities {
  return steps === STEPS ? W1_EXACT : recursion(steps);
}

/** The same by the density recursion, for any number of steps. */
export function recursion(steps: number): Probabilities {
  const ratio = logRatio(COLLATERAL_VOLATILITY, LOAN_VOLATILITY, CORRELATION);
  const below = (level: number) =>
    firstPassageExact(ratio, Math.log(level / NOMINAL_RATIO), steps / HOURS_PER_YEAR, steps);
  return {
    marginCalls: below(LEVELS.marginCalls),
    liquidations: below(LEVELS.liquidations),
    underwater: below(LEVELS.underwater),
  };
}

function judgeLevels(
  runs: readonly FinishedRun<LoanProduct>[],
  known: Probabilities,
  allowance: number,
): Comparison[] {
  const paths = pooled(runs, outcome => outcome.paths);
  const count = (figure: keyof Probabilities) => pooled(runs, (outcome: LoanOutcome) => outcome[figure]);
  return (Object.keys(LEVELS) as (keyof Probabilities)[]).map(figure =>
    compareShare(`share below ${LEVELS[figure]}`, count(figure), paths, known[figure], allowance),
  );
}

async function judgeMinimum(plan: SimulationPlan<LoanProduct>, engine: Engine): Promise<Comparison> {
  const { minimumRatio } = await engine.trace(plan);
  const { mean, standardError } = meanWithError(minimumRatio.map(r => NOMINAL_RATIO * Math.min(1, r)));
  return {
    figure: 'mean lowest CCR',
    got: mean,
    known: W1_MEAN_MINIMUM,
    standardError,
    allowance: MEAN_MINIMUM_ALLOWANCE,
  };
}
