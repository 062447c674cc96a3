/**
 * One file to the rows of its series, or every kind of its faults.
 *
 * Takes: a table, its name, the options, the present moment. Gives: rows by series, the interpretation of the file, and notes
 * for the user. Must not know: the store, the terminal.
 */

import { isLocalDate, readMoment, TIME_FORMS } from '../../text/times.ts';
import { understandColumns } from './columns.ts';
import { hintsOfName, type Stamp } from './file-name.ts';
import { FaultList, type ImportFault, UnreadableFile } from './import-error.ts';
import { type ImportOptions, Reading, showCell, type TimedRow } from './reading.ts';
import { seriesKeys } from './series-keys.ts';
import { type FileSeries, rowsOf } from './series-rows.ts';
import type { Table } from './table.ts';

/** A file that can be imported. */
export interface FileContent {
  readonly path: string;
  readonly series: readonly FileSeries[];
  /** How it was understood: `ccxt OHLCV, bars stamped with their opening; exchange from the name`. */
  readonly understood: string;
  /** Notes for the user. */
  readonly notes: readonly string[];
}

/**
 * Reads one file.
 *
 * @param now bars that end later are unfinished or of the future
 */
export function readSeries(
  path: string,
  table: Table,
  options: ImportOptions,
  now: Date,
): FileContent | { readonly faults: readonly ImportFault[] } {
  const faults = new FaultList(path);
  const named = hintsOfName(path);
  const columns = understandColumns(table, options.asset ?? named.asset, options.columns ?? {});
  if (typeof columns === 'string') {
    faults.add('columns', () => ({
      message: columns,
      remedy: 'Name the columns with --columns time=<name>,close=<name>,... or in a mapping file.',
      place: { line: Math.max(1, table.lineOf(0) - (table.header === undefined ? 0 : 1)) },
    }));
    return { faults: faults.list() };
  }
  if (table.rows.length === 0) throw new UnreadableFile('there are no rows', 'Download it again.');
  const reading = new Reading(table, columns, options, named, now, faults);
  const timed = readTimes(reading);
  const keys = seriesKeys(reading, timed) ?? [];
  const series = keys.flatMap(({ key, column }) => rowsOf(reading, key, timed, column) ?? []);
  return faults.size > 0
    ? { faults: faults.list() }
    : { path, series, understood: understood(reading), notes: reading.notes };
}

const STAMP_WORDS: Readonly<Record<Stamp, string>> = {
  open: 'times are the opening of bars',
  close: 'times are the end of bars',
  snapshot: 'times are moments: a price at 00:00 is the close of the day before',
};

/** How a file was understood. */
function understood({ columns, stamp, guesses }: Reading): string {
  const { form, leftAside, roles } = columns;
  const parts = [
    form === undefined ? '' : `rows are ${form}`,
    roles.has('funding') ? 'times are settlements' : STAMP_WORDS[stamp],
    ...[...guesses].map(([from, what]) => `from ${from}: ${what.join(', ')}`),
    leftAside.length === 0 ? '' : `not used: ${leftAside.join(', ')}`,
  ];
  return parts.filter(part => part !== '').join('; ');
}

/** No coin traded before 2009-01-03. */
const EARLIEST_MS = Date.UTC(2009, 0, 3);

/** The rows that have a time, without a last one that may have been cut off. */
function readTimes(reading: Reading): readonly TimedRow[] {
  const { rows, lastRowMayBeCut } = reading.table;
  const time = reading.columns.roles.get('time') as number;
  const cut = lastRowMayBeCut && reading.options.complete !== true && rows.length > 1;
  if (cut) {
    reading.notes.push(
      `the last line, ${reading.table.lineOf(rows.length - 1)}, has no line end and may have been cut off inside a number: ` +
        'it is left out (--complete takes it)',
    );
  }
  const timed: TimedRow[] = [];
  const width = reading.table.header?.length ?? rows[0].length;
  rows.slice(0, cut ? -1 : undefined).forEach((row, index) => {
    if (row.length !== width) {
      reading.fault(
        'width',
        index,
        undefined,
        `${width} fields expected, ${row.length} found`,
        'Numbers have a point as decimal mark; a line that was cut off is downloaded again.',
      );
      return;
    }
    const moment = readMoment(row[time], reading.options.dates);
    if (moment === undefined && reading.options.dates === undefined && isLocalDate(row[time])) {
      reading.fault(
        'date order',
        index,
        time,
        `${showCell(row[time])} does not say which part is the day and which the month`,
        'Say it: --dates dmy (31.01.2024) or --dates mdy (01/31/2024).',
      );
    } else if (moment === undefined) {
      reading.fault(
        'time',
        index,
        time,
        `${showCell(row[time])} is not a time`,
        `Times are written ${TIME_FORMS}.`,
      );
    } else if (moment.ms < EARLIEST_MS) {
      reading.fault(
        'early',
        index,
        time,
        `${showCell(row[time])} lies before 2009-01-03`,
        'No coin traded then: check the unit of the times.',
      );
    } else timed.push({ index, moment });
  });
  return timed;
}
