/**
 * The work of a thread for an engine of the processor: one task, one answer, no state between tasks.
 *
 * Takes: a task, and the paths of the engine. Must not know: which engine that is.
 */

import type { Bundle } from '../../core/plan/chunks.ts';
import {
  type CountedOutcomes,
  newCounts,
  type PlanMergedBy,
  withSharedCounts,
} from '../../core/plan/merge-outcomes.ts';
import { contractOf } from '../../core/plan/products.ts';
import { RecordSink } from '../../core/plan/records.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import type { RatesAtHorizon } from '../../core/product/advance-rate.ts';
import { columnWriter, type PathMaker, runPaths } from '../../core/run-paths.ts';
import { type BookTask, type BookTaskAnswers, isBookTask } from './book-task.ts';
import type { OrderTask, ValuesTask } from './column-run.ts';
import orderOf from './order-worker.ts';
import { type Unfinished, workInSlice } from './slices.ts';
import type { ColumnTails } from './value-at-risk-columns.ts';
import { workOnBook } from './work-on-book.ts';

export type Task =
  | BookTask
  | { readonly kind: 'run'; readonly plan: PlanMergedBy<'ranges'>; readonly ranges: Bundle }
  | { readonly kind: 'trace'; readonly plan: SimulationPlan; readonly ranges: Bundle }
  | ValuesTask
  | OrderTask;

/** The answer to each kind of task. */
export interface TaskAnswers extends BookTaskAnswers {
  /** One outcome of every chunk. */
  run: CountedOutcomes;
  /** The columns of every chunk. */
  trace: readonly (readonly Float64Array[])[];
  /** Values are written to the memory of the task. */
  values: undefined;
  tails: ColumnTails;
  rates: RatesAtHorizon;
}

/** The answer to a task, or what is left of it where its slice is over. */
export type Worked = TaskAnswers[Task['kind']] | Unfinished<Task>;

export function workOn(task: Task, maker: PathMaker): Worked {
  if (isBookTask(task)) return workOnBook(task, maker);
  switch (task.kind) {
    case 'run': {
      const { plan, ranges } = task;
      const sharedCounts = newCounts(plan);
      return withSharedCounts(
        ranges.map(range => runPaths(maker, plan, range, undefined, sharedCounts)),
        sharedCounts,
      );
    }
    case 'trace': {
      const { plan, ranges } = task;
      const fields = contractOf(plan.product).recordFields(plan.product).length;
      return ranges.map(range => {
        const records = new RecordSink(fields, range);
        runPaths(maker, plan, range, records);
        return records.columns;
      });
    }
    case 'values': {
      const { plan, range, batch } = task;
      const { together, write } = columnWriter(maker, plan, batch);
      const left = workInSlice(range, together, write);
      return left && { unfinished: { ...task, range: left } };
    }
    case 'tails':
    case 'rates':
      return orderOf(task);
  }
}
