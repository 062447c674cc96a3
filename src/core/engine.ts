/**
 * The interface of an engine: it runs a plan, and returns sums and order statistics over its paths or a record per
 * path. An engine has no state between runs.
 *
 * All engines draw path p of seed s from the same integers (docs/decisions/random-numbers.md): outcomes differ by the
 * rounding of single precision only.
 */

import type { OutcomeOf, Product } from './plan/products.ts';
import type { SharedDraws } from './plan/shared-draws.ts';
import type { SimulationPlan } from './plan/simulation-plan.ts';

export type { AccountOutcome } from './plan/product/account.ts';
export type { AdvanceRateOutcome } from './plan/product/advance-rate.ts';
export type { CappedLoanOutcome } from './plan/product/capped-loan.ts';
export type { LoanOutcome } from './plan/product/loan.ts';
export type { OriginationOutcome } from './plan/product/origination.ts';
export type { PerpetualOutcome } from './plan/product/perpetual.ts';
export type { Tail, ValueAtRiskOutcome } from './plan/product/value-at-risk.ts';
export type { Outcome, OutcomeOf } from './plan/products.ts';

/** Engines by the rounding of their figures: one run uses engines of one kind, and GPUs of one device. */
export type EngineKind = 'reference' | 'simd' | 'gpu' | 'software-gpu';

/**
 * One record per path: a column for each field that the product's contract names, in path order.
 * flags: bit 0 margin call, 1 liquidation, 2 closeout, 3 underwater, 4 taken over, 5 shortfall.
 */
export type PathRecords = Readonly<Record<string, Float64Array>>;

export const FLAG_MARGIN_CALL = 1;
export const FLAG_LIQUIDATION = 2;
export const FLAG_CLOSEOUT = 4;
export const FLAG_UNDERWATER = 8;
/** Of an account, beside margin call and liquidation. */
export const FLAG_TAKEN_OVER = 16;
export const FLAG_SHORTFALL = 32;
export const FLAGS = {
  marginCall: FLAG_MARGIN_CALL,
  liquidation: FLAG_LIQUIDATION,
  closeout: FLAG_CLOSEOUT,
  underwater: FLAG_UNDERWATER,
} as const;

export interface RunOptions {
  /** Its abort ends the run soon, with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Receives the share of completed paths, 0 to 1, from time to time; an engine may ignore it. */
  readonly onProgress?: (share: number) => void;
  /**
   * The name of the work that the run belongs to: another process that repeats the work under this name finds its
   * completed parts. Letters, digits, hyphens and underscores. Engines of one process ignore it.
   */
  readonly scope?: string;
  /** Consecutive runs of books with the same draws draw the prices of equal paths once; an engine may ignore it. */
  readonly draws?: SharedDraws;
}

/** The device of an engine, for headers, banners and reports. */
export interface EngineDescription {
  readonly backend: 'cpu' | 'gpu';
  /** The text of `x-compute-device`: processor and threads, or adapter and driver. */
  readonly device: string;
  /** True for a software adapter, which `auto` never selects. */
  readonly software: boolean;
}

export interface Engine {
  readonly description: EngineDescription;
  /** Whether this engine can run a plan (HISTORICAL runs on the CPU only). */
  supports(plan: SimulationPlan): boolean;
  /** @throws RiskError `engine-failed` or `engine-unavailable`, or the signal's reason once aborted */
  run<P extends Product>(plan: SimulationPlan<P>, options?: RunOptions): Promise<OutcomeOf<P>>;
  /** Returns one record per path, of 1,048,576 paths at most; for tests and inspection. */
  trace(plan: SimulationPlan, options?: RunOptions): Promise<PathRecords>;
  /** Closes the engine after the running work; a second call does nothing. */
  close(): Promise<void>;
}
