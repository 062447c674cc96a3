/** The end of a process of the service: at a signal, cleanly if possible, after the last lines of the log. */
import { type Logger, standardErrorLog } from './log.ts';

/** Time for a reader of the log to read its last lines. */
const LAST_LINES_MS = 1000;

export async function exit(code: number): Promise<never> {
  await standardErrorLog().flush(LAST_LINES_MS);
  process.exit(code);
}

/**
 * A function that stops cleanly once, then exits.
 *
 * @param first the work that finishes before the stop, for the log
 */
export function createStop(
  stop: (drainSeconds: number) => Promise<void>,
  first: string,
  log: Logger,
): (drainSeconds: number) => void {
  let stopping = false;
  return drainSeconds => {
    if (stopping) return;
    stopping = true;
    log.info(`stopping: ${first} are finished first`);
    stop(drainSeconds).then(
      () => exit(0),
      error => {
        log.error({ err: error }, 'did not stop cleanly');
        return exit(1);
      },
    );
  };
}

/**
 * Stops at the first signal; the second one ends the process at once.
 *
 * @param drainSeconds for SIGTERM, which comes from a supervisor whose load balancer still sends requests; a person sends the others
 */
export function stopOnSignals(stop: (drainSeconds: number) => void, drainSeconds = 0): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    stop(signal === 'SIGTERM' ? drainSeconds : 0);
  };
  // SIGHUP: requests in progress are finished even if the terminal is closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
}
