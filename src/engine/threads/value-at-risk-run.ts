/**
 * Value at risk on threads: the values of a batch of horizons, then the order of each column, in memory that runs share.
 *
 * Takes: a plan, threads, and how the engine makes values. Gives: the tails. The values may be made in single precision;
 * they are ordered in double.
 */
import type { ValueDistribution } from '../../core/distribution/values.ts';
import type { Tail, ValueAtRiskOutcome } from '../../core/engine.ts';
import type { Bundle } from '../../core/plan/chunks.ts';
import { modelOf } from '../../core/plan/models.ts';
import { distributionScales } from '../../core/plan/product/value-at-risk.ts';
import { planSteps, type SimulationPlan, type ValueAtRiskProduct } from '../../core/plan/simulation-plan.ts';
import { type HorizonBatch, VALUES_PER_HORIZON } from '../../core/product/value-at-risk.ts';
import type { ThreadPool } from './thread-pool.ts';
import { ValueMemory } from './value-memory.ts';

/** Memory for the values of one value at risk: as many horizons are taken at once as fit. */
const VALUES_BYTES = 2 ** 29;
/** Memory for the values of all of them: two of the largest, and small ones beside them. */
const ALL_VALUES_BYTES = 2.5 * VALUES_BYTES;

/** One block of memory for all engines on the same threads. */
const memories = new WeakMap<ThreadPool, ValueMemory>();

function memoryOf(pool: ThreadPool): ValueMemory {
  const memory = memories.get(pool) ?? new ValueMemory(ALL_VALUES_BYTES / Float64Array.BYTES_PER_ELEMENT);
  memories.set(pool, memory);
  return memory;
}

/** A task that fills the values of a batch for its paths. */
export interface ValuesTask {
  readonly kind: 'values';
  readonly plan: SimulationPlan<ValueAtRiskProduct>;
  readonly ranges: Bundle;
  readonly batch: HorizonBatch;
}

/** The order of one column of values. */
export interface TailsTask {
  readonly kind: 'tails';
  readonly values: Float64Array;
  readonly quantiles: Float64Array;
  readonly intervalLevel: number | undefined;
  /** Independent parts of the column, where its values are not independent of each other; else `undefined`. */
  readonly replicates: number | undefined;
  /** Unit of the bins of a distribution; absent where none is requested. */
  readonly distributionScale: number | undefined;
}

/** Figures of the values of one column. */
export interface ColumnTails {
  readonly tails: readonly Tail[];
  readonly distribution: ValueDistribution | undefined;
}

/** How an engine makes values. */
export interface ValueMaker {
  /** The module that does a `ValuesTask` and a `TailsTask`. */
  readonly worker: URL;
  /** The paths of each task. */
  readonly bundles: readonly Bundle[];
}

/** Runs a plan whose long arrays lie in shared memory. */
export async function runValueAtRisk(
  pool: ThreadPool,
  plan: SimulationPlan<ValueAtRiskProduct>,
  { worker, bundles }: ValueMaker,
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
      await run(bundles.map(ranges => ({ kind: 'values', plan, ranges, batch }) as const));
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
    // After an abort or a failure the threads may be at work on the values for a moment still.
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
