/**
 * Requests, context and answer of every operation. Only this folder joins models and engines:
 * market window -> calibrated model -> plan -> engine -> figures.
 */

import type { EngineDescription } from '../core/engine.ts';
import type { GridHours } from '../core/plan/grid.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { Warning } from '../core/warnings.ts';
import type { ComputeChoice, QuestionEngines } from '../engine/engine-set.ts';
import type { Logger } from '../host/log.ts';
import type { FilledSeries, MarketData } from '../market/market-data.ts';
import type { FittedModel } from '../models/methodology/fitted-model.ts';
import type { QuestionName } from '../models/methodology/methodology.ts';
import type { FundingSource } from './perpetual/funding.ts';
import type { OperationPath } from './request/paths.ts';
import type { OperationQuery, QuerySupport } from './request/query.ts';
import type { AnyRequest, Reading } from './resolved.ts';
import type { TableRule } from './table.ts';
import type { RequestRow } from './workload.ts';

/** Maintenance margin rates of the server, fractions of the notional. */
export interface MaintenanceMarginRates {
  /** Rate of the market `symbol`, or the default rate, for a position of that notional at the start. */
  rateOf(symbol: string, notionalUsd: number): number;
}

/** The context of an operation beside its request. */
export interface OperationContext {
  readonly market: MarketData;
  readonly engines: QuestionEngines;
  readonly compute: ComputeChoice;
  readonly query: OperationQuery;
  /** 0..2^32-1. */
  readonly seed: number;
  readonly now: Date;
  /** Aborts when the caller disconnects or the deadline passes. */
  readonly signal: AbortSignal;
  /** Digest of the key; callers take turns in the queue of calibrations. */
  readonly caller: string;
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
  /** Missing prices that were carried forward. */
  readonly filled: readonly FilledSeries[];
  readonly basis: AnswerBasis;
  /** The plan behind `result`; absent where there are many plans, or none. */
  readonly plan?: SimulationPlan;
  /** Symbols of the assets of the plan, in its order. */
  readonly symbols?: readonly string[];
  /** The model as fitted; the answer includes its warnings. */
  readonly fitted?: FittedModel;
  readonly warnings?: readonly Warning[];
  /** The answer in lines, where the operation offers that. */
  readonly lines?: AnswerLines;
  /** The members that the query names, by their names in the answer; `Warnings` follows from `warnings`. */
  readonly included?: IncludedMembers;
}

/** An answer in lines: one for each row, then one with the rest of the answer. */
export interface AnswerLines {
  /** Rows by id. */
  readonly rows: ReadonlyMap<string, object>;
  /** In place of `arguments` and `result` of the answer. */
  readonly arguments: OperationAnswer['arguments'];
  readonly result: OperationAnswer['result'];
}

/** Members of an answer beside those of the interface. */
export interface IncludedMembers {
  readonly Accuracy?: Readonly<Record<string, unknown>>;
  readonly Distribution?: Readonly<Record<string, unknown>>;
  readonly Model?: Readonly<Record<string, unknown>>;
  readonly Scenario?: Readonly<Record<string, unknown>>;
}

/** Sources of the figures beside the request, for the headers of the answer. */
export interface AnswerBasis {
  /** Hours between two prices of the window that was read. */
  readonly gridHours: GridHours;
  /** Paths drawn, or windows of history; of equal weight. */
  readonly paths: number;
  /** The server's rate for the market of a perpetual, a fraction of the notional. */
  readonly maintenanceMarginRate?: number;
  /** The settlements that the funding rate of a perpetual is the mean of; absent where the rate was sent. */
  readonly funding?: FundingSource;
}

export type Operation<R> = (request: R, context: OperationContext) => Promise<OperationAnswer>;

/** A question: its path, its requests, its operation. Each folder declares one. */
export interface Question<R> extends RequestRow<R>, Reading<R> {
  readonly name: QuestionName;
  readonly path: OperationPath;
  readonly query: QuerySupport;
  answer(...asked: Parameters<Operation<R>>): ReturnType<Operation<R>>;
  /** Largest body in bytes. */
  readonly bodyBytes: number;
  /** Whether it can answer in lines. */
  readonly lines?: boolean;
  /** The rows of its answer as a table of columns; absent: the whole result is one row. */
  readonly table?: TableRule;
  /** Whether it accepts a loan tape as text/csv. */
  readonly takesTapes?: boolean;
}

/** A question whose type of request is not known. */
export type AnyQuestion = Question<AnyRequest>;

/** Largest body of most questions: twenty times the largest request of one loan; parsed within some milliseconds. */
export const BODY_BYTES = 64 * 1024;
/** Largest body of a question on books. */
export const BOOK_BODY_BYTES = 16 * 2 ** 20;

/** The query of every question. */
export const COMMON_QUERY: QuerySupport = { include: ['warnings'], sampling: [] };
/** The query of questions on a loan, a basket or a position. */
export const FULL_QUERY: QuerySupport = {
  include: ['accuracy', 'distribution', 'model', 'plan', 'warnings'],
  sampling: [],
};
