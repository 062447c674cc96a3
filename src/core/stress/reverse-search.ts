/** The smallest move of prices at which a figure of a book reaches a bound (docs/stress.md, "Backwards"). */

/** The figure at a move; ends of its interval are null where it has none. */
export interface FigureAt {
  readonly at: number;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

export interface FoundMove {
  /** The first move at which the figure is at or above the bound; undefined where none of the points is. */
  readonly found: FigureAt | undefined;
  /** The largest move below it that was looked at; undefined at the first point. */
  readonly before: FigureAt | undefined;
  /** The last point. */
  readonly last: FigureAt;
  /** Changes of side over the points; a first point at or above the bound is one. */
  readonly crossings: number;
  /** Moves at which the interval of the figure leaves the bound; null where there is none. */
  readonly low: number | null;
  readonly high: number | null;
}

/** Points of a search, the first is no move. */
export const REVERSE_POINTS = 17;

/** Falls 0..`largest` of the logarithms in equal steps. @param largest fraction below 1 */
export const fallPoints = (largest: number): number[] =>
  points(k => -Math.expm1((k / (REVERSE_POINTS - 1)) * Math.log1p(-largest)), largest);

/** Deviations 0..`largest` in equal steps. */
export const deviationPoints = (largest: number): number[] =>
  points(k => (k / (REVERSE_POINTS - 1)) * largest, largest);

const points = (of: (k: number) => number, largest: number): number[] =>
  Array.from({ length: REVERSE_POINTS }, (_, k) => (k === REVERSE_POINTS - 1 ? largest : of(k)));

/**
 * All points, then bisection between the first at or above the bound and the one before it. A crossing and return between two points is missed.
 *
 * @param moves rising, the first is 0
 * @param precision largest distance between the answer and the move before it
 */
export async function reverseSearch(
  moves: readonly number[],
  bound: number,
  precision: number,
  figureAt: (at: number) => Promise<FigureAt>,
): Promise<FoundMove> {
  const seen: FigureAt[] = [];
  const look = async (at: number) => {
    const figure = await figureAt(at);
    seen.push(figure);
    return figure;
  };
  for (const at of moves) await look(at);
  const last = seen[seen.length - 1];
  const sides = seen.map(({ value }) => value >= bound);
  const crossings = sides.filter((above, i) => above !== (i > 0 && sides[i - 1])).length;
  const first = sides.indexOf(true);
  if (first < 0) return { found: undefined, before: undefined, last, crossings, low: null, high: null };
  let found = seen[first];
  let before = first > 0 ? seen[first - 1] : undefined;
  while (before !== undefined && found.at - before.at > precision) {
    const middle = await look((before.at + found.at) / 2);
    if (middle.value >= bound) found = middle;
    else before = middle;
  }
  seen.sort((a, b) => a.at - b.at);
  const place = seen.indexOf(found);
  return {
    found,
    before,
    last,
    crossings,
    low: leaving(seen.slice(0, place + 1).reverse(), bound, ({ high }) => high, true),
    high: leaving(seen.slice(place), bound, ({ low }) => low, false),
  };
}

/**
 * The move, away from the first, at which an end of the interval passes the bound; on the line between two moves that were looked at.
 *
 * @param isBelow whether it is looked for below the bound
 */
function leaving(
  seen: readonly FigureAt[],
  bound: number,
  endOf: (figure: FigureAt) => number | null,
  isBelow: boolean,
): number | null {
  for (let i = 0; i < seen.length; i++) {
    const end = endOf(seen[i]);
    if (end === null) return null;
    if (isBelow ? end >= bound : end < bound) continue;
    const previous = i > 0 ? endOf(seen[i - 1]) : null;
    if (previous === null || previous === end) return seen[i].at;
    return seen[i].at + ((bound - end) / (previous - end)) * (seen[i - 1].at - seen[i].at);
  }
  return null;
}

/**
 * The direction of the most likely loss of a value under normal log returns: (S delta) / sqrt(delta' S delta), n numbers, each the change of a
 * log price per standard deviation of the book.
 *
 * @param covariance S, n x n of log returns, row-major
 * @param delta per asset: collateral less debt, USD
 * @returns undefined where the book has no standard deviation
 */
export function likelyDirection(covariance: Float64Array, delta: Float64Array): Float64Array | undefined {
  const n = delta.length;
  const moved = Float64Array.from(delta, (_, i) =>
    delta.reduce((sum, value, j) => sum + covariance[i * n + j] * value, 0),
  );
  const variance = delta.reduce((sum, value, i) => sum + value * moved[i], 0);
  return variance > 0 ? moved.map(value => value / Math.sqrt(variance)) : undefined;
}
