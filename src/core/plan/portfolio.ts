/**
 * The two baskets of a loan: weights by asset number, and the numbering of assets.
 */

/** Largest number of distinct assets in one plan. */
export const MAX_ASSETS = 32;

/** Weights of a buy-and-hold basket by asset number; 0 where the asset is not in it. */
export interface Portfolio {
  /** n weights w_i: C_t = sum_i w_i S_i(t). */
  readonly collateralWeights: Float64Array;
  /** n weights: L_t = sum_i w_i S_i(t). */
  readonly loanWeights: Float64Array;
}

/** The distinct symbols of both maps in alphabetical order, and the weights by that number. */
export interface NumberedPortfolio extends Portfolio {
  readonly symbols: readonly string[];
}

/**
 * Numbers the assets of both maps alphabetically; an asset in both is one asset.
 *
 * @param collateral symbols to weights
 * @param loan symbols to weights
 */
export function numberAssets(
  collateral: Readonly<Record<string, number>>,
  loan: Readonly<Record<string, number>>,
): NumberedPortfolio {
  const symbols = [...new Set([...Object.keys(collateral), ...Object.keys(loan)])].sort();
  return {
    symbols,
    collateralWeights: Float64Array.from(symbols, symbol => collateral[symbol] ?? 0),
    loanWeights: Float64Array.from(symbols, symbol => loan[symbol] ?? 0),
  };
}
