/**
 * Writes a changing state: one write at a time, always the present state. A failed write is retried after a growing pause.
 *
 * Must not know: what is written, and where.
 */
import type { Clock } from '../../core/clock.ts';
import type { Warn } from '../../host/repeated-warnings.ts';

export interface StateWriterOptions {
  /** Writes the present state. */
  readonly write: () => Promise<void>;
  readonly clock: Clock;
  readonly warn: Warn;
}

/** Pause between two writes, which combines changes. */
const WRITE_MS = 500;
/** Pause after the first failed write; twice as long after each further one. */
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;

export class StateWriter {
  /** Resolved by `end`. */
  readonly ended: Promise<void>;
  private resolveEnded = () => {};
  private due = false;
  private urgent = false;
  private hasEnded = false;
  private running = false;
  private task = Promise.resolve();
  private wake = () => {};
  /** Called after the next attempt of a write. */
  private waiting: (() => void)[] = [];

  constructor(private readonly options: StateWriterOptions) {
    this.ended = new Promise(resolve => {
      this.resolveEnded = resolve;
    });
  }

  /** Writes soon. @param urgent without the pause between two writes */
  note(urgent: boolean): void {
    this.due = true;
    if (urgent && !this.urgent) {
      this.urgent = true;
      this.wake();
    }
    if (this.running) return;
    this.running = true;
    this.task = this.run();
  }

  /** Writes at once. Resolves after the attempt, after `longest` milliseconds or at the end. */
  tried(longest: number): Promise<void> {
    if (this.hasEnded) return Promise.resolve();
    return new Promise(resolve => {
      const cancel = this.options.clock.after(longest, resolve);
      this.waiting.push(() => {
        cancel();
        resolve();
      });
      this.note(true);
    });
  }

  /** Ends all writes. */
  end(): void {
    this.hasEnded = true;
    this.resolveEnded();
    this.release(this.waiting);
    this.wake();
  }

  /** Resolves when the running write, if there is one, has ended. */
  get settled(): Promise<void> {
    return this.task;
  }

  private release(waiting: readonly (() => void)[]): void {
    this.waiting = this.waiting.filter(each => !waiting.includes(each));
    for (const resolve of waiting) resolve();
  }

  private async run(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (this.due && !this.hasEnded) {
      if (!this.urgent) await this.pause(WRITE_MS);
      if (this.hasEnded) break;
      const { urgent, waiting } = this;
      const { write, warn } = this.options;
      this.due = false;
      this.urgent = false;
      try {
        await write();
        retryMs = FIRST_RETRY_MS;
        this.release(waiting);
      } catch (error) {
        this.release(waiting);
        if (this.hasEnded) break;
        this.due = true;
        this.urgent ||= urgent;
        warn(
          { err: error, milliseconds: retryMs },
          'the state of a job could not be written to the store; it is written again after a pause',
        );
        await this.pause(retryMs);
        retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
      }
    }
    this.running = false;
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise(resolve => {
      const cancel = this.options.clock.after(milliseconds, resolve);
      this.wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
