/**
 * Loans without a closed form: five assets, GARCH, capped sales. Their figures are known from another program.
 *
 * `known-figures.ts` holds what bench/known/known_figures.py found with NumPy's own generator on millions of paths of
 * these very plans; both errors are in the comparison.
 */
import type { CappedLoanOutcome, LoanOutcome } from '#src/core/engine.js';
import type { CappedLoanProduct, LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { expectedVariance } from '../../test/support/closed-forms/garch-moments.ts';
import { meanWithError } from '../../test/support/mean-with-error.ts';
import type { BenchPlan, FinishedRun } from '../bench-plan.ts';
import type { Comparison } from '../judge.ts';
import { KNOWN_FIGURES, type KnownPlan } from '../known-figures.ts';

const STEPS = 720;
const TOP_UP_STEPS = 72;
const TRACED_PATHS = 65_536;
/** Single precision moves a threshold by less than 1e-6 of its value, and with it a share by less than this. */
const ALLOWANCE = 1e-5;

/** Collateral in three assets, a loan in two. */
export const loanFiveAssets: BenchPlan<LoanProduct> = {
  name: 'loan-five-assets',
  title: 'Loan, three collateral against two loan assets, 720 hourly steps',
  paths: { quick: 2_000, cpu: 20_000, software: 2_000, gpu: 4_000_000 },
  plan: (paths, seed) => ({
    seed,
    paths,
    scenarios: {
      kind: 'gbm',
      assets: 5,
      annualVolatility: Float64Array.of(0.55, 0.75, 0.95, 0.05, 0.1),
      factor: scaledFactor(
        [0.55, 0.75, 0.95, 0.05, 0.1],
        [0.8, 0.7, 0.75, 0.1, 0.05, 0.1, 0.2, 0.15, 0.2, 0.3],
      ),
    },
    product: {
      kind: 'loan',
      portfolio: {
        collateralWeights: Float64Array.of(0.5, 0.3, 0.2, 0, 0),
        loanWeights: Float64Array.of(0, 0, 0, 0.7, 0.3),
      },
      steps: STEPS,
      topUpSteps: TOP_UP_STEPS,
      nominalRatio: 1.5,
      marginCallRatio: 1.3,
      liquidationRatio: 1.2,
      recoveryRatio: 1.4,
    },
  }),
  judge: async runs => judgeLoan('loan-five-assets', runs),
};

const garchScenarios = {
  kind: 'garch',
  assets: 2,
  omega: Float64Array.of(0.00005, 0.0000005),
  alpha: Float64Array.of(0.1, 0.08),
  beta: Float64Array.of(0.86, 0.9),
  firstVariance: Float64Array.of(0.002, 0.00003),
  factor: Float64Array.of(1, 0, 0.3, Math.sqrt(1 - 0.3 ** 2)),
  volatilityScale: 1.1,
} as const;

const garchLoan: SimulationPlan<LoanProduct> = {
  seed: 0,
  paths: 0,
  scenarios: garchScenarios,
  product: {
    kind: 'loan',
    portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
    steps: STEPS,
    topUpSteps: TOP_UP_STEPS,
    nominalRatio: 1.5,
    marginCallRatio: 1.3,
    liquidationRatio: 1.2,
    recoveryRatio: 1.4,
  },
};

/** One asset against one, both under GARCH(1,1). */
export const garchPlan: BenchPlan<LoanProduct> = {
  name: 'garch',
  title: 'Loan under GARCH(1,1), one asset against one, 720 hourly steps',
  paths: { quick: 2_000, cpu: 50_000, software: 5_000, gpu: 4_000_000 },
  plan: (paths, seed) => ({ ...garchLoan, seed, paths }),
  async judge(runs, engine) {
    const { finalRatio } = await engine.trace({ ...runs[0].plan, paths: TRACED_PATHS });
    const { mean, standardError } = meanWithError(finalRatio.map(Math.log));
    return [
      ...judgeLoan('garch', runs),
      {
        figure: 'mean of ln(C/L) at the end',
        got: mean,
        known: meanLogRatio(),
        standardError,
        allowance: ALLOWANCE,
      },
    ];
  },
};

/** E[ln C_T - ln L_T] = -s^2 / 2 sum over days of (E[h_C] - E[h_L]), s the volatility scale. */
function meanLogRatio(): number {
  const { omega, alpha, beta, firstVariance, volatilityScale } = garchScenarios;
  let sum = 0;
  for (let day = 1; day <= STEPS / 24; day++) {
    const variance = (i: number) =>
      expectedVariance({ omega: omega[i], alpha: alpha[i], beta: beta[i] }, firstVariance[i], day);
    sum += variance(0) - variance(1);
  }
  return (-(volatilityScale ** 2) * sum) / 2;
}

/** Two collateral assets against one, sold at no more than two percent of the loan an hour. */
export const lowLiquidityPlan: BenchPlan<CappedLoanProduct> = {
  name: 'low-liquidity',
  title: 'Loan with capped sales, two collateral assets against one, 720 hourly steps',
  paths: { quick: 2_000, cpu: 20_000, software: 2_000, gpu: 4_000_000 },
  plan: (paths, seed) => ({
    seed,
    paths,
    scenarios: {
      kind: 'gbm',
      assets: 3,
      annualVolatility: Float64Array.of(0.7, 0.9, 0.05),
      factor: scaledFactor([0.7, 0.9, 0.05], [0.8, 0.1, 0.05]),
    },
    product: {
      kind: 'capped-loan',
      portfolio: { collateralWeights: Float64Array.of(0.6, 0.4, 0), loanWeights: Float64Array.of(0, 0, 1) },
      steps: STEPS,
      topUpSteps: TOP_UP_STEPS,
      nominalRatio: 1.5,
      marginCallRatio: 1.3,
      liquidationRatio: 1.2,
      recoveryRatio: 1.4,
      capacityPerStep: 0.02,
    },
  }),
  judge: async runs =>
    judgeFigures<CappedLoanOutcome>(
      'low-liquidity',
      runs.map(({ outcome }) => outcome),
      [
        'marginCalls',
        'liquidations',
        'closeouts',
        'underwater',
        'calls',
        'callAmount',
        'sellers',
        'soldAmount',
      ],
    ),
};

/** One plan of known-figures.ts. */
interface KnownFigures {
  readonly paths: number;
  readonly figures: Readonly<Record<string, { readonly mean: number; readonly deviation: number }>>;
}

function judgeLoan(plan: KnownPlan, runs: readonly FinishedRun<LoanProduct>[]): Comparison[] {
  return judgeFigures<LoanOutcome>(
    plan,
    runs.map(({ outcome }) => outcome),
    ['marginCalls', 'liquidations', 'closeouts', 'underwater', 'openSteps', 'loss'],
  );
}

/** Means per path of the outcomes' sums against the known means. */
function judgeFigures<O extends { readonly paths: number }>(
  plan: KnownPlan,
  outcomes: readonly O[],
  names: readonly (keyof O & string)[],
): Comparison[] {
  const known: KnownFigures = KNOWN_FIGURES[plan];
  const sum = (name: keyof O) => outcomes.reduce((total, outcome) => total + Number(outcome[name]), 0);
  const paths = sum('paths');
  return names.map(name => {
    const { mean, deviation } = known.figures[name];
    return {
      figure: `mean of ${name}`,
      got: sum(name) / paths,
      known: mean,
      standardError: deviation * Math.sqrt(1 / paths + 1 / known.paths),
      allowance: ALLOWANCE * Math.max(1, mean),
    };
  });
}

/**
 * Row i is sigma_i times row i of the Cholesky factor of a correlation matrix.
 *
 * @param below the correlations below the diagonal, row by row
 */
function scaledFactor(volatility: readonly number[], below: readonly number[]): Float64Array {
  const n = volatility.length;
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    let rest = 1;
    for (let j = 0; j < i; j++) {
      let sum = below[(i * (i - 1)) / 2 + j];
      for (let k = 0; k < j; k++) sum -= factor[i * n + k] * factor[j * n + k];
      factor[i * n + j] = sum / factor[j * n + j];
      rest -= factor[i * n + j] ** 2;
    }
    factor[i * n + i] = Math.sqrt(rest);
  }
  return factor.map((value, at) => value * volatility[Math.floor(at / n)]);
}
