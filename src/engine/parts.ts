/**
 * Parts of a run: path ranges of one plan, each of which any process can compute.
 *
 * Gives: parts and their answers, in plain data. Parts end where chunks of the engine end. Answers contain the outcome of
 * every chunk, so that a merge in path order adds the same numbers in the same order as one process; the answers of a GPU are
 * whole numbers, which have the same sum in any order.
 * Must not know: where a part is computed.
 */

import type { UpperTail } from '../core/book/tail-weights.ts';
import type { Engine, EngineKind, Outcome, RunOptions } from '../core/engine.ts';
import { RiskError } from '../core/errors.ts';
import type { RangeSums } from '../core/gpu/range-sums.ts';
import { type MergedOutcome, mergeOutcomes } from '../core/plan/merge-outcomes.ts';
import type { BookOutcome, BookProduct } from '../core/plan/product/book.ts';
import type { PathRange } from '../core/plan/records.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { BookPasses } from './threads/book-passes.ts';

/** Distributes parts of runs to other processes. */
export interface Spreader {
  /**
   * An engine with the outcomes of `local`, digit for digit, whose parts other processes compute; undefined where the work
   * is too small, or there is no worker.
   */
  spread(plan: SimulationPlan, kind: EngineKind, local: Engine & PartEngine): Engine | undefined;
}

export type Part =
  /** Whole chunks of a product whose outcome is a merge of chunks. */
  | { readonly kind: 'chunks'; readonly range: PathRange }
  /** The first pass of a book over a range of paths. */
  | { readonly kind: 'book-paths'; readonly range: PathRange }
  /** The second pass of a book: the numbers of the tail paths, and the book's loss on each. */
  | {
      readonly kind: 'book-tails';
      readonly paths: Uint32Array;
      readonly loss: Float64Array;
      readonly lossTails: readonly UpperTail[];
    };

/** Outcomes of the chunks in path order, or sums of a GPU, which are whole numbers. */
export type ChunksAnswer = readonly MergedOutcome[] | RangeSums;

/** The answer to each kind of part. */
export interface PartAnswers {
  chunks: ChunksAnswer;
  'book-paths': {
    /** One set of sums (core/book/book-sums.ts). */
    readonly sums: Float64Array;
    /** The columns of the paths of the range, one after another. */
    readonly columns: Float64Array;
  };
  'book-tails': {
    /** One set of contributions (threads/work-on-book.ts). */
    readonly contributions: Float64Array;
    /** n doubles per path. */
    readonly peakRows: Float64Array;
  };
}

export type PartAnswer = PartAnswers[Part['kind']];

/** An engine whose runs can be computed in parts, in this process and others. */
export interface PartEngine {
  /** The device that its figures depend on; absent where figures are equal on every host. */
  readonly figuresOf?: string;
  /** Whether it accepts parts now; absent where it always does. */
  readonly available?: boolean;
  /** Chunks at whose ends a plan may be split, in path order; undefined for a plan that cannot be split. */
  chunks(plan: SimulationPlan): readonly PathRange[] | undefined;
  /**
   * Computes one part.
   * @throws RiskError `engine-unavailable`, `engine-failed`; the signal's reason once aborted
   */
  runPart<P extends Part>(
    plan: SimulationPlan,
    part: P,
    options?: Pick<RunOptions, 'signal'>,
  ): Promise<PartAnswers[P['kind']]>;
  /** The outcome of a plan from the answers to parts of whole chunks, all paths in their order. */
  mergeChunks(plan: SimulationPlan, answers: readonly ChunksAnswer[]): Outcome;
  /**
   * The outcome of a book whose passes other processes computed; absent for an engine without parts of books. Sums have one
   * entry for each group of loans, and engines group loans differently, so one engine must run all passes.
   *
   * @param passesOf the passes of a book with this number of loan groups
   */
  mergeBook?(
    plan: SimulationPlan<BookProduct>,
    passesOf: (groups: number) => BookPasses,
    options: RunOptions,
  ): Promise<BookOutcome>;
}

/** Merges answers that are lists of outcomes. @throws RiskError `engine-failed` for the sums of a GPU */
export function mergeLists(answers: readonly ChunksAnswer[]): MergedOutcome {
  const isList = (answer: ChunksAnswer): answer is readonly MergedOutcome[] => !('words' in answer);
  if (!answers.every(isList))
    throw new RiskError('engine-failed', 'Sums of a GPU are no outcomes of chunks.');
  return mergeOutcomes(answers.flat());
}
