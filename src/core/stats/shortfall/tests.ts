/** Every test of the forecasts of one level. */
import { mean } from '../moments.ts';
import { type EsrTests, esrTests } from './esr.ts';
import { compareScores, fz0Scores, type MeanDifference } from './fz0.ts';
import type { JudgedTails } from './judged.ts';
import { type Z2Test, z2Test } from './z2.ts';

/** Simulated histories of the p-value of Z2. */
export const RESAMPLES = 10_000;

/** Forecasts of a level, and GBM's forecasts of the same days, if compared. */
export interface ComparedTails {
  readonly judged: JudgedTails;
  readonly gbm: JudgedTails | undefined;
}

export interface ShortfallTests {
  readonly z2: Z2Test;
  /** Mean of FZ0. */
  readonly score: number;
  /** Its difference to GBM's. */
  readonly againstGbm: MeanDifference | undefined;
  readonly esr: EsrTests;
}

/** @returns undefined where a forecast of a level is not below 0: the tests are of losses */
export function shortfallTests(
  { judged, gbm }: ComparedTails,
  { seed, stream }: { readonly seed: number; readonly stream: number },
): ShortfallTests | undefined {
  if (!areLosses(judged)) return undefined;
  const scores = fz0Scores(judged);
  return {
    z2: z2Test(judged, { resamples: RESAMPLES, seed, stream }),
    score: mean(scores),
    againstGbm: gbm !== undefined && areLosses(gbm) ? compareScores(scores, fz0Scores(gbm)) : undefined,
    esr: esrTests(judged),
  };
}

const areLosses = ({ levels }: JudgedTails): boolean => levels.every(level => level < 0);
