/**
 * What a worker thread does for the WebAssembly engine: one chunk, one answer. Keeps nothing between tasks but the
 * compiled kernel.
 */
import { contractOf, type Outcome } from '../../core/plan/products.ts';
import { type PathRange, RecordSink } from '../../core/plan/records.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { runSimdRange } from '../../core/simd/products.ts';
import { loadKernel } from './read-kernel.ts';

export interface Task {
  readonly kind: 'run' | 'trace';
  readonly plan: SimulationPlan;
  readonly range: PathRange;
}

export default function work({ kind, plan, range }: Task): Outcome | readonly Float64Array[] {
  const kernel = loadKernel();
  if (kind === 'run') return runSimdRange(kernel, plan, range);
  const records = new RecordSink(contractOf(plan.product).recordFields(plan.product).length, range);
  runSimdRange(kernel, plan, range, records);
  return records.columns;
}
