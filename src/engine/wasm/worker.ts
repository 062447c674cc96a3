/**
 * What a worker thread does for the SIMD engine: a bundle of chunks, an answer for each. Keeps nothing between
 * tasks but the compiled kernel.
 */

import type { Bundle } from '../../core/plan/chunks.ts';
import { newTally, type TalliedOutcomes, withTally } from '../../core/plan/merge-outcomes.ts';
import { contractOf } from '../../core/plan/products.ts';
import { RecordSink } from '../../core/plan/records.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { writeHorizonValues } from '../../core/product/value-at-risk.ts';
import { SIMD_GROUPS } from '../../core/simd/book.ts';
import type { Kernel } from '../../core/simd/kernel.ts';
import { runSimdRange, simdBookOf, simdHorizons } from '../../core/simd/products.ts';
import { openNativeKernel } from '../native/native-kernels.ts';
import { type BookTask, type BookTaskAnswers, isBookTask } from '../threads/book-task.ts';
import { workOnBook } from '../threads/book-tasks.ts';
import { kernelOfThread } from '../threads/thread-pool.ts';
import type { ValuesTask } from '../threads/value-at-risk-run.ts';
import type { MergedProduct } from '../threads/worker.ts';
import { loadKernel } from './read-kernel.ts';

export type Task =
  | { readonly kind: 'run'; readonly plan: SimulationPlan<MergedProduct>; readonly ranges: Bundle }
  | { readonly kind: 'trace'; readonly plan: SimulationPlan; readonly ranges: Bundle }
  | BookTask
  | ValuesTask;

/** The answer to each kind of task: the outcomes of its chunks, or their records; values are written where they shall be. */
export interface TaskAnswers extends BookTaskAnswers {
  run: TalliedOutcomes;
  trace: readonly (readonly Float64Array[])[];
  values: undefined;
}

let loaded: Kernel | undefined;

/** This thread's instance of the kernel that its pool has. */
function kernelOfPool(): Kernel {
  const name = kernelOfThread();
  loaded ??= name === 'wasm' ? loadKernel() : openNativeKernel(name);
  return loaded;
}

export default function work(task: Task): TaskAnswers[Task['kind']] {
  const kernel = kernelOfPool();
  if (isBookTask(task))
    return workOnBook(task, (plan, book, draws) => simdBookOf(kernel, plan, book, draws), SIMD_GROUPS);
  switch (task.kind) {
    case 'run': {
      const { plan, ranges } = task;
      const tally = newTally(plan);
      return withTally(
        ranges.map(range => runSimdRange(kernel, plan, range, undefined, tally)),
        tally,
      );
    }
    case 'trace': {
      const { plan, ranges } = task;
      const fields = contractOf(plan.product).recordFields(plan.product).length;
      return ranges.map(range => {
        const records = new RecordSink(fields, range);
        runSimdRange(kernel, plan, range, records);
        return records.columns;
      });
    }
    case 'values': {
      const { plan, ranges, batch } = task;
      const horizons = simdHorizons(kernel, plan, batch.first + batch.count);
      for (const range of ranges) writeHorizonValues(plan, range, batch, horizons);
      return undefined;
    }
  }
}
