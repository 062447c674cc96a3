/**
 * Calibrations and exact laws off the event loop: 32 long series take GARCH about a second of CPU time.
 *
 * One thread, started by the first task; tasks wait for each other. An aborted one takes its thread with it: the pool
 * starts the next one at once, because it must never hold fewer than one.
 */
import { Piscina } from 'piscina';
import { onAbort } from '../core/async.ts';
import { RiskError } from '../core/errors.ts';
import type {
  CalibrationAnswer,
  CalibrationInput,
  CalibrationName,
  CalibrationResult,
  CalibrationTask,
} from './calibration-worker.ts';

let pool: Piscina<CalibrationTask, CalibrationAnswer> | undefined;

function openPool(): Piscina<CalibrationTask, CalibrationAnswer> {
  const opened = new Piscina<CalibrationTask, CalibrationAnswer>({
    filename: new URL('./calibration-worker.js', import.meta.url).href,
    // With 0 no thread would be started for the tasks that wait when the running one is aborted.
    minThreads: 1,
    maxThreads: 1,
  });
  // The result of a task that crosses its abort is dropped. Without a listener it would end the process.
  return opened.on('error', () => {});
}

/**
 * A calibration in a thread of its own.
 *
 * @throws RiskError `calibration-failed`, or the signal's reason once aborted
 */
export async function calibrateInThread<K extends CalibrationName>(
  name: K,
  input: CalibrationInput<K>,
  signal: AbortSignal,
): Promise<CalibrationResult<K>> {
  pool ??= openPool();
  signal.throwIfAborted();
  const stop = new AbortController();
  const forget = onAbort(signal, () => stop.abort());
  try {
    const answer = await pool.run({ name, input }, { signal: stop.signal });
    if ('result' in answer) return answer.result as CalibrationResult<K>;
    throw new RiskError(answer.reason, answer.message, { faults: answer.faults });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    forget();
  }
}
