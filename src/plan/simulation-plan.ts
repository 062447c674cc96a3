/**
 * A simulation plan: everything an engine needs to know, as frozen plain data.
 *
 * Takes: calibrated parameters and the terms of a product, already turned into numbers.
 * Gives: a value that survives `structuredClone` and JSON over a queue; plan + seed determine the answer.
 * Must not know: HTTP, market data, calibration, which engine runs it.
 *
 * Conventions: assets are numbered alphabetically over both weight maps. A year has 365 days of 24 hours.
 * Matrices are row-major. Prices are relative to their value at the start of the path, S(0) = 1.
 */

/** Largest number of distinct assets in one plan. */
export const MAX_ASSETS = 32;
/** Hours of a year of 365 days. */
export const HOURS_PER_YEAR = 8760;

/**
 * Correlated geometric Brownian motion, a martingale in price:
 * ln S_i += -sigma_i^2 dt / 2 + sqrt(dt) * sum_j factor[i][j] Z_j.
 */
export interface GbmScenarios {
  readonly kind: 'gbm';
  /** Number of assets n. */
  readonly assets: number;
  /** n annual volatilities sigma_i, fractions per year, shock included. */
  readonly annualVolatility: Float64Array;
  /** n x n lower-triangular: row i is sigma_i times row i of a factor A of the correlation matrix, A A' = rho. */
  readonly factor: Float64Array;
}

/**
 * GARCH(1,1) per asset with constant correlation, daily variance spread evenly over the 24 hours of a day:
 * hourly ln S_i += -(1+s)^2 h_i / 48 + (1+s) sqrt(h_i / 24) y_i, y = A Z; at the end of a day
 * h_i = omega_i + alpha_i e_i^2 + beta_i h_i with e_i the sum of the day's sqrt(h_i / 24) y_i.
 */
export interface GarchScenarios {
  readonly kind: 'garch';
  readonly assets: number;
  /** n intercepts of the daily variance. */
  readonly omega: Float64Array;
  readonly alpha: Float64Array;
  readonly beta: Float64Array;
  /** n variances of the first simulated day. */
  readonly firstVariance: Float64Array;
  /** n x n lower-triangular factor A of the correlation matrix of the standardised residuals. */
  readonly factor: Float64Array;
  /** 1 + volatility shock. */
  readonly volatilityScale: number;
}

/**
 * Windows of real history. Scenario p ends at grid point `lead + p` and, for a horizon of k steps, begins at
 * `lead + p - k`: S_i(t) = prices[i][lead + p - k + t] / prices[i][lead + p - k].
 */
export interface HistoricalScenarios {
  readonly kind: 'historical';
  readonly assets: number;
  /** n series of USD prices on one grid, each of length lead + paths. */
  readonly prices: readonly Float64Array[];
  /** Grid points before the first window's end: the longest horizon in steps. */
  readonly lead: number;
}

export type Scenarios = GbmScenarios | GarchScenarios | HistoricalScenarios;

/** Weights of a buy-and-hold basket by asset number; 0 where the asset is not in it. */
export interface Portfolio {
  /** n weights w_i: C_t = sum_i w_i S_i(t). */
  readonly collateralWeights: Float64Array;
  /** n weights: L_t = sum_i w_i S_i(t). */
  readonly loanWeights: Float64Array;
}

/** The four ratios of a loan and its grace period. CCR_t = nominalRatio * C_t / L_t. */
export interface LoanTerms {
  /** N: collateral coverage at the start. */
  readonly nominalRatio: number;
  /** M: below it a margin call opens. */
  readonly marginCallRatio: number;
  /** L: below it the loan is liquidated at once. */
  readonly liquidationRatio: number;
  /** R: at or above it an open margin call is cured. */
  readonly recoveryRatio: number;
  /** Steps between a margin call and its deadline; 0 closes out in the step of the call. */
  readonly topUpSteps: number;
}

/** A loan under unlimited liquidity (methodology part 4). */
export interface LoanProduct extends LoanTerms {
  readonly kind: 'loan';
  readonly portfolio: Portfolio;
  /** Steps of the full term T. */
  readonly steps: number;
}

/** Which score an origination scan needs: the path minimum answers the first, the state machine the other two. */
export type OriginationScore = 'path-minimum' | 'liquidation' | 'closeout';

/**
 * One pass that scores many candidate nominal ratios on the same paths. R = N for every candidate, so a call is
 * cured when C_t / L_t >= 1. Both threshold lists fall strictly as the candidate rises.
 */
export interface OriginationProduct {
  readonly kind: 'origination';
  readonly portfolio: Portfolio;
  readonly steps: number;
  readonly topUpSteps: number;
  readonly score: OriginationScore;
  /** Per candidate: L / N_k, the liquidation threshold of C_t / L_t. For `path-minimum`: the threshold that counts. */
  readonly liquidationThreshold: Float64Array;
  /** Per candidate: M_k / N_k, the margin-call threshold of C_t / L_t. Empty for `path-minimum`. */
  readonly marginCallThreshold: Float64Array;
}

/** A loan whose sale is capped per step (methodology part 6). Amounts are in units of the loan's initial value. */
export interface CappedLoanProduct extends LoanTerms {
  readonly kind: 'capped-loan';
  readonly portfolio: Portfolio;
  readonly steps: number;
  /** Largest sale per step as a fraction of the initial loan value; 0 sells nothing. */
  readonly capacityPerStep: number;
}

/** Value at risk of collateral, loan and net exposure at several horizons (methodology part 5). */
export interface ValueAtRiskProduct {
  readonly kind: 'value-at-risk';
  readonly portfolio: Portfolio;
  /** USD. */
  readonly collateralValue: number;
  /** USD. */
  readonly loanValue: number;
  /** Rising horizons in years: the step from rank k-1 to rank k is one exact GBM step. Ignored by HISTORICAL. */
  readonly horizonYears: Float64Array;
  /** Rising horizons in grid steps; used by HISTORICAL only, empty otherwise. */
  readonly horizonSteps: Uint32Array;
  /** Quantiles q in (0, 1), rising; the figures are those of the lower 1 - q tail. */
  readonly quantiles: Float64Array;
}

/** One isolated perpetual position on asset 0, hourly steps (methodology part 7). */
export interface PerpetualProduct {
  readonly kind: 'perpetual';
  readonly contract: 'linear' | 'inverse';
  /** linear: q in asset units; inverse: n in USD. Negative is short. */
  readonly quantity: number;
  /** USD. */
  readonly entryPrice: number;
  /** Mark price P_0 in USD at which PnL = unrealizedPnl. */
  readonly startPrice: number;
  /** Margin currency: USD for linear, coins for inverse. */
  readonly initialMargin: number;
  readonly unrealizedPnl: number;
  readonly fundingRatePerInterval: number;
  /** Per step t = 1..T, at index t - 1: how many funding settlements fall into it. */
  readonly settlements: Uint32Array;
  /** True for `debitflat`: credits are booked as 0. */
  readonly debitsOnly: boolean;
  /** Maintenance margin as a fraction of the notional at the mark. */
  readonly maintenanceMarginRate: number;
  /** Margin call when equity <= this multiple of the maintenance margin. */
  readonly marginCallMultiple: number;
  readonly steps: number;
}

export type Product =
  | LoanProduct
  | OriginationProduct
  | CappedLoanProduct
  | ValueAtRiskProduct
  | PerpetualProduct;

/** A plan as the operations make it: its arrays have the lengths stated, its numbers are finite. Engines rely on it. */
export interface SimulationPlan<P extends Product = Product> {
  /** 0..2^32-1; the first key word of the generator. Unused by historical scenarios. */
  readonly seed: number;
  /** Number of paths, or of historical windows. */
  readonly paths: number;
  readonly scenarios: Scenarios;
  readonly product: P;
}

/** Number of simulated steps of a plan: horizons for value at risk, hours otherwise. */
export function planSteps(plan: SimulationPlan): number {
  const { product } = plan;
  if (product.kind !== 'value-at-risk') return product.steps;
  return plan.scenarios.kind === 'historical' ? product.horizonSteps.length : product.horizonYears.length;
}

/** paths x steps x assets: the unit in which work limits are stated. */
export function planWork(plan: SimulationPlan): number {
  return plan.paths * planSteps(plan) * plan.scenarios.assets;
}
