/**
 * The split of a plan into chunks, by a rule on the plan alone: neither the number of threads nor their order can
 * change a sum. Small plans have small chunks, so that all threads of a host have work.
 *
 * A message to a thread costs as much as the work of a small chunk, so a thread takes a bundle of neighbouring chunks.
 * Bundles determine messages only; outcomes belong to chunks.
 */
import { mergeOf } from './products.ts';
import type { PathRange } from './records.ts';
import { planSteps, type SimulationPlan } from './simulation-plan.ts';
import { weighedWork } from './work.ts';

/** Asset-steps per chunk: some ten milliseconds of one thread, the longest delay of a cancelled run. */
export const ASSET_STEPS_PER_CHUNK = 2 ** 20;
/** A step of a product that costs so many times a step of a loan, or more, counts as that many in a chunk. */
const LONG_STEP = 4;
/** Fewest chunks of a shorter plan. */
const MIN_CHUNKS = 8;
/** Fewest asset-steps of a chunk, a fifth of a millisecond: less is mostly messages. */
const MIN_ASSET_STEPS = 2 ** 16;
/** The kernel of kernel/ has room for so many results (MAX_PATHS). */
const MAX_PATHS_PER_CHUNK = 8192;
/** Paths of a kernel vector (kernel/), one a lane. */
export const PACKET_PATHS = 4;

/** Asset-steps of a path, of long steps weighed. */
function workOfPath(plan: SimulationPlan): number {
  const plain = planSteps(plan) * plan.scenarios.assets;
  const weighed = weighedWork(plan) / plan.paths;
  return mergeOf(plan.product.kind) === 'ranges' && weighed >= LONG_STEP * plain ? weighed : plain;
}

/**
 * The chunks of a plan, in path order: whole packets of paths but for the last, or single paths where four are more
 * than a chunk.
 *
 * @param assetSteps most asset-steps per chunk
 */
export function chunksOf(plan: SimulationPlan, assetSteps = ASSET_STEPS_PER_CHUNK): readonly PathRange[] {
  const perPath = workOfPath(plan);
  const fair = Math.max(Math.ceil(plan.paths / MIN_CHUNKS), MIN_ASSET_STEPS / perPath);
  const wished = Math.min(MAX_PATHS_PER_CHUNK, assetSteps / perPath, fair);
  const size =
    wished > PACKET_PATHS ? PACKET_PATHS * Math.ceil(wished / PACKET_PATHS) : Math.max(1, Math.round(wished));
  const chunks: PathRange[] = [];
  for (let first = 0; first < plan.paths; first += size) {
    chunks.push({ first, count: Math.min(size, plan.paths - first) });
  }
  return chunks;
}

/** Full chunks in a bundle with counts: sending the counts of a task takes long. */
const COUNTED_CHUNKS = 4;

/** Neighbouring chunks for one thread, in path order; at least one. */
export type Bundle = readonly PathRange[];

/**
 * The chunks of a plan in bundles: one for each thread, or more where that would be more than a full chunk's work.
 *
 * @param chunks all chunks of the plan, in path order
 * @param threads number of threads, 1 or more
 * @param assetSteps most asset-steps per bundle, four times as many with a distribution; a single chunk may have more
 */
export function bundlesOf(
  chunks: readonly PathRange[],
  plan: SimulationPlan,
  threads: number,
  assetSteps = ASSET_STEPS_PER_CHUNK,
): readonly Bundle[] {
  const perChunk = chunks[0].count * workOfPath(plan);
  const most = assetSteps * (plan.distribution === undefined ? 1 : COUNTED_CHUNKS);
  const fitting = Math.max(1, Math.floor(most / perChunk));
  const size = Math.min(fitting, Math.ceil(chunks.length / threads));
  const bundles: Bundle[] = [];
  for (let first = 0; first < chunks.length; first += size) bundles.push(chunks.slice(first, first + size));
  return bundles;
}

/** The chunks within a range of paths. @throws RangeError where the range does not begin and end with a chunk */
export function within({ first, count }: PathRange, chunks: readonly PathRange[]): readonly PathRange[] {
  const inside = chunks.filter(chunk => chunk.first >= first && chunk.first < first + count);
  const last = inside.at(-1);
  if (inside[0]?.first !== first || last === undefined || last.first + last.count !== first + count)
    throw new RangeError(`paths ${first} to ${first + count - 1} are no whole chunks`);
  return inside;
}
