/**
 * Threads of the processor that the tests of one process share: a fresh thread loads the project and compiles it again,
 * which costs more than most tests.
 */

import { referenceEngineOn } from '#src/engine/threads/reference-engine.js';
import { openSimdThreads } from '#src/engine/threads/simd-engine.js';
import { type KernelName, openThreadPool, type ThreadPool } from '#src/engine/threads/thread-pool.js';

const opened = new Map<string, ThreadPool>();

/** The threads of this process, so many with this kernel. Closing them does nothing. */
export function sharedThreads(threads: number, kernel: KernelName = 'wasm'): ThreadPool {
  const key = `${threads} ${kernel}`;
  let pool = opened.get(key);
  if (pool === undefined) {
    const own = openThreadPool(threads, kernel);
    pool = {
      threads: own.threads,
      device: own.device,
      kernel: own.kernel,
      begin: own.begin.bind(own),
      beginLong: own.beginLong.bind(own),
      longestSliceSeconds: () => own.longestSliceSeconds(),
      close: async () => {},
    };
    opened.set(key, pool);
  }
  return pool;
}

/** A reference that has run nothing, on shared threads. */
export const sharedReference = (threads: number) => referenceEngineOn(sharedThreads(threads));

/** A SIMD engine that has run nothing, on shared threads. */
export const sharedSimd = (threads: number, kernel: KernelName = 'wasm') =>
  openSimdThreads(sharedThreads(threads, kernel));
