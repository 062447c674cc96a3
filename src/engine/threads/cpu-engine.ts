/**
 * An engine of the processor: paths on worker threads, in double precision (the reference) or by the SIMD kernel.
 *
 * Takes: threads, and the differences between the two engines. Gives: outcomes that do not depend on the number of threads. The
 * event loop only sends chunks to threads and merges their outcomes.
 */

import type { Summarise } from '../../core/book/summaries.ts';
import type {
  Engine,
  EngineDescription,
  Outcome,
  OutcomeOf,
  PathRecords,
  RunOptions,
} from '../../core/engine.ts';
import { type Bundle, bundlesOf, chunksOf, within } from '../../core/plan/chunks.ts';
import {
  concatenate,
  isMergedBy,
  type MergedOutcome,
  mergeOutcomes,
  outcomesOf,
  type PlanMergedBy,
} from '../../core/plan/merge-outcomes.ts';
import type { BookOutcome, BookProduct } from '../../core/plan/product/book.ts';
import type { Merge } from '../../core/plan/product/contract.ts';
import { contractOf, mergeOf, type Product } from '../../core/plan/products.ts';
import { MAX_TRACED_PATHS, type PathRange } from '../../core/plan/records.ts';
import type { Scenarios, SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { type ChunksAnswer, mergeLists, type Part, type PartAnswers, type PartEngine } from '../parts.ts';
import { BookEngine } from './book-engine.ts';
import type { BookPasses } from './book-passes.ts';
import { runColumns } from './column-run.ts';
import { SharedPlans, sharePlan } from './shared-plan.ts';
import type { Task, TaskAnswers } from './tasks.ts';
import type { ThreadPool } from './thread-pool.ts';

/** Whole runs on threads of this process, parts of runs, and the outcome of a book whose passes other processes computed. */
export type ThreadEngine = Engine &
  PartEngine &
  Required<Pick<PartEngine, 'mergeBook'>> & { readonly summarise: Summarise };

/** The differences between the two engines of the processor. */
export interface CpuEngineKind {
  /** The module whose default export computes one `Task`. */
  readonly worker: URL;
  /** Asset-steps of a range of a book: less than a tenth of a second of one thread. */
  readonly workPerRange: number;
  /** Most asset-steps per chunk (`chunksOf`). */
  readonly assetStepsPerChunk?: number;
  /** The name of the device. */
  device(pool: ThreadPool): string;
  /** Whether its figures may answer a plan. */
  supports(plan: SimulationPlan): boolean;
  /** @throws RangeError for a plan that it does not run */
  requireRuns(plan: SimulationPlan): void;
}

/**
 * Runs all paths of a plan whose long arrays are in shared memory.
 * @param scenarios as the caller has them; runs of the same object have equal paths
 */
type RunWhole<P extends SimulationPlan> = (
  plan: P,
  options: RunOptions,
  scenarios: Scenarios,
) => Promise<Outcome>;

/** An engine on threads that it may share with others; `close` closes the threads, too. */
export class CpuEngine implements ThreadEngine {
  readonly description: EngineDescription;
  private readonly sharedPlans = new SharedPlans();
  private readonly books: BookEngine;
  private readonly runs: { readonly [M in Merge]: RunWhole<PlanMergedBy<M>> } = {
    ranges: async (plan, options) => mergeOutcomes(outcomesOf(await this.overBundles('run', plan, options))),
    columns: (plan, { signal }) => runColumns(this.pool, plan, this.kind.worker, this.bundles(plan), signal),
    'two passes': (plan, options, scenarios) => this.books.run(plan, options, scenarios),
  };

  constructor(
    private readonly pool: ThreadPool,
    private readonly kind: CpuEngineKind,
  ) {
    this.books = new BookEngine(pool, kind.worker, kind.workPerRange);
    this.description = { backend: 'cpu', device: kind.device(pool), software: false };
  }

  supports(plan: SimulationPlan): boolean {
    return this.kind.supports(plan);
  }

  async run<P extends Product>(plan: SimulationPlan<P>, options: RunOptions = {}): Promise<OutcomeOf<P>> {
    this.kind.requireRuns(plan);
    const run = this.runs[mergeOf(plan.product.kind)] as RunWhole<SimulationPlan>;
    return (await run(sharePlan(plan), options, plan.scenarios)) as OutcomeOf<P>;
  }

  async trace(plan: SimulationPlan, options: RunOptions = {}): Promise<PathRecords> {
    if (plan.paths > MAX_TRACED_PATHS)
      throw new RangeError(`a trace takes at most ${MAX_TRACED_PATHS} paths, not ${plan.paths}`);
    this.kind.requireRuns(plan);
    const parts = (await this.overBundles('trace', sharePlan(plan), options)).flat();
    const fields = contractOf(plan.product).recordFields(plan.product);
    return Object.fromEntries(fields.map((field, i) => [field, concatenate(parts.map(part => part[i]))]));
  }

  /** Summaries of the columns of a book that a device ran. */
  get summarise(): Summarise {
    return this.books.summarise;
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  chunks(plan: SimulationPlan): readonly PathRange[] | undefined {
    return isMergedBy(plan, 'columns') ? undefined : this.allChunks(plan);
  }

  mergeChunks(_: SimulationPlan, answers: readonly ChunksAnswer[]): MergedOutcome {
    return mergeLists(answers);
  }

  async runPart<P extends Part>(
    plan: SimulationPlan,
    part: P,
    { signal }: Pick<RunOptions, 'signal'> = {},
  ): Promise<PartAnswers[P['kind']]> {
    this.kind.requireRuns(plan);
    const shared = this.sharedPlans.of(plan);
    if (part.kind !== 'chunks') {
      if (!isMergedBy(shared, 'two passes')) throw new RangeError('a part of a book, of another product');
      return (await this.books.runPart(shared, part, signal)) as PartAnswers[P['kind']];
    }
    const answers = await this.overBundles('run', shared, { signal }, part.range);
    return outcomesOf(answers) as PartAnswers[P['kind']];
  }

  async mergeBook(
    plan: SimulationPlan<BookProduct>,
    passesOf: (groups: number) => BookPasses,
    options: RunOptions,
  ): Promise<BookOutcome> {
    return this.books.mergeBook(this.sharedPlans.of(plan), passesOf, options);
  }

  private allChunks(plan: SimulationPlan): readonly PathRange[] {
    return chunksOf(plan, this.kind.assetStepsPerChunk);
  }

  private bundles(plan: SimulationPlan, chunks = this.allChunks(plan)): readonly Bundle[] {
    return bundlesOf(chunks, plan, this.pool.threads, this.kind.assetStepsPerChunk);
  }

  /** The answers of all bundles of a plan, or of a path range, in path order. */
  private async overBundles<K extends 'run' | 'trace'>(
    kind: K,
    plan: SimulationPlan,
    { signal, onProgress }: { readonly [K in 'signal' | 'onProgress']?: RunOptions[K] | undefined },
    part: PathRange = { first: 0, count: plan.paths },
  ): Promise<TaskAnswers[K][]> {
    const bundles = this.bundles(plan, within(part, this.allChunks(plan)));
    const tasks = bundles.map(ranges => ({ kind, plan, ranges }) as Task);
    return (await this.pool.begin(this.kind.worker, tasks, signal, onProgress).answers) as TaskAnswers[K][];
  }
}
