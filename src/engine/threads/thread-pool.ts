/**
 * The worker threads that the CPU engines share.
 *
 * Takes: tasks and the worker module that computes them. Gives: their answers in the order of the tasks. Concurrent runs share
 * the threads slice by slice (slices.ts), so a small run does not wait for a large one. Tasks that are longer than a slice and
 * cannot be left have threads of their own, between which and the others the system divides the processors. An abort never ends
 * a thread: a new thread costs more than the rest of a task, and all other runs would wait for it.
 */
import { cpus } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Piscina, workerData } from 'piscina';
import { Semaphore, unlessAborted } from '../../core/async.ts';
import { isUnfinished, measureSlices } from './slices.ts';

/** Tasks of one call. */
export interface TaskRun {
  /** In the order of the tasks. Rejects with the signal's reason at once when it is aborted. */
  readonly answers: Promise<unknown[]>;
  /** Resolves after success and failure, when no thread works on any of its tasks: only then may others use their memory. */
  readonly ended: Promise<void>;
}

/** The kernels of threads, described: WebAssembly, or native ones by their instructions. */
export const KERNELS = {
  wasm: 'WebAssembly SIMD',
  sse: 'SIMD of 4 lanes by SSE 4.1',
  neon: 'SIMD of 4 lanes by NEON',
  avx2: 'SIMD of 8 lanes by AVX2',
  avx512: 'SIMD of 16 lanes by AVX-512',
} as const;
export type KernelName = keyof typeof KERNELS;

/** Threads that run tasks of any worker module. */
export interface ThreadPool {
  readonly threads: number;
  /** Processor and number of threads, for descriptions of engines. */
  readonly device: string;
  /** The SIMD kernel of the threads. */
  readonly kernel: KernelName;
  /** Seconds of the longest slice of the last one to two minutes: how long a run may have waited for another. */
  longestSliceSeconds(): number;
  /**
   * Begins a run, with at most as many of its tasks at a time as there are threads. After an abort no task begins; running
   * slices finish, and their answers are discarded.
   *
   * @param worker the module whose default export computes one task
   * @param onProgress called with the share of finished tasks, 0 to 1, after each
   */
  begin(
    worker: URL,
    tasks: readonly unknown[],
    signal: AbortSignal | undefined,
    onProgress?: (share: number) => void,
  ): TaskRun;
  /** Begins a run of tasks that are longer than a slice, as `begin` does, on threads beside those of slices. */
  beginLong(worker: URL, tasks: readonly unknown[], signal: AbortSignal | undefined): TaskRun;
  /** Ends the threads after the running work; a second call has no effect. */
  close(): Promise<void>;
}

/** Opens a pool; its threads start at once and stay warm. */
export function openThreadPool(threads: number, kernel: KernelName = 'wasm'): ThreadPool {
  return new PiscinaPool(threads, kernel);
}

/** The SIMD kernel of the pool whose thread this is. */
export function kernelOfThread(): KernelName {
  return workerData.kernel;
}

/** Threads, and a place for each of them; the run that has waited longest is served first. */
interface Lane {
  readonly places: Semaphore;
  run(task: unknown, filename: string): Promise<unknown>;
}

/** Threads of long tasks end when they have had none for so long, and give their memory back. */
const IDLE_MS = 10_000;

class PiscinaPool implements ThreadPool {
  readonly device: string;
  private readonly pool: Piscina;
  private readonly slicesLane: Lane;
  private readonly longLane: Lane;
  /** The threads of long tasks, once there was one. */
  private long: Piscina | undefined;
  private readonly running = new Set<Promise<void>>();
  private readonly slices = measureSlices();
  private closing: Promise<void> | undefined;

  constructor(
    readonly threads: number,
    readonly kernel: KernelName,
  ) {
    this.device = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${threads} threads`;
    this.pool = new Piscina({ minThreads: threads, maxThreads: threads, workerData: { kernel } });
    this.slicesLane = {
      places: new Semaphore(threads),
      run: (task, filename) => this.slice(task, filename),
    };
    this.longLane = {
      places: new Semaphore(threads),
      run: (task, filename) => {
        this.long ??= new Piscina({ minThreads: 0, maxThreads: threads, idleTimeout: IDLE_MS });
        return this.long.run(task, { filename });
      },
    };
  }

  begin(...[worker, tasks, signal, onProgress]: Parameters<ThreadPool['begin']>): TaskRun {
    return this.beginOn(this.slicesLane, worker, tasks, signal, onProgress);
  }

  beginLong(...[worker, tasks, signal]: Parameters<ThreadPool['beginLong']>): TaskRun {
    return this.beginOn(this.longLane, worker, tasks, signal);
  }

  private beginOn(
    { places, run }: Lane,
    ...[worker, tasks, signal, onProgress]: Parameters<ThreadPool['begin']>
  ): TaskRun {
    const filename = worker.href;
    const answers = new Array<unknown>(tasks.length);
    let next = 0;
    let done = 0;
    let stopped = signal?.aborted ?? false;
    const workThrough = async () => {
      while (!stopped && next < tasks.length) {
        await places.take();
        try {
          // Both may have changed while it waited.
          if (stopped || next >= tasks.length) return;
          const i = next++;
          let answer = await run(tasks[i], filename);
          while (isUnfinished(answer)) {
            // The run that has waited longest is next.
            places.give();
            await places.take();
            if (stopped) return;
            answer = await run(answer.unfinished, filename);
          }
          answers[i] = answer;
          done += 1;
          if (!stopped) onProgress?.(done / tasks.length);
        } catch (error) {
          stopped = true;
          throw error;
        } finally {
          places.give();
        }
      }
    };
    const loops = Array.from({ length: Math.min(this.threads, tasks.length) }, workThrough);
    const stop = () => {
      stopped = true;
    };
    return {
      answers: unlessAborted(
        Promise.all(loops).then(() => answers),
        signal,
        stop,
      ),
      ended: this.track(loops),
    };
  }

  longestSliceSeconds(): number {
    return this.slices.longestSeconds();
  }

  private async slice(task: unknown, filename: string): Promise<unknown> {
    const end = this.slices.begin();
    try {
      return await this.pool.run(task, { filename });
    } finally {
      end();
    }
  }

  close(): Promise<void> {
    this.closing ??= this.closeAfterRunning();
    return this.closing;
  }

  private async closeAfterRunning(): Promise<void> {
    while (this.running.size > 0) {
      await Promise.all(this.running);
      // A caller with several runs begins the next one when it has the answers of the last.
      await nextTurn();
    }
    await Promise.all([this.pool.close(), this.long?.close()]);
  }

  private track(loops: readonly Promise<void>[]): Promise<void> {
    const ended = Promise.allSettled(loops).then(() => {
      this.running.delete(ended);
    });
    this.running.add(ended);
    return ended;
  }
}
