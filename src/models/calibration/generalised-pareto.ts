/**
 * The generalised Pareto distribution of excesses over a threshold: maximum likelihood, and means of its cells.
 *
 * With shape xi and scale beta > 0 an excess is above y with probability (1 + xi y / beta)^(-1/xi), exp(-y / beta) at xi = 0.
 * Pure functions. Source: J. Pickands, "Statistical inference using extreme order statistics", Annals of Statistics 3 (1975), 119-131.
 */

/** Bounds of the shape: at 0.5 the variance is infinite, at -0.5 the estimate is not regular. */
export const MIN_SHAPE = -0.5;
export const MAX_SHAPE = 0.5;
/** Shapes of the first comparison of the profile likelihood. */
const SHAPES = 21;
/** Final width of the shape, and relative step of a scale. */
const SHAPE_WIDTH = 1e-12;
const SCALE_STEP = 1e-15;
const MAX_STEPS = 100;
/** Below this size of xi y / beta the derivative by the shape is a series: its closed form cancels. */
const SERIES_BELOW = 0.02;
const SERIES_TERMS = 10;

/** A fit to excesses. */
export interface ParetoFit {
  /** xi, -0.5 to 0.5. */
  readonly shape: number;
  /** beta > 0, unit of the excesses. */
  readonly scale: number;
  /** The bound of the range at the shape. */
  readonly onBound: 'lower' | 'upper' | undefined;
}

/**
 * The shape and the scale of the largest likelihood, the shape within its bounds.
 *
 * At a fixed shape the scale has one optimum. Along the shape the best of 21 is refined by bisection of the derivative.
 * @param excesses two finite values or more, >= 0
 * @returns undefined where half of them or more are 0, which no density describes
 */
export function fitGeneralisedPareto(excesses: Float64Array): ParetoFit | undefined {
  const positive = excesses.reduce((count, y) => count + (y > 0 ? 1 : 0), 0);
  if (2 * positive <= excesses.length) return undefined;
  const shapeAt = (i: number) => MIN_SHAPE + ((MAX_SHAPE - MIN_SHAPE) * i) / (SHAPES - 1);
  let best = 0;
  let bestLikelihood = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < SHAPES; i++) {
    const shape = shapeAt(i);
    const likelihood = paretoLogLikelihood(excesses, shape, bestScale(excesses, shape));
    if (likelihood > bestLikelihood) {
      best = i;
      bestLikelihood = likelihood;
    }
  }
  const slope = (shape: number) => slopeByShape(excesses, shape, bestScale(excesses, shape));
  if (best === 0 && slope(MIN_SHAPE) <= 0) return fitAt(excesses, MIN_SHAPE, 'lower');
  if (best === SHAPES - 1 && slope(MAX_SHAPE) >= 0) return fitAt(excesses, MAX_SHAPE, 'upper');
  let low = shapeAt(Math.max(0, best - 1));
  let high = shapeAt(Math.min(SHAPES - 1, best + 1));
  while (high - low > SHAPE_WIDTH) {
    const middle = (low + high) / 2;
    if (slope(middle) > 0) low = middle;
    else high = middle;
  }
  return fitAt(excesses, (low + high) / 2, undefined);
}

const fitAt = (excesses: Float64Array, shape: number, onBound: ParetoFit['onBound']): ParetoFit => ({
  shape,
  scale: bestScale(excesses, shape),
  onBound,
});

/** ln of the likelihood; minus infinity where an excess lies beyond the end of a distribution of negative shape. */
export function paretoLogLikelihood(excesses: Float64Array, shape: number, scale: number): number {
  let sum = 0;
  for (const y of excesses) {
    const z = y / scale;
    if (1 + shape * z <= 0) return Number.NEGATIVE_INFINITY;
    sum += shape === 0 ? z : (1 + 1 / shape) * Math.log1p(shape * z);
  }
  return -excesses.length * Math.log(scale) - sum;
}

/** The scale of the largest likelihood at one shape: (1 + xi) sum y / (beta + xi y) = n, whose left side falls with beta. */
function bestScale(excesses: Float64Array, shape: number): number {
  const count = excesses.length;
  let sum = 0;
  let largest = 0;
  for (const y of excesses) {
    sum += y;
    largest = Math.max(largest, y);
  }
  let low = Math.max(0, -shape * largest);
  let high = Number.POSITIVE_INFINITY;
  let scale = low + sum / count;
  for (let step = 0; step < MAX_STEPS; step++) {
    let left = 0;
    let fall = 0;
    for (const y of excesses) {
      const share = 1 / (scale + shape * y);
      left += y * share;
      fall += y * share * share;
    }
    const difference = (1 + shape) * left - count;
    if (difference > 0) low = scale;
    else high = scale;
    let next = scale + difference / ((1 + shape) * fall);
    if (!(next > low && next < high)) next = high === Number.POSITIVE_INFINITY ? 2 * scale : (low + high) / 2;
    const moved = Math.abs(next - scale);
    scale = next;
    if (moved <= SCALE_STEP * scale) break;
  }
  return scale;
}

/** Derivative of the log likelihood by the shape at constant scale; at the best scale also the profile's derivative. */
function slopeByShape(excesses: Float64Array, shape: number, scale: number): number {
  let sum = 0;
  for (const y of excesses) {
    const z = y / scale;
    sum -= z / (1 + shape * z) + z * z * bend(shape * z);
  }
  return sum;
}

/** (u / (1 + u) - ln(1 + u)) / u^2, u > -1. */
function bend(u: number): number {
  if (Math.abs(u) >= SERIES_BELOW) return (u / (1 + u) - Math.log1p(u)) / (u * u);
  let sum = 0;
  for (let n = SERIES_TERMS; n >= 2; n--) sum = (n - 1) / n - u * sum;
  return -sum;
}

/**
 * Mean of the distribution over each of `cells` equally probable intervals, the smallest values first.
 *
 * Over the survival S the quantile is beta (S^-xi - 1) / xi, whose integral from 0 is beta S ((S^-xi - 1) / xi + 1) / (1 - xi).
 */
export function paretoCellMeans({ shape, scale }: ParetoFit, cells: number): Float64Array {
  const integral = (survival: number) => {
    if (survival === 0) return 0;
    const logarithm = -Math.log(survival);
    const growth = shape === 0 ? logarithm : Math.expm1(shape * logarithm) / shape;
    return (scale * survival * (growth + 1)) / (1 - shape);
  };
  return Float64Array.from(
    { length: cells },
    (_, i) => cells * (integral((cells - i) / cells) - integral((cells - i - 1) / cells)),
  );
}
