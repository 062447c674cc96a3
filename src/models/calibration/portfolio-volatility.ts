/** Volatility of two portfolios at the start and the correlation between them, from weights and a covariance matrix. */
interface PortfolioVolatility {
  /** Fraction per year, >= 0. */
  readonly collateralVolatility: number;
  /** Fraction per year, >= 0. */
  readonly loanVolatility: number;
  /** In [-1, 1]; 0 where either volatility is 0. */
  readonly correlation: number;
}

/**
 * sqrt(w_c' S w_c), sqrt(w_l' S w_l) and w_c' S w_l divided by their product.
 *
 * @param collateralWeights n weights w_c, 0 where the asset is not in the portfolio
 * @param loanWeights n weights w_l
 * @param covariance S, n x n row-major, per year
 */
export function portfolioVolatility(
  collateralWeights: Float64Array,
  loanWeights: Float64Array,
  covariance: Float64Array,
): PortfolioVolatility {
  const collateralVolatility = volatility(collateralWeights, covariance);
  const loanVolatility = volatility(loanWeights, covariance);
  const product = collateralVolatility * loanVolatility;
  const ratio = product === 0 ? 0 : quadraticForm(collateralWeights, covariance, loanWeights) / product;
  return { collateralVolatility, loanVolatility, correlation: Math.max(-1, Math.min(1, ratio)) };
}

/** The form of a singular covariance can be below zero by rounding. */
function volatility(weights: Float64Array, covariance: Float64Array): number {
  return Math.sqrt(Math.max(0, quadraticForm(weights, covariance, weights)));
}

function quadraticForm(left: Float64Array, matrix: Float64Array, right: Float64Array): number {
  const n = left.length;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    if (left[i] === 0) continue;
    let row = 0;
    for (let j = 0; j < n; j++) row += matrix[i * n + j] * right[j];
    sum += left[i] * row;
  }
  return sum;
}
