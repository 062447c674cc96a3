/**
 * The predicted time of fitting models, before paths are simulated.
 *
 * Takes: the cost that a methodology declares, as bench/operations/calibrations.ts measures it
 * (bench/results/operations/calibrations.json). On another machine it is wrong by a factor, which run-times.ts estimates from the first
 * runs. One thread of a server fits the models of a key. Must not know: requests, queues.
 */

/** The inputs of the predicted time of fitting. */
export interface CalibrationSize {
  /** Windows to which the model is fitted: the days of a back-test, else 1. */
  readonly fits: number;
  readonly assets: number;
  readonly lookbackDays: number;
}

/** Seconds that a fit takes in its thread: the methodology declares them. */
export interface CalibrationCost {
  readonly secondsPerFit: number;
  readonly secondsPerAssetDay: number;
}

/** Seconds of the fits of a request that have the thread to themselves. */
export function calibrationSeconds(
  { fits, assets, lookbackDays }: CalibrationSize,
  { secondsPerFit, secondsPerAssetDay }: CalibrationCost,
): number {
  return fits * (secondsPerFit + assets * lookbackDays * secondsPerAssetDay);
}
