/**
 * FZ0, a score of value at risk and expected shortfall together, and the comparison of two forecasts by it.
 *
 * Sources: A. Patton, J. Ziegel, R. Chen, "Dynamic semiparametric models for expected shortfall", Journal of Econometrics 211 (2019),
 * 388-413; F. Diebold, R. Mariano, "Comparing predictive accuracy", JBES 13 (1995), 253-263; W. Newey, K. West, "A simple, positive
 * semi-definite, heteroskedasticity and autocorrelation consistent covariance matrix", Econometrica 55 (1987), 703-708.
 */
import { mean } from '../moments.ts';
import { type JudgedTails, requireTails } from './judged.ts';

/** Scores of the days: -1(y <= v)(v - y)/(a e) + v/e + ln(-e) - 1. The lower the mean, the better. */
export function fz0Scores(judged: JudgedTails): Float64Array {
  requireTails(judged);
  const { returns, levels, shortfalls, probability } = judged;
  return returns.map((y, t) => {
    const [v, e] = [levels[t], shortfalls[t]];
    return (y <= v ? -(v - y) / (probability * e) : 0) + v / e + Math.log(-e) - 1;
  });
}

/** A mean with its t. */
export interface MeanDifference {
  readonly difference: number;
  /** The mean over its standard error; undefined where the differences do not vary. */
  readonly t: number | undefined;
}

/** Mean difference of two score series over the same days. @returns below 0 where the first is better */
export function compareScores(first: Float64Array, second: Float64Array): MeanDifference {
  if (first.length !== second.length)
    throw new RangeError(`${first.length} and ${second.length} scores, as many of each needed`);
  const differences = first.map((score, t) => score - second[t]);
  const difference = mean(differences);
  const variance = longRunVariance(differences);
  return {
    difference,
    t: variance > 0 ? difference / Math.sqrt(variance / differences.length) : undefined,
  };
}

/**
 * Variance of sqrt(T) times the mean of a series whose neighbours depend on each other: Newey and West with Bartlett weights up to the
 * lag floor(4 (T / 100)^(2/9)).
 *
 * @param values T >= 1
 */
export function longRunVariance(values: Float64Array): number {
  const count = values.length;
  const centre = mean(values);
  const lags = Math.floor(4 * (count / 100) ** (2 / 9));
  let sum = 0;
  for (let lag = 0; lag <= lags; lag++) {
    let covariance = 0;
    for (let t = lag; t < count; t++) covariance += (values[t] - centre) * (values[t - lag] - centre);
    sum += (lag === 0 ? 1 : 2 * (1 - lag / (lags + 1))) * (covariance / count);
  }
  return sum;
}
