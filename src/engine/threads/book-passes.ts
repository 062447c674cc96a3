/**
 * One book: all paths for the sums and the figures of each path, then the paths of the tails again for the contributions.
 * Draws depend on the number of a path only, so the second pass has the same prices.
 *
 * Both passes can be distributed: to the threads of this process, or to processes by other `BookPasses`. Their sums are
 * whole numbers, so any process can add any path.
 */

import type { PreparedBook } from '../../core/book/prepared-book.ts';
import { columnsOfRun, sumSetsAt, sumSetsLength } from '../../core/book/sum-sets.ts';
import { type Summarise, summariesOf } from '../../core/book/summaries.ts';
import type { RunOptions } from '../../core/engine.ts';
import type { BookOutcome, BookPathColumns } from '../../core/plan/product/book.ts';
import type { PathRange } from '../../core/plan/records.ts';
import type { DrawMemory } from '../../core/plan/shared-draws.ts';
import { weighedWork } from '../../core/plan/work.ts';
import {
  type BookPathSums,
  type BookPlan,
  type BookTailSums,
  type BookTask,
  type BookTaskAnswers,
  columnOf,
  contributionsLength,
  type TailPaths,
} from './book-task.ts';

/** Ranges for each of several threads, unless these would be smaller than `MIN_WORK` asset-steps, which justify a message. */
const RANGES_PER_THREAD = 4;
const MIN_WORK = 2 ** 21;
/** A multiple of the paths of the widest packet. */
const PACKETS_OF_RANGE = 16;

/** The threads of an engine. */
export interface BookThreads {
  /** Sets of sums in use at once. */
  readonly threads: number;
  /** Most asset-steps of a range: less than a tenth of a second of one thread, the time that a cancelled run may still take. */
  readonly workPerRange: number;
  /** The prices that runs of the same paths share. */
  readonly draws?: DrawMemory | undefined;
}

/** Runs tasks on the threads. @returns their answers in order */
export type RunBookTasks = <T extends BookTask>(
  tasks: readonly T[],
  onProgress?: RunOptions['onProgress'],
) => Promise<BookTaskAnswers[T['kind']][]>;

/** Summaries by tasks on threads, a column each. */
export const summariseBy =
  (run: RunBookTasks): Summarise =>
  tasks =>
    run(tasks.map(task => ({ kind: 'book-summary', ...task }) as const));

/** The two passes over the paths of a book. */
export interface BookPasses {
  /** The first pass over all paths. */
  paths(onProgress?: RunOptions['onProgress']): Promise<BookPathSums>;
  /** The second pass, over the paths of the tails. */
  tails(tails: TailPaths): Promise<BookTailSums>;
}

/** A book in the order in which its loans are followed, in shared memory. */
export async function prepareOnThreads(plan: BookPlan, run: RunBookTasks): Promise<PreparedBook> {
  const [book] = await run([{ kind: 'book-prepare', plan }]);
  return book;
}

/** The first pass over a range of paths, on threads. */
export async function bookPathSums(
  plan: BookPlan,
  book: PreparedBook,
  range: PathRange,
  on: BookThreads,
  run: RunBookTasks,
  onProgress?: RunOptions['onProgress'],
): Promise<BookPathSums> {
  const { threads } = on;
  const groups = book.groupTerm.length;
  const length = sumSetsLength(plan, groups);
  const memory = {
    range,
    columns: doubles(columnsOfRun(plan).length * range.count),
    sums: doubles(threads * length),
    taken: new SharedArrayBuffer(threads * Int32Array.BYTES_PER_ELEMENT),
  };
  for (let thread = 0; thread < threads; thread++)
    for (const set of sumSetsAt(memory.sums, thread * length, plan, groups))
      set?.worstRatio.fill(Number.POSITIVE_INFINITY);
  await run(
    rangesOf(range, workPerPath(plan), on).map(
      each => ({ kind: 'book-range', plan, book, range: each, memory, draws: on.draws }) as const,
    ),
    onProgress,
  );
  return memory;
}

/** The second pass over paths of the tails, on threads. */
export async function bookTailSums(
  plan: BookPlan,
  book: PreparedBook,
  tails: TailPaths,
  on: BookThreads,
  run: RunBookTasks,
): Promise<BookTailSums> {
  const { threads } = on;
  const memory = {
    peakRows: doubles(tails.paths.length * plan.scenarios.assets),
    contributions: doubles(threads * contributionsLength(plan.product)),
    taken: new SharedArrayBuffer(threads * Int32Array.BYTES_PER_ELEMENT),
  };
  await run(
    rangesOf({ first: 0, count: tails.paths.length }, workPerPath(plan), on).map(
      range => ({ kind: 'book-tail-range', plan, book, range, memory, tails, draws: on.draws }) as const,
    ),
  );
  return memory;
}

/** Both passes on the threads of this process. */
export function passesOnThreads(
  plan: BookPlan,
  book: PreparedBook,
  on: BookThreads,
  run: RunBookTasks,
): BookPasses {
  const all = { first: 0, count: plan.paths };
  return {
    paths: onProgress => bookPathSums(plan, book, all, on, run, onProgress),
    tails: tails => bookTailSums(plan, book, tails, on, run),
  };
}

/** The outcome of a book from its `passes`. */
export async function bookOutcome(
  plan: BookPlan,
  book: PreparedBook,
  passes: BookPasses,
  run: RunBookTasks,
  onProgress?: RunOptions['onProgress'],
): Promise<BookOutcome> {
  const { product, paths } = plan;
  const sums = await passes.paths(onProgress);
  const [tails] = await run([{ kind: 'book-tails', plan, columns: sums.columns }]);
  const tailSums = await passes.tails(tails);
  const columns = Object.fromEntries(
    columnsOfRun(plan).map((name, i) => [name, columnOf(sums.columns, i, paths)]),
  ) as unknown as BookPathColumns;
  const [[merged], summaries] = await Promise.all([
    run([{ kind: 'book-merge', plan, book, sums, tails, tailSums }]),
    summariesOf(columns, product.quantiles, summariseBy(run), undefined),
  ]);
  return {
    kind: 'book',
    paths,
    loans: merged.loans,
    ...(merged.weighted && { weighted: merged.weighted }),
    summaries,
    collateralByAsset: merged.collateralByAsset,
    columns,
    tails: Array.from(product.quantiles, (quantile, q) => ({
      quantile,
      contributions: merged.contributions[q],
      lossByAsset: merged.lossByAsset[q],
      peakDayByAsset: merged.peakDayByAsset[q],
    })),
  };
}

const doubles = (length: number) => new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT);

const workPerPath = (plan: BookPlan) => weighedWork(plan) / plan.paths;

function rangesOf(
  { first, count }: PathRange,
  perPath: number,
  { threads, workPerRange }: BookThreads,
): PathRange[] {
  // Each range writes the loans anew; one thread has no other to share its last ranges with.
  const ranges = threads > 1 ? RANGES_PER_THREAD * threads : 1;
  const fair = Math.max(count / ranges, MIN_WORK / perPath);
  const wanted = Math.max(1, Math.round(Math.min(workPerRange / perPath, fair)));
  // Whole packets of every width, where a range has many.
  const isCut = wanted > PACKETS_OF_RANGE && wanted < count;
  const size = isCut ? wanted - (wanted % PACKETS_OF_RANGE) : wanted;
  return Array.from({ length: Math.ceil(count / size) }, (_, i) => ({
    first: first + i * size,
    count: Math.min(size, count - i * size),
  }));
}
