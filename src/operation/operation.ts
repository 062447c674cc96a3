/**
 * What every operation takes and gives. The folder is the only place that sees models and engines together:
 * market window -> calibrated model -> plan -> engine -> figures.
 */
import type { EngineDescription } from '../engine/engine.ts';
import type { ComputeChoice, EngineSet } from '../engine/engine-set.ts';
import type { Logger } from '../log.ts';
import type { FilledSeries, MarketData } from '../market/market-data.ts';
import type { GridHours } from '../plan/grid.ts';
import type { Day } from '../request/calendar-date.ts';

/** Maintenance margin rates of the server, fractions of the notional. */
export interface MaintenanceMarginRates {
  /** Rate of the market `symbol`, or the default rate. */
  rateOf(symbol: string): number;
}

/** What an operation works with beside its request. */
export interface OperationContext {
  readonly market: MarketData;
  readonly engines: EngineSet;
  readonly compute: ComputeChoice;
  /** 0..2^32-1. */
  readonly seed: number;
  readonly now: Date;
  readonly today: Day;
  /** Aborted when the caller has gone or the deadline has passed. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly maintenanceMargins: MaintenanceMarginRates;
}

/** The answer of an operation, before it is put into an HTTP response. */
export interface OperationAnswer {
  readonly resultMember: 'Output' | 'Results';
  /** The processed request, with the interface's additions. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>>;
  readonly engine: EngineDescription;
  /** Prices that were carried forward over holes. */
  readonly filled: readonly FilledSeries[];
  readonly basis: AnswerBasis;
}

/** What the figures rest on beside the request: it goes into headers, so that two answers can be told apart. */
export interface AnswerBasis {
  /** Hours between two prices of the window that was read. */
  readonly gridHours: GridHours;
  /** Equally weighted paths: drawn ones, or windows of history. */
  readonly scenarios: number;
  /** The server's rate for the market of a perpetual, a fraction of the notional. */
  readonly maintenanceMarginRate?: number;
}

/** One of the five operations. */
export type Operation<R> = (request: R, context: OperationContext) => Promise<OperationAnswer>;
