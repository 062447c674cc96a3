/**
 * GARCH fits off the event loop: 32 long series take about a second of processor time.
 *
 * One thread, started by the first fit and ended when idle; fits wait for each other.
 */
import { Piscina } from 'piscina';
import { RiskError } from '../errors.ts';
import type { GarchModel } from './garch.ts';
import type { GarchTask, GarchTaskResult } from './garch-worker.ts';

const IDLE_MS = 10_000;

let pool: Piscina<GarchTask, GarchTaskResult> | undefined;

/**
 * `fitGarchModel` in a thread of its own.
 *
 * @throws RiskError `calibration-failed`, or the signal's reason once aborted
 */
export async function fitGarchInThread(task: GarchTask, signal: AbortSignal): Promise<GarchModel> {
  pool ??= new Piscina({
    filename: new URL('./garch-worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
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
