/**
 * Starts a GPU process and exchanges messages with it.
 *
 * Gives: a handle to one process, from its first message to its end. A process that hangs is killed; the reason is part
 * of the error of its end. Must not know: restarts.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { abortable } from '../../core/async.ts';
import type { Clock } from '../../core/clock.ts';
import type { EngineDescription, RunOptions } from '../../core/engine.ts';
import { RiskError } from '../../core/errors.ts';
import { fromFailure, RETRY_AFTER_SECONDS } from './failure.ts';
import type { Failure, FromGpuProcess, GpuProcessOptions, GpuWork, ToGpuProcess } from './gpu-messages.ts';
import { softwareGpuEnvironment } from './software-gpu.ts';
import { VitalSigns } from './vital-signs.ts';

export interface GpuProcess {
  readonly description: EngineDescription;
  readonly processId: number | undefined;
  /** Whether it has compiled the usual kernels. */
  readonly isWarm: boolean;
  /** Resolves with the reason when the process has ended. */
  readonly ended: Promise<Error>;
  /** Calls `changed` with the reason when the process stalls, and without one when it no longer does. */
  watch(changed: (why: string | undefined) => void): void;
  /** Sends a plan; an abort of the signal rejects at once and ends the work on the device soon after. */
  request(work: GpuWork, options: RunOptions): Promise<unknown>;
  /** Ends the process after its running work. */
  close(): Promise<void>;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  readonly onProgress?: RunOptions['onProgress'];
}

/** Longest wait for a device to open: a driver can hang. */
const OPEN_MILLISECONDS = 30_000;
/** Longest wait for an orderly end. */
const CLOSE_MILLISECONDS = 5_000;

const entry = fileURLToPath(new URL('./gpu-process.js', import.meta.url));

/**
 * Variables that loaders and drivers read. The process gets no others, above all no keys and passwords: a driver is foreign
 * code, and its crash reports may contain its environment.
 */
const FOR_DRIVERS =
  /^(PATH|HOME|USER|TMPDIR|TEMP|TMP|LOCALAPPDATA|PROGRAMDATA|TZ|LANG|DISPLAY|WAYLAND_DISPLAY|(LC|LD|XDG|VK|VULKAN|DAWN|DAWNNODE|NVIDIA|CUDA|MESA|AMD|RADV|GALLIUM|INTEL|ANV|DRI|LIBGL|EGL|ZINK|SWIFTSHADER|WINDIR|SYSTEMROOT)(_.*)?|__(GL|EGL|NV|VK).*)$/i;

/** The variables of `environment`, by default of this process, that the GPU process gets. */
export const driverEnvironment = (environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => FOR_DRIVERS.test(name)));

/** The environment of the process, with the path of the software driver. */
async function processEnvironment(software: boolean): Promise<NodeJS.ProcessEnv> {
  if (!software) return driverEnvironment();
  return { ...driverEnvironment(), ...(await softwareGpuEnvironment()) };
}

/**
 * Kills `child` when this process has ended for any reason. A running child ends by itself when its channel closes; a child
 * that hangs in a driver or was stopped (SIGSTOP) does not, and would block the GPU. The watcher is a shell that waits for
 * the end of a pipe. On a host without a shell there is no watcher.
 */
function endWithServer(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') return;
  // In a separate group: a signal for the whole group of the server must not end it first.
  const watcher = spawn('/bin/sh', ['-c', 'read -r line; kill -KILL "$0" 2>/dev/null', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
    detached: true,
  });
  watcher.on('error', () => {});
  watcher.stdin.on('error', () => {});
  watcher.unref();
  (watcher.stdin as Socket).unref();
  // Before another process can get the same id.
  child.once('exit', () => watcher.kill('SIGKILL'));
}

/**
 * Starts a process and waits until its device is open.
 *
 * @throws RiskError `engine-unavailable` when it cannot be opened
 */
export async function startGpuProcess({
  software,
  clock,
}: {
  readonly software: boolean;
  /** Of every wait for the process. */
  readonly clock: Clock;
}): Promise<GpuProcess> {
  const options: GpuProcessOptions = { allowSoftware: software };
  const child = fork(entry, [JSON.stringify(options)], {
    serialization: 'advanced',
    env: await processEnvironment(software),
    execArgv: [],
    // Standard output is for the banner; output of a driver goes to standard error.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  endWithServer(child);
  const printed = bufferPrinted(child);
  const handle = new Handle(child, clock);
  const cancel = clock.after(OPEN_MILLISECONDS, () => handle.kill('its device did not open in time'));
  try {
    await handle.opened;
    printed.pass();
    return handle;
  } catch (error) {
    if (!handle.foundNoGpu) {
      printed.pass();
      throw error;
    }
    // A host without a GPU needs no warning; where a GPU is required, the error contains the output of the driver.
    const { reason, message } = error as RiskError;
    throw new RiskError(reason, message, { cause: new Error(printed.text()) });
  } finally {
    cancel();
  }
}

/** Stores the output of a process until `pass` is called, which prints it and all further output. */
function bufferPrinted({ stdout, stderr }: ChildProcess): { pass(): void; text(): string } {
  let chunks: Buffer[] | undefined = [];
  for (const stream of [stdout, stderr] as Socket[]) {
    // This process can end while the other one hangs in its driver.
    stream.unref();
    stream.on('data', (chunk: Buffer) => {
      if (chunks === undefined) process.stderr.write(chunk);
      else chunks.push(chunk);
    });
  }
  return {
    text: () =>
      Buffer.concat(chunks ?? [])
        .toString()
        .trim(),
    pass() {
      for (const chunk of chunks ?? []) process.stderr.write(chunk);
      chunks = undefined;
    },
  };
}

class Handle implements GpuProcess {
  description!: EngineDescription;
  isWarm = false;
  readonly opened: Promise<void>;
  readonly ended: Promise<Error>;
  private readonly pending = new Map<number, Pending>();
  /** Undefined until the device is open: opening it blocks the process. */
  private vitalSigns: VitalSigns | undefined;
  private changed: (why: string | undefined) => void = () => {};
  private opening: Pending = { resolve: () => {}, reject: () => {} };
  private resolveEnded: (why: Error) => void = () => {};
  private nextId = 0;
  private failure: Failure | undefined;

  constructor(
    private readonly child: ChildProcess,
    private readonly clock: Clock,
  ) {
    this.opened = new Promise<void>((resolve, reject) => {
      this.opening = { resolve: () => resolve(), reject };
    });
    this.ended = new Promise<Error>(resolve => {
      this.resolveEnded = resolve;
    });
    child.on('message', (message: FromGpuProcess) => this.receive(message));
    child.on('error', error => this.end(error));
    child.on('exit', (code, signal) =>
      this.end(new Error(`The GPU process ended with ${signal ?? `code ${code}`}.`)),
    );
  }

  /** Whether the process reported that this host has no GPU to open. */
  get foundNoGpu(): boolean {
    return this.failure?.reason === 'engine-unavailable';
  }

  watch(changed: (why: string | undefined) => void): void {
    this.changed = changed;
  }

  request(work: GpuWork, { signal, onProgress }: RunOptions): Promise<unknown> {
    const id = this.nextId++;
    return abortable(signal, (resolve, reject) => {
      this.pending.set(id, { resolve, reject, onProgress });
      this.send({ ...work, id, watched: onProgress !== undefined });
      return () => {
        this.pending.delete(id);
        this.vitalSigns?.abortBegan(id);
        this.send({ kind: 'abort', id });
      };
    });
  }

  get processId(): number | undefined {
    return this.child.pid;
  }

  async close(): Promise<void> {
    this.send({ kind: 'close' });
    const cancel = this.clock.after(CLOSE_MILLISECONDS, () => this.kill('it did not close in time'));
    await this.ended;
    cancel();
  }

  /** Kills the process and does not wait for its end, which a hung driver can delay. */
  kill(why: string): void {
    this.child.kill('SIGKILL');
    this.child.unref();
    if (this.child.connected) this.child.disconnect();
    this.end(new Error(`The GPU process was killed: ${why}.`));
  }

  /** A send to a process that has just ended fails; its end settles all of its requests. */
  private send(message: ToGpuProcess): void {
    if (this.child.connected) this.child.send(message, () => {});
  }

  private receive(message: FromGpuProcess): void {
    this.vitalSigns?.heard();
    if (message.kind === 'ready') {
      this.description = message.description;
      this.vitalSigns = new VitalSigns(
        {
          ping: () => this.send({ kind: 'ping' }),
          changed: why => this.changed(why),
          dead: why => this.kill(why),
        },
        this.clock,
      );
      this.opening.resolve(undefined);
    } else if (message.kind === 'warm') this.isWarm = true;
    else if (message.kind === 'failed') this.failure = message.failure;
    else if (message.kind === 'progress') this.pending.get(message.id)?.onProgress?.(message.share);
    else if (message.kind !== 'alive') this.settle(message);
  }

  private settle(message: Extract<FromGpuProcess, { kind: 'done' | 'refused' }>): void {
    this.vitalSigns?.workEnded(message.id);
    const pending = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (message.kind === 'done') pending?.resolve(message.value);
    else pending?.reject(fromFailure(message.failure));
  }

  private end(why: Error): void {
    this.vitalSigns?.stop();
    const cause = this.failure === undefined ? why : fromFailure(this.failure);
    this.opening.reject(
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
    this.resolveEnded(cause);
  }
}
