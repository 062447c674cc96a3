/**
 * The fast engine of the processor: a SIMD kernel in WebAssembly, single precision, on the same random stream.
 *
 * Takes: loans, origination and capped loans under GBM. Gives: outcomes that do not depend on the number of threads and
 * differ from the double-precision reference by rounding only (docs/decisions/wasm.md). Shares the reference's threads.
 */
import type { Product, SimulationPlan } from '../../plan/simulation-plan.ts';
import { suitsSinglePrecision } from '../../plan/single-precision.ts';
import { ASSET_STEPS_PER_CHUNK, chunksOf } from '../cpu/chunks.ts';
import { concatenate, mergeOutcomes } from '../cpu/merge-outcomes.ts';
import { recordFields } from '../cpu/record-sink.ts';
import type { SummedOutcome } from '../cpu/run-chunk.ts';
import { sharePlan } from '../cpu/shared-plan.ts';
import type { ThreadPool } from '../cpu/thread-pool.ts';
import type { Engine, EngineDescription, OutcomeOf, PathRecords, RunOptions } from '../engine.ts';
import { compileKernel } from './kernel.ts';
import type { KernelPlan, Task } from './worker.ts';

const WORKER = new URL('./worker.js', import.meta.url);
/** The kernel is some four times as fast as the reference: chunks of the same time are larger. */
const CHUNK_ASSET_STEPS = 4 * ASSET_STEPS_PER_CHUNK;
/** A trace keeps a record per path in memory. */
const MOST_TRACED_PATHS = 2 ** 20;

/**
 * Opens the WebAssembly engine on threads that it may share; it closes them with itself.
 * @throws Error if the kernel was not built or this processor cannot run it
 */
export function openWasmEngine(pool: ThreadPool): Engine {
  return new WasmEngine(pool, compileKernel());
}

class WasmEngine implements Engine {
  readonly description: EngineDescription;
  private readonly pool: ThreadPool;
  /** Held so that the threads find the machine code of the process in place, also one that takes the place of another. */
  readonly compiled: object;

  constructor(pool: ThreadPool, compiled: object) {
    this.pool = pool;
    this.compiled = compiled;
    const device = `${pool.device}, WebAssembly SIMD (single precision)`;
    this.description = { backend: 'cpu', device, software: false };
  }

  supports(plan: SimulationPlan): boolean {
    return isKernelPlan(plan) && suitsSinglePrecision(plan);
  }

  async run<P extends Product>(plan: SimulationPlan<P>, options: RunOptions = {}): Promise<OutcomeOf<P>> {
    const parts = (await this.runChunks('run', plan, options.signal)) as SummedOutcome[];
    return mergeOutcomes(parts) as OutcomeOf<P>;
  }

  async trace(plan: SimulationPlan, options: RunOptions = {}): Promise<PathRecords> {
    if (plan.paths > MOST_TRACED_PATHS) {
      throw new RangeError(`a trace takes at most ${MOST_TRACED_PATHS} paths, not ${plan.paths}`);
    }
    const parts = (await this.runChunks('trace', plan, options.signal)) as (readonly Float64Array[])[];
    const fields = recordFields(plan);
    return Object.fromEntries(fields.map((field, i) => [field, concatenate(parts.map(part => part[i]))]));
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private runChunks(kind: Task['kind'], plan: SimulationPlan, signal: AbortSignal | undefined) {
    if (!isKernelPlan(plan)) {
      throw new RangeError(`the WebAssembly engine has no ${plan.product.kind} under ${plan.scenarios.kind}`);
    }
    const shared = sharePlan(plan);
    const tasks = chunksOf(shared, CHUNK_ASSET_STEPS).map((range): Task => ({ kind, plan: shared, range }));
    return this.pool.runAll(WORKER, tasks, signal);
  }
}

function isKernelPlan(plan: SimulationPlan): plan is KernelPlan {
  const { kind } = plan.product;
  return (
    plan.scenarios.kind === 'gbm' && (kind === 'loan' || kind === 'origination' || kind === 'capped-loan')
  );
}
