/** Weights of baskets without those that are 0. */

/** One side of the baskets, only the assets that are held: those of basket b stand at start[b] .. start[b + 1] - 1. */
export interface SparseWeights {
  readonly start: Uint32Array;
  readonly asset: Uint32Array;
  readonly weight: Float64Array;
}
