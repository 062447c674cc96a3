/**
 * How a plan is cut into chunks: by a rule that knows the plan only, so that neither the number of threads nor
 * their order can change a sum.
 */
import { planSteps, type SimulationPlan } from '../../plan/simulation-plan.ts';

/** Paths first .. first + count - 1. */
export interface PathRange {
  readonly first: number;
  readonly count: number;
}

/** Asset-steps per chunk: some ten milliseconds of one thread, the time a cancelled run may still take. */
export const ASSET_STEPS_PER_CHUNK = 2 ** 20;
/** The kernel of wasm/ has room for the results of as many (MOST_PATHS). */
const MOST_PATHS_PER_CHUNK = 8192;

/**
 * The chunks of a plan, in path order.
 *
 * @param assetSteps asset-steps per chunk
 */
export function chunksOf(plan: SimulationPlan, assetSteps = ASSET_STEPS_PER_CHUNK): readonly PathRange[] {
  const perPath = planSteps(plan) * plan.scenarios.assets;
  const size = Math.max(1, Math.min(MOST_PATHS_PER_CHUNK, Math.round(assetSteps / perPath)));
  const chunks: PathRange[] = [];
  for (let first = 0; first < plan.paths; first += size) {
    chunks.push({ first, count: Math.min(size, plan.paths - first) });
  }
  return chunks;
}
