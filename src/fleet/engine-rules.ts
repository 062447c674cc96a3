/**
 * The work that is distributed to workers, by the engine of the figures: one row for each engine.
 *
 * Work is in asset-steps. A thread in double precision does 2^26 to 2^28 of them a second, depending on plan and processor, the SIMD kernel
 * three to four times as many, a GPU 10^10 to 10^12 by its issued instructions (docs/performance.md).
 */
import type { EngineKind } from '../core/engine.ts';

/** Smallest and largest asset-steps of a part. */
export interface PartSize {
  readonly least: number;
  readonly most: number;
}

export interface EngineRules {
  /** Smaller work is finished sooner than its parts could be distributed. */
  readonly leastWork: number;
  /** With fewer threads of all workers together, work is not distributed. */
  readonly leastThreads: number;
  /**
   * At least 0.03 to 0.1 seconds, so that the 2 to 8 ms of a job are small in comparison; at most 0.5 to 2 seconds, which are lost if
   * the worker ends. On a GPU at least 0.02 to 2 seconds.
   */
  readonly partSize: PartSize;
  /** Whether work with values of every path is distributed: a GPU computes these faster than they can be sent. */
  readonly sendsPathNumbers: boolean;
  /** Whether a worker has one engine of this kind, whatever the number of its threads. */
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
    // One other GPU is no faster than the GPU of the server.
    leastThreads: 2,
    partSize: { least: 2 ** 34, most: 2 ** 36 },
    sendsPathNumbers: false,
    isDevice: true,
  },
  // As slow as a CPU thread.
  'software-gpu': {
    leastWork: 2 ** 25,
    leastThreads: 1,
    partSize: { least: 2 ** 23, most: 2 ** 27 },
    sendsPathNumbers: true,
    isDevice: true,
  },
};
