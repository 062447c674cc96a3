/** Whether a process uses a GPU: the one rule for servers and workers. */
import type { Logger } from '../log.ts';
import type { ComputeChoice } from './engine-set.ts';
import { type GpuProcessEngine, openGpuProcessEngine } from './gpu-process/gpu-process-engine.ts';

/** The GPU that a configuration requests. */
export interface GpuWish {
  /** `gpu` fails without an adapter, `cpu` never opens one. */
  readonly compute: ComputeChoice;
  /** Take the software driver; fails where that does not start. */
  readonly softwareGpu: boolean;
  readonly log: Logger;
}

/**
 * Opens the GPU of this host.
 *
 * @returns the engine, or why there is none
 * @throws RiskError `engine-unavailable` if a GPU is demanded and there is none
 */
export async function findGpu({
  compute,
  softwareGpu,
  log,
}: GpuWish): Promise<{ readonly gpu: GpuProcessEngine } | { readonly gpu?: never; readonly why: string }> {
  if (compute === 'cpu' && !softwareGpu) return { why: 'this host is configured to offer no GPU' };
  try {
    return { gpu: await openGpuProcessEngine({ software: softwareGpu, log }) };
  } catch (error) {
    if (compute === 'gpu' || softwareGpu) throw error;
    return { why: error instanceof Error ? error.message : String(error) };
  }
}
