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
  // The kernel does four times what the reference does.
  workPerRange: 2 ** 25,
  assetStepsPerChunk: SIMD_ASSET_STEPS_PER_CHUNK,
  device: pool => `${pool.device}, ${KERNELS[pool.kernel]} (single precision)`,
  supports: simdSupports,
  requireRuns: requireSimdRuns,
};

/**
 * Opens the SIMD engine on threads that it may share; it closes them with itself.
 * @throws Error if the kernel was not built or this processor cannot run it
 */
export function openSimdThreads(pool: ThreadPool): ThreadEngine {
  return new SimdThreads(pool, readKernel());
}

class SimdThreads extends CpuEngine {
  /** A reference to the machine code of this process, which every thread then finds compiled, also one that replaces another. */
  readonly compiled: object;

  constructor(pool: ThreadPool, compiled: object) {
    super(pool, SIMD);
    this.compiled = compiled;
  }
}
