/** Failures of a device as errors of the engine. */
import { RiskError } from '../errors.ts';
import type { GpuContext } from './gpu-context.ts';

/**
 * Awaits work on a device. A lost device shows itself as an aborted map, a refused operation as an uncaptured error:
 * the context's own error says more and is thrown instead. An abort by the caller stays what it is.
 *
 * @throws RiskError `engine-unavailable` when the device is lost, `engine-failed` when it refused something
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
