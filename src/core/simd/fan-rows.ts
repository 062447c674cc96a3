/**
 * The rows of ratios at the times of a fan that the kernel counts (wasm/counts.ts): where they lie in its memory.
 *
 * Takes: the steps of a plan. Gives: offsets of the values that are counted, and the rows of counts. Must not know: products.
 */
import { fanSteps, RATIO_SLOTS } from '../plan/distribution.ts';
import { type Kernel, VECTOR_BYTES } from './kernel.ts';

const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;
const ROW_BYTES = WORD_BYTES * RATIO_SLOTS;

/** So many bytes in whole vectors. */
export function inVectors(bytes: number): number {
  return VECTOR_BYTES * Math.ceil(bytes / VECTOR_BYTES);
}

/** Rows of a plan's fan, and some before them. */
export class FanRows {
  /** Times of the fan. */
  readonly times: number;
  /** Bytes of the offsets and counts, in whole vectors. */
  readonly bytes: number;
  private readonly steps: number;
  private readonly rows: number;

  /** @param before rows of other ratios before those of the fan */
  constructor(steps: number, before = 0) {
    this.steps = steps;
    this.times = fanSteps(steps).length;
    this.rows = before + this.times;
    this.bytes = inVectors(WORD_BYTES * this.times + ROW_BYTES * this.rows);
  }

  /** Writes the offsets to address `at` of the kernel, and empties the counts behind them. @returns the address of the counts */
  place(kernel: Kernel, at: number): number {
    const offsets = at / WORD_BYTES;
    for (const [time, step] of fanSteps(this.steps).entries())
      kernel.integers[offsets + time] = VECTOR_BYTES * (step - 1);
    const counts = at + WORD_BYTES * this.times;
    this.all(kernel, counts).fill(0);
    return counts;
  }

  /** The counts of all rows at an address, as long as the kernel's memory does not grow. */
  all(kernel: Kernel, counts: number): Int32Array {
    const first = counts / WORD_BYTES;
    return kernel.integers.subarray(first, first + this.rows * RATIO_SLOTS);
  }
}

/** Adds counts to those of a longer list, from place `first` on. */
export function addEntries(total: Float64Array, first: number, counts: Int32Array): void {
  for (let k = 0; k < counts.length; k++) total[first + k] += counts[k];
}
