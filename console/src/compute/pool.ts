/**
 * The page's workers: pictures and runs, each off the main thread, so that the page stays responsive.
 *
 * A task that is aborted ends its worker; the next task starts another.
 */
import type { FigureTerms } from './figures.ts';
import type { Picture } from './picture.ts';
import type { BrowserEngine, BrowserRun, Probe, Reply, Results, Task } from './protocol.ts';

/** A simulation plan as the server sent it. */
export interface PlanText {
  readonly text: string;
}

/** Tells the worker whether a software adapter will do. */
const WORKER_NAME = new URLSearchParams(location.search).has('software-gpu') ? 'software-gpu' : 'engines';

class Host {
  private worker: Worker | undefined;
  private next = 0;
  private readonly waiting = new Map<
    number,
    { resolve(result: Results[keyof Results]): void; reject(error: Error): void }
  >();

  ask(task: Task, ended?: AbortSignal): Promise<Results[keyof Results]> {
    ended?.throwIfAborted();
    this.worker ??= this.start();
    const id = this.next++;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.stop(new Error('aborted'));
        reject(ended?.reason);
      };
      const forget = () => ended?.removeEventListener('abort', abort);
      this.waiting.set(id, {
        resolve: result => {
          forget();
          resolve(result);
        },
        reject: error => {
          forget();
          reject(error);
        },
      });
      ended?.addEventListener('abort', abort, { once: true });
      this.worker?.postMessage({ ...task, id });
    });
  }

  private start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      type: 'module',
      name: WORKER_NAME,
    });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const asked = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ('error' in data) asked?.reject(new Error(data.error));
      else asked?.resolve(data.result);
    };
    worker.onerror = event => this.stop(new Error(event.message || 'The worker of this page failed.'));
    return worker;
  }

  private stop(error: Error): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

const pictures = new Host();
const runs = new Host();

/** The picture of a plan. @throws the signal's reason */
export const drawPicture = (plan: PlanText, paths: number, ended?: AbortSignal) =>
  pictures.ask({ kind: 'picture', plan: plan.text, paths }, ended) as Promise<Picture>;

/** Runs a plan in this browser. @throws the signal's reason, or Error where the engine is not there */
export const runInBrowser = (
  plan: PlanText,
  engine: BrowserEngine,
  paths: number,
  terms: FigureTerms,
  ended?: AbortSignal,
) => runs.ask({ kind: 'run', plan: plan.text, engine, paths, terms }, ended) as Promise<BrowserRun>;

/** The engines of this browser. */
export const probeBrowser = () => runs.ask({ kind: 'probe' }) as Promise<Probe>;
