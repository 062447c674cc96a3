/**
 * The form of a loan's path: the ratio r_t = C_t / L_t or its logarithm, with thresholds divided by N. All engines take
 * thresholds and domain from here, so that they compare the same numbers (docs/decisions/path.md).
 */
import { type LoanTerms, startOfRatio } from './loan-terms.ts';
import type { Portfolio } from './portfolio.ts';

export interface RatioThresholds {
  /** L / N: below it the loan is liquidated. */
  readonly liquidation: number;
  /** M / N: below it a call opens. */
  readonly marginCall: number;
  /** R / N: at or above it an open call is cured. */
  readonly recovery: number;
  /** 1 / N: below it the loan is underwater. */
  readonly underwater: number;
}

/**
 * The domain of a path's values: r_t itself or, for a pair of single assets, its natural or binary logarithm; r_t - 1
 * for baskets that single precision could not distinguish otherwise.
 */
export type RatioDomain = 'ratio' | 'ln' | 'log2' | 'difference';

const PLACE: Readonly<Record<RatioDomain, (ratio: number) => number>> = {
  ratio: ratio => ratio,
  ln: Math.log,
  log2: Math.log2,
  difference: ratio => ratio - 1,
};

export function placeRatio(domain: RatioDomain, ratio: number): number {
  return PLACE[domain](ratio);
}

/** Thresholds of r_t in the domain of the path. */
export function ratioThresholds(terms: LoanTerms, domain: RatioDomain): RatioThresholds {
  const n = terms.nominalRatio;
  const place = PLACE[domain];
  return {
    liquidation: place(terms.liquidationRatio / n),
    marginCall: place(terms.marginCallRatio / n),
    recovery: place(terms.recoveryRatio / n),
    underwater: place(1 / n),
  };
}

/** C_0 / L_0 in the domain of the path: the image of 1 unless prices are shocked at the start. */
export function startValue(
  { nominalRatio, portfolio }: Pick<LoanTerms, 'nominalRatio'> & { readonly portfolio: Portfolio },
  domain: RatioDomain,
): number {
  const ratio = sumOfWeights(portfolio.collateralWeights) / sumOfWeights(portfolio.loanWeights);
  return PLACE[domain](startOfRatio(ratio, nominalRatio));
}

/** The value of a basket at the start. */
export function sumOfWeights(weights: Float64Array): number {
  return weights.reduce((total, weight) => total + weight, 0);
}

/** The one asset on each side of a loan whose baskets have a single asset each, of any weight. */
export interface AssetPair {
  readonly collateral: number;
  readonly loan: number;
  /** w_c / w_l: r_0. */
  readonly startRatio: number;
}

/** The pair of a portfolio of one asset on each side and no other, whose path is in logs; otherwise undefined. */
export function assetPair({ collateralWeights, loanWeights }: Portfolio): AssetPair | undefined {
  const collateral = onlyAsset(collateralWeights);
  const loan = onlyAsset(loanWeights);
  if (collateral === undefined || loan === undefined || collateralWeights.length > 2) return undefined;
  return { collateral, loan, startRatio: collateralWeights[collateral] / loanWeights[loan] };
}

function onlyAsset(weights: Float64Array): number | undefined {
  const used = [...weights.keys()].filter(i => weights[i] !== 0);
  return used.length === 1 ? used[0] : undefined;
}
