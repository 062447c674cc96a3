/** Forecasts of value at risk and expected shortfall, and the returns that followed: 0 is no change. */
import { requireFinite, requireInnerProbability } from '../preconditions.ts';

export interface JudgedTails {
  /** Returns that followed, one or more. */
  readonly returns: Float64Array;
  /** Forecast quantiles v of the returns, below 0. */
  readonly levels: Float64Array;
  /** Forecast means e of the lowest share a of the returns, at most v. */
  readonly shortfalls: Float64Array;
  /** Forecast standard deviations of the same returns, >= 0. */
  readonly spreads: Float64Array;
  /** Promised share a of returns at or below v, in (0, 1): 0.025 for a level of 97.5 %. */
  readonly probability: number;
}

/** @throws RangeError where the lists differ in length, are empty, a level is not below 0 or a shortfall above its level */
export function requireTails({ returns, levels, shortfalls, spreads, probability }: JudgedTails): void {
  requireInnerProbability('probability', probability);
  requireFinite('returns', returns);
  for (const forecasts of [levels, shortfalls, spreads])
    if (forecasts.length !== returns.length)
      throw new RangeError(
        `${forecasts.length} forecasts of ${returns.length} returns: as many of each needed`,
      );
  for (let t = 0; t < levels.length; t++)
    if (!(levels[t] < 0 && shortfalls[t] <= levels[t] && spreads[t] >= 0))
      throw new RangeError(
        `level ${levels[t]}, shortfall ${shortfalls[t]} and spread ${spreads[t]} at ${t}: shortfall <= level < 0 and spread >= 0 needed`,
      );
}
