/** Standard errors of the figures of advance rates whose rate varies with the sample (docs/advance-rate.md, "Accuracy"). */
import type { RateOutcome } from '../plan/product/advance-rate.ts';
import { errorOfWidth } from '../stats/intervals.ts';

/**
 * Standard error of the mean loss at the rate of a confidence, which varies with the sample. To first order the rate varies by
 * -(F_n - p) / f and the mean loss with it; f follows from the interval of the rate. Undefined without that.
 *
 * @param meanLoss standard error at a given rate
 */
export function errorAtConfidence(
  at: RateOutcome,
  exposures: number,
  meanLoss: number,
  level: number,
): number | undefined {
  if (at.low === undefined || at.high === undefined) return undefined;
  const p = at.losing / exposures;
  const ofRate = slopeOf(at, exposures) * errorOfWidth(at.low, at.high, level);
  const ofShare = Math.sqrt((p * (1 - p)) / exposures);
  const covariance = ((at.loss / exposures) * (1 - p)) / exposures;
  return Math.sqrt(Math.max(0, meanLoss ** 2 + ofRate ** 2 - (2 * ofRate * covariance) / ofShare));
}

/**
 * Standard error of the share that loses at the rate of an expected loss, which varies with the sample: to first order the rate varies by
 * minus the error of the mean loss over its slope, and the share with it by the density of the sales there, which follows from the order
 * statistics around the share. Undefined without these.
 *
 * @param meanLoss standard error at a given rate
 */
export function errorAtExpectedLoss(
  at: RateOutcome,
  exposures: number,
  meanLoss: number,
  level: number,
): number | undefined {
  if (at.low === undefined || at.high === undefined || !(at.low < at.high)) return undefined;
  const p = at.losing / exposures;
  const ofShare = Math.sqrt((p * (1 - p)) / exposures);
  const density = ofShare / errorOfWidth(at.low, at.high, level);
  const perLoss = density / slopeOf(at, exposures);
  const covariance = ((at.loss / exposures) * (1 - p)) / exposures;
  return Math.sqrt(Math.max(0, ofShare ** 2 + (perLoss * meanLoss) ** 2 - 2 * perLoss * covariance));
}

/** Growth of the mean loss with the rate: the sum of what losing sales bring, over n a^2. */
export const slopeOf = ({ rate, proceeds }: RateOutcome, exposures: number): number =>
  proceeds / (exposures * rate * rate);
