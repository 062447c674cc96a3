/**
 * What is handed to other processes, by the kind of the engine whose figures are wanted: one row for each kind.
 *
 * Work is in asset-steps. A thread in double precision does 2^26 to 2^28 of them in a second, by plan and processor, the SIMD kernel
 * three to four times as many, a GPU 10^10 to 10^12 by its issued instructions (docs/performance.md).
 */
import type { EngineKind } from '../core/engine.ts';

/** Asset-steps of a part, at least and at most. */
export interface PartSize {
  readonly least: number;
  readonly most: number;
}

export interface EngineRules {
  /** Work below this is done before the parts of it would have been handed out. */
  readonly leastWork: number;
  /** With fewer threads of all workers together nothing is handed out. */
  readonly leastThreads: number;
  /**
   * From 0.03 to 0.1 seconds, beside which a job's 2 to 8 ms are little, to 0.5 to 2, which are lost with the worker that does
   * them; on a GPU at least 0.02 to 2 seconds.
   */
  readonly partSize: PartSize;
  /** Whether outcomes with numbers of every path are handed out: a GPU makes these in less time than they take to travel. */
  readonly sendsPathNumbers: boolean;
  /** Whether a worker has one of it, whatever the number of its threads. */
  readonly isDevice: boolean;
}

export const ENGINE_RULES: Readonly<Record<EngineKind, EngineRules>> = {
  reference: {
    leastWork: 2 ** 25,
    leastThreads: 1,
    partSize: { least: 2 ** 23, most: 2 ** 27 },
    sendsPathNumbers: true,
    isDevice: false,
  },
  simd: {
    leastWork: 2 ** 27,
    leastThreads: 1,
    partSize: { least: 2 ** 25, most: 2 ** 29 },
    sendsPathNumbers: true,
    isDevice: false,
  },
  gpu: {
    leastWork: 2 ** 36,
    // One GPU elsewhere is no faster than the one here.
    leastThreads: 2,
    partSize: { least: 2 ** 34, most: 2 ** 36 },
    sendsPathNumbers: false,
    isDevice: true,
  },
  // As slow as a thread.
  'software-gpu': {
    leastWork: 2 ** 25,
    leastThreads: 1,
    partSize: { least: 2 ** 23, most: 2 ** 27 },
    sendsPathNumbers: true,
    isDevice: true,
  },
};
