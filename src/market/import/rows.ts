/**
 * Rows of text to observations, with every fault and its place.
 *
 * Takes: the records of one file and its layout. Gives: observations in the file's order, or faults.
 * Must not know: files, the database.
 */
import { parseIsoDate } from '../../request/calendar-date.ts';
import { SOURCES } from '../store/directory.ts';
import type { Column, FileLayout, NumberColumn } from './layout.ts';
import { TARGETS } from './layout.ts';

/** A fault of one row: 1-based line, 1-based character column. */
export interface RowFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Observations of a file; `numbers[t]` holds target TARGETS[t], NaN where the row has none. All of one length. */
export interface Observations {
  /** Index into the layout's series. */
  readonly series: number[];
  /** Milliseconds since 1970: the moment from which the numbers are known. */
  readonly finalAt: number[];
  readonly numbers: readonly number[][];
}

const MS_PER_HOUR = 3_600_000;
/** No coin traded before, and a slip of the pen is likelier than a plan after: 2009-01-03 and 2100-01-01. */
const EARLIEST = Date.UTC(2009, 0, 3);
const LATEST = Date.UTC(2100, 0, 1);
/** A snapshot stands for 00:00 of its date; this far from it, it does not. */
const SNAPSHOT_TOLERANCE_MS = 2 * MS_PER_HOUR;
const DECIMAL = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})Z$/;

/** 1-based character column at which a field begins; the end of the line for a field that it lacks. */
export function columnOf(fields: readonly string[], field: number): number {
  // Fields are never quoted, so that the text before a field is the fields before it and their commas.
  const before = fields.slice(0, field).reduce((sum, { length }) => sum + length + 1, 0);
  return field < fields.length ? before + 1 : before;
}

/** Reads the rows of one file one after the other; `fault` hears of each fault. */
export class RowReader {
  readonly observations: Observations = { series: [], finalAt: [], numbers: TARGETS.map(() => []) };
  readonly #layout: FileLayout;
  readonly #fault: (fault: RowFault) => void;
  #previousStamp = Number.NEGATIVE_INFINITY;
  #faulty = false;
  #fields: readonly string[] = [];
  #line = 0;

  constructor(layout: FileLayout, fault: (fault: RowFault) => void) {
    this.#layout = layout;
    this.#fault = fault;
  }

  /** Reads one row. A row with a fault gives no observation. */
  read(fields: readonly string[], line: number): void {
    this.#fields = fields;
    this.#line = line;
    this.#faulty = false;
    const { columns, series, source } = this.#layout;
    if (fields.length !== columns.length) {
      this.#refuse(
        Math.min(fields.length, columns.length),
        `${columns.length} fields expected, ${fields.length} found`,
      );
      return;
    }
    const rowNumbers = series.map(() => TARGETS.map(() => Number.NaN));
    let rowStamp = Number.NaN;
    columns.forEach((column, field) => {
      if ('target' in column) {
        rowNumbers[column.series][TARGETS.indexOf(column.target)] = this.#number(column, field);
      } else if (column.time === 'snapshot') this.#snapshot(field, rowStamp);
      else rowStamp = this.#stamp(column.time, field);
    });
    if (!this.#faulty) this.#checkEnvelope(rowNumbers[0]);
    if (this.#faulty) return;
    const finalAt = rowStamp + SOURCES[source].stampedHoursBefore * MS_PER_HOUR;
    rowNumbers.forEach((numbers, index) => {
      if (numbers.every(Number.isNaN)) return;
      this.observations.series.push(index);
      this.observations.finalAt.push(finalAt);
      this.observations.numbers.forEach((column, target) => {
        column.push(numbers[target]);
      });
    });
  }

  #refuse(field: number, message: string): void {
    this.#faulty = true;
    this.#fault({ line: this.#line, column: columnOf(this.#fields, field), message });
  }

  #stamp(form: 'date' | 'timestamp', field: number): number {
    const text = this.#fields[field];
    const moment = form === 'date' ? dateMs(text) : timestampMs(text);
    const { stepHours } = SOURCES[this.#layout.source];
    if (Number.isNaN(moment)) {
      this.#refuse(field, `${show(text)} is not a ${form} written ${WRITTEN[form]}`);
    } else if (moment < EARLIEST || moment >= LATEST) {
      this.#refuse(field, `${text} does not lie between 2009-01-03 and 2099-12-31`);
    } else if (moment % (stepHours * MS_PER_HOUR) !== 0) {
      this.#refuse(
        field,
        `${text} is not on the grid of ${stepHours === 1 ? 'whole hours' : `${stepHours} hours from 00:00`}`,
      );
    } else if (moment <= this.#previousStamp) {
      const repeated = moment === this.#previousStamp;
      this.#refuse(
        field,
        repeated ? `${text} is there twice` : `${text} is out of order: rows must rise in time`,
      );
    } else {
      this.#previousStamp = moment;
    }
    return moment;
  }

  #snapshot(field: number, date: number): void {
    const text = this.#fields[field];
    const moment = timestampMs(text);
    if (Number.isNaN(moment)) {
      this.#refuse(field, `${show(text)} is not a timestamp written ${WRITTEN.timestamp}`);
    } else if (Math.abs(moment - date) > SNAPSHOT_TOLERANCE_MS) {
      this.#refuse(field, `${text} is more than 2 hours from 00:00 of the row's date`);
    }
  }

  #number(column: NumberColumn, field: number): number {
    const text = this.#fields[field];
    if (text === '' && column.mayBeEmpty) return Number.NaN;
    const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
    if (!Number.isFinite(value)) this.#refuse(field, `${show(text)} is not a finite number`);
    else if (column.rule === 'price' && value <= 0) this.#refuse(field, `${text} is not above 0`);
    else if (column.rule === 'volume' && value < 0) this.#refuse(field, `${text} is negative`);
    else if (column.rule === 'rate' && Math.abs(value) >= 1) {
      this.#refuse(field, `${text} is not a fraction between -1 and 1`);
    }
    return value;
  }

  /** A bar's high and low must enclose its open and close. */
  #checkEnvelope([open, high, low, close]: readonly number[]): void {
    const at = (target: string): number =>
      this.#layout.columns.findIndex((column: Column) => 'target' in column && column.target === target);
    // Comparisons with NaN are false: a source without high and low passes.
    if (high < low) this.#refuse(at('high'), `high ${high} is below low ${low}`);
    else if (high < open || high < close) this.#refuse(at('high'), `high ${high} is below open or close`);
    else if (low > open || low > close) this.#refuse(at('low'), `low ${low} is above open or close`);
  }
}

const WRITTEN = { date: 'YYYY-MM-DD', timestamp: 'YYYY-MM-DDThh:mm:ssZ' } as const;

const show = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

function dateMs(text: string): number {
  const day = parseIsoDate(text);
  return day === undefined ? Number.NaN : day * 24 * MS_PER_HOUR;
}

function timestampMs(text: string): number {
  const parts = TIMESTAMP.exec(text);
  if (parts === null) return Number.NaN;
  const [hour, minute, second] = parts.slice(2).map(Number);
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  return dateMs(parts[1]) + hour * MS_PER_HOUR + minute * 60_000 + second * 1000;
}
