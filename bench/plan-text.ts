/** Plans as JSON, for programs in other languages, and a fingerprint of what a plan says. */
import { createHash } from 'node:crypto';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import type { BenchPlan } from './bench-plan.ts';

/** JSON of a plan, arrays of numbers as arrays. */
export function planText(plan: SimulationPlan): string {
  return JSON.stringify(plan, (_, value: unknown) =>
    value instanceof Float64Array || value instanceof Uint32Array ? [...value] : value,
  );
}

/** Changes whenever anything of a plan changes but its seed and the number of its paths. */
export function planFingerprint(bench: BenchPlan): string {
  return createHash('sha256')
    .update(planText(bench.plan(1, 0)))
    .digest('hex')
    .slice(0, 16);
}
