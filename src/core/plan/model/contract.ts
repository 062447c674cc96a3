/** The declaration of a market model, the same for every engine: its parameters and its contract. */

import type { Faults, FieldsOf } from '../fields.ts';
import type { ProductKind } from '../product/kinds.ts';

/** The expected behaviour of drawn paths; figures of ln S_i. */
export interface DrawnPrices<S> {
  /** Variance of ln S_i after `years`, for each of the n assets. */
  varianceOfTerm(scenarios: S, years: number): readonly number[];
  /** Standard deviation of sum_i exposures[i] ln S_i after `years`. @param exposures n numbers of either sign */
  spreadOfTerm(scenarios: S, exposures: Float64Array, years: number): number;
  /** Whether ln(S_i / S_j) is one Gaussian walk: its rounding is then in proportion to the walk. */
  readonly ratioIsOneWalk: boolean;
}

export interface ModelContract<S> {
  readonly fields: FieldsOf<S>;
  /** Reports faults for a number of paths and steps; absent where any number is valid. */
  check?(scenarios: S, size: { readonly paths: number; readonly steps: number }, faults: Faults): void;
  /** The products that run on it; absent where all do. */
  readonly products?: readonly ProductKind[];
  /** Whether its paths have weights. */
  readonly weighs?: true;
  /** Number of independent parts of the paths, whose spread gives errors; absent where all are independent. */
  readonly replicates?: number;
  /** The expected behaviour of its prices; `undefined` for given prices. */
  readonly drawn: DrawnPrices<S> | undefined;
  /** Steps per day of an asset on a path to a horizon of value at risk; 0 for one direct step. */
  readonly walkedPerDay: number;
  /** Parameters of an ordinary market of `assets` assets, for warming up and for tests. */
  usual(assets: number): S;
}

/**
 * Standard deviation of sum_i exposures[i] x_i, where x has covariance D C D with C = A A' and D the square roots of
 * `variances`.
 *
 * @param loading element (i, j) of the lower-triangular factor A
 */
export function spreadOf(
  exposures: Float64Array,
  variances: readonly number[],
  loading: (i: number, j: number) => number,
): number {
  // A book has tens of thousands of baskets of a few assets each.
  const used = [...exposures.keys()].filter(i => exposures[i] !== 0);
  let variance = 0;
  for (let j = 0; j < exposures.length; j++) {
    let sum = 0;
    for (const i of used) if (i >= j) sum += exposures[i] * Math.sqrt(variances[i]) * loading(i, j);
    variance += sum * sum;
  }
  return Math.sqrt(variance);
}

/** A diagonal n x n factor with `value` on the diagonal. */
export function diagonalFactor(n: number, value: number): Float64Array {
  return Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? value : 0));
}
