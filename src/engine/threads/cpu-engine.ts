/**
 * The CPU engine: the double-precision reference, spread over worker threads.
 *
 * Takes: plans of any kind. Gives: outcomes that do not depend on the number of threads. The event loop only hands
 * out chunks and adds up their outcomes. Runs side by side share the threads chunk by chunk, so a small one is not
 * stuck behind a large one.
 */

import { addFlatSums, emptySums, sumsLength } from '../../core/book/book-sums.ts';
import type { PreparedBook } from '../../core/book/prepared-book.ts';
import type { Engine, EngineDescription, OutcomeOf, PathRecords, RunOptions } from '../../core/engine.ts';
import { bundlesOf, chunksOf, within } from '../../core/plan/chunks.ts';
import { concatenate, mergeOutcomes } from '../../core/plan/merge-outcomes.ts';
import type { BookOutcome, BookProduct } from '../../core/plan/product/book.ts';
import { contractOf, type Product } from '../../core/plan/products.ts';
import type { PathRange } from '../../core/plan/records.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import type { BookMerger, Part, PartAnswer, PartAnswers, PartEngine } from '../parts.ts';
import {
  type BookPasses,
  bookPathSums,
  bookTailSums,
  passesOnThreads,
  prepareOnThreads,
  type RunBookTasks,
  runBook,
} from './book-run.ts';
import { contributionsLength } from './book-tasks.ts';
import { sharePlan } from './shared-plan.ts';
import { openThreadPool, type TaskRun, type ThreadPool } from './thread-pool.ts';
import { runValueAtRisk } from './value-at-risk-run.ts';
import type { MergedProduct, Task, TaskAnswers } from './worker.ts';

export interface CpuEngineOptions {
  /** Worker threads, 1 or more. */
  readonly threads: number;
}

/** A trace keeps a record per path in memory. */
const MOST_TRACED_PATHS = 2 ** 20;

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
  private readonly sharedPlans = new WeakMap<SimulationPlan, SimulationPlan>();
  private readonly preparedBooks = new WeakMap<SimulationPlan, Promise<PreparedBook>>();

  constructor(pool: ThreadPool) {
    this.pool = pool;
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
          ? await this.runBook({ ...shared, product }, options)
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
    return mergeOutcomes((await this.all(tasks, signal, onProgress)).flat());
  }

  private bundles(plan: SimulationPlan) {
    return bundlesOf(chunksOf(plan), plan, this.pool.threads);
  }

  private async runBook(
    plan: SimulationPlan<BookProduct>,
    { signal, onProgress }: RunOptions,
  ): Promise<BookOutcome> {
    const run = this.bookTasks(signal);
    const book = await prepareOnThreads(plan, run);
    return runBook(plan, book, passesOnThreads(plan, book, this.pool.threads, run), run, onProgress);
  }

  private bookTasks(signal: AbortSignal | undefined): RunBookTasks {
    return (tasks, told) => this.all(tasks, signal, told);
  }

  chunks(plan: SimulationPlan): readonly PathRange[] | undefined {
    return plan.product.kind === 'value-at-risk' ? undefined : chunksOf(plan);
  }

  async runPart<P extends Part>(
    plan: SimulationPlan,
    part: P,
    { signal }: Pick<RunOptions, 'signal'> = {},
  ): Promise<PartAnswers[P['kind']]> {
    return (await this.answerPart(this.shared(plan), part, signal)) as PartAnswers[P['kind']];
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
      return (await this.all(tasks, signal)).flat();
    }
    const { threads } = this.pool;
    const bookPlan = plan as SimulationPlan<BookProduct>;
    const run = this.bookTasks(signal);
    const book = await this.prepared(bookPlan);
    const loans = bookPlan.product.loanValue.length;
    if (part.kind === 'book-paths') {
      const { sums, columns } = await bookPathSums(bookPlan, book, part.range, threads, run);
      const total = emptySums(loans, book.groupTerm.length);
      const length = sumsLength(loans, book.groupTerm.length);
      const all = new Float64Array(sums);
      for (let at = 0; at < all.length; at += length) addFlatSums(total, all.subarray(at, at + length));
      return { sums: new Float64Array(total.worstRatio.buffer), columns: new Float64Array(columns) };
    }
    const { peakRows, contributions } = await bookTailSums(bookPlan, book, part, threads, run);
    const total = new Float64Array(contributionsLength(bookPlan.product));
    const all = new Float64Array(contributions);
    for (let i = 0; i < all.length; i++) total[i % total.length] += all[i];
    return { contributions: total, peakRows: new Float64Array(peakRows) };
  }

  async mergeBook(
    plan: SimulationPlan<BookProduct>,
    passesOf: (groups: number) => BookPasses,
    { signal, onProgress }: RunOptions,
  ): Promise<BookOutcome> {
    const shared = this.shared(plan) as SimulationPlan<BookProduct>;
    const run = this.bookTasks(signal);
    const book = await prepareOnThreads(shared, run);
    return runBook(shared, book, passesOf(book.groupTerm.length), run, onProgress);
  }

  /** The plan with its arrays in shared memory: parts of one plan come one after another. */
  private shared(plan: SimulationPlan): SimulationPlan {
    const known = this.sharedPlans.get(plan);
    if (known !== undefined) return known;
    const shared = sharePlan(plan);
    this.sharedPlans.set(plan, shared);
    return shared;
  }

  /** Not ended by an abort: other parts of the plan wait for the same book. */
  private prepared(plan: SimulationPlan<BookProduct>): Promise<PreparedBook> {
    const known = this.preparedBooks.get(plan);
    if (known !== undefined) return known;
    const book = prepareOnThreads(plan, this.bookTasks(undefined));
    this.preparedBooks.set(plan, book);
    return book;
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
