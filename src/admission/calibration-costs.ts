/**
 * How long models take to be fitted before their paths are made.
 *
 * Source: bench/operations/calibrations.ts, result in bench/results/operations/calibrations.json. On another machine these are
 * wrong by a factor, which run-times.ts learns from the first runs. One thread of a server fits the models of a key.
 * Must not know: requests, queues.
 */
import type { ModelKind } from '../core/plan/models.ts';

/** What the time of fitting depends on. */
export interface CalibrationSize {
  readonly model: ModelKind;
  /** Windows to which the model is fitted: the days of a back-test, else 1. */
  readonly fits: number;
  readonly assets: number;
  readonly lookbackDays: number;
}

interface CalibrationCost {
  readonly secondsPerFit: number;
  readonly secondsPerAssetDay: number;
}

/** A model without a row does not compile. Student's t makes a table of its multiplier for each fit; the bootstrap walks hourly rows. */
const COSTS: Readonly<Record<ModelKind, CalibrationCost>> = {
  gbm: { secondsPerFit: 0, secondsPerAssetDay: 2e-7 },
  'gbm-sobol': { secondsPerFit: 0, secondsPerAssetDay: 2e-7 },
  'gbm-shifted': { secondsPerFit: 0, secondsPerAssetDay: 2e-7 },
  garch: { secondsPerFit: 0.001, secondsPerAssetDay: 2.5e-5 },
  historical: { secondsPerFit: 0, secondsPerAssetDay: 0 },
  'student-t': { secondsPerFit: 0.025, secondsPerAssetDay: 1e-6 },
  'filtered-historical': { secondsPerFit: 0.002, secondsPerAssetDay: 3.5e-5 },
  bootstrap: { secondsPerFit: 0, secondsPerAssetDay: 5e-5 },
};

/** Seconds that the fits of a request take, with the thread for themselves. */
export function calibrationSeconds({ model, fits, assets, lookbackDays }: CalibrationSize): number {
  const { secondsPerFit, secondsPerAssetDay } = COSTS[model];
  return fits * (secondsPerFit + assets * lookbackDays * secondsPerAssetDay);
}
