/**
 * Regression of the quantile and the expected shortfall of returns on a forecast of the shortfall, both at once.
 *
 * Source: T. Dimitriadis, S. Bayer, "A joint quantile and expected shortfall regression framework", Electronic Journal of Statistics 13
 * (2019), 1823-1871, with the score FZ0: it minimises the mean of FZ0 of the two lines.
 */
import { mean } from '../moments.ts';
import type { JudgedTails } from './judged.ts';
import { type Line, lowestFirst, quantileLine } from './quantile-line.ts';

/** Lines of shortfalls from which the search starts: levels of their mean, and slopes, as multiples of the forecast's. */
const START_LEVELS = [0.7, 1, 1.4];
const START_SLOPES = [0, 0.5, 1, 1.5];
/** Scores that differ by less are the same up to rounding. */
const SAME_SCORE = 1e-10;
/** Quantile lines that differ by less, intercept and slope together, are the same up to rounding: others pass through other points. */
const SAME_LINE = 1e-9;

const ROUNDS = 30;
const STEPS = 200;
/** Relative change that ends the steps of the shortfall line, and the rounds. */
const SETTLED = 1e-10;
/** Largest slope of the score behind a step, as a multiple of that before it. */
const OVERSHOT = 0.9;
/** Most halvings of a step of the shortfall line. */
const HALVINGS = 40;

export interface ShortfallRegression {
  readonly quantile: Line;
  readonly shortfall: Line;
}

/** Of the line of shortfalls: variance of the intercept, covariance, variance of the slope; the last two are 0 where the slope is fixed. */
export type Covariance = readonly [number, number, number];

/**
 * The lines of the least mean score.
 *
 * The score has several minima, one for each of a few quantile lines: the least of those that the search reaches from the forecast itself
 * and from a grid of other lines.
 * @param returns y
 * @param forecasts x, as many, all below 0
 * @param probability a, in (0, 1)
 * @param freeSlope false fixes both slopes at 1: the lines are the forecast and a constant
 * @returns undefined where the lines are not determined
 */
export function regressShortfall(
  returns: Float64Array,
  forecasts: Float64Array,
  probability: number,
  freeSlope: boolean,
): ShortfallRegression | undefined {
  const above = freeSlope ? returns : returns.map((y, t) => y - forecasts[t]);
  const order = lowestFirst(forecasts, above);
  const quantileUnder = (shortfall: Line): Line => {
    const weights = forecasts.map(x => -1 / at(shortfall, x));
    const { intercept, slope } = quantileLine(forecasts, above, weights, probability, freeSlope, order);
    return { intercept, slope: freeSlope ? slope : 1 };
  };
  // Quantile lines of the searches so far: the shortfalls follow from the quantile line, so that two searches with a line in common end
  // at the same minimum.
  const passed: Line[] = [];
  /**
   * The minimum of the score that is reached from a line of shortfalls.
   *
   * Each line is fitted in turn while the other is fixed: at given shortfalls e the quantile line is a quantile regression with weights
   * -1/e; at a given quantile line v the score falls to the weighted means of z = v - 1(y <= v)(v - y)/a with weights 1/e^2.
   * @returns undefined where the lines are not determined, or a search before has had a quantile line of this one
   */
  const nearestMinimum = (start: Line) => {
    let shortfall = start;
    let quantile = start;
    let z = returns;
    const before = passed.length;
    for (let round = 0; round < ROUNDS; round++) {
      quantile = quantileUnder(shortfall);
      for (let i = 0; i < before; i++) if (distance(passed[i], quantile) < SAME_LINE) return undefined;
      passed.push(quantile);
      z = returns.map((y, t) => {
        const v = at(quantile, forecasts[t]);
        return y <= v ? v - (v - y) / probability : v;
      });
      const next = shortfallLine(forecasts, z, shortfall, freeSlope);
      if (next === undefined) return undefined;
      const moved = distance(next, shortfall);
      shortfall = next;
      if (moved < SETTLED) break;
    }
    // With a quantile of a day above 0 the score falls without a bound as the shortfall of the day goes to 0.
    const score = isBelowZero(forecasts, quantile)
      ? mean(
          forecasts.map((x, t) => {
            const e = at(shortfall, x);
            return z[t] / e + Math.log(-e);
          }),
        )
      : Number.POSITIVE_INFINITY;
    return { quantile, shortfall, score };
  };
  let best: ReturnType<typeof nearestMinimum>;
  for (const start of startLines(forecasts, freeSlope)) {
    const found = nearestMinimum(start);
    if (found === undefined) continue;
    if (best === undefined || found.score < best.score - SAME_SCORE) best = found;
  }
  return best;
}

/** Lines below 0 at all forecasts: the forecast first. */
function startLines(forecasts: Float64Array, freeSlope: boolean): Line[] {
  const centre = mean(forecasts);
  const slopes = freeSlope ? START_SLOPES : [1];
  const grid = START_LEVELS.flatMap(level =>
    slopes.map(share => {
      const slope = freeSlope ? level * share : 1;
      return { intercept: (level - slope) * centre, slope };
    }),
  );
  return [{ intercept: 0, slope: 1 }, ...grid].filter(line => isBelowZero(forecasts, line));
}

const isBelowZero = (forecasts: Float64Array, line: Line): boolean => forecasts.every(x => at(line, x) < 0);
const at = ({ intercept, slope }: Line, x: number): number => intercept + slope * x;
const distance = (a: Line, b: Line): number =>
  Math.abs(a.intercept - b.intercept) + Math.abs(a.slope - b.slope);
const between = (a: Line, b: Line, share: number): Line => ({
  intercept: a.intercept + share * (b.intercept - a.intercept),
  slope: a.slope + share * (b.slope - a.slope),
});

/** The line e with the least sum of z / e + ln(-e), by steps to the means under the weights of the line before. */
function shortfallLine(x: Float64Array, z: Float64Array, start: Line, freeSlope: boolean): Line | undefined {
  let line = start;
  for (let step = 0; step < STEPS; step++) {
    const target = weightedLine(x, z, line, freeSlope);
    if (target === undefined) return undefined;
    const direction = {
      intercept: target.intercept - line.intercept,
      slope: target.slope - line.slope,
    };
    const most = -OVERSHOT * slopeTowards(x, z, line, direction);
    let share = 1;
    let next = between(line, target, share);
    // Shortfalls stay below 0, and steps do not swing from one side of the least score to the other for ever.
    const isTooFar = () =>
      x.some(value => at(next, value) >= 0) || slopeTowards(x, z, next, direction) > most;
    for (let k = 0; k < HALVINGS && isTooFar(); k++) {
      share /= 2;
      next = between(line, target, share);
    }
    const moved = distance(next, line);
    line = next;
    if (moved < SETTLED) break;
  }
  return line;
}

/** Derivative of the sum of z / e + ln(-e) at a line, in a direction. */
function slopeTowards(x: Float64Array, z: Float64Array, line: Line, direction: Line): number {
  return x.reduce((sum, value, t) => {
    const e = at(line, value);
    return sum + ((e - z[t]) / (e * e)) * at(direction, value);
  }, 0);
}

/** Means of z under the weights 1/e^2, e by `line`: a line, or a constant beside x. */
function weightedLine(x: Float64Array, z: Float64Array, line: Line, freeSlope: boolean): Line | undefined {
  const { s0, s1, s2 } = moments(x, line);
  let t0 = 0;
  let t1 = 0;
  for (let t = 0; t < x.length; t++) {
    const weight = at(line, x[t]) ** -2;
    const value = freeSlope ? z[t] : z[t] - x[t];
    t0 += weight * value;
    t1 += weight * value * x[t];
  }
  if (!freeSlope) return { intercept: t0 / s0, slope: 1 };
  const determinant = s0 * s2 - s1 * s1;
  if (!(determinant > MIN_DETERMINANT * s0 * s2)) return undefined;
  return { intercept: (s2 * t0 - s1 * t1) / determinant, slope: (s0 * t1 - s1 * t0) / determinant };
}

/** Least determinant over the product of its sums: less is rounding. */
const MIN_DETERMINANT = 1e-9;

/** Sums of the weights 1/e^2 times 1, x and x^2. */
function moments(x: Float64Array, line: Line) {
  let [s0, s1, s2] = [0, 0, 0];
  for (const value of x) {
    const weight = at(line, value) ** -2;
    s0 += weight;
    s1 += weight * value;
    s2 += weight * value * value;
  }
  return { s0, s1, s2 };
}

/**
 * A^-1 B A^-1 where the forecasts are right: A has the weights 1/e^2, B the variance of z on the day, (s^2 + (1 - a)(v - e)^2) / a with s
 * the deviation beyond the level. With the variance of the observed scores the tests would reject right forecasts two to five times too
 * often: a few dozen exceedances do not determine their variance (bench/shortfall-tests.ts).
 *
 * @returns undefined where the forecasts have no spread, or hardly vary and the slope is free
 */
export function shortfallCovariance(
  { levels, shortfalls, spreads, probability }: JudgedTails,
  freeSlope: boolean,
): Covariance | undefined {
  const { s0, s1, s2 } = moments(shortfalls, { intercept: 0, slope: 1 });
  let [b0, b1, b2] = [0, 0, 0];
  shortfalls.forEach((e, t) => {
    const variance = (spreads[t] ** 2 + (1 - probability) * (levels[t] - e) ** 2) / probability;
    const square = variance / e ** 4;
    b0 += square;
    b1 += square * e;
    b2 += square * e * e;
  });
  if (b0 === 0) return undefined;
  if (!freeSlope) return [b0 / (s0 * s0), 0, 0];
  const determinant = s0 * s2 - s1 * s1;
  if (!(determinant > MIN_DETERMINANT * s0 * s2)) return undefined;
  const square = determinant * determinant;
  return [
    (s2 * s2 * b0 - 2 * s1 * s2 * b1 + s1 * s1 * b2) / square,
    (-s1 * s2 * b0 + (s0 * s2 + s1 * s1) * b1 - s0 * s1 * b2) / square,
    (s1 * s1 * b0 - 2 * s0 * s1 * b1 + s0 * s0 * b2) / square,
  ];
}
