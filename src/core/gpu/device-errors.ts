/** Failures of a device as errors of the engine. */
import { RiskError } from '../errors.ts';
import type { GpuContext } from './gpu-context.ts';

/**
 * Awaits work on a device. A lost device rejects a map with AbortError, a refused operation is an uncaptured error: both are
 * replaced by the error of the context, which has more details. An abort by the caller is not.
 *
 * @throws RiskError `engine-unavailable` when the device is lost, `engine-failed` when it refused an operation
 */
export async function onDevice<T>(
  context: GpuContext,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!signal?.aborted) context.check();
    throw error instanceof Error && error.name === 'AbortError' && !signal?.aborted
      ? new RiskError('engine-unavailable', 'The GPU was lost.', { cause: error, retryAfterSeconds: 5 })
      : error;
  }
}
