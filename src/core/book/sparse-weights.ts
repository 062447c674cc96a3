/** Weights of baskets without those that are 0. */

/** One side of the baskets, only the assets of weight: those of basket b have indices start[b] .. start[b + 1] - 1. */
export interface SparseWeights {
  readonly start: Uint32Array;
  readonly asset: Uint32Array;
  readonly weight: Float64Array;
}
