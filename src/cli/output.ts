/** The output of a command: texts, a line of progress, a table. */
import { refuseInspector } from '../host/inspector.ts';

/** Variables of the configuration by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether standard error is a terminal, whose last line can be cleared. */
  readonly terminal: boolean;
}

export const EXIT = {
  done: 0,
  /** A request was refused or failed, or a tape has faults. */
  refused: 1,
  /** A file or an option is not understood. */
  notUnderstood: 2,
  /** A limit of `book` is breached. */
  breached: 3,
  /** No limit of `book` is breached, and one cannot be judged. */
  notJudged: 4,
} as const;

/** The output of this process. */
export const processOutput = (): Output => ({
  out: text => void process.stdout.write(text),
  err: text => void process.stderr.write(text),
  terminal: process.stderr.isTTY === true,
});

/**
 * Ends the process where standard output cannot be written, since its result would be lost; without a word where its reader has ended,
 * as `head` does. Nothing is lost where standard error cannot be written.
 */
export function endWithoutOutput({
  stdout,
  stderr,
  exit,
}: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'exit'>): void {
  stderr.on('error', () => {});
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') stderr.write(`standard output cannot be written: ${error.message}\n`);
    exit(EXIT.refused);
  });
}

/** What every command that does not log sets up in its process. */
export function guardCommand(output: Output): void {
  refuseInspector({ warn: text => output.err(`${text}\n`) });
  endWithoutOutput(process);
}

/** The file name for standard output. */
export const STANDARD_OUTPUT = '-';

export const asLine = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** Moves to the start of the line and clears it. */
export const CLEAR_LINE = '\r\u001b[K';
const TERMINAL_MS = 200;
const LOG_MS = 10_000;

/** The progress of a long run on standard error: one line that is rewritten on a terminal, a line every ten seconds elsewhere. */
export interface ProgressLine {
  /** @param share 0 to 1 @param what the current work */
  update(share: number, what: string): void;
  end(): void;
}

/** @param now milliseconds; tests set it */
export function progressLine({ err, terminal }: Output, now = () => performance.now()): ProgressLine {
  const begin = now();
  let last = Number.NEGATIVE_INFINITY;
  return {
    update(share, what) {
      const moment = now();
      if (moment - last < (terminal ? TERMINAL_MS : LOG_MS)) return;
      last = moment;
      const elapsed = (moment - begin) / 1000;
      const left = share > 0 ? `, ${duration((elapsed / share) * (1 - share))} left` : '';
      const line = `${what}: ${Math.floor(100 * share)} % done${left}`;
      err(terminal ? `${CLEAR_LINE}${line}` : `${line}\n`);
    },
    end() {
      if (terminal) err(CLEAR_LINE);
    },
  };
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 120 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}

/**
 * A plain table: names above columns, which are as wide as their widest entry and two spaces apart.
 *
 * @param firstNumber first column of numbers, which are aligned right
 */
export function formatTable(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  firstNumber: number,
): string {
  const widths = names.map((name, i) => Math.max(name.length, ...rows.map(row => row[i].length)));
  return [names, ...rows]
    .map(row =>
      row
        .map((text, i) => (i < firstNumber ? text.padEnd(widths[i]) : text.padStart(widths[i])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
