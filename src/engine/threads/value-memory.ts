/**
 * Shared memory for the values of value at risk, lent to one run after another.
 *
 * Takes: how many doubles a run needs. Gives: a range of one block that is allocated once, or the wait for it. Shared
 * the system frees shared memory only when every thread that saw it has collected its garbage, which idle threads
 * do not do: a new block for each run would let the process grow by all that runs have used lately.
 */
import { abortable } from '../../core/async.ts';

/** Memory of a run. */
export interface ValueRange {
  /** What the last holder left in it. */
  readonly values: Float64Array;
  /** Returns it; not before the last thread has ended its work on it. A second call does nothing. */
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

/** Runs of at most this share of the block lie at its end and wait for no larger one. */
const SMALL_SHARE = 1 / 64;

/** A block of doubles of which only what was ever used is resident. */
export class ValueMemory {
  private readonly length: number;
  /** Made at the first run. */
  private block: SharedArrayBuffer | undefined;
  /** What is lent, in the order of its place. */
  private readonly lent: Range[] = [];
  private readonly waiting: Waiting[] = [];

  /** @param length doubles in the block */
  constructor(length: number) {
    this.length = length;
  }

  /**
   * Lends a range, in the order of asking but for small ones. One that is longer than the block gets memory of its own
   * while nothing else is lent.
   *
   * @param length doubles, 1 or more
   * @throws the signal's reason when it is aborted before the range was there
   */
  async take(length: number, signal?: AbortSignal): Promise<ValueRange> {
    signal?.throwIfAborted();
    const now = this.waiting.length === 0 || this.isSmall(length) ? this.lend(length) : undefined;
    if (now !== undefined) return now;
    return abortable(signal, resolve => {
      const waiting = { length, serve: resolve };
      this.waiting.push(waiting);
      return () => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        // Others may have waited for this one only.
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
      const range = this.lend(waiting.length);
      if (range === undefined) {
        passed = true;
      } else {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        waiting.serve(range);
      }
    }
  }

  private lend(length: number): ValueRange | undefined {
    if (length > this.length) {
      if (this.lent.length > 0) return undefined;
      return this.book({ first: 0, length: this.length }, new Float64Array(shared(length)));
    }
    const first = this.isSmall(length) ? this.lastGap(length) : this.firstGap(length);
    if (first === undefined) return undefined;
    this.block ??= shared(this.length);
    const values = new Float64Array(this.block, first * Float64Array.BYTES_PER_ELEMENT, length);
    return this.book({ first, length }, values);
  }

  private book(range: Range, values: Float64Array): ValueRange {
    this.lent.push(range);
    this.lent.sort((a, b) => a.first - b.first);
    const release = () => {
      const at = this.lent.indexOf(range);
      if (at < 0) return;
      this.lent.splice(at, 1);
      this.serveWaiting();
    };
    return { values, release };
  }

  /** Ranges that are not lent, in the order of their place. */
  private gaps(): Range[] {
    const ends = [0, ...this.lent.map(({ first, length }) => first + length)];
    const starts = [...this.lent.map(({ first }) => first), this.length];
    return ends.map((end, i) => ({ first: end, length: starts[i] - end }));
  }

  /** As near to the beginning as can be: the same pages serve again and again. */
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
