/**
 * Two weight maps as one list of numbered assets.
 */
import type { Portfolio } from './simulation-plan.ts';

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
