/**
 * The fast engine of the processor: a SIMD kernel in WebAssembly or native code, single precision, on the same random stream.
 *
 * Takes: every product under the models of src/core/simd/models.ts. Gives: outcomes that differ from the reference's by rounding
 * only (docs/decisions/wasm.md). It shares the reference's threads.
 */

import { requireSimdRuns, SIMD_ASSET_STEPS_PER_CHUNK, simdSupports } from '../../core/simd/products.ts';
import { readKernel } from '../wasm/read-kernel.ts';
import { CpuEngine, type CpuEngineKind, type ThreadEngine } from './cpu-engine.ts';
import { KERNELS, type ThreadPool } from './thread-pool.ts';

const SIMD: CpuEngineKind = {
  worker: new URL('./simd-worker.js', import.meta.url),
  // The kernel is four times as fast as the reference.
  workPerRange: 2 ** 25,
  assetStepsPerChunk: SIMD_ASSET_STEPS_PER_CHUNK,
  device: pool => `${pool.device}, ${KERNELS[pool.kernel]} (single precision)`,
  supports: simdSupports,
  requireRuns: requireSimdRuns,
};

/**
 * Opens the SIMD engine on threads that it may share with others; `close` closes the threads, too.
 * @throws Error if the kernel was not built or this processor cannot run it
 */
export function openSimdThreads(pool: ThreadPool): ThreadEngine {
  return new SimdThreads(pool, readKernel());
}

class SimdThreads extends CpuEngine {
  constructor(
    pool: ThreadPool,
    /** Retains the machine code of this process, so that no thread compiles it again. */
    readonly compiled: object,
  ) {
    super(pool, SIMD);
  }
}
