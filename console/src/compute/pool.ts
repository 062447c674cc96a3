/**
 * The page's workers: one for charts, one for runs, both off the main thread, so that the page stays responsive.
 *
 * The abort of a task is sent to its worker. A worker that does not end the task soon is terminated, and the next task starts
 * another: the reference engine works without a pause in which it would read the abort.
 */
import { abortable } from '#core/async.ts';
import type { ScoreTerms } from '#src/question/origination/score.ts';
import type { ScoreCurve } from './curve.ts';
import type { FigureTerms } from './figures.ts';
import type { Ask, BrowserEngine, BrowserRun, Probe, Reply, Results, ShownPlan, Task } from './protocol.ts';

/** A simulation plan as the server sent it. */
export interface PlanText {
  readonly text: string;
}

/** The worker reads from its name whether it may take a software adapter. */
const WORKER_NAME = new URLSearchParams(location.search).has('software-gpu') ? 'software-gpu' : 'engines';

interface Asked {
  readonly task: Task;
  readonly resolve: (result: Results[keyof Results]) => void;
  readonly reject: (error: unknown) => void;
  aborted: boolean;
}

class Host {
  private worker: Worker | undefined;
  private next = 0;
  private readonly waiting = new Map<number, Asked>();
  private readonly patienceMs: number;

  /** @param patienceMs how long the worker may take to notice an abort before it is ended */
  constructor(patienceMs: number) {
    this.patienceMs = patienceMs;
  }

  ask(task: Task, ended?: AbortSignal): Promise<Results[keyof Results]> {
    return abortable(ended, (resolve, reject) => {
      const id = this.next++;
      const asked: Asked = { task, resolve, reject, aborted: false };
      this.waiting.set(id, asked);
      this.worker ??= this.start();
      this.worker.postMessage({ ...task, id } satisfies Ask);
      return () => {
        asked.aborted = true;
        this.worker?.postMessage({ kind: 'abort', id } satisfies Ask);
        setTimeout(() => this.waiting.has(id) && this.restart(), this.patienceMs);
      };
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
    worker.onerror = event => {
      worker.terminate();
      this.worker = undefined;
      const lost = [...this.waiting.values()];
      this.waiting.clear();
      for (const { reject } of lost) reject(new Error(event.message || 'The worker of this page failed.'));
    };
    return worker;
  }

  /** Ends the worker, and gives what was not aborted to another. */
  private restart(): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const [id, { aborted }] of this.waiting) if (aborted) this.waiting.delete(id);
    if (this.waiting.size === 0) return;
    this.worker = this.start();
    for (const [id, { task }] of this.waiting) this.worker.postMessage({ ...task, id } satisfies Ask);
  }
}

/** The reference reads no abort before its task is done. */
const charts = new Host(0);
/** Engines read an abort between two chunks. A device that lives on need not compile its kernels again. */
const runs = new Host(400);

/** What charts show of a plan beside its distribution. @throws the signal's reason */
export const readDetails = (plan: PlanText, ended?: AbortSignal) =>
  charts.ask({ kind: 'details', plan: plan.text }, ended) as Promise<ShownPlan>;

/** The curve of an origination, by the reference or by an engine of this browser. @throws the signal's reason */
export const drawCurve = (
  plan: PlanText,
  terms: ScoreTerms,
  extent: 'quick' | 'full',
  on: { readonly engine: BrowserEngine; readonly paths: number } | undefined,
  ended?: AbortSignal,
) =>
  (on === undefined ? charts : runs).ask(
    { kind: 'curve', plan: plan.text, terms, extent, ...(on === undefined ? {} : { on }) },
    ended,
  ) as Promise<ScoreCurve>;

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
