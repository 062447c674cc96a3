/**
 * Loans under Student's t, filtered historical simulation and the bootstrap: one volatile asset against a dollar, hourly over thirty days.
 *
 * What is known of them is exact: the collateral is a martingale, and where its drift does not depend on the path the mean of
 * its logarithm follows from the drift.
 */
import type { LoanProduct, Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { fillPair } from '#src/core/random/draws.js';
import { BLOCK_STEPS } from '#src/core/random/stream.js';
import { bootstrapScenarios } from '#src/models/calibration/bootstrap.js';
import { calibrateConstantVolatility, gbmScenarios } from '#src/models/calibration/constant-volatility.js';
import { filteredHistoricalScenarios } from '#src/models/calibration/filtered-historical.js';
import { fitGarchModel } from '#src/models/calibration/garch.js';
import { varianceMultiplier } from '#src/models/calibration/variance-multiplier.js';
import { meanWithError } from '../../test/support/mean-with-error.ts';
import { type BenchPlan, pooled } from '../bench-plan.ts';

const STEPS = 720;
const DAYS = STEPS / 24;
const SYMBOLS = ['VOLATILE', 'DOLLAR'];
const WINDOW_DAYS = 365;
const WINDOW_HOURS = 24 * 90;
const DEGREES_OF_FREEDOM = 3.5;
const TRACED_PATHS = 65_536;
/** Rounding of a running sum of 720 steps in single precision, and of tables that are right to 1e-6 of a variance. */
const ALLOWANCE = 1e-5;

/** Returns of a window: those of the first asset are GARCH(1,1), the second does not move. */
function windowOf(length: number, scale = 1): Float64Array[] {
  const returns = new Float64Array(length);
  const z = new Float64Array(BLOCK_STEPS);
  let variance = 8e-4;
  for (let t = 0; t < length; t++) {
    const place = t % BLOCK_STEPS;
    if (place === 0) fillPair(11, 0, 0, t / BLOCK_STEPS, BLOCK_STEPS, z, new Float64Array(BLOCK_STEPS));
    const shock = Math.sqrt(variance) * z[place];
    returns[t] = scale * shock;
    variance = 4e-5 + 0.1 * shock * shock + 0.85 * variance;
  }
  return [returns, new Float64Array(length)];
}

/** Scenarios, and the mean of ln C at the end where it is known. */
interface Known {
  readonly scenarios: Scenarios;
  readonly meanLog: number | undefined;
}

function studentT(): Known {
  const model = calibrateConstantVolatility(SYMBOLS, windowOf(WINDOW_DAYS), 365, 0);
  const multiplier = varianceMultiplier(DEGREES_OF_FREEDOM);
  return {
    scenarios: {
      ...gbmScenarios(model),
      kind: 'student-t',
      degreesOfFreedom: DEGREES_OF_FREEDOM,
      multiplier: multiplier.table,
      multiplierCap: multiplier.cap,
    },
    // E W = 1.
    meanLog: (-(model.annualVolatility[0] ** 2) * DAYS) / 365 / 2,
  };
}

function filteredHistorical(): Known {
  const scenarios = filteredHistoricalScenarios(fitGarchModel(SYMBOLS, windowOf(WINDOW_DAYS)), 0);
  return { scenarios, meanLog: undefined };
}

/** Every row has the mean of the rows, whatever came before it; drifts are those of the rows' numbers. */
function bootstrap(returns: readonly Float64Array[], stepsPerRow: 1 | 24): Known {
  const scenarios = bootstrapScenarios(returns, stepsPerRow, 0);
  const { rows, drift, assets } = scenarios;
  const mean = returns[0].reduce((sum, r) => sum + r, 0) / (rows.length / assets);
  let meanLog = 0;
  for (let row = 0; row < STEPS / stepsPerRow; row++)
    meanLog += mean + drift[Math.min(row, drift.length / assets - 1) * assets];
  return { scenarios, meanLog };
}

function heavyTailedPlan(name: string, title: string, known: () => Known): BenchPlan<LoanProduct> {
  let made: Known | undefined;
  const knownOnce = () => {
    made ??= known();
    return made;
  };
  const plan = (paths: number, seed: number): SimulationPlan<LoanProduct> => ({
    seed,
    paths,
    scenarios: knownOnce().scenarios,
    product: {
      kind: 'loan',
      portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
      steps: STEPS,
      topUpSteps: 72,
      nominalRatio: 1.5,
      marginCallRatio: 1.3,
      liquidationRatio: 1.2,
      recoveryRatio: 1.4,
    },
  });
  return {
    name,
    title: `Loan under ${title}, one asset against a dollar, 720 hourly steps`,
    paths: { quick: 2_000, cpu: 50_000, software: 5_000, gpu: 4_000_000 },
    plan,
    async judge(runs, engine) {
      const { finalRatio, minimumRatio } = await engine.trace(
        plan(TRACED_PATHS, runs[0].plan.seed + runs.length),
      );
      const price = meanWithError(finalRatio);
      const log = meanWithError(finalRatio.map(Math.log));
      const { meanLog } = knownOnce();
      const figures = [
        { figure: 'mean of C/L at the end', got: price.mean, known: 1, standardError: price.standardError },
        ...(meanLog === undefined
          ? []
          : [
              {
                figure: 'mean of ln(C/L) at the end',
                got: log.mean,
                known: meanLog,
                standardError: log.standardError,
              },
            ]),
      ];
      // The sums of the timed runs against records of other paths.
      const { nominalRatio } = plan(1, 0).product;
      const low = minimumRatio.filter(ratio => nominalRatio * ratio < 1).length / TRACED_PATHS;
      const paths = pooled(runs, outcome => outcome.paths);
      const underwater = {
        figure: 'share below a ratio of 1',
        got: pooled(runs, outcome => outcome.underwater) / paths,
        known: low,
        standardError: Math.sqrt(low * (1 - low) * (1 / TRACED_PATHS + 1 / paths)),
      };
      return [...figures, underwater].map(figure => ({ ...figure, allowance: ALLOWANCE }));
    },
  };
}

export const heavyTailedPlans: readonly BenchPlan<LoanProduct>[] = [
  heavyTailedPlan('student-t', "Student's t by the day", studentT),
  heavyTailedPlan('filtered-historical', 'filtered historical simulation', filteredHistorical),
  heavyTailedPlan('bootstrap-days', 'the bootstrap of days', () => bootstrap(windowOf(WINDOW_DAYS), 24)),
  heavyTailedPlan('bootstrap-hours', 'the bootstrap of hours', () =>
    bootstrap(windowOf(WINDOW_HOURS, 1 / 5), 1),
  ),
];
