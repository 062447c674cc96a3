/**
 * Parts of a run: ranges of the paths of one plan, each of which any process can do.
 *
 * Gives: what a part is, and its answer, in plain data. Parts end where chunks of the engine end. Answers contain the outcome of
 * every chunk, so that merging them in path order adds the same numbers in the same order as one process; those of a GPU are
 * whole numbers, which add up in any order.
 * Must not know: who does a part, and where.
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

/** Has runs done in parts by other processes, where there are any. */
export interface Spreader {
  /**
   * An engine with the outcomes of `local`, digit for digit, whose parts other processes run; undefined where the work
   * is too small for that, or there is no worker.
   */
  spread(plan: SimulationPlan, kind: EngineKind, local: Engine & PartEngine): Engine | undefined;
}

export type Part =
  /** Whole chunks of a product whose outcome is merged from chunks. */
  | { readonly kind: 'chunks'; readonly range: PathRange }
  /** The first pass of a book over a range of paths. */
  | { readonly kind: 'book-paths'; readonly range: PathRange }
  /** The second pass of a book: paths of the tails by their numbers, and the loss of the book on each. */
  | {
      readonly kind: 'book-tails';
      readonly paths: Uint32Array;
      readonly loss: Float64Array;
      readonly lossTails: readonly UpperTail[];
    };

/** Outcomes of the chunks in path order, or whole numbers that add up to those of all paths. */
export type ChunksAnswer = readonly MergedOutcome[] | RangeSums;

/** The answer to each kind of part. */
export interface PartAnswers {
  chunks: ChunksAnswer;
  'book-paths': {
    /** One set of sums (core/book/book-sums.ts). */
    readonly sums: Float64Array;
    /** The columns of the paths of the range, end to end. */
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

/** An engine whose runs can be done in parts, here and elsewhere. */
export interface PartEngine {
  /** The device that its figures depend on; absent where they are the same on every host. */
  readonly figuresOf?: string;
  /** Whether it would take a part now; absent where it always would. */
  readonly available?: boolean;
  /** Chunks at whose ends a plan may be split, in path order; undefined for a plan that is not done in parts. */
  chunks(plan: SimulationPlan): readonly PathRange[] | undefined;
  /**
   * Does one part.
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
   * Ends a book whose passes other processes of this kind made; absent for an engine without parts of books. Sums have one
   * entry for each group of loans, and engines group loans differently: no engine ends a book of another.
   *
   * @param passesOf returns the passes for a book with a number of groups of loans
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
