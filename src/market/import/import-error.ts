/** The one error of a refused import: every fault found, with its place. */

/** A fault: the file, the 1-based line and character column where there is one, and a sentence. */
export interface ImportFault {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** After this many faults no more are looked for: a file of another kind has one on each row. */
export const MAX_FAULTS = 20;

/** Nothing was imported; the message has one line `file:line:column: what is wrong` per fault. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly faults: readonly ImportFault[];

  constructor(faults: readonly ImportFault[]) {
    super(
      [
        ...faults.map(describe),
        ...(faults.length >= MAX_FAULTS ? ['There may be more faults; not looked for.'] : []),
      ].join('\n'),
    );
    this.faults = faults;
  }
}

function describe({ file, line, column, message }: ImportFault): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  return `${place}: ${message}`;
}
