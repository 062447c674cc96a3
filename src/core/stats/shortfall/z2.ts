/**
 * Z2, a test of expected shortfall against the returns that followed.
 *
 * Source: C. Acerbi, B. Szekely, "Back-testing expected shortfall", Risk 27 (2014), 76-81: their second test.
 */
import { WordStream } from '../../random/stream.ts';
import { type JudgedTails, requireTails } from './judged.ts';

/** A pair of assets that no path has: the words belong to no path. */
const RESAMPLES_PAIR = 0xffff_fff0;
const WORD = 2 ** -32;

/** Simulation of histories by the forecasts. */
export interface Resampling {
  /** How many, one or more. */
  readonly resamples: number;
  /** 0..2^32-1, and which stream of it. */
  readonly seed: number;
  readonly stream: number;
}

export interface Z2Test {
  /** 1 - sum of y / e over the days with y <= v, divided by a T: 0 is expected, below 0 risk is understated. */
  readonly statistic: number;
  /** Share of the histories, the observed one included, whose statistic is as low. */
  readonly pValue: number;
}

/**
 * The statistic, and the share of simulated histories that are as bad.
 *
 * In a simulated history each day is beyond its level with probability a, independently, by a draw of the generalised Pareto law with
 * the mean v - e and the deviation of the values simulated there, which determine mean and variance of the statistic.
 * @throws RangeError as `requireTails`
 */
export function z2Test(judged: JudgedTails, { resamples, seed, stream }: Resampling): Z2Test {
  requireTails(judged);
  const { returns, levels, shortfalls, spreads, probability } = judged;
  const days = returns.length;
  let observed = 0;
  for (let t = 0; t < days; t++) if (returns[t] <= levels[t]) observed += returns[t] / shortfalls[t];
  // Excesses v - y as scale ((u^-shape) - 1) / shape.
  const shapes = new Float64Array(days);
  const scales = new Float64Array(days);
  for (let t = 0; t < days; t++) {
    const mean = levels[t] - shortfalls[t];
    const ratio = spreads[t] > 0 ? mean / spreads[t] : Number.POSITIVE_INFINITY;
    shapes[t] = Math.max(MIN_SHAPE, (1 - ratio * ratio) / 2);
    scales[t] = mean * (1 - shapes[t]);
  }
  const words = new WordStream(seed, stream, RESAMPLES_PAIR, 0);
  const uniform = () => (words.next() + 0.5) * WORD;
  const perDay = 1 / Math.log1p(-probability);
  let asLow = 0;
  for (let r = 0; r < resamples; r++) {
    let sum = 0;
    // From one exceedance to the next: the days between are geometric.
    for (
      let t = Math.floor(Math.log(uniform()) * perDay);
      t < days;
      t += 1 + Math.floor(Math.log(uniform()) * perDay)
    )
      sum += (levels[t] - excess(shapes[t], scales[t], uniform())) / shortfalls[t];
    if (sum >= observed) asLow++;
  }
  return {
    statistic: 1 - observed / (probability * days),
    pValue: (1 + asLow) / (1 + resamples),
  };
}

/** The shape of a tail with hardly any spread: all excesses are about their mean. */
const MIN_SHAPE = -1e6;

const excess = (shape: number, scale: number, u: number): number =>
  Math.abs(shape) < 1e-9 ? -scale * Math.log(u) : (scale * Math.expm1(-shape * Math.log(u))) / shape;
