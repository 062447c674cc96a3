/**
 * GARCH fits off the event loop: 32 long series take about a second of processor time.
 *
 * One thread, started by the first fit; fits wait for each other. An aborted fit takes its thread with it: the pool
 * starts the next one at once, because it must never hold fewer than one.
 */
import { Piscina } from 'piscina';
import { RiskError } from '../errors.ts';
import type { GarchModel } from './garch.ts';
import type { GarchTask, GarchTaskResult } from './garch-worker.ts';

let pool: Piscina<GarchTask, GarchTaskResult> | undefined;

/**
 * `fitGarchModel` in a thread of its own.
 *
 * @throws RiskError `calibration-failed`, or the signal's reason once aborted
 */
export async function fitGarchInThread(task: GarchTask, signal: AbortSignal): Promise<GarchModel> {
  pool ??= new Piscina({
    filename: new URL('./garch-worker.js', import.meta.url).href,
    // With 0 nobody would start a thread for the fits that wait when the running one is aborted.
    minThreads: 1,
    maxThreads: 1,
  });
  signal.throwIfAborted();
  const stop = new AbortController();
  const cancel = () => stop.abort();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const result = await pool.run(task, { signal: stop.signal });
    if ('model' in result) return result.model;
    throw new RiskError(result.reason, result.message, { faults: result.faults });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
