/** The contract of a product on the GPU. */
import type { OutcomeOf, PathRecords, RunOptions } from '../../engine.ts';
import type { UnsummarisedBook } from '../../plan/product/book.ts';
import type { Product } from '../../plan/products.ts';
import type { SimulationPlan } from '../../plan/simulation-plan.ts';
import type { Program } from '../kernels.ts';
import type { RangeSums } from '../range-sums.ts';
import type { GpuSession } from '../session.ts';
import type { GpuPlan } from '../simulate.ts';

/** The outcome of a run; the columns of a book are summarised elsewhere (core/book/summaries.ts). */
export type DeviceOutcome<P extends Product> = OutcomeOf<P> | UnsummarisedBook;

/** A kind of product on the GPU. */
export interface GpuProduct<P extends Product> {
  readonly programs: readonly Program[];
  /** See `Engine.run`; a product may report no progress. */
  run(
    session: GpuSession,
    plan: SimulationPlan<P>,
    signal: AbortSignal | undefined,
    onProgress?: RunOptions['onProgress'],
  ): Promise<DeviceOutcome<P>>;
  /** See `Engine.trace`. */
  trace(session: GpuSession, plan: SimulationPlan<P>, signal: AbortSignal | undefined): Promise<PathRecords>;
  /** Runs over ranges of paths; absent for outcomes of all paths together. */
  readonly ranges?: GpuRanges<P>;
}

/** Runs over path ranges; their sums add up to the sums of a whole run, to the last bit. */
export interface GpuRanges<P extends Product> {
  run(session: GpuSession, plan: GpuPlan<P>, signal: AbortSignal | undefined): Promise<RangeSums>;
  /** @param sums of all paths of the plan */
  outcomeOf(plan: SimulationPlan<P>, sums: RangeSums): OutcomeOf<P>;
}

/** A product that runs as one range. */
export function inRanges<P extends Product>(
  row: Pick<GpuProduct<P>, 'programs' | 'trace'> & { readonly ranges: GpuRanges<P> },
): GpuProduct<P> {
  const { ranges } = row;
  return {
    ...row,
    run: async (session, plan, signal) => ranges.outcomeOf(plan, await ranges.run(session, plan, signal)),
  };
}
