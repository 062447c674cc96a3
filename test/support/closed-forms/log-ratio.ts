/**
 * The log ratio ln(C_t / L_t) of two single assets that follow correlated geometric Brownian motions without
 * drift in price: itself a Brownian motion with drift.
 */

/** Brownian motion X_t = drift t + volatility W_t, X_0 = 0. */
export interface LogRatio {
  /** Per year: -(sigma_C^2 - sigma_L^2) / 2. */
  readonly drift: number;
  /** Per square root of a year: sqrt(sigma_C^2 + sigma_L^2 - 2 rho sigma_C sigma_L). */
  readonly volatility: number;
}

/** The log ratio from the annual volatilities of collateral and loan asset and their correlation. */
export function logRatio(
  collateralVolatility: number,
  loanVolatility: number,
  correlation: number,
): LogRatio {
  const c = collateralVolatility;
  const l = loanVolatility;
  return { drift: (l * l - c * c) / 2, volatility: Math.sqrt(c * c + l * l - 2 * correlation * c * l) };
}
