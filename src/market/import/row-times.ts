/** The times of the rows of a file. */

import { type Reading, showCell, type TimedRow } from './reading.ts';
import { isLocalDate, readMoment, TIME_FORMS } from './times.ts';

/** No coin traded before 2009-01-03. */
const EARLIEST_MS = Date.UTC(2009, 0, 3);

/** The rows that have a time, without a last one that may have been cut off. */
export function readTimes(reading: Reading): readonly TimedRow[] {
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
