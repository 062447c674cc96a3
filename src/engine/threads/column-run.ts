/**
 * Products whose outcome is the order of columns of values, on threads: the values of a batch of horizons, then the order of each
 * column, in memory that runs share.
 *
 * Takes: a plan, threads, and the engine's tasks. Gives: the outcome. The values may have single precision; they are ordered in double
 * precision.
 */
import type { Bundle } from '../../core/plan/chunks.ts';
import type { PlanMergedBy } from '../../core/plan/merge-outcomes.ts';
import type { KindMergedBy, OutcomeOf, ProductOf } from '../../core/plan/products.ts';
import type { PathRange } from '../../core/plan/records.ts';
import type { HorizonBatch } from '../../core/product/value-at-risk.ts';
import { ADVANCE_RATE_COLUMNS, type RatesTask } from './advance-rate-columns.ts';
import type { ColumnsOf } from './column-row.ts';
import type { TaskRun, ThreadPool } from './thread-pool.ts';
import { TAIL_COLUMNS, type TailsTask } from './value-at-risk-columns.ts';
import { ValueMemory } from './value-memory.ts';

/** Memory for the values of one run; it limits the horizons of a batch. */
const VALUES_BYTES = 2 ** 28;
/** More values of a column are ordered for longer than a slice. */
const VALUES_OF_SLICE = 2 ** 17;
const ORDER_WORKER = new URL('./order-worker.js', import.meta.url);
/** Memory for the values of all runs: two of the largest, and small ones in addition. */
const ALL_VALUES_BYTES = 2.5 * VALUES_BYTES;

/** One block for all engines on the same threads. */
const memories = new WeakMap<ThreadPool, ValueMemory>();

function memoryOf(pool: ThreadPool): ValueMemory {
  const memory = memories.get(pool) ?? new ValueMemory(ALL_VALUES_BYTES / Float64Array.BYTES_PER_ELEMENT);
  memories.set(pool, memory);
  return memory;
}

export type ColumnPlan = PlanMergedBy<'columns'>;

/** A task that computes the values of a batch for its paths. */
export interface ValuesTask {
  readonly kind: 'values';
  readonly plan: ColumnPlan;
  readonly range: PathRange;
  readonly batch: HorizonBatch;
}

/** The order of the columns of a horizon. */
export type OrderTask = TailsTask | RatesTask;

const COLUMNS: { readonly [K in KindMergedBy<'columns'>]: ColumnsOf<ProductOf<K>, OrderTask, never> } = {
  'value-at-risk': TAIL_COLUMNS,
  'advance-rate': ADVANCE_RATE_COLUMNS,
};

/**
 * Runs a plan whose long arrays are in shared memory.
 *
 * @param worker the module that computes a `ValuesTask` and an `OrderTask`
 * @param bundles the paths of each task
 */
export async function runColumns(
  pool: ThreadPool,
  plan: ColumnPlan,
  worker: URL,
  bundles: readonly Bundle[],
  signal: AbortSignal | undefined,
): Promise<OutcomeOf<ColumnPlan['product']>> {
  const row = COLUMNS[plan.product.kind] as ColumnsOf<ColumnPlan['product'], OrderTask, unknown>;
  const horizons = row.horizons(plan);
  const perHorizon = row.columnsPerHorizon(plan);
  const valuesPerHorizon = perHorizon * plan.paths;
  const fitting = Math.floor(VALUES_BYTES / (valuesPerHorizon * Float64Array.BYTES_PER_ELEMENT));
  const perBatch = Math.max(1, Math.min(horizons, fitting));
  const { values, release } = await memoryOf(pool).take(perBatch * valuesPerHorizon, signal);
  const answers: unknown[][] = [];
  let ended = Promise.resolve();
  const run = (begun: TaskRun): Promise<unknown[]> => {
    ended = begun.ended;
    return begun.answers;
  };
  try {
    for (let first = 0; first < horizons; first += perBatch) {
      const batch = { first, count: Math.min(perBatch, horizons - first), values };
      const makers: ValuesTask[] = bundles.map(bundle => ({
        ...{ kind: 'values', plan, batch },
        range: rangeOf(bundle),
      }));
      await run(pool.begin(worker, makers, signal));
      const column = (i: number) => values.subarray(i * plan.paths, (i + 1) * plan.paths);
      const orders = Array.from({ length: batch.count }, (_, k) =>
        row.orders(
          plan,
          first + k,
          Array.from({ length: perHorizon }, (_, i) => column(perHorizon * k + i)),
        ),
      );
      const ordered = await run(
        plan.paths > VALUES_OF_SLICE
          ? pool.beginLong(ORDER_WORKER, orders.flat(), signal)
          : pool.begin(worker, orders.flat(), signal),
      );
      for (const { length } of orders) answers.push(ordered.splice(0, length));
    }
    await ended;
  } finally {
    // After an abort or a failure threads may still write values for a moment.
    void ended.then(release);
  }
  return row.outcome(plan, answers);
}

/** The paths of neighbouring chunks. */
const rangeOf = (bundle: Bundle): PathRange => ({
  first: bundle[0].first,
  count: bundle.reduce((sum, { count }) => sum + count, 0),
});
