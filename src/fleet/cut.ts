/**
 * How a run is cut into parts for other processes: whole chunks, so many together that handing them over does not show.
 *
 * Outcomes do not depend on the cuts (engine/parts.ts), so they may follow the number of workers.
 */
import type { PathRange } from '../core/plan/records.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import { weighedWork } from '../core/plan/work.ts';
import type { EngineKind } from '../engine/parts.ts';

/** Asset-steps of a part, at least and at most. */
export interface PartSize {
  readonly least: number;
  readonly most: number;
}

/**
 * From a tenth of a second of one thread, beside which a job's 2 to 8 ms do not show, to two seconds, which are lost with
 * the worker that does them. The kernel does four times as many in that time. A GPU does 10^10 to 10^12 a second, by its
 * issued instructions (docs/performance.md): the least part takes 0.02 to 2 seconds.
 */
export const PART_SIZES: Readonly<Record<EngineKind, PartSize>> = {
  double: { least: 2 ** 23, most: 2 ** 27 },
  simd: { least: 2 ** 25, most: 2 ** 29 },
  gpu: { least: 2 ** 34, most: 2 ** 36 },
  'software-gpu': { least: 2 ** 23, most: 2 ** 27 },
};

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
  const loans = plan.product.kind === 'book' ? plan.product.loanValue.length : 0;
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
