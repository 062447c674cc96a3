/**
 * The worker threads that the engines of the processor share.
 *
 * Takes: tasks and the worker module that does them. Gives: their answers in the tasks' order. Runs side by side share
 * the threads task by task, so a small one is not stuck behind a large one.
 */
import { cpus } from 'node:os';
import { Piscina } from 'piscina';

/** Threads that run tasks of any worker module. */
export interface ThreadPool {
  readonly threads: number;
  /** Processor and number of threads, for descriptions of engines. */
  readonly device: string;
  /**
   * Runs tasks, no more of this call's at a time than there are threads.
   *
   * @param worker the module whose default export does one task
   * @throws the signal's reason once it is aborted; running tasks are given up
   */
  runAll(worker: URL, tasks: readonly unknown[], signal: AbortSignal | undefined): Promise<unknown[]>;
  /** Ends the threads after the running work; a second call does nothing. */
  close(): Promise<void>;
}

/** Opens a pool; its threads start at once and stay warm. */
export function openThreadPool(threads: number): ThreadPool {
  return new PiscinaPool(threads);
}

class PiscinaPool implements ThreadPool {
  readonly threads: number;
  readonly device: string;
  private readonly pool: Piscina;
  private closing: Promise<void> | undefined;

  constructor(threads: number) {
    this.threads = threads;
    this.device = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${threads} threads`;
    this.pool = new Piscina({ minThreads: threads, maxThreads: threads });
  }

  async runAll(worker: URL, tasks: readonly unknown[], signal: AbortSignal | undefined): Promise<unknown[]> {
    const filename = worker.href;
    const answers = new Array<unknown>(tasks.length);
    const abort = new AbortController();
    const cancel = () => abort.abort();
    signal?.throwIfAborted();
    signal?.addEventListener('abort', cancel, { once: true });
    let next = 0;
    const lane = async () => {
      while (next < tasks.length) {
        const i = next++;
        answers[i] = await this.pool.run(tasks[i], { filename, signal: abort.signal });
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(this.threads, tasks.length) }, lane));
    } catch (error) {
      // The other lanes' tasks are of no use any more.
      abort.abort();
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
    return answers;
  }

  close(): Promise<void> {
    this.closing ??= this.pool.close();
    return this.closing;
  }
}
