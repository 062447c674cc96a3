/** Whether a process uses a GPU: one rule for servers and workers. */
import { messageOf } from '../core/errors.ts';
import type { Logger } from '../host/log.ts';
import type { ComputeChoice } from './engine-set.ts';
import { type GpuProcessEngine, openGpuProcessEngine } from './gpu-process/gpu-process-engine.ts';

/**
 * Opens the GPU of this host.
 *
 * @param options.compute `gpu` fails without an adapter, `cpu` never opens one
 * @param options.softwareGpu opens the software driver; fails where it does not start
 * @returns the engine, or why there is none
 * @throws RiskError `engine-unavailable` if a GPU is required and there is none
 */
export async function findGpu({
  compute,
  softwareGpu,
  log,
}: {
  readonly compute: ComputeChoice;
  readonly softwareGpu: boolean;
  readonly log: Logger;
}): Promise<{ readonly gpu: GpuProcessEngine } | { readonly gpu?: never; readonly why: string }> {
  if (compute === 'cpu' && !softwareGpu) return { why: 'this host is configured to offer no GPU' };
  try {
    return { gpu: await openGpuProcessEngine({ software: softwareGpu, log }) };
  } catch (error) {
    if (compute === 'gpu' || softwareGpu) throw error;
    return { why: messageOf(error) };
  }
}
