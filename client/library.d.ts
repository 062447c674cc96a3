import type { AnswerOf, BodyOf, Fault, OperationPath, Problem } from './index.d.ts';

export type { AnswerOf, BodyOf, Fault, FaultCode, OperationPath, Problem } from './index.d.ts';

/** Daily closes of an asset in USD, oldest first, one a day; null where a day has none. */
export interface HandedCloses {
  /** Day of the first close, `2024-01-31`: the close is the price at its end, UTC. */
  readonly firstDay: string;
  readonly closes: readonly (number | null)[];
}

export interface OpenOptions {
  /** Folder or http(s) address of a market store, `sample` for synthetic prices, or closes by symbol. */
  readonly market: string | Readonly<Record<string, HandedCloses>>;
  /** Engines to open; auto. `cpu` starts no process of a GPU. */
  readonly compute?: 'auto' | 'gpu' | 'cpu';
  /** Threads of the processor; its number by default. */
  readonly cpuThreads?: number;
}

export interface AskOptions {
  /** Of the random numbers, 0 to 2^32 - 1; 0. The same seed gives the same paths. */
  readonly seed?: number;
  /** Engine of this question; auto. */
  readonly compute?: 'auto' | 'gpu' | 'cpu';
  /** Further members of the answer: accuracy, model, warnings, ... */
  readonly include?: readonly string[];
  /** Its abort ends the run; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
  /** Receives the finished share of the work, 0 to 1, where it has grown. */
  readonly onProgress?: (share: number) => void;
}

export interface Paths {
  /** Hours of the points of a path, from 0 on. */
  readonly hours: Float64Array;
  /** For each path, prices by symbol at these hours over the price at the start; in double precision. */
  readonly paths: readonly Readonly<Record<string, Float64Array>>[];
}

/** A question was refused; `problem.errors` names every member that is at fault. */
export class RiskRefusal extends Error {
  readonly name: 'RiskRefusal';
  readonly problem: Pick<Problem, 'type' | 'title' | 'status' | 'detail'> & {
    readonly errors: readonly Fault[];
  };
}

export interface Risk {
  /** The answer of an operation: the body that a server sends. @throws RiskRefusal, or the signal's reason */
  ask<P extends OperationPath>(path: P, request: BodyOf<P>, options?: AskOptions): Promise<AnswerOf<P>>;
  /**
   * Prices along paths of the run of a question: the draws behind its answer, path by path.
   *
   * @throws RiskRefusal; RangeError for paths that the run has not, and for questions without prices by the step
   */
  paths<P extends OperationPath>(
    path: P,
    request: BodyOf<P>,
    options: AskOptions & {
      /** First path; 0. */
      readonly first?: number;
      /** Number of paths. */
      readonly count: number;
    },
  ): Promise<Paths>;
  /** Ends threads and processes. */
  close(): Promise<void>;
}

/** Opens market and engines in this process. @throws RiskRefusal, or the error of a market store that cannot be read */
export function openRisk(options: OpenOptions): Promise<Risk>;
