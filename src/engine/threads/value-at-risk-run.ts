/**
 * Value at risk on threads: the values of a batch of horizons, then the order of each column, in memory that runs share.
 *
 * Takes: a plan, threads, and the engine's tasks. Gives: the tails. The values may have single precision; they are ordered
 * in double precision.
 */
import type { ValueDistribution } from '../../core/distribution/values.ts';
import type { Tail, ValueAtRiskOutcome } from '../../core/engine.ts';
import type { Bundle } from '../../core/plan/chunks.ts';
import { modelOf } from '../../core/plan/models.ts';
import { distributionScales } from '../../core/plan/product/value-at-risk.ts';
import type { PathRange } from '../../core/plan/records.ts';
import { planSteps, type SimulationPlan, type ValueAtRiskProduct } from '../../core/plan/simulation-plan.ts';
import { type HorizonBatch, VALUES_PER_HORIZON } from '../../core/product/value-at-risk.ts';
import type { ThreadPool } from './thread-pool.ts';
import { ValueMemory } from './value-memory.ts';

/** Memory for the values of one run; it limits the horizons of a batch. */
const VALUES_BYTES = 2 ** 29;
/** Memory for the values of all runs: two of the largest, and small ones in addition. */
const ALL_VALUES_BYTES = 2.5 * VALUES_BYTES;

/** One block for all engines on the same threads. */
const memories = new WeakMap<ThreadPool, ValueMemory>();

function memoryOf(pool: ThreadPool): ValueMemory {
  const memory = memories.get(pool) ?? new ValueMemory(ALL_VALUES_BYTES / Float64Array.BYTES_PER_ELEMENT);
  memories.set(pool, memory);
  return memory;
}

/** A task that computes the values of a batch for its paths. */
export interface ValuesTask {
  readonly kind: 'values';
  readonly plan: SimulationPlan<ValueAtRiskProduct>;
  readonly range: PathRange;
  readonly batch: HorizonBatch;
}

/** The order of one column of values. */
export interface TailsTask {
  readonly kind: 'tails';
  readonly values: Float64Array;
  readonly quantiles: Float64Array;
  readonly intervalLevel: number | undefined;
  /** Number of independent parts of the column, if its values are not independent of each other. */
  readonly replicates: number | undefined;
  /** Unit of the bins of a distribution; absent where none is requested. */
  readonly distributionScale: number | undefined;
}

/** The figures of one column. */
export interface ColumnTails {
  readonly tails: readonly Tail[];
  readonly distribution: ValueDistribution | undefined;
}

/**
 * Runs a plan whose long arrays are in shared memory.
 *
 * @param worker the module that computes a `ValuesTask` and a `TailsTask`
 * @param bundles the paths of each task
 */
export async function runValueAtRisk(
  pool: ThreadPool,
  plan: SimulationPlan<ValueAtRiskProduct>,
  worker: URL,
  bundles: readonly Bundle[],
  signal: AbortSignal | undefined,
): Promise<ValueAtRiskOutcome> {
  const { quantiles, intervalLevel } = plan.product;
  const horizons = planSteps(plan);
  const { replicates } = modelOf(plan.scenarios);
  const valuesPerHorizon = VALUES_PER_HORIZON * plan.paths;
  const fitting = Math.floor(VALUES_BYTES / (valuesPerHorizon * Float64Array.BYTES_PER_ELEMENT));
  const perBatch = Math.max(1, Math.min(horizons, fitting));
  const { values, release } = await memoryOf(pool).take(perBatch * valuesPerHorizon, signal);
  const scales = plan.distribution && Object.values(distributionScales(plan.product));
  const tails: ColumnTails[] = [];
  let ended = Promise.resolve();
  const run = (tasks: readonly (ValuesTask | TailsTask)[]): Promise<unknown[]> => {
    const begun = pool.begin(worker, tasks, signal);
    ended = begun.ended;
    return begun.answers;
  };
  try {
    for (let first = 0; first < horizons; first += perBatch) {
      const batch = { first, count: Math.min(perBatch, horizons - first), values };
      await run(bundles.map(bundle => ({ kind: 'values', plan, range: rangeOf(bundle), batch }) as const));
      const columns = Array.from({ length: VALUES_PER_HORIZON * batch.count }, (_, i) =>
        values.subarray(i * plan.paths, (i + 1) * plan.paths),
      );
      const ordered = await run(
        columns.map(
          (values, i) =>
            ({
              kind: 'tails',
              values,
              quantiles,
              intervalLevel,
              replicates,
              distributionScale: scales?.[i % VALUES_PER_HORIZON],
            }) as const,
        ),
      );
      tails.push(...(ordered as ColumnTails[]));
    }
    await ended;
  } finally {
    // After an abort or a failure threads may still write values for a moment.
    void ended.then(release);
  }
  return {
    kind: 'value-at-risk',
    paths: plan.paths,
    horizons: Array.from({ length: horizons }, (_, k) =>
      horizonOf(tails.slice(VALUES_PER_HORIZON * k, VALUES_PER_HORIZON * (k + 1))),
    ),
  };
}

/** The paths of neighbouring chunks. */
const rangeOf = (bundle: Bundle): PathRange => ({
  first: bundle[0].first,
  count: bundle.reduce((sum, { count }) => sum + count, 0),
});

/** The outcome at a horizon. @param columns of collateral, loan and net exposure */
function horizonOf([collateral, loan, netExposure]: readonly ColumnTails[]) {
  const tails = { collateral: collateral.tails, loan: loan.tails, netExposure: netExposure.tails };
  const of = {
    collateral: collateral.distribution,
    loan: loan.distribution,
    netExposure: netExposure.distribution,
  };
  return of.collateral && of.loan && of.netExposure
    ? { ...tails, distribution: { collateral: of.collateral, loan: of.loan, netExposure: of.netExposure } }
    : tails;
}
