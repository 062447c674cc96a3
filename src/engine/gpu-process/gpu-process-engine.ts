/**
 * The GPU engine of a server: an `Engine` whose device is in a separate process.
 *
 * Takes: plans. Gives: outcomes. When the process dies, hangs or loses its device, the engine rejects its running work
 * with `engine-unavailable` and starts another process after a pause that grows with each attempt, up to one minute.
 */

import { type Summarise, withSummaries } from '../../core/book/summaries.ts';
import { type Clock, processClock } from '../../core/clock.ts';
import type {
  Engine,
  EngineDescription,
  Outcome,
  OutcomeOf,
  PathRecords,
  RunOptions,
} from '../../core/engine.ts';
import { RiskError } from '../../core/errors.ts';
import { summariseInTurns } from '../../core/gpu/book/book-results.ts';
import { gpuMerges, gpuSupports, mergeGpuRanges } from '../../core/gpu/gpu-engine.ts';
import type { DeviceOutcome } from '../../core/gpu/product/program.ts';
import type { RangeSums } from '../../core/gpu/range-sums.ts';
import { chunksOf } from '../../core/plan/chunks.ts';
import type { PathRange } from '../../core/plan/records.ts';
import type { Product, SimulationPlan } from '../../core/plan/simulation-plan.ts';
import type { Logger } from '../../host/log.ts';
import type { GpuCounts } from '../engine-set.ts';
import type { ChunksAnswer, Part, PartAnswers, PartEngine } from '../parts.ts';
import { RETRY_AFTER_SECONDS } from './failure.ts';
import type { GpuWork } from './gpu-messages.ts';
import { type GpuProcess, startGpuProcess } from './start-gpu-process.ts';

/**
 * `ready`: accepts work; `stalled`: its process does not answer at present; `restarting`: another process starts soon;
 * `given-up`: after many failures it starts a process once a minute only.
 */
export type GpuProcessState = 'ready' | 'stalled' | 'restarting' | 'given-up' | 'closed';

/** An engine that can be unavailable temporarily. */
export interface GpuProcessEngine extends Engine, PartEngine {
  readonly figuresOf: string;
  readonly state: GpuProcessState;
  readonly counts: GpuCounts;
  /** Whether the engine accepts work now. */
  readonly available: boolean;
  /** Whether its process has compiled the usual kernels. */
  readonly isWarm: boolean;
  /** Id of the running process, for tests and operators; undefined while there is none. */
  readonly processId: number | undefined;
  /** Waits at most so long until the engine accepts work. Returns whether it does, at once where a wait has no purpose. */
  ready(milliseconds: number): Promise<boolean>;
}

export interface GpuProcessEngineOptions {
  /** Open the software driver instead of a GPU. */
  readonly software: boolean;
  readonly log: Logger;
  /** Summarises the columns of a book, on other threads than that of the GPU; on this one by default. */
  readonly summarise?: Summarise;
  /** The clock of restarts and of every wait for the process; tests replace it. */
  readonly clock?: Clock;
  /** Starts a process; tests replace it. */
  readonly start?: typeof startGpuProcess;
}

/** Most asset-steps of a chunk: some milliseconds of a GPU. Chunks of short paths have fewer. */
const ASSET_STEPS_PER_CHUNK = 2 ** 28;
/** Consecutive starts without a finished run, after which the state is `given-up`. */
const MAX_ATTEMPTS = 6;
/** Twice as long before each further restart. */
const FIRST_PAUSE_MILLISECONDS = 250;
/** The reset of a driver takes longer than the previous attempts. */
const GIVEN_UP_PAUSE_MILLISECONDS = 60_000;

/**
 * Opens the GPU of this host in a separate process.
 *
 * @throws RiskError `engine-unavailable` when there is no suitable adapter
 */
export async function openGpuProcessEngine(options: GpuProcessEngineOptions): Promise<GpuProcessEngine> {
  const {
    software,
    log,
    summarise = summariseInTurns,
    clock = processClock,
    start = startGpuProcess,
  } = options;
  const process = await start({ software, clock });
  return new ProcessEngine(process, { software, log, summarise, clock, start });
}

/** The host's GPU differs from the GPU at the start. */
class OtherDevice extends Error {
  constructor(found: string, wanted: string) {
    super(
      `The GPU is ${found} now; this process serves with ${wanted} only. Start it again to use the other.`,
    );
  }
}

class ProcessEngine implements GpuProcessEngine {
  readonly description: EngineDescription;
  readonly figuresOf: string;
  state: GpuProcessState = 'ready';
  readonly counts = { losses: 0, restarts: 0 };
  private attempts = 0;
  private cancelRestart: () => void = () => {};
  private readonly running = new Set<Promise<unknown>>();
  /** Called when a restart has succeeded or failed. */
  private readonly waiting = new Set<() => void>();
  private closing: Promise<void> | undefined;

  constructor(
    private process: GpuProcess,
    private readonly options: Required<GpuProcessEngineOptions>,
  ) {
    this.description = process.description;
    this.figuresOf = process.description.device;
    this.watch();
  }

  get available(): boolean {
    return this.state === 'ready';
  }

  get isWarm(): boolean {
    return this.hasProcess && this.process.isWarm;
  }

  get processId(): number | undefined {
    return this.hasProcess ? this.process.processId : undefined;
  }

  private get hasProcess(): boolean {
    return this.state === 'ready' || this.state === 'stalled';
  }

  private get mayBeBackSoon(): boolean {
    return this.state === 'restarting' || this.state === 'stalled';
  }

  ready(milliseconds: number): Promise<boolean> {
    if (!this.mayBeBackSoon) return Promise.resolve(this.available);
    return new Promise(resolve => {
      const settle = () => {
        cancel();
        this.waiting.delete(settle);
        resolve(this.available);
      };
      const cancel = this.options.clock.after(milliseconds, settle);
      this.waiting.add(settle);
    });
  }

  supports(plan: SimulationPlan): boolean {
    return gpuSupports(plan);
  }

  async run<P extends Product>(plan: SimulationPlan<P>, options: RunOptions = {}): Promise<OutcomeOf<P>> {
    const outcome = (await this.request({ kind: 'run', plan }, options)) as DeviceOutcome<P>;
    return withSummaries(plan, outcome, this.options.summarise, options.signal);
  }

  trace(plan: SimulationPlan, options: RunOptions = {}): Promise<PathRecords> {
    return this.request({ kind: 'trace', plan }, options) as Promise<PathRecords>;
  }

  /** Sums are whole numbers, so chunks may end at any path. */
  chunks(plan: SimulationPlan): readonly PathRange[] | undefined {
    return gpuMerges(plan) ? chunksOf(plan, ASSET_STEPS_PER_CHUNK) : undefined;
  }

  async runPart<P extends Part>(
    plan: SimulationPlan,
    part: P,
    options: Pick<RunOptions, 'signal'> = {},
  ): Promise<PartAnswers[P['kind']]> {
    if (part.kind !== 'chunks')
      throw new RiskError('engine-failed', 'The GPU engine takes no parts of books.');
    const { range } = part;
    return (await this.request({ kind: 'range', plan, range }, options)) as PartAnswers[P['kind']];
  }

  mergeChunks(plan: SimulationPlan, answers: readonly ChunksAnswer[]): Outcome {
    const isSums = (answer: ChunksAnswer): answer is RangeSums => 'words' in answer;
    if (!answers.every(isSums))
      throw new RiskError('engine-failed', 'Outcomes of chunks are no sums of a GPU.');
    return mergeGpuRanges(plan, answers);
  }

  close(): Promise<void> {
    this.closing ??= this.closeAfterRunning();
    return this.closing;
  }

  private async closeAfterRunning(): Promise<void> {
    this.cancelRestart();
    const { hasProcess } = this;
    this.enter('closed');
    await Promise.allSettled(this.running);
    if (hasProcess) await this.process.close();
  }

  private async request(asked: GpuWork, options: RunOptions): Promise<unknown> {
    options.signal?.throwIfAborted();
    if (this.state !== 'ready') {
      throw new RiskError('engine-unavailable', 'The GPU is not available at present.', {
        ...(this.mayBeBackSoon ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {}),
      });
    }
    const work = this.process.request(asked, options);
    this.running.add(work);
    try {
      const value = await work;
      this.attempts = 0;
      return value;
    } finally {
      this.running.delete(work);
    }
  }

  /** Enters a state that ends every wait. */
  private enter(state: 'ready' | 'given-up' | 'closed'): void {
    this.state = state;
    for (const settle of this.waiting) settle();
  }

  /** Watches the present process, and replaces it when it ends unexpectedly. */
  private watch(): void {
    const { log } = this.options;
    this.process.watch(why => {
      if (why !== undefined && this.state === 'ready') {
        this.state = 'stalled';
        log.warn({ why }, 'the GPU does not answer');
      } else if (why === undefined && this.state === 'stalled') {
        this.enter('ready');
        log.info('the GPU answers again');
      }
    });
    void this.process.ended.then(why => {
      if (!this.hasProcess) return;
      this.counts.losses++;
      log.error({ err: why }, 'the GPU process ended');
      this.state = 'restarting';
      this.restartLater();
    });
  }

  private restartLater(): void {
    const { clock, log } = this.options;
    let pause = GIVEN_UP_PAUSE_MILLISECONDS;
    if (this.attempts < MAX_ATTEMPTS) {
      pause = FIRST_PAUSE_MILLISECONDS * 2 ** this.attempts;
    } else if (this.state !== 'given-up') {
      this.enter('given-up');
      log.error(
        { attempts: this.attempts, pauseSeconds: pause / 1000 },
        'the GPU is given up for the time being',
      );
    }
    this.attempts += 1;
    this.cancelRestart = clock.after(pause, () => void this.restartNow());
  }

  private async restartNow(): Promise<void> {
    try {
      const process = await this.options.start(this.options);
      const { device } = process.description;
      if (this.state === 'closed' || device !== this.figuresOf) await process.close();
      if (this.state === 'closed') return;
      // Running work and the parts of other processes have the figures of the first device.
      if (device !== this.figuresOf) throw new OtherDevice(device, this.figuresOf);
      this.process = process;
      this.counts.restarts++;
      this.enter('ready');
      this.options.log.info({ device }, 'the GPU is back');
      this.watch();
    } catch (error) {
      this.options.log.warn({ err: error }, 'the GPU process did not start');
      if (this.state !== 'closed') this.restartLater();
    }
  }
}
