/**
 * The one structured logger. No key, request body or stack of a caller's mistake is ever written to it.
 *
 * A reader of the log that stalls or goes away does not stop the service: what it does not take in time is dropped and
 * counted.
 */
import { type Logger, pino } from 'pino';

export type { Logger };

/** What log lines are written to: standard error in the service. */
interface Output {
  /** Characters or bytes that wait to be taken. */
  readonly writableLength: number;
  /** @param done called when the line was taken, or could not be written */
  write(line: string, done: (error?: Error | null) => void): unknown;
  on(event: 'drain' | 'error', listener: () => void): unknown;
  once(event: 'drain', listener: () => void): unknown;
  removeListener(event: 'drain', listener: () => void): unknown;
}

/** What may wait for a reader: some five thousand requests. */
const MAX_WAITING = 2 ** 20;

export interface LogDestination {
  write(line: string): void;
  /** Lines dropped so far. */
  readonly dropped: number;
  /** Resolves when everything has been taken, or after `milliseconds`. */
  flush(milliseconds: number): Promise<void>;
}

/** A destination that never waits for `output`. */
export function createLogDestination(output: Output, mostWaiting = MAX_WAITING): LogDestination {
  let dropped = 0;
  let unreported = 0;
  // Without a listener a reader that has gone would end the process.
  output.on('error', () => {});
  const drop = () => {
    dropped++;
    unreported++;
  };
  const reportDropped = () => {
    if (unreported === 0) return;
    const lines = unreported;
    const line = {
      level: 40,
      time: new Date().toISOString(),
      dropped: lines,
      msg: 'log lines were dropped',
    };
    unreported = 0;
    output.write(`${JSON.stringify(line)}\n`, error => {
      if (error) unreported += lines;
    });
  };
  output.on('drain', reportDropped);
  return {
    write(line) {
      if (output.writableLength > mostWaiting) drop();
      else
        output.write(line, error => {
          // The disk of a file may be full.
          if (error) drop();
          else if (output.writableLength === 0) reportDropped();
        });
    },
    get dropped() {
      return dropped;
    },
    flush(milliseconds) {
      if (output.writableLength === 0) return Promise.resolve();
      return new Promise(resolve => {
        const end = () => {
          clearTimeout(timer);
          output.removeListener('drain', end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        output.once('drain', end);
      });
    },
  };
}

let standardError: LogDestination | undefined;

/** Standard error. Node writes to pipes and sockets without waiting, to files and terminals at once. */
export function standardErrorLog(): LogDestination {
  standardError ??= createLogDestination(process.stderr);
  return standardError;
}

/**
 * JSON lines on standard error, so that standard output stays free for the banner.
 *
 * @param processNumber in every line where several processes serve
 */
export function createLogger(level: string, processNumber?: number): Logger {
  const base = processNumber === undefined ? null : { process: processNumber };
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, standardErrorLog());
}
