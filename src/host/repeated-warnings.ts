/** Warnings of a service that is away: its clients can fail several times a second. */
import type { Clock } from '../core/clock.ts';
import type { Logger } from './log.ts';

/** Logs a failure. @param details its members of the line */
export type Warn = (details: object, meaning: string) => void;

const REPEATED_MS = 60_000;

/** Logs the first failure of a meaning at once, and later ones once a minute, with the number of those that were left out. */
export function repeatedWarnings(clock: Clock, log: Pick<Logger, 'warn'>): Warn {
  const logged = new Map<string, { at: number; leftOut: number }>();
  return (details, meaning) => {
    const last = logged.get(meaning);
    if (last !== undefined && clock.now() - last.at < REPEATED_MS) {
      last.leftOut++;
      return;
    }
    log.warn({ ...details, ...(last && last.leftOut > 0 ? { left_out: last.leftOut } : {}) }, meaning);
    logged.set(meaning, { at: clock.now(), leftOut: 0 });
  };
}
