/**
 * An engine that distributes runs in parts to the workers of a fleet, with the same outcomes as an engine of this process.
 *
 * Takes: a fleet, and the engine of the figures. Gives: an `Engine`. Outcomes of chunks are merged in path order, and sums of books
 * and of GPUs are integers, so that an answer depends neither on the parts nor on the workers.
 * Must not know: queues, stores.
 */
import { randomUUID } from 'node:crypto';
import { addFlatSets, columnsOfRun, emptySumSets, memoryOf, sumSetsLength } from '../core/book/sum-sets.ts';
import type { Engine, EngineDescription, OutcomeOf, PathRecords, RunOptions } from '../core/engine.ts';
import { RiskError } from '../core/errors.ts';
import { hasPathNumbers, isMergedBy } from '../core/plan/merge-outcomes.ts';
import type { BookProduct } from '../core/plan/product/book.ts';
import { contractOf, type Product } from '../core/plan/products.ts';
import type { PathRange } from '../core/plan/records.ts';
import type { SimulationPlan } from '../core/plan/simulation-plan.ts';
import { weighedWork } from '../core/plan/work.ts';
import type { ChunksAnswer, Part, PartAnswers, PartEngine, Spreader } from '../engine/parts.ts';
import { contributionsLength } from '../engine/threads/book-task.ts';
import { cutThreads } from './cut-threads.ts';
import { ENGINE_RULES, type PartSize } from './engine-rules.ts';
import type { Fleet } from './fleet.ts';
import { engineName } from './names.ts';

export interface SpreadOptions {
  /** Least work that is distributed, in asset-steps; by default the break-even point. */
  readonly leastWork?: number;
  readonly partSize?: PartSize;
}

export function createSpreader(fleet: Fleet, options: SpreadOptions = {}): Spreader {
  return {
    spread(plan, kind, local) {
      const rules = ENGINE_RULES[kind];
      const { leastWork = rules.leastWork, partSize = rules.partSize } = options;
      const travels = rules.sendsPathNumbers || !hasPathNumbers(plan.product.kind);
      const isWorthIt = weighedWork(plan) >= leastWork && travels && local.chunks(plan) !== undefined;
      const name = engineName(kind, local);
      if (!isWorthIt || fleet.threadsFor(name) < rules.leastThreads) return undefined;
      return new SpreadEngine(fleet, name, local, partSize);
    },
  };
}

class SpreadEngine implements Engine {
  readonly description: EngineDescription;

  constructor(
    private readonly fleet: Fleet,
    /** The engine that computes the parts, as workers announce it. */
    private readonly name: string,
    private readonly local: Engine & PartEngine,
    private readonly partSize: PartSize,
  ) {
    this.description = { ...local.description, device: `fleet, as ${local.description.device}` };
  }

  supports(plan: SimulationPlan): boolean {
    return this.local.supports(plan);
  }

  async run<P extends Product>(plan: SimulationPlan<P>, options: RunOptions = {}): Promise<OutcomeOf<P>> {
    const outcome = isMergedBy(plan, 'two passes')
      ? await this.runBook(plan, options)
      : this.local.mergeChunks(plan, await this.runChunks(plan, options));
    return outcome as OutcomeOf<P>;
  }

  trace(plan: SimulationPlan, options?: RunOptions): Promise<PathRecords> {
    return this.local.trace(plan, options);
  }

  close(): Promise<void> {
    return this.local.close();
  }

  private async runChunks(plan: SimulationPlan, options: RunOptions): Promise<ChunksAnswer[]> {
    const answers: ChunksAnswer[] = [];
    const ranges = await this.ranges(plan, options);
    const parts = ranges.map(range => ({ kind: 'chunks' as const, range }));
    await this.runParts(plan, parts, options, options.onProgress, (i, answer) => {
      const isOther = ({ kind }: { readonly kind: string }) => kind !== plan.product.kind;
      refuseIf(Array.isArray(answer) && (answer.length === 0 || answer.some(isOther)));
      answers[i] = answer;
    });
    return answers;
  }

  private async runBook(plan: SimulationPlan<BookProduct>, options: RunOptions) {
    if (this.local.mergeBook === undefined)
      throw new RiskError('engine-failed', 'This engine cannot split a book into parts.');
    const { product, paths, scenarios } = plan;
    const width = columnsOfRun(plan).length;
    const ranges = await this.ranges(plan, options);
    return this.local.mergeBook(
      plan,
      groups => ({
        paths: async onProgress => {
          const sums = emptySumSets(plan, groups, true);
          const flatLength = sumSetsLength(plan, groups);
          const columns = new SharedArrayBuffer(width * paths * Float64Array.BYTES_PER_ELEMENT);
          const all = new Float64Array(columns);
          const parts = ranges.map(range => ({ kind: 'book-paths' as const, range }));
          await this.runParts(plan, parts, options, onProgress, (i, part) => {
            const { first, count } = ranges[i];
            refuseIf(part.sums.length !== flatLength || part.columns.length !== width * count);
            addFlatSets(sums, part.sums, plan);
            for (let c = 0; c < width; c++)
              all.set(part.columns.subarray(c * count, (c + 1) * count), c * paths + first);
          });
          const whole = { first: 0, count: paths };
          return { range: whole, columns, sums: memoryOf(sums) as SharedArrayBuffer };
        },
        tails: async tails => {
          const bytes = Float64Array.BYTES_PER_ELEMENT;
          const contributions = new SharedArrayBuffer(contributionsLength(product) * bytes);
          const peakRows = new SharedArrayBuffer(tails.paths.length * scenarios.assets * bytes);
          const total = new Float64Array(contributions);
          const rows = new Float64Array(peakRows);
          const places = tailRanges(tails.paths.length, ranges[0].count);
          const parts = places.map(({ first, count }) => ({
            kind: 'book-tails' as const,
            lossTails: tails.lossTails,
            paths: tails.paths.slice(first, first + count),
            loss: tails.loss.slice(first, first + count),
          }));
          await this.runParts(plan, parts, options, undefined, (i, part) => {
            const peaks = places[i].count * scenarios.assets;
            refuseIf(part.contributions.length !== total.length || part.peakRows.length !== peaks);
            for (let k = 0; k < total.length; k++) total[k] += part.contributions[k];
            rows.set(part.peakRows, places[i].first * scenarios.assets);
          });
          return { contributions, peakRows };
        },
      }),
      options,
    );
  }

  private async ranges(plan: SimulationPlan, { scope }: RunOptions): Promise<PathRange[]> {
    const chunks = this.local.chunks(plan) as readonly PathRange[];
    return cutChunks(plan, chunks, await cutThreads(this.fleet, this.name, scope), this.partSize);
  }

  private async runParts<P extends Part>(
    plan: SimulationPlan,
    parts: readonly P[],
    { signal, scope }: RunOptions,
    onProgress: RunOptions['onProgress'],
    onAnswer: (i: number, answer: PartAnswers[P['kind']]) => void,
  ): Promise<void> {
    let done = 0;
    await this.fleet.runParts({
      engine: this.name,
      plan,
      parts,
      run: scope ?? randomUUID(),
      signal,
      onAnswer: (i, answer) => {
        // A worker of this version answers with the kind of its part.
        onAnswer(i, answer as PartAnswers[P['kind']]);
        done += 1;
        onProgress?.(done / parts.length);
      },
      runHere: part => this.local.runPart(plan, part, signal === undefined ? {} : { signal }),
    });
  }
}

/** @throws RiskError `engine-failed` for an answer without the size or the kind of its part */
function refuseIf(isOther: boolean): void {
  if (isOther) throw new RiskError('engine-failed', 'The answer of a worker does not match its part.');
}

/** Index ranges in a list of tail paths, as long as the first pass's ranges. */
function tailRanges(paths: number, size: number): PathRange[] {
  return Array.from({ length: Math.ceil(paths / size) }, (_, i) => ({
    first: i * size,
    count: Math.min(size, paths - i * size),
  }));
}

/** Parts per thread, so that the other threads do not wait for a slow one. */
const PARTS_PER_THREAD = 8;
/** Asset-steps of a part for each loan, so that sending the sums of the loan takes a fiftieth of the time. */
const WORK_PER_LOAN = 1000;

/**
 * Ranges of whole chunks. Outcomes do not depend on the ranges, so these may depend on the number of workers.
 *
 * @param chunks of the plan, in path order
 * @param threads that compute them, 1 or more
 */
export function cutChunks(
  plan: SimulationPlan,
  chunks: readonly PathRange[],
  threads: number,
  { least, most }: PartSize,
): PathRange[] {
  const work = weighedWork(plan);
  const loans = contractOf(plan.product).size?.(plan.product).loans ?? 0;
  const wished = Math.max(least, WORK_PER_LOAN * loans, Math.min(most, work / (PARTS_PER_THREAD * threads)));
  const perPath = work / plan.paths;
  const parts: PathRange[] = [];
  let first = chunks[0].first;
  for (const chunk of chunks) {
    const end = chunk.first + chunk.count;
    if ((end - first) * perPath < wished && chunk !== chunks.at(-1)) continue;
    parts.push({ first, count: end - first });
    first = end;
  }
  return parts;
}
