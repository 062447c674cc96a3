/**
 * What threads do for a book: prepare it, run ranges of paths, find the tails, run the paths of the tails again, merge.
 *
 * Sums lie in shared memory, one set per thread: a set per range would be hundreds of megabytes for a large book. They are
 * whole numbers (core/book/book-sums.ts), so it does not matter which thread adds which path.
 */
import { type BookFollower, pathsOf } from '../../core/book/book-follower.ts';
import {
  addSums,
  type BookSums,
  emptySums,
  loanSums,
  sumsAt,
  sumsLength,
} from '../../core/book/book-sums.ts';
import { spreadOverCollateral } from '../../core/book/by-asset.ts';
import { summarise } from '../../core/book/column-summary.ts';
import type { BookEvents } from '../../core/book/path-bookings.ts';
import { type PreparedBook, prepareBook } from '../../core/book/prepared-book.ts';
import { type BookTailPaths, bookTailPaths } from '../../core/book/tail-paths.ts';
import { tailWeight } from '../../core/book/tail-weights.ts';
import {
  BOOK_COLUMNS,
  type BookLoanSums,
  type BookOutcome,
  type BookProduct,
  columnsOfBook,
} from '../../core/plan/product/book.ts';
import type { PathRange } from '../../core/plan/records.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { shareArrays } from './shared-plan.ts';

type BookPlan = SimulationPlan<BookProduct>;

/** What the first pass over some paths gives, in memory that threads share. */
export interface BookPathSums {
  /** The paths that it is about. */
  readonly range: PathRange;
  /** The columns of the book (columnsOfBook), each of one double per path of the range. */
  readonly columns: SharedArrayBuffer;
  /** Sets of sums (core/book/book-sums.ts), end to end, which are to be added. */
  readonly sums: SharedArrayBuffer;
}

/** The paths of the tails. */
export interface BookTails extends BookTailPaths {
  /** Loss of the book on each of them, USD. */
  readonly loss: Float64Array;
}

/** What the second pass, over paths of the tails, gives, in memory that threads share. */
export interface BookTailSums {
  /** Per tail path, n doubles: USD of each asset sold in its peak day. */
  readonly peakRows: SharedArrayBuffer;
  /** Sets of, per quantile, per loan: whole numbers of 2^-48 of the loan value, high and low part; to be added. */
  readonly contributions: SharedArrayBuffer;
}

/** A set for each thread, and which of them are in use. */
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
      readonly tails: Pick<BookTails, 'lossTails' | 'paths' | 'loss'>;
      readonly memory: BookTailSums & TakenSets;
    }
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
  'book-merge': {
    readonly loans: BookLoanSums;
    readonly contributions: readonly Float64Array[];
    readonly peakDayByAsset: readonly Float64Array[];
    readonly lossByAsset: readonly Float64Array[];
    readonly collateralByAsset: Float64Array;
    readonly summaries: BookOutcome['summaries'];
  };
}

export const isBookTask = (task: { readonly kind: string }): task is BookTask =>
  task.kind.startsWith('book-');

/** How an engine follows a book along its paths. */
export type FollowerOf = (plan: BookPlan, book: PreparedBook) => BookFollower;

export function workOnBook(task: BookTask, followerOf: FollowerOf): BookTaskAnswers[BookTask['kind']] {
  switch (task.kind) {
    case 'book-prepare':
      return shareArrays(prepareBook(task.plan.product, task.plan.scenarios.assets));
    case 'book-range':
      return runBookRange(task, followerOf);
    case 'book-tails':
      return findTails(task);
    case 'book-tail-range':
      return runTailRange(task, followerOf);
    case 'book-merge':
      return mergeBook(task);
  }
}

/** The set of sums of this thread for the length of a task. */
function withSet<T>(taken: SharedArrayBuffer, work: (set: number) => T): T {
  const flags = new Int32Array(taken);
  // There are as many sets as threads, so one is free.
  let set = 0;
  while (Atomics.compareExchange(flags, set, 0, 1) !== 0) set = (set + 1) % flags.length;
  try {
    return work(set);
  } finally {
    Atomics.store(flags, set, 0);
  }
}

const columnOf = (columns: SharedArrayBuffer, column: number, paths: number) =>
  new Float64Array(columns, column * paths * Float64Array.BYTES_PER_ELEMENT, paths);

function runBookRange(
  { plan, book, range, memory }: Extract<BookTask, { kind: 'book-range' }>,
  followerOf: FollowerOf,
): undefined {
  const { product } = plan;
  const follower = followerOf(plan, book);
  const whole = memory.range;
  const names = columnsOfBook(product);
  const columns = names.map((_, i) => columnOf(memory.columns, i, whole.count));
  withSet(memory.taken, set => {
    const loans = product.loanValue.length;
    const groups = book.groupTerm.length;
    const hasLending = product.lending !== undefined;
    const offset = set * sumsLength(loans, groups, hasLending);
    const sums = sumsAt(memory.sums, offset, loans, groups, hasLending);
    follower.follow(pathsOf(range), sums, (i, figures) => {
      names.forEach((column, c) => {
        columns[c][range.first + i - whole.first] = figures[column];
      });
    });
  });
  return undefined;
}

const LOSS = BOOK_COLUMNS.indexOf('loss');
const PEAK_DAY = BOOK_COLUMNS.indexOf('peakDay');

function findTails({ plan, columns }: Extract<BookTask, { kind: 'book-tails' }>): BookTails {
  const loss = columnOf(columns, LOSS, plan.paths);
  const tails = bookTailPaths(plan.product.quantiles, loss, columnOf(columns, PEAK_DAY, plan.paths));
  return shareArrays({ ...tails, loss: Float64Array.from(tails.paths, p => loss[p]) });
}

/** Units of contributions in one loan value; sums are kept in two parts, so that they stay whole numbers. */
const CONTRIBUTION_UNITS = 2 ** 48;
const LOW_PART = 2 ** 24;

/** Doubles of a set of contributions. */
export const contributionsLength = ({ quantiles, loanValue }: BookProduct) =>
  2 * quantiles.length * loanValue.length;

function runTailRange(
  task: Extract<BookTask, { kind: 'book-tail-range' }>,
  followerOf: FollowerOf,
): undefined {
  const { plan, book, range, memory, tails } = task;
  const { product, scenarios } = plan;
  const loans = product.loanValue.length;
  const assets = scenarios.assets;
  const follower = followerOf(plan, book);
  // The sums of the first pass are there already; these go nowhere, and no ratio is a new lowest one.
  const sums = emptySums(loans, book.groupTerm.length, product.lending !== undefined);
  sums.worstRatio.fill(0);
  const rows = new Float64Array(memory.peakRows);
  const { byCall, pledgedBefore } = book;
  /** First place, end, step index and factor of each sale. */
  const sales: number[] = [];
  withSet(memory.taken, set => {
    const parts = new Float64Array(memory.contributions);
    const perSet = contributionsLength(product);
    const weightsOf = (i: number) =>
      tails.lossTails.map(tail => tailWeight(tail, tails.loss[range.first + i]) / tail.above);
    const eventsOf = (i: number): BookEvents => {
      const weights = weightsOf(i);
      sales.length = 0;
      return {
        loss(place, usd) {
          const k = byCall[place];
          const units = (usd / product.loanValue[k]) * CONTRIBUTION_UNITS;
          for (let q = 0; q < weights.length; q++) {
            if (weights[q] === 0) continue;
            const whole = Math.round(units * weights[q]);
            const high = Math.floor(whole / LOW_PART);
            const at = set * perSet + 2 * (q * loans + k);
            parts[at] += high;
            parts[at + 1] += whole - high * LOW_PART;
          }
        },
        sale: (first, end, index, factor) => sales.push(first, end, index, factor),
      };
    };
    const chosen = { count: range.count, at: (i: number) => tails.paths[range.first + i] };
    follower.follow(
      chosen,
      sums,
      (i, { peakStart }, price) => {
        const row = (range.first + i) * assets;
        for (let s = 0; s < sales.length; s += 4) {
          const first = sales[s];
          // What is sold at the start counts to the first step.
          const index = Math.max(0, sales[s + 2]);
          if (index < peakStart || index >= peakStart + product.daySteps) continue;
          const weights = product.basket[byCall[first]] * assets;
          const pledged = (pledgedBefore[sales[s + 1]] - pledgedBefore[first]) * sales[s + 3];
          const priceOf = (a: number) => (sales[s + 2] < 0 ? 1 : price(a, index));
          for (let a = 0; a < assets; a++) {
            const weight = product.collateralWeights[weights + a];
            if (weight !== 0) rows[row + a] += pledged * weight * priceOf(a);
          }
        }
      },
      eventsOf,
    );
  });
  return undefined;
}

/** The sums of all sets together. */
function addSets(sums: SharedArrayBuffer, loans: number, groups: number, hasLending: boolean): BookSums {
  const total = emptySums(loans, groups, hasLending);
  const length = Float64Array.BYTES_PER_ELEMENT * sumsLength(loans, groups, hasLending);
  for (let at = 0; at < sums.byteLength; at += length)
    addSums(total, sumsAt(sums, at / Float64Array.BYTES_PER_ELEMENT, loans, groups, hasLending));
  return total;
}

function mergeBook(task: Extract<BookTask, { kind: 'book-merge' }>): BookTaskAnswers['book-merge'] {
  const { plan, book, sums, tails, tailSums } = task;
  const { product, scenarios, paths } = plan;
  const loans = product.loanValue.length;
  const total = addSets(sums.sums, loans, book.groupTerm.length, product.lending !== undefined);
  const parts = new Float64Array(tailSums.contributions);
  const perSet = contributionsLength(product);
  const contributions = tails.lossTails.map(({ above }, q) =>
    Float64Array.from({ length: loans }, (_, k) => {
      let high = 0;
      let low = 0;
      for (let set = 0; set < parts.length; set += perSet) {
        high += parts[set + 2 * (q * loans + k)];
        low += parts[set + 2 * (q * loans + k) + 1];
      }
      return ((high * LOW_PART + low) / CONTRIBUTION_UNITS) * above * product.loanValue[k];
    }),
  );
  const rows = new Float64Array(tailSums.peakRows);
  const peak = columnOf(sums.columns, PEAK_DAY, paths);
  const peakDayByAsset = tails.peakTails.map(tail => {
    const byAsset = new Float64Array(scenarios.assets);
    tails.paths.forEach((p, i) => {
      const weight = tailWeight(tail, peak[p]);
      if (weight > 0)
        for (let a = 0; a < byAsset.length; a++) byAsset[a] += weight * rows[i * byAsset.length + a];
    });
    return byAsset;
  });
  return {
    loans: loanSums(total, product, book),
    contributions,
    peakDayByAsset,
    lossByAsset: contributions.map(each => spreadOverCollateral(product, scenarios.assets, k => each[k])),
    collateralByAsset: spreadOverCollateral(
      product,
      scenarios.assets,
      k => product.nominalRatio[k] * product.loanValue[k],
    ),
    summaries: Object.fromEntries(
      columnsOfBook(product).map((name, i) => [
        name,
        summarise(columnOf(sums.columns, i, paths), product.quantiles),
      ]),
    ) as BookOutcome['summaries'],
  };
}
