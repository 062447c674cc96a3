/**
 * What threads do for a book: prepare it, run ranges of paths, find the tails, run the paths of the tails again, merge.
 *
 * Sums lie in shared memory, one set per thread: a set per range would be hundreds of megabytes for a large book. They are
 * whole numbers (core/book/book-sums.ts), so it does not matter which thread adds which path.
 */
import { BookPath } from '../../core/book/book-path.ts';
import { addSums, emptySums, loanSums, sumsAt } from '../../core/book/book-sums.ts';
import { spreadOverCollateral } from '../../core/book/by-asset.ts';
import { summarise } from '../../core/book/column-summary.ts';
import { type PreparedBook, prepareBook } from '../../core/book/prepared-book.ts';
import { tailWeight, type UpperTail, upperTail } from '../../core/book/tail-weights.ts';
import {
  BOOK_COLUMNS,
  type BookLoanSums,
  type BookOutcome,
  type BookProduct,
} from '../../core/plan/product/book.ts';
import type { PathRange } from '../../core/plan/records.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { referenceModel } from '../reference/models.ts';
import { shareArrays } from './shared-plan.ts';

type BookPlan = SimulationPlan<BookProduct>;

/** Memory that all threads of one run write to. */
export interface BookMemory {
  /** BOOK_COLUMNS.length columns of one double per path. */
  readonly columns: SharedArrayBuffer;
  /** One set of sums per thread. */
  readonly sums: SharedArrayBuffer;
  /** Per set: 1 while a thread uses it. */
  readonly taken: SharedArrayBuffer;
}

/** The paths of the tails, and what is added up over them. */
export interface TailMemory {
  readonly lossTails: readonly UpperTail[];
  readonly peakTails: readonly UpperTail[];
  /** Numbers of the paths in any of the tails, rising; shared. */
  readonly paths: Uint32Array;
  /** Per tail path, n doubles: USD of each asset sold in its peak day. */
  readonly peakRows: SharedArrayBuffer;
  /** Per thread, per quantile, per loan: whole numbers of 2^-48 of the loan value, high and low part. */
  readonly contributions: SharedArrayBuffer;
}

export type BookTask =
  | { readonly kind: 'book-prepare'; readonly plan: BookPlan }
  | {
      readonly kind: 'book-range';
      readonly plan: BookPlan;
      readonly book: PreparedBook;
      readonly range: PathRange;
      readonly memory: BookMemory;
    }
  | {
      readonly kind: 'book-tails';
      readonly plan: BookPlan;
      readonly memory: BookMemory;
      readonly sets: number;
    }
  | {
      readonly kind: 'book-tail-range';
      readonly plan: BookPlan;
      readonly book: PreparedBook;
      readonly range: PathRange;
      readonly memory: BookMemory;
      readonly tails: TailMemory;
    }
  | {
      readonly kind: 'book-merge';
      readonly plan: BookPlan;
      readonly book: PreparedBook;
      readonly memory: BookMemory;
      readonly tails: TailMemory;
    };

export interface BookTaskAnswers {
  'book-prepare': PreparedBook;
  'book-range': undefined;
  'book-tails': TailMemory;
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

export function workOnBook(task: BookTask): BookTaskAnswers[BookTask['kind']] {
  switch (task.kind) {
    case 'book-prepare':
      return shareArrays(prepareBook(task.plan.product, task.plan.scenarios.assets));
    case 'book-range':
      return runBookRange(task);
    case 'book-tails':
      return findTails(task);
    case 'book-tail-range':
      return runTailRange(task);
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

const columnOf = (memory: BookMemory, column: number, paths: number) =>
  new Float64Array(memory.columns, column * paths * Float64Array.BYTES_PER_ELEMENT, paths);

const setsOf = (memory: BookMemory) => memory.taken.byteLength / Int32Array.BYTES_PER_ELEMENT;

function runBookRange({ plan, book, range, memory }: Extract<BookTask, { kind: 'book-range' }>): undefined {
  const { product, scenarios, paths } = plan;
  const follower = new BookPath(product, book, scenarios.assets);
  const prices = referenceModel(plan).prices(plan, product.steps);
  const columns = BOOK_COLUMNS.map((_, i) => columnOf(memory, i, paths));
  withSet(memory.taken, set => {
    const loans = product.loanValue.length;
    const groups = book.groupTerm.length;
    const length = memory.sums.byteLength / Float64Array.BYTES_PER_ELEMENT / setsOf(memory);
    const sums = sumsAt(memory.sums, set * length, loans, groups);
    for (let p = range.first; p < range.first + range.count; p++) {
      prices.simulate(p, follower.path.prices);
      follower.follow(sums);
      BOOK_COLUMNS.forEach((column, i) => {
        columns[i][p] = follower[column];
      });
    }
  });
  return undefined;
}

const LOSS = BOOK_COLUMNS.indexOf('loss');
const PEAK_DAY = BOOK_COLUMNS.indexOf('peakDay');

function findTails({ plan, memory, sets }: Extract<BookTask, { kind: 'book-tails' }>): TailMemory {
  const { product, paths, scenarios } = plan;
  const loss = columnOf(memory, LOSS, paths);
  const peak = columnOf(memory, PEAK_DAY, paths);
  const tailsOf = (column: Float64Array) => {
    const sorted = Float64Array.from(column).sort();
    return Array.from(product.quantiles, q => upperTail(sorted, q));
  };
  const lossTails = tailsOf(loss);
  const peakTails = tailsOf(peak);
  const leastLoss = Math.min(...lossTails.map(({ level }) => level));
  const leastPeak = Math.min(...peakTails.map(({ level }) => level));
  // A path without a loss adds nothing, whatever its weight.
  const isInTail = (p: number) =>
    (loss[p] > 0 && loss[p] >= leastLoss) || (peak[p] > 0 && peak[p] >= leastPeak);
  let count = 0;
  for (let p = 0; p < paths; p++) if (isInTail(p)) count++;
  const chosen = new Uint32Array(new SharedArrayBuffer(count * Uint32Array.BYTES_PER_ELEMENT));
  let at = 0;
  for (let p = 0; p < paths; p++) if (isInTail(p)) chosen[at++] = p;
  const doubles = (length: number) => new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT);
  return {
    lossTails,
    peakTails,
    paths: chosen,
    peakRows: doubles(count * scenarios.assets),
    contributions: doubles(sets * product.quantiles.length * product.loanValue.length * 2),
  };
}

/** Units of contributions in one loan value; sums are kept in two parts, so that they stay whole numbers. */
const CONTRIBUTION_UNITS = 2 ** 48;
const LOW_PART = 2 ** 24;

function runTailRange(task: Extract<BookTask, { kind: 'book-tail-range' }>): undefined {
  const { plan, book, range, memory, tails } = task;
  const { product, scenarios, paths } = plan;
  const loans = product.loanValue.length;
  const assets = scenarios.assets;
  const follower = new BookPath(product, book, assets);
  const prices = referenceModel(plan).prices(plan, product.steps);
  const loss = columnOf(memory, LOSS, paths);
  // The sums of the first pass are there already; these go nowhere.
  const sums = emptySums(loans, book.groupTerm.length);
  const rows = new Float64Array(tails.peakRows);
  const sales: { readonly loan: number; readonly index: number }[] = [];
  withSet(memory.taken, set => {
    const parts = new Float64Array(tails.contributions);
    const perSet = parts.length / setsOf(memory);
    for (let i = range.first; i < range.first + range.count; i++) {
      const p = tails.paths[i];
      const weights = tails.lossTails.map(tail => tailWeight(tail, loss[p]) / tail.above);
      sales.length = 0;
      prices.simulate(p, follower.path.prices);
      follower.follow(sums, {
        loss(k, usd) {
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
        sale: (loan, index) => sales.push({ loan, index }),
      });
      const end = follower.peakStart + product.daySteps;
      for (const { loan, index } of sales) {
        if (index < follower.peakStart || index >= end) continue;
        const first = product.basket[loan] * assets;
        const units = product.nominalRatio[loan] * product.loanValue[loan];
        for (let a = 0; a < assets; a++)
          rows[i * assets + a] +=
            units * product.collateralWeights[first + a] * follower.path.prices[a][index];
      }
    }
  });
  return undefined;
}

function mergeBook(task: Extract<BookTask, { kind: 'book-merge' }>): BookTaskAnswers['book-merge'] {
  const { plan, book, memory, tails } = task;
  const { product, scenarios, paths } = plan;
  const loans = product.loanValue.length;
  const groups = book.groupTerm.length;
  const sets = setsOf(memory);
  const total = emptySums(loans, groups);
  const length = memory.sums.byteLength / Float64Array.BYTES_PER_ELEMENT / sets;
  for (let set = 0; set < sets; set++) addSums(total, sumsAt(memory.sums, set * length, loans, groups));
  const parts = new Float64Array(tails.contributions);
  const perSet = parts.length / sets;
  const contributions = tails.lossTails.map(({ above }, q) =>
    Float64Array.from({ length: loans }, (_, k) => {
      let high = 0;
      let low = 0;
      for (let set = 0; set < sets; set++) {
        high += parts[set * perSet + 2 * (q * loans + k)];
        low += parts[set * perSet + 2 * (q * loans + k) + 1];
      }
      return ((high * LOW_PART + low) / CONTRIBUTION_UNITS) * above * product.loanValue[k];
    }),
  );
  const rows = new Float64Array(tails.peakRows);
  const peak = columnOf(memory, PEAK_DAY, paths);
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
      BOOK_COLUMNS.map((name, i) => [name, summarise(columnOf(memory, i, paths), product.quantiles)]),
    ) as BookOutcome['summaries'],
  };
}
