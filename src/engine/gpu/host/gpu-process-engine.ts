/**
 * The GPU engine as the server sees it: an `Engine` whose device lives in a process of its own.
 *
 * Takes: plans. Gives: outcomes. When the process dies, hangs or loses its device, the running work is refused with
 * `engine-unavailable` and another process is started, with growing pauses: after some attempts once in a minute.
 */

import { RiskError } from '../../../errors.ts';
import type { Logger } from '../../../log.ts';
import type { Product, SimulationPlan } from '../../../plan/simulation-plan.ts';
import type { Engine, EngineDescription, OutcomeOf, PathRecords, RunOptions } from '../../engine.ts';
import { gpuSupports } from '../gpu-engine.ts';
import { RETRY_AFTER_SECONDS } from './failure.ts';
import { type GpuProcess, startGpuProcess } from './start-gpu-process.ts';
import type { VitalTimes } from './vital-signs.ts';

/**
 * `ready` serves; `stalled` has a process that does not answer at present; `restarting` will have another one soon;
 * `given-up` has failed so often that it tries now and then only.
 */
export type GpuProcessState = 'ready' | 'stalled' | 'restarting' | 'given-up' | 'closed';

/** An engine that can be away for a while. */
export interface GpuProcessEngine extends Engine {
  readonly state: GpuProcessState;
  /** Whether work would be taken now. */
  readonly available: boolean;
  /** Number of the process in use, for looking at it from outside; undefined while there is none. */
  readonly processId: number | undefined;
  /** Waits until work would be taken, at most so long; false if it is not then, at once if it will hardly be. */
  ready(milliseconds: number): Promise<boolean>;
}

export interface GpuProcessEngineOptions {
  /** Take the software driver instead of a GPU. */
  readonly software: boolean;
  readonly log: Logger;
  /** Pause before the first restart, doubled for each further one; default 250 ms. */
  readonly restartPauseMilliseconds?: number;
  /** Pause between the attempts once the GPU is given up; default one minute. */
  readonly givenUpPauseMilliseconds?: number;
  /** How long the process may be silent. */
  readonly vitalTimes?: Partial<VitalTimes>;
}

/** Starts in a row without a finished run in between after which the GPU is given up. */
const MAX_ATTEMPTS = 6;
const FIRST_PAUSE_MILLISECONDS = 250;
/** A driver's reset takes longer than the attempts before; one more attempt a minute costs nothing. */
const GIVEN_UP_PAUSE_MILLISECONDS = 60_000;

/**
 * Opens the GPU of this host in a process of its own.
 *
 * @throws RiskError `engine-unavailable` when there is no adapter that will do
 */
export async function openGpuProcessEngine(options: GpuProcessEngineOptions): Promise<GpuProcessEngine> {
  const process = await startGpuProcess(options);
  return new ProcessEngine(process, options);
}

class ProcessEngine implements GpuProcessEngine {
  readonly description: EngineDescription;
  state: GpuProcessState = 'ready';
  private process: GpuProcess;
  private readonly options: GpuProcessEngineOptions;
  private attempts = 0;
  private restart: NodeJS.Timeout | undefined;
  private readonly running = new Set<Promise<unknown>>();
  /** To be called when a restart has come to its end, good or bad. */
  private readonly waiting = new Set<() => void>();
  private closing: Promise<void> | undefined;

  constructor(process: GpuProcess, options: GpuProcessEngineOptions) {
    this.process = process;
    this.options = options;
    this.description = process.description;
    this.watch();
  }

  get available(): boolean {
    return this.state === 'ready';
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
        clearTimeout(timer);
        this.waiting.delete(settle);
        resolve(this.available);
      };
      const timer = setTimeout(settle, milliseconds);
      this.waiting.add(settle);
    });
  }

  supports(plan: SimulationPlan): boolean {
    return gpuSupports(plan);
  }

  run<P extends Product>(plan: SimulationPlan<P>, options: RunOptions = {}): Promise<OutcomeOf<P>> {
    return this.request('run', plan, options) as Promise<OutcomeOf<P>>;
  }

  trace(plan: SimulationPlan, options: RunOptions = {}): Promise<PathRecords> {
    return this.request('trace', plan, options) as Promise<PathRecords>;
  }

  close(): Promise<void> {
    this.closing ??= this.closeAfterRunning();
    return this.closing;
  }

  private async closeAfterRunning(): Promise<void> {
    clearTimeout(this.restart);
    const { hasProcess } = this;
    this.enter('closed');
    await Promise.allSettled(this.running);
    if (hasProcess) await this.process.close();
  }

  private async request(
    kind: 'run' | 'trace',
    plan: SimulationPlan,
    { signal }: RunOptions,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.state !== 'ready') {
      throw new RiskError('engine-unavailable', 'The GPU is not available at present.', {
        ...(this.mayBeBackSoon ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {}),
      });
    }
    const work = this.process.request(kind, plan, signal);
    this.running.add(work);
    try {
      const value = await work;
      this.attempts = 0;
      return value;
    } finally {
      this.running.delete(work);
    }
  }

  /** Takes on a state that ends the waiting. */
  private enter(state: 'ready' | 'given-up' | 'closed'): void {
    this.state = state;
    for (const settle of this.waiting) settle();
  }

  /** Follows the process in use: when it ends without being asked to, another one takes its place. */
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
      log.error({ err: why }, 'the GPU process ended');
      this.state = 'restarting';
      this.restartLater();
    });
  }

  private restartLater(): void {
    const { log } = this.options;
    let pause = this.options.givenUpPauseMilliseconds ?? GIVEN_UP_PAUSE_MILLISECONDS;
    if (this.attempts < MAX_ATTEMPTS) {
      pause = (this.options.restartPauseMilliseconds ?? FIRST_PAUSE_MILLISECONDS) * 2 ** this.attempts;
    } else if (this.state !== 'given-up') {
      this.enter('given-up');
      log.error(
        { attempts: this.attempts, pauseSeconds: pause / 1000 },
        'the GPU is given up for the time being',
      );
    }
    this.attempts += 1;
    this.restart = setTimeout(() => void this.restartNow(), pause);
  }

  private async restartNow(): Promise<void> {
    try {
      const process = await startGpuProcess(this.options);
      if (this.state === 'closed') {
        await process.close();
        return;
      }
      this.process = process;
      this.enter('ready');
      this.options.log.info({ device: process.description.device }, 'the GPU is back');
      this.watch();
    } catch (error) {
      this.options.log.warn({ err: error }, 'the GPU process did not start');
      if (this.state !== 'closed') this.restartLater();
    }
  }
}
