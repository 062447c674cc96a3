/**
 * The CPU engine: the double-precision reference, spread over worker threads.
 *
 * Takes: plans of any kind. Gives: outcomes that do not depend on the number of threads. The event loop only hands
 * out chunks and adds up their outcomes. Runs side by side share the threads chunk by chunk, so a small one is not
 * stuck behind a large one.
 */

import type { Engine, EngineDescription, OutcomeOf, PathRecords, RunOptions } from '../../core/engine.ts';
import { bundlesOf, chunksOf, within } from '../../core/plan/chunks.ts';
import {
  concatenate,
  type MergedOutcome,
  mergeOutcomes,
  outcomesOf,
  withCountsTogether,
} from '../../core/plan/merge-outcomes.ts';
import type { BookOutcome, BookProduct } from '../../core/plan/product/book.ts';
import { contractOf, type Product } from '../../core/plan/products.ts';
import type { PathRange } from '../../core/plan/records.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import {
  type BookMerger,
  type ChunksAnswer,
  mergeLists,
  type Part,
  type PartAnswer,
  type PartAnswers,
  type PartEngine,
} from '../parts.ts';
import type { BookPasses } from './book-run.ts';
import { BookRuns } from './book-runs.ts';
import { SharedPlans, sharePlan } from './shared-plan.ts';
import { openThreadPool, type TaskRun, type ThreadPool } from './thread-pool.ts';
import { runValueAtRisk } from './value-at-risk-run.ts';
import type { MergedProduct, Task, TaskAnswers } from './worker.ts';

export interface CpuEngineOptions {
  /** Worker threads, 1 or more. */
  readonly threads: number;
}

/** A trace keeps a record per path in memory. */
const MOST_TRACED_PATHS = 2 ** 20;

/** Of a book. */
const WORK_PER_RANGE = 2 ** 23;

const WORKER = new URL('./worker.js', import.meta.url);

/** Opens the CPU engine on threads of its own; they start at once and stay warm. */
export function openCpuEngine(options: CpuEngineOptions): ReferenceEngine {
  return cpuEngineOn(openThreadPool(options.threads));
}

/** The CPU engine on threads that it may share; it closes them with itself. */
export function cpuEngineOn(pool: ThreadPool): ReferenceEngine {
  return new CpuEngine(pool);
}

/** A run of tasks and its answers. */
interface BegunTasks<T extends Task> extends TaskRun {
  readonly answers: Promise<TaskAnswers[T['kind']][]>;
}

/** The reference: whole runs, and parts of them. */
export type ReferenceEngine = Engine & PartEngine & BookMerger;

class CpuEngine implements ReferenceEngine {
  readonly description: EngineDescription;
  private readonly pool: ThreadPool;
  private readonly sharedPlans = new SharedPlans();
  private readonly books: BookRuns;

  constructor(pool: ThreadPool) {
    this.pool = pool;
    this.books = new BookRuns(pool, WORKER, WORK_PER_RANGE);
    this.description = { backend: 'cpu', device: pool.device, software: false };
  }

  supports(): boolean {
    return true;
  }

  async run<P extends Product>(plan: SimulationPlan<P>, options: RunOptions = {}): Promise<OutcomeOf<P>> {
    const shared = sharePlan<SimulationPlan>(plan);
    const { product } = shared;
    const outcome =
      product.kind === 'value-at-risk'
        ? await runValueAtRisk(
            this.pool,
            { ...shared, product },
            { worker: WORKER, bundles: this.bundles(shared) },
            options.signal,
          )
        : product.kind === 'book'
          ? await this.books.run({ ...shared, product }, options, plan.scenarios)
          : await this.runMerged({ ...shared, product }, options);
    return outcome as OutcomeOf<P>;
  }

  async trace(plan: SimulationPlan, options: RunOptions = {}): Promise<PathRecords> {
    if (plan.paths > MOST_TRACED_PATHS) {
      throw new RangeError(`a trace takes at most ${MOST_TRACED_PATHS} paths, not ${plan.paths}`);
    }
    const shared = sharePlan(plan);
    const tasks = this.bundles(shared).map(ranges => ({ kind: 'trace', plan: shared, ranges }) as const);
    const parts = (await this.all(tasks, options.signal)).flat();
    const fields = contractOf(plan.product).recordFields(plan.product);
    return Object.fromEntries(fields.map((field, i) => [field, concatenate(parts.map(part => part[i]))]));
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private async runMerged(plan: SimulationPlan<MergedProduct>, { signal, onProgress }: RunOptions) {
    const tasks = this.bundles(plan).map(ranges => ({ kind: 'run', plan, ranges }) as const);
    return mergeOutcomes((await this.all(tasks, signal, onProgress)).flatMap(outcomesOf));
  }

  private bundles(plan: SimulationPlan) {
    return bundlesOf(chunksOf(plan), plan, this.pool.threads);
  }

  chunks(plan: SimulationPlan): readonly PathRange[] | undefined {
    return plan.product.kind === 'value-at-risk' ? undefined : chunksOf(plan);
  }

  mergeChunks(_: SimulationPlan, answers: readonly ChunksAnswer[]): MergedOutcome {
    return mergeLists(answers);
  }

  async runPart<P extends Part>(
    plan: SimulationPlan,
    part: P,
    { signal }: Pick<RunOptions, 'signal'> = {},
  ): Promise<PartAnswers[P['kind']]> {
    return (await this.answerPart(this.sharedPlans.of(plan), part, signal)) as PartAnswers[P['kind']];
  }

  private async answerPart(
    plan: SimulationPlan,
    part: Part,
    signal: AbortSignal | undefined,
  ): Promise<PartAnswer> {
    if (part.kind === 'chunks') {
      const chunks = within(part.range, chunksOf(plan));
      const bundles = bundlesOf(chunks, plan, this.pool.threads);
      const tasks = bundles.map(ranges => ({ kind: 'run', plan, ranges }) as Extract<Task, { kind: 'run' }>);
      return withCountsTogether((await this.all(tasks, signal)).flatMap(outcomesOf));
    }
    return this.books.runPart(plan as SimulationPlan<BookProduct>, part, signal);
  }

  async mergeBook(
    plan: SimulationPlan<BookProduct>,
    passesOf: (groups: number) => BookPasses,
    options: RunOptions,
  ): Promise<BookOutcome> {
    return this.books.mergeBook(this.sharedPlans.of(plan), passesOf, options);
  }

  private all<T extends Task>(
    tasks: readonly T[],
    signal: AbortSignal | undefined,
    onProgress?: RunOptions['onProgress'],
  ): Promise<TaskAnswers[T['kind']][]> {
    return this.begin(tasks, signal, onProgress).answers;
  }

  private begin<T extends Task>(
    tasks: readonly T[],
    signal: AbortSignal | undefined,
    onProgress?: RunOptions['onProgress'],
  ): BegunTasks<T> {
    return this.pool.begin(WORKER, tasks, signal, onProgress) as BegunTasks<T>;
  }
}
