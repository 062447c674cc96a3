/**
 * A simulation plan: everything an engine needs, as frozen plain data that survives `structuredClone` and, by
 * `codec.ts`, JSON. Plan and seed determine the answer.
 *
 * Assets are numbered alphabetically over both weight maps. A year has 365 days of 24 hours. Matrices are row-major.
 * Prices are relative to their value at the start of the path, S(0) = 1.
 */
import type { DistributionOption } from './distribution.ts';
import type { Scenarios } from './models.ts';
import { contractOf, type Product } from './products.ts';

export type { GarchScenarios } from './model/garch.ts';
export type { GbmScenarios } from './model/gbm.ts';
export type { GbmShiftedScenarios } from './model/gbm-shifted.ts';
export type { HistoricalScenarios } from './model/historical.ts';
export type { Scenarios } from './models.ts';
export type { Portfolio } from './portfolio.ts';
export type { AccountProduct } from './product/account.ts';
export type { AdvanceRateProduct } from './product/advance-rate.ts';
export type { CappedLoanProduct } from './product/capped-loan.ts';
export type { LoanProduct } from './product/loan.ts';
export type { OriginationProduct, OriginationScore } from './product/origination.ts';
export type { PerpetualProduct } from './product/perpetual.ts';
export type { ValueAtRiskProduct } from './product/value-at-risk.ts';
export type { Product } from './products.ts';

/** A valid plan: its arrays have the lengths stated, its numbers are finite. Engines rely on it. */
export interface SimulationPlan<P extends Product = Product> {
  /** 0..2^32-1; the first key word of the generator. Unused by historical scenarios. */
  readonly seed: number;
  /** Number of paths, or of historical windows. */
  readonly paths: number;
  readonly scenarios: Scenarios;
  readonly product: P;
  /** Requests the distribution of the paths beside the outcome. */
  readonly distribution?: DistributionOption;
}

/** Number of simulated steps of a plan: horizons for value at risk, hours or days otherwise. */
export function planSteps({ product }: SimulationPlan): number {
  return contractOf(product).steps(product);
}
