/**
 * One book on the threads of the processor: all paths for the sums and the figures of each path, then the paths of the tails
 * again for the contributions. Draws depend on the number of a path only, so the second pass meets the same prices.
 */

import { sumsLength } from '../../core/book/book-sums.ts';
import type { RunOptions } from '../../core/engine.ts';
import {
  BOOK_COLUMNS,
  type BookOutcome,
  type BookPathColumns,
  type BookProduct,
} from '../../core/plan/product/book.ts';
import type { PathRange } from '../../core/plan/records.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { weighedWork } from '../../core/plan/work.ts';
import type { BookMemory, BookTask, BookTaskAnswers } from './book-tasks.ts';

/** Asset-steps of a range: under a tenth of a second of one thread, the time a cancelled run may still take. */
const WORK_PER_RANGE = 2 ** 23;

/** Runs tasks on the threads; answers in their order. */
export type RunBookTasks = <T extends BookTask>(
  tasks: readonly T[],
  onProgress?: RunOptions['onProgress'],
) => Promise<BookTaskAnswers[T['kind']][]>;

/** @param threads sets of sums that are held at once */
export async function runBook(
  plan: SimulationPlan<BookProduct>,
  threads: number,
  run: RunBookTasks,
  onProgress?: RunOptions['onProgress'],
): Promise<BookOutcome> {
  const { product, paths } = plan;
  const loans = product.loanValue.length;
  const [book] = await run([{ kind: 'book-prepare', plan }]);
  const groups = book.groupTerm.length;
  const length = sumsLength(loans, groups);
  const memory: BookMemory = {
    columns: doubles(BOOK_COLUMNS.length * paths),
    sums: doubles(threads * length),
    taken: new SharedArrayBuffer(threads * Int32Array.BYTES_PER_ELEMENT),
  };
  for (let set = 0; set < threads; set++)
    new Float64Array(memory.sums).fill(
      Number.POSITIVE_INFINITY,
      (set + 1) * length - groups,
      (set + 1) * length,
    );
  const perPath = weighedWork(plan) / paths;
  const ranges = rangesOf(paths, perPath);
  await run(
    ranges.map(range => ({ kind: 'book-range', plan, book, range, memory }) as const),
    onProgress,
  );
  const [tails] = await run([{ kind: 'book-tails', plan, memory, sets: threads }]);
  await run(
    rangesOf(tails.paths.length, perPath).map(
      range => ({ kind: 'book-tail-range', plan, book, range, memory, tails }) as const,
    ),
  );
  const [merged] = await run([{ kind: 'book-merge', plan, book, memory, tails }]);
  const column = (i: number) =>
    new Float64Array(memory.columns, i * paths * Float64Array.BYTES_PER_ELEMENT, paths);
  return {
    kind: 'book',
    paths,
    loans: merged.loans,
    summaries: merged.summaries,
    collateralByAsset: merged.collateralByAsset,
    columns: Object.fromEntries(
      BOOK_COLUMNS.map((name, i) => [name, column(i)]),
    ) as unknown as BookPathColumns,
    tails: Array.from(product.quantiles, (quantile, q) => ({
      quantile,
      contributions: merged.contributions[q],
      lossByAsset: merged.lossByAsset[q],
      peakDayByAsset: merged.peakDayByAsset[q],
    })),
  };
}

const doubles = (length: number) => new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT);

function rangesOf(paths: number, workPerPath: number): PathRange[] {
  const size = Math.max(1, Math.round(WORK_PER_RANGE / workPerPath));
  return Array.from({ length: Math.ceil(paths / size) }, (_, i) => ({
    first: i * size,
    count: Math.min(size, paths - i * size),
  }));
}
