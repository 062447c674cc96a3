/** Paths of the reference on the thread of the test, all in one range. */
import type { PathRecords } from '#src/core/engine.js';
import { contractOf } from '#src/core/plan/products.js';
import { RecordSink } from '#src/core/plan/records.js';
import type { Product, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { runRange } from '#src/core/reference/products.js';

/** The outcome of all paths of a plan. */
export const runHere = <P extends Product>(plan: SimulationPlan<P>) =>
  runRange(plan, { first: 0, count: plan.paths });

/** The records of the paths of a plan, by name. */
export function traceHere(plan: SimulationPlan): PathRecords {
  const range = { first: 0, count: plan.paths };
  const names = contractOf(plan.product).recordFields(plan.product);
  const records = new RecordSink(names.length, range);
  runRange(plan, range, records);
  return Object.fromEntries(names.map((name, i) => [name, records.columns[i]]));
}
