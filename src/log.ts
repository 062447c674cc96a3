/** The one structured logger. No key, request body or stack of a caller's mistake is ever written to it. */
import { type Logger, pino } from 'pino';

export type { Logger };

/** JSON lines on standard error, so that standard output stays free for the banner. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}
