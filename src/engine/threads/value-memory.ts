/**
 * Shared memory for the values of value at risk, assigned to one run after another.
 *
 * Takes: the doubles that a run needs. Gives: a range of one block, which is allocated once, or the wait for it.
 * The system frees shared memory only when every thread that saw it has collected its garbage, which idle threads
 * do not do: with a new block for each run the process would grow by the memory of all recent runs.
 */
import { abortable } from '../../core/async.ts';

/** Memory of a run. */
export interface ValueRange {
  /** With the values of the last run. */
  readonly values: Float64Array;
  /** Returns the memory; call it after the last thread has finished with it. A second call has no effect. */
  release(): void;
}

interface Range {
  readonly first: number;
  readonly length: number;
}

interface Waiting {
  readonly length: number;
  serve(range: ValueRange): void;
}

/** Runs of at most this share of the block get its end, and do not wait for larger ones. */
const SMALL_SHARE = 1 / 64;

/** A block of doubles. Only pages that were used are resident. */
export class ValueMemory {
  /** Allocated at the first run. */
  private block: SharedArrayBuffer | undefined;
  /** Ranges in use, by position. */
  private readonly used: Range[] = [];
  private readonly waiting: Waiting[] = [];

  /** @param length doubles in the block */
  constructor(private readonly length: number) {}

  /**
   * Assigns a range, in the order of the calls except for small ones. A range longer than the block gets separate memory
   * while no other range is in use.
   *
   * @param length doubles, 1 or more
   * @throws the signal's reason when it is aborted before a range is free
   */
  async take(length: number, signal?: AbortSignal): Promise<ValueRange> {
    signal?.throwIfAborted();
    const now = this.waiting.length === 0 || this.isSmall(length) ? this.assign(length) : undefined;
    if (now !== undefined) return now;
    return abortable(signal, resolve => {
      const waiting = { length, serve: resolve };
      this.waiting.push(waiting);
      return () => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        // Others may have waited behind this one only.
        this.serveWaiting();
      };
    });
  }

  private isSmall(length: number): boolean {
    return length <= this.length * SMALL_SHARE;
  }

  private serveWaiting(): void {
    let passed = false;
    for (const waiting of [...this.waiting]) {
      if (passed && !this.isSmall(waiting.length)) continue;
      const range = this.assign(waiting.length);
      if (range === undefined) {
        passed = true;
      } else {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        waiting.serve(range);
      }
    }
  }

  private assign(length: number): ValueRange | undefined {
    if (length > this.length) {
      if (this.used.length > 0) return undefined;
      return this.book({ first: 0, length: this.length }, new Float64Array(shared(length)));
    }
    const first = this.isSmall(length) ? this.lastGap(length) : this.firstGap(length);
    if (first === undefined) return undefined;
    this.block ??= shared(this.length);
    const values = new Float64Array(this.block, first * Float64Array.BYTES_PER_ELEMENT, length);
    return this.book({ first, length }, values);
  }

  private book(range: Range, values: Float64Array): ValueRange {
    this.used.push(range);
    this.used.sort((a, b) => a.first - b.first);
    const release = () => {
      const at = this.used.indexOf(range);
      if (at < 0) return;
      this.used.splice(at, 1);
      this.serveWaiting();
    };
    return { values, release };
  }

  /** Ranges that are not in use, by position. */
  private gaps(): Range[] {
    const ends = [0, ...this.used.map(({ first, length }) => first + length)];
    const starts = [...this.used.map(({ first }) => first), this.length];
    return ends.map((end, i) => ({ first: end, length: starts[i] - end }));
  }

  /** The gap nearest to the beginning, so that the same pages are used again. */
  private firstGap(length: number): number | undefined {
    return this.gaps().find(gap => gap.length >= length)?.first;
  }

  private lastGap(length: number): number | undefined {
    const gap = this.gaps().findLast(each => each.length >= length);
    return gap && gap.first + gap.length - length;
  }
}

function shared(doubles: number): SharedArrayBuffer {
  return new SharedArrayBuffer(doubles * Float64Array.BYTES_PER_ELEMENT);
}
