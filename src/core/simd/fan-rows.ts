/** The kernel's counts of ratios at the times of a fan, and their places in its memory (kernel/counts.ts). */
import { fanSteps, RATIO_SLOTS } from '../plan/distribution.ts';
import type { Kernel } from './kernel.ts';

const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;
/** Counts are of 16 bits: a chunk has fewer paths than their range, and more of them fit in the first cache. */
const ROW_BYTES = Uint16Array.BYTES_PER_ELEMENT * RATIO_SLOTS;

/** Coordinates of values in the kernel. */
interface Coordinate {
  /** Logarithm of the ratio whose value is 1. */
  readonly nominal: number;
  /** Whether values are logarithms, and natural ones in a unit of them. */
  readonly areLogs: boolean;
  readonly unitOfLog: number;
}

/** Rows of a plan's fan, and some before them. */
export class FanRows {
  /** Bytes of the offsets and counts, in whole vectors. */
  readonly bytes: number;
  private readonly fan: Uint32Array;
  private readonly before: number;
  private counts = 0;

  /** @param before rows of other ratios before the fan's rows */
  constructor(kernel: Kernel, steps: number, before = 0) {
    this.fan = fanSteps(steps);
    this.before = before;
    this.bytes = kernel.inVectors(WORD_BYTES * this.fan.length + ROW_BYTES * this.rows);
  }

  private get rows(): number {
    return this.before + this.fan.length;
  }

  /** Sets what the kernel counts, from address `at` of its memory on. @returns the address of the first row */
  place(kernel: Kernel, at: number, { nominal, areLogs, unitOfLog }: Coordinate): number {
    const { fan, before } = this;
    const offsets = at / WORD_BYTES;
    for (const [time, step] of fan.entries())
      kernel.integers[offsets + time] = kernel.vectorBytes * (step - 1);
    this.counts = at + WORD_BYTES * fan.length;
    this.all(kernel).fill(0);
    const rows = this.counts + before * ROW_BYTES;
    kernel.exports.configureCounts(at, fan.length, rows, nominal, unitOfLog, areLogs);
    return this.counts;
  }

  /** The counts of all rows, as long as the kernel's memory does not grow. */
  all(kernel: Kernel): Uint16Array {
    return new Uint16Array(kernel.integers.buffer, this.counts, this.rows * RATIO_SLOTS);
  }
}

/** Adds an even number of counts to a longer list from place `first` on; most are 0, so they are read in pairs. */
export function addEntries(total: Uint32Array, first: number, counts: Uint16Array): void {
  const pairs = new Uint32Array(counts.buffer, counts.byteOffset, counts.length / 2);
  for (let k = 0; k < pairs.length; k++) {
    if (pairs[k] === 0) continue;
    total[first + 2 * k] += counts[2 * k];
    total[first + 2 * k + 1] += counts[2 * k + 1];
  }
}
