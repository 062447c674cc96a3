/** The merge of the outcomes of path ranges in path order, in which a sum of doubles is always the same. */
import { countsLayout } from './distribution.ts';
import type { Merge, MergeRules } from './product/contract.ts';
import type { ProductKind } from './product/kinds.ts';
import {
  contractOf,
  type KindMergedBy,
  mergeOf,
  PRODUCTS,
  type ProductOf,
  type ProductTypes,
} from './products.ts';
import { planSteps, type SimulationPlan } from './simulation-plan.ts';

export type MergedOutcome = ProductTypes[KindMergedBy<'ranges'>]['outcome'];

/** A plan whose contract names a way of merging. */
export type PlanMergedBy<M extends Merge> = SimulationPlan<ProductOf<KindMergedBy<M>>>;

/** Whether the outcome of a plan is merged in a way. */
export function isMergedBy<M extends Merge>(plan: SimulationPlan, merge: M): plan is PlanMergedBy<M> {
  return mergeOf(plan.product.kind) === merge;
}

type Field = number | Float64Array;

export function mergeOutcomes<O extends MergedOutcome>(parts: readonly O[]): O {
  const { kind } = parts[0];
  const rules = PRODUCTS[kind].merge as MergeRules<Record<string, Field>>;
  const fields = Object.entries(rules).flatMap(([field, rule]) => {
    const values = parts.flatMap(part => (part as unknown as Record<string, Field | undefined>)[field] ?? []);
    return values.length === 0 ? [] : [[field, merge(rule, values)]];
  });
  return { kind, ...Object.fromEntries(fields) } as O;
}

/** Whether merged outcomes have numbers of every path, so that their size grows with the paths. */
export function hasPathNumbers(kind: ProductKind): boolean {
  const { merge } = PRODUCTS[kind];
  return typeof merge !== 'string' && Object.values<string>(merge).includes('concatenate');
}

/** Counts of no paths, to which the counts of a plan's ranges can be added; undefined without a distribution. */
export function newCounts(plan: SimulationPlan): Uint32Array | undefined {
  const sections = contractOf(plan.product).distribution;
  if (sections === undefined || plan.distribution === undefined) return undefined;
  return new Uint32Array(countsLayout(sections, planSteps(plan), plan.distribution).length);
}

/** Counts above 0, and their places: most are 0, and threads transfer short lists in less time. */
interface SparseCounts {
  readonly length: number;
  readonly places: Uint32Array;
  readonly counts: Uint32Array;
}

/** The outcomes of some ranges from one thread, and the counts of all of them if the plan requests a distribution. */
export interface CountedOutcomes<O extends MergedOutcome = MergedOutcome> {
  readonly outcomes: readonly O[];
  readonly counts: SparseCounts | undefined;
}

/** Outcomes of ranges that added their counts to `sharedCounts`. */
export function withSharedCounts<O extends MergedOutcome>(
  outcomes: readonly O[],
  sharedCounts: Uint32Array | undefined,
): CountedOutcomes<O> {
  return { outcomes, counts: sharedCounts && sparse(sharedCounts) };
}

function sparse(all: Uint32Array): SparseCounts {
  let nonzero = 0;
  for (let k = 0; k < all.length; k++) nonzero += Number(all[k] !== 0);
  const places = new Uint32Array(nonzero);
  const counts = new Uint32Array(nonzero);
  let next = 0;
  for (let k = 0; next < nonzero; k++) {
    if (all[k] === 0) continue;
    places[next] = k;
    counts[next++] = all[k];
  }
  return { length: all.length, places, counts };
}

/** The outcomes of all answers; the first one has all counts. Few of a range are above 0, so that they are added without full lists. */
export function outcomesOf<O extends MergedOutcome>(answers: readonly CountedOutcomes<O>[]): readonly O[] {
  const outcomes = answers.flatMap(answer => answer.outcomes);
  const counted = answers.flatMap(({ counts }) => counts ?? []);
  if (counted.length === 0) return outcomes;
  const distribution = new Float64Array(counted[0].length);
  for (const { places, counts } of counted)
    for (let k = 0; k < places.length; k++) distribution[places[k]] += counts[k];
  return outcomes.map((outcome, i) => (i === 0 ? { ...outcome, distribution } : outcome));
}

function merge(rule: 'sum' | 'lowest' | 'concatenate', values: readonly Field[]): Field {
  if (rule === 'concatenate') return concatenate(values as readonly Float64Array[]);
  if (rule === 'lowest') return (values as readonly number[]).reduce((a, b) => Math.min(a, b));
  return typeof values[0] === 'number'
    ? sum(values as readonly number[])
    : sumEntries(values as readonly Float64Array[]);
}

/** Columns, end to end. */
export function concatenate(columns: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(sum(columns.map(column => column.length)));
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all;
}

function sumEntries(columns: readonly Float64Array[]): Float64Array {
  if (columns.length === 1) return columns[0];
  const total = new Float64Array(columns[0].length);
  for (const column of columns) for (let k = 0; k < total.length; k++) total[k] += column[k];
  return total;
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
