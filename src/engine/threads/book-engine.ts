/**
 * Books on the threads of an engine: whole runs, parts of runs, and the outcome of passes that other processes computed.
 *
 * Takes: threads, and the module that computes the tasks of a book on the engine's paths. Must not know: prices.
 */
import type { PreparedBook } from '../../core/book/prepared-book.ts';
import { addFlatSets, emptySumSets, memoryOf } from '../../core/book/sum-sets.ts';
import type { Summarise } from '../../core/book/summaries.ts';
import type { RunOptions } from '../../core/engine.ts';
import type { BookOutcome } from '../../core/plan/product/book.ts';
import type { Scenarios, SimulationPlan } from '../../core/plan/simulation-plan.ts';
import type { Part, PartAnswers } from '../parts.ts';
import {
  type BookPasses,
  type BookThreads,
  bookOutcome,
  bookPathSums,
  bookTailSums,
  passesOnThreads,
  prepareOnThreads,
  type RunBookTasks,
  summariseBy,
} from './book-passes.ts';
import { type BookPlan, contributionsLength } from './book-task.ts';
import { shareArrays } from './shared-plan.ts';
import type { ThreadPool } from './thread-pool.ts';

type BookPart = Exclude<Part, { kind: 'chunks' }>;

/** Plans have their long arrays in shared memory. */
export class BookEngine {
  private readonly on: BookThreads;
  private readonly prepared = new WeakMap<SimulationPlan, Promise<PreparedBook>>();

  /** @param workPerRange asset-steps that the engine computes in less than a tenth of a second */
  constructor(
    private readonly pool: ThreadPool,
    private readonly worker: URL,
    workPerRange: number,
  ) {
    this.on = { threads: pool.threads, workPerRange };
  }

  /** @param scenarios as the caller has them; runs of the same object have equal paths */
  async run(
    plan: BookPlan,
    { signal, onProgress, draws }: RunOptions,
    scenarios: Scenarios,
  ): Promise<BookOutcome> {
    const run = this.tasks(signal);
    const book = await prepareOnThreads(plan, run);
    const { seed, paths, product } = plan;
    const drawn = { scenarios, seed, paths, steps: product.steps };
    const on = { ...this.on, draws: draws?.memoryOf(this.worker.href, drawn) };
    return bookOutcome(plan, book, passesOnThreads(plan, book, on, run), run, onProgress);
  }

  async mergeBook(
    plan: BookPlan,
    passesOf: (groups: number) => BookPasses,
    { signal, onProgress }: RunOptions,
  ): Promise<BookOutcome> {
    const run = this.tasks(signal);
    const book = await prepareOnThreads(plan, run);
    return bookOutcome(plan, book, passesOf(book.groupTerm.length), run, onProgress);
  }

  async runPart(
    plan: BookPlan,
    part: BookPart,
    signal: AbortSignal | undefined,
  ): Promise<PartAnswers[BookPart['kind']]> {
    const run = this.tasks(signal);
    const book = await this.prepareOnce(plan);
    if (part.kind === 'book-paths') {
      const { sums, columns } = await bookPathSums(plan, book, part.range, this.on, run);
      const total = emptySumSets(plan, book.groupTerm.length);
      addFlatSets(total, new Float64Array(sums), plan);
      return { sums: new Float64Array(memoryOf(total)), columns: new Float64Array(columns) };
    }
    const { peakRows, contributions } = await bookTailSums(plan, book, part, this.on, run);
    const total = new Float64Array(contributionsLength(plan.product));
    const all = new Float64Array(contributions);
    for (let i = 0; i < all.length; i++) total[i % total.length] += all[i];
    return { contributions: total, peakRows: new Float64Array(peakRows) };
  }

  /** Summaries of the columns of a device. */
  readonly summarise: Summarise = (tasks, signal) =>
    summariseBy(this.tasks(signal))(shareArrays(tasks), signal);

  private tasks(signal: AbortSignal | undefined): RunBookTasks {
    return ((tasks, onProgress) =>
      this.pool.begin(this.worker, tasks, signal, onProgress).answers) as RunBookTasks;
  }

  /** Continues after an abort: other parts of the plan wait for the same book. */
  private prepareOnce(plan: BookPlan): Promise<PreparedBook> {
    const known = this.prepared.get(plan);
    if (known !== undefined) return known;
    const book = prepareOnThreads(plan, this.tasks(undefined));
    this.prepared.set(plan, book);
    return book;
  }
}
