/**
 * Calibrations and exact laws off the event loop: 32 long series take GARCH about a second of CPU time.
 *
 * Two threads, started by the first task. The tasks of a caller run one after another, and callers take turns: one caller never occupies
 * both threads. An abort ends the thread of its task; the pool starts another one at once.
 */
import { Piscina } from 'piscina';
import { onAbort } from '../../core/async.ts';
import { RiskError } from '../../core/errors.ts';
import { type Asker, createTurns } from '../../core/turns.ts';
import {
  CALIBRATE,
  type CalibrationAnswer,
  type CalibrationInput,
  type CalibrationName,
  type CalibrationResult,
  type CalibrationTask,
} from './calibration-worker.ts';

const THREADS = 2;

let pool: Piscina<CalibrationTask, CalibrationAnswer> | undefined;

function openPool(): Piscina<CalibrationTask, CalibrationAnswer> {
  const opened = new Piscina<CalibrationTask, CalibrationAnswer>({
    filename: new URL('./calibration-worker.js', import.meta.url).href,
    minThreads: THREADS,
    maxThreads: THREADS,
  });
  // A result after the abort of its task is dropped; without a listener it would end the process.
  return opened.on('error', () => {});
}

const turns = createTurns(THREADS);

/**
 * A calibration in a thread, at the caller's turn.
 *
 * @throws RiskError `calibration-failed`, or the signal's reason once aborted
 */
export async function calibrateInThread<K extends CalibrationName>(
  name: K,
  input: CalibrationInput<K>,
  asker: Asker,
): Promise<CalibrationResult<K>> {
  return await turns.run(asker, () => calibrate(name, input, asker.signal));
}

/** Figures of more paths are computed in a thread: fewer take a few milliseconds. */
const PATHS_OF_LOOP = 2 ** 14;

/** The figures of a run, in a thread where it has many paths. @throws the signal's reason once aborted */
export function figuresInThread<K extends CalibrationName>(
  name: K,
  input: CalibrationInput<K>,
  paths: number,
  asker: Asker,
): Promise<CalibrationResult<K>> | CalibrationResult<K> {
  return paths > PATHS_OF_LOOP ? calibrateInThread(name, input, asker) : CALIBRATE[name](input);
}

async function calibrate<K extends CalibrationName>(
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
