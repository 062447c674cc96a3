/**
 * The SIMD kernel as an engine on the calling thread, for a page or a worker, with the outcomes of the threaded engine, digit for digit.
 * The event loop runs between chunks of some tens of milliseconds: an abort takes effect.
 */
import type { Engine, PathRecords, RunOptions } from '../engine.ts';
import { RiskError } from '../errors.ts';
import {
  concatenate,
  type MergedOutcome,
  mergeOutcomes,
  newCounts,
  outcomesOf,
  withSharedCounts,
} from '../plan/merge-outcomes.ts';
import { contractOf, type OutcomeOf, type Product } from '../plan/products.ts';
import { type PathRange, RecordSink } from '../plan/records.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import { compileKernel, instantiateKernel, type Kernel } from './kernel.ts';
import { runSimdRange, simdChunksOf, simdSupportsAlone } from './products.ts';

/**
 * Opens the engine.
 * @throws Error if the bytes are no kernel, or if this processor has no SIMD that WebAssembly can use
 */
export function createSimdEngine(bytes: Uint8Array): Engine {
  return new SimdEngine(instantiateKernel(compileKernel(bytes)));
}

class SimdEngine implements Engine {
  readonly description = {
    backend: 'cpu',
    device: 'WebAssembly SIMD (single precision)',
    software: false,
  } as const;
  private closed = false;

  constructor(private readonly kernel: Kernel) {}

  supports(plan: SimulationPlan): boolean {
    return simdSupportsAlone(plan);
  }

  async run<P extends Product>(plan: SimulationPlan<P>, options: RunOptions = {}): Promise<OutcomeOf<P>> {
    // The counts of a distribution are long: one list for all chunks.
    const sharedCounts = newCounts(plan);
    const parts = await this.overChunks(plan, options, range =>
      runSimdRange(this.kernel, plan, range, undefined, sharedCounts),
    );
    return mergeOutcomes(
      outcomesOf([withSharedCounts(parts as unknown as MergedOutcome[], sharedCounts)]),
    ) as OutcomeOf<P>;
  }

  async trace(plan: SimulationPlan, options: RunOptions = {}): Promise<PathRecords> {
    const fields = contractOf(plan.product).recordFields(plan.product);
    const parts = await this.overChunks(plan, options, range => {
      const records = new RecordSink(fields.length, range);
      runSimdRange(this.kernel, plan, range, records);
      return records.columns;
    });
    return Object.fromEntries(fields.map((field, i) => [field, concatenate(parts.map(part => part[i]))]));
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  private async overChunks<T>(
    plan: SimulationPlan,
    { signal }: RunOptions,
    work: (range: PathRange) => T,
  ): Promise<T[]> {
    const parts: T[] = [];
    for (const range of simdChunksOf(plan)) {
      signal?.throwIfAborted();
      if (this.closed) throw new RiskError('engine-unavailable', 'The SIMD engine is closed.');
      parts.push(work(range));
      await new Promise<void>(resolve => setTimeout(resolve, 0));
    }
    return parts;
  }
}
