/**
 * The structured logger. It receives no key, no request body, and no stack of a client's mistake.
 *
 * A reader of the log that stalls or ends does not stop the service: lines that it does not read in time are dropped and
 * counted.
 */
import { type Logger, pino, stdSerializers } from 'pino';

export type { Logger };

/** The output of log lines: standard error in the service. */
interface Output {
  /** Characters or bytes that wait to be written. */
  readonly writableLength: number;
  /** @param done called when the line was written, or could not be */
  write(line: string, done: (error?: Error | null) => void): unknown;
  on(event: 'drain' | 'error', listener: () => void): unknown;
  once(event: 'drain', listener: () => void): unknown;
  removeListener(event: 'drain', listener: () => void): unknown;
}

/** Most characters or bytes that wait for a reader: the lines of some five thousand requests. */
const MAX_WAITING = 2 ** 20;

export interface LogDestination {
  write(line: string): void;
  /** Lines dropped so far. */
  readonly dropped: number;
  /** Resolves when everything is written, or after `milliseconds`. */
  flush(milliseconds: number): Promise<void>;
}

/** Characters that JSON leaves as they are and a terminal obeys: control characters, and those that turn the direction of writing. */
const OBEYED = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** The same JSON, in which a name of a caller changes nothing in the terminal of its reader. */
const printableJson = (line: string): string =>
  line.replace(OBEYED, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A destination that never waits for `output`. */
export function createLogDestination(output: Output, mostWaiting = MAX_WAITING): LogDestination {
  let dropped = 0;
  let unreported = 0;
  // Without a listener the end of the reader would end the process.
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
        output.write(printableJson(line), error => {
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

/** Standard error. Node writes asynchronously to pipes and sockets, synchronously to files and terminals. */
export function standardErrorLog(): LogDestination {
  standardError ??= createLogDestination(process.stderr);
  return standardError;
}

/** The same members, without those that hold something: drivers attach connections, commands with arguments, certificates. */
function plainMembers(members: object): object {
  const kept = Object.entries(members).flatMap(([name, value]) => {
    if (name === 'aggregateErrors') return [[name, (value as readonly object[]).map(plainMembers)]];
    if (name === 'command') return [[name, (value as { readonly name?: string })?.name]];
    return Object(value) === value ? [] : [[name, value]];
  });
  return Object.fromEntries(kept);
}

/**
 * An error for the log. One of Redis has its command, whose arguments can be a password or prices: its name alone is logged. One of TLS
 * has the whole certificate, which is left out.
 */
export const loggedError = (error: Error): object => {
  const logged: unknown = stdSerializers.err(error);
  return Object(logged) === logged ? plainMembers(logged as object) : error;
};

/** JSON lines on standard error; standard output is for the banner. */
export function createLogger(level: string): Logger {
  const serializers = { err: loggedError };
  return pino(
    { level, base: null, serializers, timestamp: pino.stdTimeFunctions.isoTime },
    standardErrorLog(),
  );
}
