/**
 * How a loan's path is looked at: the ratio r_t = C_t / L_t against thresholds divided by N.
 *
 * Both engines take their thresholds and their choice of domain from here, so they compare the same numbers.
 * See docs/decisions/engines.md.
 */
import type { LoanTerms, Portfolio } from './simulation-plan.ts';

/** Thresholds of r_t = C_t / L_t, or of its logarithm. */
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

/** Thresholds of r_t in the domain of the path: `log` for a pair of single assets. */
export function ratioThresholds(terms: LoanTerms, log: boolean): RatioThresholds {
  const n = terms.nominalRatio;
  const place = log ? Math.log : (x: number) => x;
  return {
    liquidation: place(terms.liquidationRatio / n),
    marginCall: place(terms.marginCallRatio / n),
    recovery: place(terms.recoveryRatio / n),
    underwater: place(1 / n),
  };
}

/** The one asset on each side of a loan whose baskets hold a single asset each. */
export interface AssetPair {
  readonly collateral: number;
  readonly loan: number;
  /** ln(w_c / w_l): the logarithm of r_0. */
  readonly logStart: number;
}

/** The pair of a portfolio with one asset on each side, whose path stays in logs; otherwise undefined. */
export function assetPair(portfolio: Portfolio): AssetPair | undefined {
  const collateral = onlyAsset(portfolio.collateralWeights);
  const loan = onlyAsset(portfolio.loanWeights);
  if (collateral === undefined || loan === undefined) return undefined;
  const weights = portfolio.collateralWeights[collateral] / portfolio.loanWeights[loan];
  return { collateral, loan, logStart: Math.log(weights) };
}

function onlyAsset(weights: Float64Array): number | undefined {
  const held = [...weights.keys()].filter(i => weights[i] !== 0);
  return held.length === 1 ? held[0] : undefined;
}
