/** The text for the person who starts a process, on standard output. */
import type { Logger } from './log.ts';

/** Its reader may have ended, or the disk of its file may be full: this does not end the process. */
export function printBanner(text: string, log: Pick<Logger, 'warn'>): void {
  process.stdout.on('error', error =>
    log.warn({ err: error }, 'the banner cannot be written to standard output'),
  );
  process.stdout.write(text);
}
