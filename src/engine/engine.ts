/**
 * The engine interface: a plan in, outcomes out, and nothing else.
 *
 * Takes: a `SimulationPlan`. Gives: sums and order statistics over its paths, or on request one record per path.
 * Must not know: calibration, HTTP, market data. An engine keeps no state between runs.
 *
 * Both engines draw path p of seed s from the same integers (see docs/decisions/random-numbers.md), so their
 * outcomes differ by single-precision rounding only.
 */
import type {
  CappedLoanProduct,
  LoanProduct,
  OriginationProduct,
  PerpetualProduct,
  Product,
  SimulationPlan,
  ValueAtRiskProduct,
} from '../plan/simulation-plan.ts';

/** Sums over the paths of a loan. Counts are exact integers. */
export interface LoanOutcome {
  readonly kind: 'loan';
  readonly paths: number;
  readonly marginCalls: number;
  readonly liquidations: number;
  readonly closeouts: number;
  /** Paths with CCR < 1 at some step of the full term, no sale assumed. */
  readonly underwater: number;
  /** Sum over paths of the step at which the loan ended, T where it did not. */
  readonly openSteps: number;
  /** Sum over paths of max(0, 1 - CCR_T), a fraction of the loan per path. */
  readonly loss: number;
  /** Lowest CCR over all paths and steps 1..T, no sale assumed. */
  readonly worstCcr: number;
}

/** Scores of all candidates of an origination scan. */
export interface OriginationOutcome {
  readonly kind: 'origination';
  readonly paths: number;
  /** Per candidate: paths that reach the state (for `path-minimum`: whose minimum of C_t/L_t is below the threshold). */
  readonly counts: Float64Array;
  /** Lowest C_t / L_t over all paths and steps 1..T. */
  readonly worstRatio: number;
}

/** Sums over the paths of a loan with capped sales. Amounts in units of the initial loan value. */
export interface CappedLoanOutcome {
  readonly kind: 'capped-loan';
  readonly paths: number;
  readonly marginCalls: number;
  readonly liquidations: number;
  readonly closeouts: number;
  readonly underwater: number;
  /** Number of calls over all paths (a path can have several). */
  readonly calls: number;
  /** Sum over all calls of max(0, R x debt - collateral) at the call. */
  readonly callAmount: number;
  /** Paths that sold anything. */
  readonly sellers: number;
  /** Sum over paths of the amount sold. */
  readonly soldAmount: number;
  /** Lowest coverage of the whole claim while debt is left. */
  readonly worstCcr: number;
}

/** One tail: the type-7 quantile of a value and the mean of all values at or below it. USD. */
export interface Tail {
  readonly valueAtRisk: number;
  readonly conditionalValueAtRisk: number;
}

/** Tails per horizon (in the plan's order), per quantile (in the plan's order). */
export interface ValueAtRiskOutcome {
  readonly kind: 'value-at-risk';
  readonly paths: number;
  readonly horizons: readonly {
    readonly collateral: readonly Tail[];
    readonly loan: readonly Tail[];
    readonly netExposure: readonly Tail[];
  }[];
}

/** Per-path figures of a perpetual position, in margin currency where they are amounts. */
export interface PerpetualOutcome {
  readonly kind: 'perpetual';
  readonly paths: number;
  readonly marginCalls: number;
  readonly liquidations: number;
  /** Per path, each of length `paths`. */
  readonly finalEquity: Float64Array;
  readonly accumulatedFunding: Float64Array;
  /** Lowest equity minus its running peak, <= 0. */
  readonly maxEquityDrawdown: Float64Array;
  /** Median of notional / equity over t = 0 and every later step after which the position is still open. */
  readonly medianLeverage: Float64Array;
}

/** The outcome that belongs to a product. */
export type OutcomeOf<P extends Product> = P extends LoanProduct
  ? LoanOutcome
  : P extends OriginationProduct
    ? OriginationOutcome
    : P extends CappedLoanProduct
      ? CappedLoanOutcome
      : P extends ValueAtRiskProduct
        ? ValueAtRiskOutcome
        : P extends PerpetualProduct
          ? PerpetualOutcome
          : never;

export type Outcome =
  | LoanOutcome
  | OriginationOutcome
  | CappedLoanOutcome
  | ValueAtRiskOutcome
  | PerpetualOutcome;

/**
 * One record per path, for comparing engines path by path and for looking into a run.
 * Fields by product kind:
 * - loan: minimumRatio (lowest C_t/L_t), finalRatio (C_T/L_T), endStep, flags
 * - capped-loan: worstCcr, soldAmount, callAmount, flags
 * - perpetual: finalEquity, accumulatedFunding, maxEquityDrawdown, medianLeverage, flags
 * - value-at-risk: collateral.<k>, loan.<k> per horizon rank k (C_h and L_h, relative)
 * flags: bit 0 margin call, 1 liquidation, 2 closeout, 3 underwater.
 */
export type PathRecords = Readonly<Record<string, Float64Array>>;

export const FLAG_MARGIN_CALL = 1;
export const FLAG_LIQUIDATION = 2;
export const FLAG_CLOSEOUT = 4;
export const FLAG_UNDERWATER = 8;

export interface RunOptions {
  /** Aborting it ends the run soon after with the signal's reason. */
  readonly signal?: AbortSignal;
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
