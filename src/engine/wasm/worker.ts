/**
 * What a worker thread does for the WebAssembly engine: a bundle of chunks, an answer for each. Keeps nothing between tasks but the
 * compiled kernel.
 */

import type { Bundle } from '../../core/plan/chunks.ts';
import { contractOf, type Outcome } from '../../core/plan/products.ts';
import { RecordSink } from '../../core/plan/records.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { runSimdRange } from '../../core/simd/products.ts';
import { loadKernel } from './read-kernel.ts';

export interface Task {
  readonly kind: 'run' | 'trace';
  readonly plan: SimulationPlan;
  readonly ranges: Bundle;
}

/** The outcomes of its chunks, or their records. */
export type TaskAnswer = readonly (Outcome | readonly Float64Array[])[];

export default function work({ kind, plan, ranges }: Task): TaskAnswer {
  const kernel = loadKernel();
  if (kind === 'run') return ranges.map(range => runSimdRange(kernel, plan, range));
  const fields = contractOf(plan.product).recordFields(plan.product).length;
  return ranges.map(range => {
    const records = new RecordSink(fields, range);
    runSimdRange(kernel, plan, range, records);
    return records.columns;
  });
}
