/**
 * What a worker thread of the CPU engine does: one task, one answer. Keeps nothing between tasks.
 */

import type { Tail } from '../../core/engine.ts';
import type { MergedOutcome } from '../../core/plan/merge-outcomes.ts';
import { contractOf, type MergedKind, type ProductOf } from '../../core/plan/products.ts';
import { type PathRange, RecordSink } from '../../core/plan/records.ts';
import type { SimulationPlan, ValueAtRiskProduct } from '../../core/plan/simulation-plan.ts';
import { type HorizonBatch, writeHorizonValues } from '../../core/product/value-at-risk.ts';
import { lowerTails } from '../../core/stats/tail.ts';
import { referenceModel } from '../reference/models.ts';
import { runRange } from '../reference/products.ts';
import { type BookTask, type BookTaskAnswers, isBookTask, workOnBook } from './book-tasks.ts';

/** Products whose outcome is merged from chunks. */
export type MergedProduct = ProductOf<MergedKind>;

export type Task =
  | BookTask
  | { readonly kind: 'run'; readonly plan: SimulationPlan<MergedProduct>; readonly range: PathRange }
  | { readonly kind: 'trace'; readonly plan: SimulationPlan; readonly range: PathRange }
  | {
      readonly kind: 'values';
      readonly plan: SimulationPlan<ValueAtRiskProduct>;
      readonly range: PathRange;
      readonly batch: HorizonBatch;
    }
  | {
      readonly kind: 'tails';
      readonly values: Float64Array;
      readonly quantiles: Float64Array;
      readonly intervalLevel: number | undefined;
    };

/** The answer to each kind of task. */
export interface TaskAnswers extends BookTaskAnswers {
  run: MergedOutcome;
  trace: readonly Float64Array[];
  values: undefined;
  tails: readonly Tail[];
}

export default function work(task: Task): unknown {
  if (isBookTask(task)) return workOnBook(task);
  switch (task.kind) {
    case 'run':
      return runRange(task.plan, task.range);
    case 'trace': {
      const { product } = task.plan;
      const records = new RecordSink(contractOf(product).recordFields(product).length, task.range);
      runRange(task.plan, task.range, records);
      return records.columns;
    }
    case 'values': {
      const { plan, range, batch } = task;
      const horizons = referenceModel(plan).horizons(plan, batch.first + batch.count);
      return writeHorizonValues(plan, range, batch, horizons);
    }
    case 'tails':
      return lowerTails(task.values, task.quantiles, task.intervalLevel);
  }
}
