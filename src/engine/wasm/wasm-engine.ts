/**
 * The fast engine of the processor: a SIMD kernel in WebAssembly, single precision, on the same random stream.
 *
 * Takes: loans, origination, capped loans, value at risk and books under the models of src/core/simd/models.ts. Gives: outcomes that do not depend on the number of threads and
 * differ from the double-precision reference by rounding only (docs/decisions/wasm.md). Shares the reference's threads.
 */

import type { Engine, EngineDescription, OutcomeOf, PathRecords, RunOptions } from '../../core/engine.ts';
import { within } from '../../core/plan/chunks.ts';
import {
  concatenate,
  type MergedOutcome,
  mergeOutcomes,
  outcomesOf,
  withCountsTogether,
} from '../../core/plan/merge-outcomes.ts';
import type { BookProduct } from '../../core/plan/product/book.ts';
import { contractOf, type Product } from '../../core/plan/products.ts';
import type { PathRange } from '../../core/plan/records.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { simdBundlesOf, simdChunksOf, simdRuns, simdSupports } from '../../core/simd/products.ts';
import { type ChunksAnswer, mergeLists, type Part, type PartAnswers, type PartEngine } from '../parts.ts';
import { BookRuns } from '../threads/book-runs.ts';
import { SharedPlans, sharePlan } from '../threads/shared-plan.ts';
import { KERNELS, type ThreadPool } from '../threads/thread-pool.ts';
import { runValueAtRisk } from '../threads/value-at-risk-run.ts';
import { readKernel } from './read-kernel.ts';
import type { Task, TaskAnswers } from './worker.ts';

const WORKER = new URL('./worker.js', import.meta.url);
/** Of a book: the kernel does four times what the reference does. */
const WORK_PER_RANGE = 2 ** 25;
/** A trace keeps a record per path in memory. */
const MOST_TRACED_PATHS = 2 ** 20;

/**
 * Opens the WebAssembly engine on threads that it may share; it closes them with itself.
 * @throws Error if the kernel was not built or this processor cannot run it
 */
export function openWasmEngine(pool: ThreadPool): Engine & PartEngine {
  return new WasmEngine(pool, readKernel());
}

class WasmEngine implements Engine, PartEngine {
  readonly description: EngineDescription;
  private readonly pool: ThreadPool;
  private readonly sharedPlans = new SharedPlans();
  private readonly books: BookRuns;
  /** Held so that the threads find the machine code of the process in place, also one that takes the place of another. */
  readonly compiled: object;

  constructor(pool: ThreadPool, compiled: object) {
    this.pool = pool;
    this.books = new BookRuns(pool, WORKER, WORK_PER_RANGE);
    this.compiled = compiled;
    const device = `${pool.device}, ${KERNELS[pool.kernel]} (single precision)`;
    this.description = { backend: 'cpu', device, software: false };
  }

  supports(plan: SimulationPlan): boolean {
    return simdSupports(plan);
  }

  async run<P extends Product>(plan: SimulationPlan<P>, options: RunOptions = {}): Promise<OutcomeOf<P>> {
    const shared = sharePlan<SimulationPlan>(plan);
    const { product } = shared;
    if (product.kind !== 'value-at-risk' && product.kind !== 'book')
      return mergeOutcomes((await this.runBundles('run', plan, options)).flatMap(outcomesOf)) as OutcomeOf<P>;
    requireRuns(plan);
    if (product.kind === 'book')
      return (await this.books.run({ ...shared, product }, options, plan.scenarios)) as OutcomeOf<P>;
    const maker = { worker: WORKER, bundles: simdBundlesOf(shared, this.pool.threads, simdChunksOf(shared)) };
    return (await runValueAtRisk(this.pool, { ...shared, product }, maker, options.signal)) as OutcomeOf<P>;
  }

  async trace(plan: SimulationPlan, options: RunOptions = {}): Promise<PathRecords> {
    if (plan.paths > MOST_TRACED_PATHS) {
      throw new RangeError(`a trace takes at most ${MOST_TRACED_PATHS} paths, not ${plan.paths}`);
    }
    const parts = (await this.runBundles('trace', plan, options)).flat();
    const fields = contractOf(plan.product).recordFields(plan.product);
    return Object.fromEntries(fields.map((field, i) => [field, concatenate(parts.map(part => part[i]))]));
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  chunks(plan: SimulationPlan): readonly PathRange[] | undefined {
    return plan.product.kind === 'value-at-risk' ? undefined : simdChunksOf(plan);
  }

  mergeChunks(_: SimulationPlan, answers: readonly ChunksAnswer[]): MergedOutcome {
    return mergeLists(answers);
  }

  async runPart<P extends Part>(
    plan: SimulationPlan,
    part: P,
    options: Pick<RunOptions, 'signal'> = {},
  ): Promise<PartAnswers[P['kind']]> {
    if (part.kind !== 'chunks') {
      requireRuns(plan);
      const shared = this.sharedPlans.of(plan) as SimulationPlan<BookProduct>;
      return (await this.books.runPart(shared, part, options.signal)) as PartAnswers[P['kind']];
    }
    const answers = await this.runBundles('run', plan, options, part.range);
    return withCountsTogether(answers.flatMap(outcomesOf)) as unknown as PartAnswers[P['kind']];
  }

  /** The answers of all chunks of a part, in path order. */
  private async runBundles<K extends 'run' | 'trace'>(
    kind: K,
    plan: SimulationPlan,
    { signal, onProgress }: RunOptions,
    part: PathRange = { first: 0, count: plan.paths },
  ): Promise<TaskAnswers[K][]> {
    requireRuns(plan);
    const shared = sharePlan(plan);
    const bundles = simdBundlesOf(shared, this.pool.threads, within(part, simdChunksOf(shared)));
    const tasks = bundles.map(ranges => ({ kind, plan: shared, ranges }) as Task);
    return (await this.pool.runAll(WORKER, tasks, signal, onProgress)) as TaskAnswers[K][];
  }
}

/** @throws RangeError for a plan that the kernel does not run */
function requireRuns(plan: SimulationPlan): void {
  if (simdRuns(plan)) return;
  throw new RangeError(`the WebAssembly engine has no ${plan.product.kind} under ${plan.scenarios.kind}`);
}
