/** The two baskets of a loan: weights by asset number, and the numbering of assets. */

import { type Declared, object, perAsset, weights, whole } from './fields.ts';

/** Largest number of distinct assets in one plan. */
export const MAX_ASSETS = 32;

export const assetCount = whole(1, MAX_ASSETS);

const PORTFOLIO_FIELDS = {
  /** n weights w_i: C_t = sum_i w_i S_i(t). */
  collateralWeights: weights(perAsset),
  /** n weights: L_t = sum_i w_i S_i(t). */
  loanWeights: weights(perAsset),
};
/** Weights of two buy-and-hold baskets by asset number; 0 for an asset outside the basket. */
export interface Portfolio extends Declared<typeof PORTFOLIO_FIELDS> {}
export const portfolioField = object(PORTFOLIO_FIELDS);

/** The distinct symbols of both maps in alphabetical order, and the weights by that number. */
export interface NumberedPortfolio extends Portfolio {
  readonly symbols: readonly string[];
}

/** Numbers the assets of both maps, symbols to weights, alphabetically; an asset in both is one asset. */
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
