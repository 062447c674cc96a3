/**
 * Writes the state of something that changes: one write at a time, always what it is by then, as often as it takes.
 *
 * A write that fails is made again after a pause that grows. Must not know: what is written, and where.
 */
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../log.ts';

export interface StateWriterOptions {
  /** Writes what is known at this moment. */
  readonly write: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Between two writes, so that many changes are one write. */
const WRITE_MS = 500;
/** After the first write that fails; twice as long after each further one. */
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;

export class StateWriter {
  /** Resolved by `end`. */
  readonly ended: Promise<void>;
  private readonly options: StateWriterOptions;
  private resolveEnded = () => {};
  private due = false;
  private urgent = false;
  private hasEnded = false;
  private running = false;
  private task = Promise.resolve();
  private wake = () => {};
  /** Wait for the next write to be tried. */
  private waiting: (() => void)[] = [];

  constructor(options: StateWriterOptions) {
    this.options = options;
    this.ended = new Promise(resolve => {
      this.resolveEnded = resolve;
    });
  }

  /** There is something to write. @param urgent without the pause between two writes */
  note(urgent: boolean): void {
    if (this.hasEnded) return;
    this.due = true;
    if (urgent && !this.urgent) {
      this.urgent = true;
      this.wake();
    }
    if (this.running) return;
    this.running = true;
    this.task = this.run();
  }

  /** Writes at once. Resolves when the write has been tried, after `longest` milliseconds or at the end. */
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

  /** Begins no further write. */
  end(): void {
    this.hasEnded = true;
    this.resolveEnded();
    this.release(this.waiting);
    this.wake();
  }

  /** Resolves when the write under way, if there is one, has ended. */
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
      this.due = false;
      this.urgent = false;
      try {
        await this.options.write();
        retryMs = FIRST_RETRY_MS;
        this.release(waiting);
      } catch (error) {
        this.release(waiting);
        if (this.hasEnded) break;
        this.due = true;
        this.urgent ||= urgent;
        this.options.log.warn(
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
