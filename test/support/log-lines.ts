/** A logger whose lines a test can read. */
import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';

export type LogLine = { readonly level: number; readonly msg: string } & Readonly<Record<string, unknown>>;

/** A logger from debug on, and the lines it has written so far. */
export function collectLog(): { log: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as LogLine);
      done();
    },
  });
  return { log: pino({ level: 'debug', base: null }, sink), lines };
}
