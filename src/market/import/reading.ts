/**
 * The state while a file is read: facts, guesses, and the faults and notes so far.
 *
 * Must not know: the order of the steps.
 */

import type { Cell, DecimalMark } from '../../text/numbers.ts';
import type { DateOrder, Moment } from '../../text/times.ts';
import type { SeriesKind } from '../store/series-key.ts';
import type { Columns } from './columns.ts';
import type { Hints, Stamp } from './file-name.ts';
import type { Role } from './headings.ts';
import type { FaultKind, FaultList, Place } from './import-error.ts';
import type { Table } from './table.ts';
import type { VolumeUnit } from './volume-unit.ts';

/** Options for the files. */
export interface ImportOptions extends Hints {
  /** Names of columns by role. */
  readonly columns?: Readonly<Partial<Record<Role, string>>> | undefined;
  /** The last line is whole though it has no end. */
  readonly complete?: boolean;
  /** Jumps to a multiple and back are real. */
  readonly allowJumps?: boolean;
  /** The unit of the column of volumes. */
  readonly volumeUnit?: VolumeUnit | undefined;
  /** Order of dates that have the year last. */
  readonly dates?: DateOrder | undefined;
  /** Default: what the numbers of the file decide, else `point`. */
  readonly decimal?: DecimalMark | undefined;
}

/** A row's time, and its place in the table. */
export interface TimedRow {
  readonly index: number;
  readonly moment: Moment;
}

/** The shared state of the parts of the reader. */
export class Reading {
  readonly notes: string[] = [];
  /** The guesses, by their source. */
  readonly guesses = new Map<string, string[]>();
  stamp: Stamp = 'open';
  kind: SeriesKind = 'price';
  /** Whether the name or the symbols are those of a derivative. */
  isDerivative = false;
  /** The mark before the fraction of its numbers. */
  decimal: DecimalMark | undefined;
  /** Whether a number such as 1,234 has two readings. */
  isDecimalOpen = false;
  /** The order of its dates. */
  dates: DateOrder | undefined;
  /** How it was read, where the file did not say it. */
  readonly readings = new Set<string>();

  constructor(
    readonly table: Table,
    readonly columns: Columns,
    readonly options: ImportOptions,
    readonly named: Hints,
    readonly now: Date,
    readonly faults: FaultList,
  ) {}

  /** A fault of a row; with `field` also of a column. */
  fault(
    kind: FaultKind,
    index: number,
    field: number | undefined,
    message: string,
    remedy: string,
    variant = '',
  ): void {
    this.faults.add(
      kind,
      () => {
        const line = this.table.lineOf(index);
        const place: Place = field === undefined ? { line } : { line, column: field + 1 };
        return { message, remedy, place };
      },
      variant,
    );
  }
}

/** A cell as a message shows it. */
export const showCell = (cell: Cell): string => {
  const text = String(cell ?? '');
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
};
