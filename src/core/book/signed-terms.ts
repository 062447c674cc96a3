/**
 * Both sides of baskets in one list of assets, so that a threshold x of r_t = C_t / L_t is the sign of a sum over it:
 * r < x where the sum of a_i S_i is negative, a_i = c_i - x l_i.
 */

/** One side of the baskets without weights of 0: the assets of basket b have indices start[b] .. start[b + 1] - 1. */
export interface SparseWeights {
  readonly start: Uint32Array;
  readonly asset: Uint32Array;
  readonly weight: Float64Array;
}

/** @param weights B x n, row-major; @param assets n */
export function sparseWeights(weights: Float64Array, assets: number): SparseWeights {
  const baskets = weights.length / assets;
  const start = new Uint32Array(baskets + 1);
  const asset = new Uint32Array(weights.length);
  const weight = new Float64Array(weights.length);
  let end = 0;
  for (let b = 0; b < baskets; b++) {
    for (let i = 0; i < assets; i++) {
      const w = weights[b * assets + i];
      if (w === 0) continue;
      asset[end] = i;
      weight[end++] = w;
    }
    start[b + 1] = end;
  }
  return { start, asset: asset.slice(0, end), weight: weight.slice(0, end) };
}

/** Terms that are written out in the loops; zeros fill up fewer terms. */
export const SPELT = 4;

/** The assets of basket b have indices start[b] .. start[b + 1] - 1, rising, then zeros up to `SPELT`. */
export interface SignedTerms {
  readonly start: Uint32Array;
  readonly asset: Uint32Array;
  /** c_i */
  readonly collateral: Float64Array;
  /** l_i */
  readonly loan: Float64Array;
}

export function signedTerms(collateral: SparseWeights, loan: SparseWeights): SignedTerms {
  const baskets = collateral.start.length - 1;
  const start = new Uint32Array(baskets + 1);
  const most = collateral.asset.length + loan.asset.length + SPELT * baskets;
  const asset = new Uint32Array(most);
  const ofCollateral = new Float64Array(most);
  const ofLoan = new Float64Array(most);
  let end = 0;
  for (let b = 0; b < baskets; b++) {
    const first = end;
    let c = collateral.start[b];
    let l = loan.start[b];
    const endOfC = collateral.start[b + 1];
    const endOfL = loan.start[b + 1];
    while (c < endOfC || l < endOfL) {
      const isC = l === endOfL || (c < endOfC && collateral.asset[c] <= loan.asset[l]);
      const isL = c === endOfC || (l < endOfL && loan.asset[l] <= collateral.asset[c]);
      asset[end] = isC ? collateral.asset[c] : loan.asset[l];
      if (isC) ofCollateral[end] = collateral.weight[c++];
      if (isL) ofLoan[end] = loan.weight[l++];
      end++;
    }
    end = Math.max(end, first + SPELT);
    start[b + 1] = end;
  }
  return {
    start,
    asset: asset.slice(0, end),
    collateral: ofCollateral.slice(0, end),
    loan: ofLoan.slice(0, end),
  };
}
