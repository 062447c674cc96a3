/**
 * What the row of a product on the GPU is made of.
 */
import type { OutcomeOf, PathRecords, RunOptions } from '../../engine.ts';
import type { Product } from '../../plan/products.ts';
import type { SimulationPlan } from '../../plan/simulation-plan.ts';
import type { Program } from '../kernels.ts';
import type { GpuSession } from '../session.ts';

/** How one kind of product runs on the GPU. */
export interface GpuProduct<P extends Product> {
  /** Every program that it may run. */
  readonly programs: readonly Program[];
  /** See `Engine.run`; a product may leave progress untold. */
  run(
    session: GpuSession,
    plan: SimulationPlan<P>,
    signal: AbortSignal | undefined,
    onProgress?: RunOptions['onProgress'],
  ): Promise<OutcomeOf<P>>;
  /** See `Engine.trace`. */
  trace(session: GpuSession, plan: SimulationPlan<P>, signal: AbortSignal | undefined): Promise<PathRecords>;
}
