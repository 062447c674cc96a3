/** One reader process, from its start to its end. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { abortable } from '../../core/async.ts';
import type { PricesOf } from '../request/prices.ts';
import { attachLong } from './long-parts.ts';
import type { AnyRead, AnyTerms } from './read-bytes.ts';
import type { PricesMessage, ReaderMessage, ReaderTask } from './reader-process.ts';

const ENTRY = fileURLToPath(new URL('./reader-process.js', import.meta.url));
/** Niceness of the process: below the server and its engines, with a third of their share when all are busy. */
const NICENESS = 5;
/** Exit code of a process that aborts, on systems that report no signal. */
const ABORTED = 134;

/** A body needs more memory than the limit of its process. */
export class ReaderOutOfMemory extends Error {
  override readonly name = 'ReaderOutOfMemory';
}

export class ReaderHandle {
  private readonly child: ChildProcess;
  private hasEnded = false;

  /** @param maxHeapMib heap of the process, MiB */
  constructor(maxHeapMib: number) {
    this.child = fork(ENTRY, {
      serialization: 'advanced',
      // The process reads untrusted bodies: no key is in its environment.
      env: {},
      execArgv: [`--max-old-space-size=${maxHeapMib}`],
      stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
    });
    if (this.child.pid !== undefined) yieldToServer(this.child.pid);
    const ended = () => {
      this.hasEnded = true;
    };
    this.child.once('exit', ended).on('error', ended);
    this.child.stdin?.on('error', () => {});
    this.child.stdout?.on('error', () => {});
    this.setReferenced(false);
  }

  /** Whether the process has ended. */
  get ended(): boolean {
    return this.hasEnded;
  }

  /**
   * Reads one body at a time. An abort ends the process.
   * @throws ReaderOutOfMemory, or the signal's reason
   */
  async read(bytes: Uint8Array, terms: AnyTerms, signal: AbortSignal, pricesOf: PricesOf): Promise<AnyRead> {
    const { child } = this;
    const listeners = new AbortController();
    this.setReferenced(true);
    try {
      return await abortable<AnyRead>(signal, (resolve, reject) => {
        const answered = (answer: ReaderMessage) => {
          if ('read' in answer)
            attachLong(answer.read, answer.parts, bytes => this.take(bytes, listeners.signal)).then(
              read => resolve(read as AnyRead),
              reject,
            );
          else if ('error' in answer) reject(answer.error);
          else
            pricesOf(answer.wanted).then(
              prices => this.child.send({ prices } satisfies PricesMessage),
              reject,
            );
        };
        const exited = (code: number | null, by: NodeJS.Signals | null) => reject(causeOf(code, by));
        child.on('message', answered).on('exit', exited).on('error', reject);
        listeners.signal.addEventListener('abort', () => {
          child.off('message', answered).off('exit', exited).off('error', reject);
        });
        const task: ReaderTask = { length: bytes.byteLength, ...terms };
        child.send(task, error => error && reject(error));
        child.stdin?.write(bytes);
        return () => this.end();
      });
    } finally {
      listeners.abort();
      this.setReferenced(false);
    }
  }

  /** Fills an array with the next bytes of the standard output of the process. */
  private async take(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    const { length } = bytes;
    const output = this.child.stdout as Readable;
    for (let at = 0; at < length; ) {
      const piece: Buffer | null = output.read();
      if (piece === null) {
        await once(output, 'readable', { signal });
        continue;
      }
      const wanted = piece.subarray(0, length - at);
      bytes.set(wanted, at);
      at += wanted.length;
      if (wanted.length < piece.length) output.unshift(piece.subarray(wanted.length));
    }
    return bytes;
  }

  end(): void {
    this.hasEnded = true;
    this.child.kill('SIGKILL');
  }

  /** Sets whether the event loop of the server runs on for the process and its pipes. */
  private setReferenced(isReferenced: boolean): void {
    const { child } = this;
    for (const each of [child, child.channel, child.stdin as Socket | null, child.stdout as Socket | null])
      isReferenced ? each?.ref() : each?.unref();
  }
}

/** The cause of an unexpected end. The system also kills a process for its memory. */
function causeOf(code: number | null, by: NodeJS.Signals | null): Error {
  if (by === 'SIGABRT' || by === 'SIGKILL' || code === ABORTED)
    return new ReaderOutOfMemory('The process that read the body has reached its limit of memory.');
  return new Error(`The process that read the body has ended (${by ?? `code ${code}`}).`);
}

function yieldToServer(pid: number): void {
  try {
    setPriority(pid, NICENESS);
  } catch {
    // The process has ended at once, or the system forbids it; it reads with the usual priority.
  }
}
