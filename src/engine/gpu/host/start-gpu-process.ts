/**
 * Starts a GPU process and speaks with it.
 *
 * Gives: a handle to one process, from its first message to its end. Must not know: restarts.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { RiskError } from '../../../errors.ts';
import type { SimulationPlan } from '../../../plan/simulation-plan.ts';
import type { EngineDescription } from '../../engine.ts';
import { fromFailure, RETRY_AFTER_SECONDS } from './failure.ts';
import type { Failure, FromGpuProcess, GpuProcessOptions, ToGpuProcess } from './messages.ts';

/** One running GPU process. */
export interface GpuProcess {
  readonly description: EngineDescription;
  readonly processId: number | undefined;
  /** Resolves with the reason when the process has ended, for whatever reason. */
  readonly ended: Promise<Error>;
  /** Sends a plan; aborting the signal rejects at once and ends the work on the device soon after. */
  request(kind: 'run' | 'trace', plan: SimulationPlan, signal: AbortSignal | undefined): Promise<unknown>;
  /** Lets running work end, then ends the process. */
  close(): Promise<void>;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Longest wait for a device to open: a driver can hang. */
const OPEN_MILLISECONDS = 30_000;
/** Longest wait for an orderly end. */
const CLOSE_MILLISECONDS = 5_000;
/** Longest wait for aborted work to end, a compilation included; after that the driver hangs and its process goes. */
const ABORT_MILLISECONDS = 20_000;

const entry = fileURLToPath(new URL('./gpu-process.js', import.meta.url));

/** The environment of the process; the software driver is found through it. */
async function processEnvironment(software: boolean): Promise<NodeJS.ProcessEnv> {
  if (!software) return process.env;
  const script = new URL('../../../../scripts/software-gpu.mjs', import.meta.url).href;
  const { softwareGpuEnvironment } = (await import(script)) as {
    softwareGpuEnvironment(): Promise<Record<string, string>>;
  };
  return { ...process.env, ...(await softwareGpuEnvironment()) };
}

/**
 * Starts a process and waits until its device is open.
 *
 * @throws RiskError `engine-unavailable` when it cannot be opened
 */
export async function startGpuProcess({ software }: { readonly software: boolean }): Promise<GpuProcess> {
  const options: GpuProcessOptions = { allowSoftware: software };
  const child = fork(entry, [JSON.stringify(options)], {
    serialization: 'advanced',
    env: await processEnvironment(software),
    execArgv: [],
    // Standard output belongs to the banner; whatever a driver prints there goes to standard error.
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const handle = new Handle(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), OPEN_MILLISECONDS);
  try {
    await handle.opened;
    return handle;
  } finally {
    clearTimeout(timer);
  }
}

class Handle implements GpuProcess {
  description!: EngineDescription;
  readonly opened: Promise<void>;
  readonly ended: Promise<Error>;
  private readonly child: ChildProcess;
  private readonly pending = new Map<number, Pending>();
  /** Aborted work that has not ended yet. */
  private readonly aborted = new Map<number, NodeJS.Timeout>();
  private nextId = 0;
  private failure: Failure | undefined;

  constructor(child: ChildProcess) {
    this.child = child;
    let open: Pending = { resolve: () => {}, reject: () => {} };
    this.opened = new Promise<void>((resolve, reject) => {
      open = { resolve: () => resolve(), reject };
    });
    child.on('message', (message: FromGpuProcess) => {
      if (message.kind === 'ready') {
        this.description = message.description;
        open.resolve(undefined);
      } else if (message.kind === 'failed') this.failure = message.failure;
      else this.settle(message);
    });
    this.ended = new Promise<Error>(resolve => {
      child.on('error', error => this.end(error, open, resolve));
      child.on('exit', (code, signal) =>
        this.end(new Error(`The GPU process ended with ${signal ?? `code ${code}`}.`), open, resolve),
      );
    });
  }

  request(kind: 'run' | 'trace', plan: SimulationPlan, signal: AbortSignal | undefined): Promise<unknown> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.pending.delete(id);
        this.aborted.set(
          id,
          setTimeout(() => this.child.kill('SIGKILL'), ABORT_MILLISECONDS),
        );
        this.send({ kind: 'abort', id });
        reject(signal?.reason);
      };
      const forget = () => signal?.removeEventListener('abort', abort);
      this.pending.set(id, {
        resolve: value => {
          forget();
          resolve(value);
        },
        reject: error => {
          forget();
          reject(error);
        },
      });
      signal?.addEventListener('abort', abort, { once: true });
      this.send({ kind, id, plan });
    });
  }

  get processId(): number | undefined {
    return this.child.pid;
  }

  async close(): Promise<void> {
    this.send({ kind: 'close' });
    const timer = setTimeout(() => this.child.kill('SIGKILL'), CLOSE_MILLISECONDS);
    await this.ended;
    clearTimeout(timer);
  }

  /** A send to a process that has just ended fails; its end settles whatever was asked of it. */
  private send(message: ToGpuProcess): void {
    if (this.child.connected) this.child.send(message, () => {});
  }

  private settle(message: Extract<FromGpuProcess, { id: number }>): void {
    clearTimeout(this.aborted.get(message.id));
    this.aborted.delete(message.id);
    const pending = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (message.kind === 'done') pending?.resolve(message.value);
    else pending?.reject(fromFailure(message.failure));
  }

  private end(why: Error, open: Pending, resolveEnded: (error: Error) => void): void {
    const cause = this.failure === undefined ? why : fromFailure(this.failure);
    open.reject(
      this.failure?.reason === 'engine-unavailable'
        ? cause
        : new RiskError('engine-unavailable', 'The GPU could not be opened.', { cause }),
    );
    const lost = new RiskError('engine-unavailable', 'The GPU was lost while it worked.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause,
    });
    for (const pending of this.pending.values()) pending.reject(lost);
    this.pending.clear();
    for (const timer of this.aborted.values()) clearTimeout(timer);
    this.aborted.clear();
    resolveEnded(cause);
  }
}
