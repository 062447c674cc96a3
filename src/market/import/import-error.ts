/** The faults of the files of an import: each kind of fault of a file once, with its count, its first place and the remedy. */
import { counted } from '../../text/counted.ts';
import { printable } from '../../text/printable.ts';

/** The kinds of faults; `unreadable` is no table at all, `replaced` and `shifted` come from a comparison with the store. */
export const FAULT_KINDS = [
  'unreadable',
  'columns',
  'width',
  'date order',
  'mixed times',
  'time',
  'early',
  'kind',
  'symbols',
  'key',
  'name',
  'currency',
  'derivative',
  'timeframe',
  'grid',
  'future',
  'decimal',
  'thousands',
  'number',
  'bound',
  'envelope',
  'twice',
  'jump',
  'rows',
  'volume unit',
  'funding unit',
  'funding column',
  'replaced',
  'shifted',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** One kind of fault of one file. */
export interface ImportFault {
  readonly kind: FaultKind;
  readonly file: string;
  readonly count: number;
  /** 1-based line and column of the first one, where it has a place. */
  readonly line?: number;
  readonly column?: number;
  /** The fault of the first one. */
  readonly message: string;
  readonly remedy: string;
}

/** Files whose faults are spelled out. */
const MAX_FILES = 20;

/** Nothing was imported; the message has two lines per kind of fault: the fault with its place, and the remedy. */
export class ImportError extends Error {
  override readonly name = 'ImportError';

  constructor(readonly faults: readonly ImportFault[]) {
    const files = [...new Set(faults.map(({ file }) => file))];
    const shown = new Set(files.slice(0, MAX_FILES));
    const lines = faults.filter(({ file }) => shown.has(file)).map(describeFault);
    if (files.length > shown.size)
      lines.push(`${counted(files.length - shown.size, 'more file')} with faults.`);
    super(lines.join('\n'));
  }
}

/** A file that cannot be read as a table at all. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';

  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}

function describeFault({ file: path, line, column, message, count, remedy }: ImportFault): string {
  const file = printable(path);
  const place = line === undefined ? file : `${file}:${line}${column === undefined ? '' : `:${column}`}`;
  const more = count > 1 ? ` (${count} times; this is the first)` : '';
  return `${place}: ${message}${more}\n  ${remedy}`;
}

/** The place of a fault, 1-based. */
export interface Place {
  readonly line: number;
  readonly column?: number;
}

/** Collects the faults of one file, one of each kind. */
export class FaultList {
  readonly #file: string;
  readonly #kinds = new Map<string, ImportFault>();

  constructor(file: string) {
    this.#file = file;
  }

  /** Counts a fault of a kind, and of a variant of it; only the text of the first one is stored. */
  add(kind: FaultKind, words: () => { message: string; remedy: string; place?: Place }, variant = ''): void {
    const name = `${kind} ${variant}`;
    const known = this.#kinds.get(name);
    if (known !== undefined) {
      this.#kinds.set(name, { ...known, count: known.count + 1 });
      return;
    }
    const { message, remedy, place } = words();
    this.#kinds.set(name, { kind, file: this.#file, count: 1, message, remedy, ...place });
  }

  get size(): number {
    return this.#kinds.size;
  }

  list(): readonly ImportFault[] {
    return [...this.#kinds.values()];
  }
}
