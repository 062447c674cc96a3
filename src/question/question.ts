/**
 * What every operation takes and gives. The folder is the only place that sees models and engines together:
 * market window -> calibrated model -> plan -> engine -> figures.
 */

import type { z } from 'zod';
import type { Day } from '../calendar-date.ts';
import type { EngineDescription } from '../core/engine.ts';
import type { GridHours } from '../core/plan/grid.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { Warning } from '../core/warnings.ts';
import type { ComputeChoice, QuestionEngines } from '../engine/engine-set.ts';
import type { Logger } from '../log.ts';
import type { FilledSeries, MarketData } from '../market/market-data.ts';
import type { FittedModel } from '../methodology/fitted-model.ts';
import type { QuestionName } from '../methodology/methodology.ts';
import type { AmountSides } from '../request/amounts.ts';
import type { SchemaOf } from '../request/parse.ts';
import type { OperationPath } from '../request/paths.ts';
import type { OperationQuery, QuerySupport } from '../request/query.ts';
import type { JsonRows } from './answer-pieces.ts';
import type { FundingSource } from './perpetual/funding.ts';
import type { RequestRow } from './workload.ts';

/** Maintenance margin rates of the server, fractions of the notional. */
export interface MaintenanceMarginRates {
  /** Rate of the market `symbol`, or the default rate, for a position of that notional at the start. */
  rateOf(symbol: string, notionalUsd: number): number;
}

/** What an operation works with beside its request. */
export interface OperationContext {
  readonly market: MarketData;
  readonly engines: QuestionEngines;
  readonly compute: ComputeChoice;
  /** What the query of the request asks for beside the result. */
  readonly query: OperationQuery;
  /** 0..2^32-1. */
  readonly seed: number;
  readonly now: Date;
  readonly today: Day;
  /** Aborted when the caller has gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** Whose turn it takes where calibrations wait for one another: the digest of a key. */
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
  /** What the engine ran to the figures of `result`; absent where that is many plans, or none. */
  readonly plan?: SimulationPlan;
  /** The model as fitted; its warnings are those of the answer, too. */
  readonly fitted?: FittedModel;
  /** What the caller should know before trusting the figures; none where absent. */
  readonly warnings?: readonly Warning[];
  /** The same in lines, where the operation offers that. */
  readonly lines?: AnswerLines;
  /** The members that the query asked for, by their names in the answer; `Warnings` is made of `warnings`. */
  readonly included?: IncludedMembers;
}

/** An answer in lines: a row of its own each, then one with what is not of a single row. */
export interface AnswerLines {
  /** Rows and their ids. */
  readonly rows: JsonRows;
  /** In place of those of the answer. */
  readonly arguments: OperationAnswer['arguments'];
  readonly result: OperationAnswer['result'];
}

/** Members of an answer beside those of the interface. */
export interface IncludedMembers {
  readonly Accuracy?: Readonly<Record<string, unknown>>;
  readonly Distribution?: Readonly<Record<string, unknown>>;
  readonly Model?: Readonly<Record<string, unknown>>;
}

/** What the figures rest on beside the request: it goes into headers, by which two answers differ. */
export interface AnswerBasis {
  /** Hours between two prices of the window that was read. */
  readonly gridHours: GridHours;
  /** Equally weighted paths: drawn ones, or windows of history. */
  readonly paths: number;
  /** The server's rate for the market of a perpetual, a fraction of the notional. */
  readonly maintenanceMarginRate?: number;
  /** The settlements that the funding rate of a perpetual is the mean of; absent where the rate was sent. */
  readonly funding?: FundingSource;
}

/** What answers the requests of a question. */
export type Operation<R> = (request: R, context: OperationContext) => Promise<OperationAnswer>;

/** A question: its path, its requests, and what answers them. One folder declares one. */
export interface Question<R> extends RequestRow<R> {
  readonly name: QuestionName;
  readonly path: OperationPath;
  /** The schema of bodies sent on a day. */
  readonly schema: SchemaOf<z.ZodType>;
  /** Which amounts its bodies take in the place of weights; none where absent. */
  readonly amounts?: AmountSides;
  /** What the query can ask for. */
  readonly query: QuerySupport;
  readonly answer: Operation<R>;
}

/** What every question can include. */
export const COMMON_QUERY: QuerySupport = { include: ['warnings'], sampling: [] };
/** What the questions on a loan, a basket or a position can include. */
export const FULL_QUERY: QuerySupport = {
  include: ['accuracy', 'distribution', 'model', 'plan', 'warnings'],
  sampling: [],
};
