/** The engines of a worker: its CPU engines and its GPU. */
import type { EngineKind } from '../core/engine.ts';
import type { Logger } from '../host/log.ts';
import type { ComputeChoice } from './engine-set.ts';
import { findGpu, logNoGpu } from './find-gpu.ts';
import { chooseKernel, type NativeWish } from './native/kernel-choice.ts';
import { gpuKind, openSimd } from './open-engine.ts';
import type { PartEngine } from './parts.ts';
import { referenceEngineOn } from './threads/reference-engine.ts';
import { openThreadPool } from './threads/thread-pool.ts';

/**
 * Opens the engines of this host.
 *
 * @param options.compute `gpu` fails without an adapter, `cpu` never opens one
 * @throws RiskError `engine-unavailable` if a GPU is required and there is none
 */
export async function openPartEngines(options: {
  readonly compute: ComputeChoice;
  readonly softwareGpu: boolean;
  readonly threads: number;
  /** The SIMD kernel of the processor; `auto` by default. */
  readonly native?: NativeWish;
  readonly log: Logger;
}) {
  const { compute, softwareGpu, threads, log } = options;
  const pool = openThreadPool(threads, chooseKernel(options.native ?? 'auto', log).kernel);
  const reference = referenceEngineOn(pool);
  const simd = openSimd(pool, log);
  const engines = new Map<EngineKind, PartEngine>([['reference', reference]]);
  if (simd !== undefined) engines.set('simd', simd);
  try {
    const { gpu, why = '' } = await findGpu({ compute, softwareGpu, log, summarise: reference.summarise });
    if (gpu !== undefined) engines.set(gpuKind(gpu), gpu);
    else if (compute !== 'cpu') logNoGpu(log, why, 'no GPU: this worker takes parts for its processors');
    return {
      engines: engines as ReadonlyMap<EngineKind, PartEngine>,
      async close() {
        await Promise.all([reference.close(), gpu?.close()]);
      },
    };
  } catch (error) {
    await reference.close();
    throw error;
  }
}
