/** Whether a process uses a GPU: one rule for servers and workers. */
import type { Summarise } from '../core/book/summaries.ts';
import { messageOf } from '../core/errors.ts';
import type { Logger } from '../host/log.ts';
import type { ComputeChoice } from './engine-set.ts';
import { type GpuProcessEngine, openGpuProcessEngine } from './gpu-process/gpu-process-engine.ts';
import { driverEnvironment } from './gpu-process/start-gpu-process.ts';

/** Why a container that is given an NVIDIA GPU may see none, the most frequent cause first. */
const CAUSES =
  'the driver of the host has no Vulkan (packages for computing alone lack libnvidia-gl); the GPU is in MIG mode, which has none; ' +
  'NVIDIA_DRIVER_CAPABILITIES lack graphics; no GPU was given to the container (--gpus)';

/**
 * Logs that there is no GPU: a warning in a container that is made for one, where it costs money and idles.
 *
 * @param message where none is expected
 * @param environment in which NVIDIA's images and its container toolkit name devices
 */
export function logNoGpu(
  log: Logger,
  why: string,
  message: string,
  environment: Readonly<Record<string, string | undefined>> = driverEnvironment(),
): void {
  const { NVIDIA_VISIBLE_DEVICES: devices = '' } = environment;
  if (['', 'void', 'none'].includes(devices)) log.info({ why }, message);
  else log.warn({ why, causes: CAUSES }, 'no GPU in a container made for one: its processors serve');
}

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
  summarise,
}: {
  readonly compute: ComputeChoice;
  readonly softwareGpu: boolean;
  readonly log: Logger;
  /** Summarises the columns of a book. */
  readonly summarise: Summarise;
}): Promise<
  { readonly gpu: GpuProcessEngine; readonly why?: never } | { readonly gpu?: never; readonly why: string }
> {
  if (compute === 'cpu' && !softwareGpu) return { why: 'this host is configured to offer no GPU' };
  try {
    return { gpu: await openGpuProcessEngine({ software: softwareGpu, log, summarise }) };
  } catch (error) {
    if (compute === 'gpu' || softwareGpu) throw error;
    return { why: messageOf(error) };
  }
}
