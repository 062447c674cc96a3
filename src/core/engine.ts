/**
 * The engine interface: a plan in, outcomes out, and nothing else.
 *
 * Takes: a `SimulationPlan`. Gives: sums and order statistics over its paths, or on request one record per path.
 * Must not know: calibration, HTTP, market data. An engine keeps no state between runs.
 *
 * Both engines draw path p of seed s from the same integers (see docs/decisions/random-numbers.md), so their
 * outcomes differ by single-precision rounding only.
 */

import type { OutcomeOf, Product } from './plan/products.ts';
import type { SharedDraws } from './plan/shared-draws.ts';
import type { SimulationPlan } from './plan/simulation-plan.ts';

export type { CappedLoanOutcome } from './plan/product/capped-loan.ts';
export type { LoanOutcome } from './plan/product/loan.ts';
export type { OriginationOutcome } from './plan/product/origination.ts';
export type { PerpetualOutcome } from './plan/product/perpetual.ts';
export type { Tail, ValueAtRiskOutcome } from './plan/product/value-at-risk.ts';
export type { Outcome, OutcomeOf } from './plan/products.ts';

/** Engines by what their figures depend on: parts of one run are made by engines of one kind, and on GPUs of one device. */
export type EngineKind = 'reference' | 'simd' | 'gpu' | 'software-gpu';

/**
 * One record per path, for comparing engines path by path and for looking into a run: a column per field that the
 * product's contract names, in path order.
 * flags: bit 0 margin call, 1 liquidation, 2 closeout, 3 underwater.
 */
export type PathRecords = Readonly<Record<string, Float64Array>>;

export const FLAG_MARGIN_CALL = 1;
export const FLAG_LIQUIDATION = 2;
export const FLAG_CLOSEOUT = 4;
export const FLAG_UNDERWATER = 8;
export const FLAGS = {
  marginCall: FLAG_MARGIN_CALL,
  liquidation: FLAG_LIQUIDATION,
  closeout: FLAG_CLOSEOUT,
  underwater: FLAG_UNDERWATER,
} as const;

export interface RunOptions {
  /** Aborting it ends the run soon after with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Receives the share of the paths that are done, 0 to 1, from time to time; an engine may not call it. */
  readonly onProgress?: (share: number) => void;
  /**
   * A name for the work that the run belongs to, the same if another process does that work again: it finds the parts
   * that were done. Letters, digits, hyphens and underscores. Engines of one process ignore it.
   */
  readonly scope?: string;
  /** Runs of books that name the same draws, one after another, draw the prices of equal paths once; an engine may ignore it. */
  readonly draws?: SharedDraws;
}

/** What is behind an engine, for headers, banners and reports. */
export interface EngineDescription {
  readonly backend: 'cpu' | 'gpu';
  /** A line for `x-compute-device`: processor and threads, or adapter and driver. */
  readonly device: string;
  /** True for a software adapter, which `auto` never takes. */
  readonly software: boolean;
}

export interface Engine {
  readonly description: EngineDescription;
  /** Whether this engine can run such a plan at all (HISTORICAL runs on the CPU only). */
  supports(plan: SimulationPlan): boolean;
  /**
   * Runs a plan to its end.
   * @throws RiskError `engine-failed` or `engine-unavailable`, or the signal's reason once aborted.
   */
  run<P extends Product>(plan: SimulationPlan<P>, options?: RunOptions): Promise<OutcomeOf<P>>;
  /** Runs a plan and returns one record per path; for tests and inspection, at most 1,048,576 paths. */
  trace(plan: SimulationPlan, options?: RunOptions): Promise<PathRecords>;
  /** Ends after the running work; a second call does nothing. */
  close(): Promise<void>;
}
