/**
 * How a run is cut into parts for other processes: whole chunks, so many together that handing them over does not show.
 *
 * Outcomes do not depend on the cuts (engine/parts.ts), so they may follow the number of workers.
 */
import { contractOf } from '../core/plan/products.ts';
import type { PathRange } from '../core/plan/records.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import { weighedWork } from '../core/plan/work.ts';
import type { PartSize } from './engine-rules.ts';

/** Parts for each thread, so that a slow one does not keep all others waiting. */
const PARTS_PER_THREAD = 8;
/** Asset-steps that are done in the time in which the sums of one loan travel, so that travelling is a fiftieth. */
const WORK_PER_LOAN = 1000;

/**
 * Ranges of whole chunks.
 *
 * @param chunks of the plan, in path order
 * @param threads that will work on them, 1 or more
 */
export function cutChunks(
  plan: SimulationPlan,
  chunks: readonly PathRange[],
  threads: number,
  { least, most }: PartSize,
): PathRange[] {
  const work = weighedWork(plan);
  const loans = contractOf(plan.product).size?.(plan.product).loans ?? 0;
  const wished = Math.max(least, WORK_PER_LOAN * loans, Math.min(most, work / (PARTS_PER_THREAD * threads)));
  const perPath = work / plan.paths;
  const parts: PathRange[] = [];
  let first = chunks[0].first;
  for (const chunk of chunks) {
    const end = chunk.first + chunk.count;
    if ((end - first) * perPath < wished && chunk !== chunks.at(-1)) continue;
    parts.push({ first, count: end - first });
    first = end;
  }
  return parts;
}
