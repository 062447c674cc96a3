/**
 * Tasks of a book for threads, and their answers, in memory that they share.
 */
import type { PreparedBook } from '../../core/book/prepared-book.ts';
import type { SummaryTask } from '../../core/book/summaries.ts';
import type { BookTailPaths } from '../../core/book/tail-paths.ts';
import type {
  BookLoanSums,
  BookProduct,
  ColumnSummary,
  WeightedLoanSums,
} from '../../core/plan/product/book.ts';
import type { PathRange } from '../../core/plan/records.ts';
import type { DrawMemory } from '../../core/plan/shared-draws.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';

export type BookPlan = SimulationPlan<BookProduct>;

/** Result of the first pass over some paths, in shared memory. */
export interface BookPathSums {
  /** The paths of the pass. */
  readonly range: PathRange;
  /** The book's columns (columnsOfBook), one double per path of the range. */
  readonly columns: SharedArrayBuffer;
  /** Sets of sums (core/book/book-sums.ts), one after another, to be added. */
  readonly sums: SharedArrayBuffer;
}

/** The paths of the tails. */
export interface BookTails extends BookTailPaths {
  /** Loss of the book on each of them, USD. */
  readonly loss: Float64Array;
}

/** The paths of the tails that the second pass runs again. */
export type TailPaths = Pick<BookTails, 'lossTails' | 'paths' | 'loss'>;

/** Result of the second pass, over paths of the tails, in shared memory. */
export interface BookTailSums {
  /** Per tail path, n doubles: USD of each asset sold on its peak day. */
  readonly peakRows: SharedArrayBuffer;
  /** Sets of, per quantile, per loan: whole numbers of 2^-48 of the loan value, high and low part; to be added. */
  readonly contributions: SharedArrayBuffer;
}

/** The sets in use, of one for each thread. */
export interface TakenSets {
  /** Per set: 1 while a thread uses it. */
  readonly taken: SharedArrayBuffer;
}

export type BookTask =
  | { readonly kind: 'book-prepare'; readonly plan: BookPlan }
  | {
      readonly kind: 'book-range';
      readonly plan: BookPlan;
      readonly book: PreparedBook;
      readonly range: PathRange;
      readonly memory: BookPathSums & TakenSets;
      readonly draws: DrawMemory | undefined;
    }
  | {
      readonly kind: 'book-tails';
      readonly plan: BookPlan;
      readonly columns: SharedArrayBuffer;
    }
  | {
      readonly kind: 'book-tail-range';
      readonly plan: BookPlan;
      readonly book: PreparedBook;
      /** Places in `tails.paths`. */
      readonly range: PathRange;
      readonly tails: TailPaths;
      readonly memory: BookTailSums & TakenSets;
      readonly draws: DrawMemory | undefined;
    }
  | ({ readonly kind: 'book-summary' } & SummaryTask)
  | {
      readonly kind: 'book-merge';
      readonly plan: BookPlan;
      readonly book: PreparedBook;
      readonly sums: BookPathSums;
      readonly tails: BookTails;
      readonly tailSums: BookTailSums;
    };

export interface BookTaskAnswers {
  'book-prepare': PreparedBook;
  'book-range': undefined;
  'book-tails': BookTails;
  'book-tail-range': undefined;
  'book-summary': ColumnSummary;
  'book-merge': {
    readonly loans: BookLoanSums;
    readonly weighted?: WeightedLoanSums;
    readonly contributions: readonly Float64Array[];
    readonly peakDayByAsset: readonly Float64Array[];
    readonly lossByAsset: readonly Float64Array[];
    readonly collateralByAsset: Float64Array;
  };
}

export const isBookTask = (task: { readonly kind: string }): task is BookTask =>
  task.kind.startsWith('book-');

/** Units of contributions in one loan value; sums have two parts, so that they are whole numbers. */
export const CONTRIBUTION_UNITS = 2 ** 48;

/** Doubles of a set of contributions. */
export const contributionsLength = ({ quantiles, loanValue }: BookProduct) =>
  2 * quantiles.length * loanValue.length;

/** A path column of a run, by its place among the run's columns. */
export const columnOf = (columns: SharedArrayBuffer, column: number, paths: number) =>
  new Float64Array(columns, column * paths * Float64Array.BYTES_PER_ELEMENT, paths);
