/**
 * The tasks of threads for a book: prepare it, run ranges of paths, find the tails, run the paths of the tails again, merge.
 *
 * Sums are in shared memory, one set per thread: a set per range would take hundreds of megabytes for a large book. They are
 * whole numbers (core/book/book-sums.ts), so any thread can add any path.
 */
import { followPaths, type PathFigures, pathsOf } from '../../core/book/book-follower.ts';
import { addParts, sumsOfProduct } from '../../core/book/book-sums.ts';
import type { BookEvents } from '../../core/book/path-bookings.ts';
import { prepareBook } from '../../core/book/prepared-book.ts';
import { columnsOfRun, PathSums, sumSetsAt, sumSetsLength } from '../../core/book/sum-sets.ts';
import { tailWeight } from '../../core/book/tail-weights.ts';
import { summaryOf } from '../../core/book/weighted-tails.ts';
import type { PathRange } from '../../core/plan/records.ts';
import type { PathMaker } from '../../core/run-paths.ts';
import { findTails, mergeBook } from './book-merge.ts';
import {
  type BookTask,
  type BookTaskAnswers,
  CONTRIBUTION_UNITS,
  columnOf,
  contributionsLength,
} from './book-task.ts';
import { NumberList } from './number-list.ts';
import { shareArrays } from './shared-plan.ts';
import { type Unfinished, workInSlice } from './slices.ts';

type FollowerOf = PathMaker['book'];

/** Paths that are followed between two looks at the clock: a packet of the widest kernel. */
const PATHS_OF_BLOCK = 16;

export function workOnBook(
  task: BookTask,
  { book: followerOf, bookGroups }: Pick<PathMaker, 'book' | 'bookGroups'>,
): BookTaskAnswers[BookTask['kind']] | Unfinished<BookTask> {
  switch (task.kind) {
    case 'book-prepare':
      return shareArrays(prepareBook(task.plan.product, task.plan.scenarios.assets, bookGroups));
    case 'book-range':
      return runBookRange(task, followerOf);
    case 'book-tails':
      return findTails(task);
    case 'book-tail-range':
      return runTailRange(task, followerOf);
    case 'book-summary':
      return summaryOf(task.column, task.quantiles, task.weights);
    case 'book-merge':
      return mergeBook(task);
  }
}

/** Calls `work` with a set of sums that no other thread uses meanwhile. */
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

function runBookRange(
  task: Extract<BookTask, { kind: 'book-range' }>,
  followerOf: FollowerOf,
): Unfinished<BookTask> | undefined {
  const { plan, book, memory, draws } = task;
  const follower = followerOf(plan, book, draws);
  const whole = memory.range;
  const names = columnsOfRun(plan);
  const columns = names.map((_, i) => columnOf(memory.columns, i, whole.count));
  const visit = (path: number, figures: PathFigures) =>
    names.forEach((column, c) => {
      columns[c][path - whole.first] = figures[column];
    });
  const left = withSet(memory.taken, set => {
    const groups = book.groupTerm.length;
    const sets = sumSetsAt(memory.sums, set * sumSetsLength(plan, groups), plan, groups);
    const [plain, once, odd, twice] = sets;
    if (once === undefined || odd === undefined || twice === undefined) {
      follower.begin(plain);
      const rest = workInSlice(task.range, PATHS_OF_BLOCK, paths =>
        follower.follow(pathsOf(paths), (i, figures) => visit(paths.first + i, figures)),
      );
      follower.finish();
      return rest;
    }
    // Sums per loan are weighted path by path.
    const weighing = new PathSums(plan, [plain, once, odd, twice]);
    const rest = workInSlice(task.range, 1, paths => {
      let weight = 1;
      followPaths(follower, weighing.sums, pathsOf(paths), (_, figures) => {
        visit(paths.first, figures);
        weight = figures.weight;
      });
      weighing.add(paths.first, weight);
    });
    weighing.finish();
    return rest;
  });
  return left && { unfinished: { ...task, range: left } };
}

function runTailRange(
  task: Extract<BookTask, { kind: 'book-tail-range' }>,
  followerOf: FollowerOf,
): Unfinished<BookTask> | undefined {
  const { plan, book, memory, tails, draws } = task;
  const { product, scenarios } = plan;
  const loans = product.loanValue.length;
  const assets = scenarios.assets;
  const follower = followerOf(plan, book, draws);
  // These sums are not read, because the first pass has the right ones; with 0 no ratio is a new minimum.
  const sums = sumsOfProduct(product, book.groupTerm.length);
  sums.worstRatio.fill(0);
  const rows = new Float64Array(memory.peakRows);
  const { byCall, pledgedBefore, collateral } = book;
  /** Four numbers per sale: first place, end, step index and factor. */
  const sales = new NumberList();
  /** Two numbers per loss: its loan, and its units of contributions. */
  const losses = new NumberList();
  const left = withSet(memory.taken, set => {
    const parts = new Float64Array(memory.contributions);
    // Each low part follows its high one.
    const lowParts = parts.subarray(1);
    const perSet = contributionsLength(product);
    const relativeWeights = (place: number) =>
      tails.lossTails.map(tail => tailWeight(tail, tails.loss[place]) / tail.above);
    const addLosses = (place: number, pathWeight: number) => {
      const weights = relativeWeights(place);
      for (let l = 0; l < losses.length; l += 2) {
        const k = losses.values[l];
        const units = losses.values[l + 1] * pathWeight;
        for (let q = 0; q < weights.length; q++) {
          if (weights[q] === 0) continue;
          addParts(parts, lowParts, set * perSet + 2 * (q * loans + k), units * weights[q]);
        }
      }
    };
    const eventsOf = (): BookEvents => {
      sales.length = 0;
      losses.length = 0;
      return {
        loss(place, usd) {
          const k = byCall[place];
          losses.addTwo(k, (usd / product.loanValue[k]) * CONTRIBUTION_UNITS);
        },
        sale(first, end, index, factor) {
          sales.addTwo(first, end);
          sales.addTwo(index, factor);
        },
      };
    };
    const followBlock = (places: PathRange) => {
      const chosen = { count: places.count, at: (i: number) => tails.paths[places.first + i] };
      follower.follow(
        chosen,
        (i, { peakStart, weight: pathWeight }, price) => {
          const place = places.first + i;
          addLosses(place, pathWeight);
          const row = place * assets;
          for (let s = 0; s < sales.length; s += 4) {
            const first = sales.values[s];
            const isAtStart = sales.values[s + 2] < 0;
            // A sale at the start counts towards the first step.
            const index = isAtStart ? 0 : sales.values[s + 2];
            if (index < peakStart || index >= peakStart + product.daySteps) continue;
            const basket = product.basket[byCall[first]];
            const pledged = (pledgedBefore[sales.values[s + 1]] - pledgedBefore[first]) * sales.values[s + 3];
            for (let i = collateral.start[basket]; i < collateral.start[basket + 1]; i++) {
              const a = collateral.asset[i];
              rows[row + a] += pledged * collateral.weight[i] * (isAtStart ? 1 : price(a, index));
            }
          }
        },
        eventsOf,
      );
    };
    follower.begin(sums);
    return workInSlice(task.range, PATHS_OF_BLOCK, followBlock);
  });
  return left && { unfinished: { ...task, range: left } };
}
