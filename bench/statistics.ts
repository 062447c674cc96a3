/** Medians, spreads and slopes of measured times. */

/** The middle value, or the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median, least and largest of several measurements. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly largest: number;
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), least: Math.min(...values), largest: Math.max(...values) };
}

/** The cost of one size of a problem. */
export interface CostPoint {
  readonly size: number;
  readonly milliseconds: number;
}

/** How a cost grows with size. */
export interface Growth {
  /** Between each point and the next: 1 is linear, 0 a fixed cost. */
  readonly localSlopes: readonly number[];
  /** Least squares of ln cost on ln size over all points. */
  readonly slope: number;
  /** Size from which every local slope is linear to within `LINEAR_WITHIN`; undefined where the last is not. */
  readonly linearFrom: number | undefined;
}

/** How far a slope between neighbours may be from 1: times of one point repeat to a few percent. */
export const LINEAR_WITHIN = 0.1;

/** Slopes of a cost in logarithms; points in rising order of size, at least two. */
export function growth(points: readonly CostPoint[]): Growth {
  const x = points.map(({ size }) => Math.log(size));
  const y = points.map(({ milliseconds }) => Math.log(milliseconds));
  const localSlopes = x.slice(1).map((at, i) => (y[i + 1] - y[i]) / (at - x[i]));
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const covariance = x.reduce((sum, at, i) => sum + (at - mx) * (y[i] - my), 0);
  const variance = x.reduce((sum, at) => sum + (at - mx) ** 2, 0);
  const lastBend = localSlopes.findLastIndex(slope => Math.abs(slope - 1) > LINEAR_WITHIN);
  const linearFrom = lastBend === localSlopes.length - 1 ? undefined : points[lastBend + 1].size;
  return { localSlopes, slope: covariance / variance, linearFrom };
}
