/**
 * What a worker thread of the CPU engine does: one task, one answer. Keeps nothing between tasks.
 */
import type { SimulationPlan, ValueAtRiskProduct } from '../../plan/simulation-plan.ts';
import type { Tail } from '../engine.ts';
import type { PathRange } from './chunks.ts';
import { RecordSink, recordFields } from './record-sink.ts';
import { runChunk, type SummedOutcome, type SummedProduct, traceChunk } from './run-chunk.ts';
import { type HorizonBatch, tailsOf, writeHorizonValues } from './value-at-risk.ts';

export type Task =
  | { readonly kind: 'run'; readonly plan: SimulationPlan<SummedProduct>; readonly range: PathRange }
  | { readonly kind: 'trace'; readonly plan: SimulationPlan; readonly range: PathRange }
  | {
      readonly kind: 'values';
      readonly plan: SimulationPlan<ValueAtRiskProduct>;
      readonly range: PathRange;
      readonly batch: HorizonBatch;
    }
  | { readonly kind: 'tails'; readonly values: Float64Array; readonly quantiles: Float64Array };

/** The answer to each kind of task. */
export interface TaskAnswers {
  run: SummedOutcome;
  trace: readonly Float64Array[];
  values: undefined;
  tails: readonly Tail[];
}

export default function work(task: Task): unknown {
  switch (task.kind) {
    case 'run':
      return runChunk(task.plan, task.range);
    case 'trace': {
      const records = new RecordSink(recordFields(task.plan).length, task.range);
      traceChunk(task.plan, task.range, records);
      return records.columns;
    }
    case 'values':
      return writeHorizonValues(task.plan, task.range, task.batch);
    case 'tails':
      return tailsOf(task.values, task.quantiles);
  }
}
