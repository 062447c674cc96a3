/**
 * What a worker thread does for an engine of the processor: one task, one answer. Nothing stays between tasks.
 *
 * Takes: a task, and how the engine runs paths. Must not know: which engine that is.
 */

import type { SingleLoanGroups } from '../../core/book/prepared-book.ts';
import { tailsAndDistribution } from '../../core/distribution/values.ts';
import type { Bundle } from '../../core/plan/chunks.ts';
import { newTally, type TalliedOutcomes, withTally } from '../../core/plan/merge-outcomes.ts';
import {
  contractOf,
  type MergedKind,
  type OutcomeOf,
  type Product,
  type ProductOf,
} from '../../core/plan/products.ts';
import { type PathRange, RecordSink } from '../../core/plan/records.ts';
import type { SimulationPlan, ValueAtRiskProduct } from '../../core/plan/simulation-plan.ts';
import type { HorizonPaths } from '../../core/product/paths.ts';
import { writeHorizonValues } from '../../core/product/value-at-risk.ts';
import { replicateTails } from '../../core/stats/replicates.ts';
import { type BookTask, type BookTaskAnswers, isBookTask } from './book-task.ts';
import { type FollowerOf, workOnBook } from './book-tasks.ts';
import type { ColumnTails, TailsTask, ValuesTask } from './value-at-risk-run.ts';

/** Products whose outcome is merged from chunks. */
type MergedProduct = ProductOf<MergedKind>;

export type Task =
  | BookTask
  | { readonly kind: 'run'; readonly plan: SimulationPlan<MergedProduct>; readonly ranges: Bundle }
  | { readonly kind: 'trace'; readonly plan: SimulationPlan; readonly ranges: Bundle }
  | ValuesTask
  | TailsTask;

/** The answer to each kind of task. */
export interface TaskAnswers extends BookTaskAnswers {
  /** One outcome of every chunk. */
  run: TalliedOutcomes;
  /** The columns of every chunk. */
  trace: readonly (readonly Float64Array[])[];
  /** Values are written into the memory of the task. */
  values: undefined;
  tails: ColumnTails;
}

/** How an engine runs paths. */
export interface PathRunner {
  /**
   * Runs a range of paths. A value at risk and a book have records only.
   *
   * @param tally counts of other ranges, to which those of this one are added; the outcome then has none
   */
  run<P extends Product>(
    plan: SimulationPlan<P>,
    range: PathRange,
    records?: RecordSink,
    tally?: Uint32Array,
  ): P['kind'] extends MergedKind ? OutcomeOf<P> : undefined;
  /** The first horizons of a value at risk. */
  horizons(plan: SimulationPlan<ValueAtRiskProduct>, horizons: number): HorizonPaths;
  readonly book: FollowerOf;
  /** The groups of loans that `book` wants; `together` where it is absent. */
  readonly bookGroups?: SingleLoanGroups;
}

/** Does one task. */
export function workOn(task: Task, runner: PathRunner): TaskAnswers[Task['kind']] {
  if (isBookTask(task)) return workOnBook(task, runner.book, runner.bookGroups);
  switch (task.kind) {
    case 'run': {
      const { plan, ranges } = task;
      const tally = newTally(plan);
      return withTally(
        ranges.map(range => runner.run(plan, range, undefined, tally)),
        tally,
      );
    }
    case 'trace': {
      const { plan, ranges } = task;
      const fields = contractOf(plan.product).recordFields(plan.product).length;
      return ranges.map(range => {
        const records = new RecordSink(fields, range);
        runner.run(plan, range, records);
        return records.columns;
      });
    }
    case 'values': {
      const { plan, ranges, batch } = task;
      const horizons = runner.horizons(plan, batch.first + batch.count);
      for (const range of ranges) writeHorizonValues(plan, range, batch, horizons);
      return undefined;
    }
    case 'tails':
      return columnTails(task);
  }
}

function columnTails({
  values,
  quantiles,
  intervalLevel,
  replicates,
  distributionScale,
}: TailsTask): ColumnTails {
  if (replicates === undefined || intervalLevel === undefined) {
    const level = replicates === undefined ? intervalLevel : undefined;
    return tailsAndDistribution(values, { quantiles, intervalLevel: level, scale: distributionScale });
  }
  const { tails, distribution } = tailsAndDistribution(values, { quantiles, scale: distributionScale });
  const errors = replicateTails(values, quantiles, replicates, intervalLevel);
  return {
    tails: tails.map((tail, i) => {
      const { low, high, tailMean, tailMeanError, skewness } = errors[i];
      return {
        ...tail,
        ...(low === undefined ? {} : { low }),
        ...(high === undefined ? {} : { high }),
        scrambled: { tailMean, tailMeanError, skewness },
      };
    }),
    distribution,
  };
}
