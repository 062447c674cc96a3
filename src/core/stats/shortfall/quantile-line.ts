/**
 * Quantile regression on one variable: the line with a weighted share of points below it.
 *
 * Source: R. Koenker, G. Bassett, "Regression quantiles", Econometrica 46 (1978), 33-50. Points far above the line enter by their sums
 * only: S. Portnoy, R. Koenker, "The Gaussian hare and the Laplacian tortoise", Statistical Science 12 (1997), 279-300.
 */

/** intercept + slope x. */
export interface Line {
  readonly intercept: number;
  readonly slope: number;
}

/** Relative width to which the slope is known. */
const SLOPE_WIDTH = 1e-11;
const MAX_DOUBLINGS = 60;
/** Points near the line: a multiple of those below it, and so many more. */
const LOOKED_AT = 4;
const BESIDE = 50;

/**
 * The line q(x) that minimises the sum of w (y - q)(a - 1{y < q}).
 *
 * @param x of the points, all below 0
 * @param y as many
 * @param weights as many, above 0
 * @param probability a in (0, 1)
 * @param withSlope false fixes the slope at 0
 * @param order `lowestFirst` of the points
 */
export function quantileLine(
  x: Float64Array,
  y: Float64Array,
  weights: Float64Array,
  probability: number,
  withSlope: boolean,
  order = lowestFirst(x, y),
): Line {
  for (let looked = Math.ceil(LOOKED_AT * probability * x.length) + BESIDE; ; looked *= 2) {
    const near = order.slice(0, looked);
    const line = lineAmong(near, { x, y, weights, probability }, withSlope);
    if (order.slice(looked).every(i => y[i] >= line.intercept + line.slope * x[i])) return line;
  }
}

/** The points by y / x: the most negative returns for their forecast first. */
export function lowestFirst(x: Float64Array, y: Float64Array): readonly number[] {
  const ratio = y.map((value, i) => value / x[i]);
  return Array.from(x.keys()).sort((i, j) => ratio[j] - ratio[i] || i - j);
}

interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly weights: Float64Array;
  readonly probability: number;
}

/** The line where all other points lie above it. */
function lineAmong(near: readonly number[], points: Points, withSlope: boolean): Line {
  const { x, y, weights, probability } = points;
  let below = 0;
  let moment = 0;
  for (let i = 0; i < x.length; i++) {
    below += probability * weights[i];
    moment += probability * weights[i] * x[i];
  }
  const residuals = new Float64Array(x.length);
  /** The best intercept at a slope, and the derivative by the slope there. */
  const at = (slope: number) => {
    for (const i of near) residuals[i] = y[i] - slope * x[i];
    const sorted = near.toSorted((i, j) => residuals[i] - residuals[j] || i - j);
    let sum = 0;
    let sumX = 0;
    for (const i of sorted) {
      if (sum + weights[i] >= below)
        return { intercept: residuals[i], derivative: sumX + (below - sum) * x[i] - moment };
      sum += weights[i];
      sumX += weights[i] * x[i];
    }
    return { intercept: residuals[sorted[sorted.length - 1]], derivative: sumX - moment };
  };
  if (!withSlope) return { intercept: at(0).intercept, slope: 0 };
  let [low, high] = [0.5, 1.5];
  for (let k = 0; k < MAX_DOUBLINGS && at(low).derivative > 0; k++) low -= high - low;
  for (let k = 0; k < MAX_DOUBLINGS && at(high).derivative < 0; k++) high += high - low;
  while (high - low > SLOPE_WIDTH * (Math.abs(low) + Math.abs(high))) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (at(middle).derivative < 0) low = middle;
    else high = middle;
  }
  const slope = (low + high) / 2;
  return { intercept: at(slope).intercept, slope };
}
