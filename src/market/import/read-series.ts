/**
 * One file to the rows of its series, or every kind of its faults.
 *
 * Takes: a table, its name, the options, the present moment. Gives: rows by series, the interpretation of the file, and notes
 * for the user. Must not know: the store, the terminal.
 */

import { counted } from '../../text/counted.ts';
import { type Cell, isEmptyCell } from '../../text/numbers.ts';
import { isSpreadsheetDay, TIME_FORMS } from '../../text/times.ts';
import { NUMBER_COLUMNS } from '../store/rows.ts';
import { decimalMarkOf, moneyOf } from './cells.ts';
import { understandColumns } from './columns.ts';
import { dateOrderOfColumn, isYearLast, readTime } from './dates.ts';
import { hintsOfName, type Stamp } from './file-name.ts';
import { FaultList, type ImportFault, UnreadableFile } from './import-error.ts';
import { type ImportOptions, Reading, showCell, type TimedRow } from './reading.ts';
import { areDays, isPriceAlone, seriesKeys } from './series-keys.ts';
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
  /** What its times are. */
  readonly stamp: Stamp;
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
  const market = { asset: options.asset ?? named.asset, quote: options.quote ?? named.quote };
  const columns = understandColumns(table, market, options.columns ?? {});
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
  readForms(reading);
  const timed = readTimes(reading);
  const keys = seriesKeys(reading, timed) ?? [];
  const series = keys.flatMap(({ key, column }) => rowsOf(reading, key, timed, column) ?? []);
  return faults.size > 0
    ? { faults: faults.list() }
    : { path, series, understood: understood(reading, timed), notes: reading.notes, stamp: reading.stamp };
}

const STAMP_WORDS: Readonly<Record<Stamp, string>> = {
  open: 'times are the opening of bars',
  close: 'times are the end of bars',
  snapshot: 'times are moments: a price at 00:00 is the close of the day before',
};

/** Of a price without a bar. */
const CLOSE_OF_DAY = 'a price is the close of its day';

/** How a file was understood. */
function understood(
  { columns, stamp, guesses, readings, table }: Reading,
  timed: readonly TimedRow[],
): string {
  const { form, leftAside, roles } = columns;
  const ofDay = stamp === 'open' && isPriceAlone(columns) && (table.says.closeOfDay || areDays(timed));
  const parts = [
    form === undefined ? '' : `rows are ${form}`,
    roles.has('funding') ? 'times are settlements' : ofDay ? CLOSE_OF_DAY : STAMP_WORDS[stamp],
    ...readings,
    ...[...guesses].map(([from, what]) => `from ${from}: ${what.join(', ')}`),
    leftAside.length === 0 ? '' : `not used: ${leftAside.join(', ')}`,
  ];
  return parts.filter(part => part !== '').join('; ');
}

/** No coin traded before 2009-01-03. */
const EARLIEST_MS = Date.UTC(2009, 0, 3);

/** Rows whose numbers and dates are looked at for their form. */
const LOOKED_AT = 20_000;

/** The mark of fractions and the order of dates: those of an option, else those that the cells decide. */
function readForms(reading: Reading): void {
  const { table, columns, options } = reading;
  const rows = table.rows.slice(0, LOOKED_AT);
  const fields = numberFields(columns);
  const cells = function* () {
    for (const row of rows) for (const field of fields) yield row[field];
  };
  const { mark, isOpen } =
    options.decimal === undefined ? decimalMarkOf(cells()) : { mark: options.decimal, isOpen: false };
  reading.decimal = mark;
  if (options.decimal === undefined && mark === 'comma') reading.readings.add('the comma marks the fraction');
  const bare = hasBareThousands(reading);
  if (bare !== undefined)
    reading.fault(
      'thousands',
      0,
      bare,
      `${showCell(rows[0][bare])} and ${showCell(rows[0][bare + 1])} look like one number whose mark of thousands is not quoted`,
      'Quote numbers with marks of thousands, or write them without. If the fields are two numbers all the same, say --decimal point.',
    );
  const doubtful = isOpen || mark !== undefined ? undefined : pointsOfThousands(reading, fields);
  reading.isDecimalOpen = isOpen;
  if (isOpen || doubtful !== undefined) {
    const at = firstCell(rows, fields, isOpen ? /^\D*\d{1,3},\d{3}\D*$/ : /^\D*\d{1,3}\.\d{3}\D*$/);
    const sign = isOpen ? 'comma' : 'point';
    reading.fault(
      'decimal',
      at.row,
      at.field,
      `${showCell(rows[at.row][at.field])} does not say whether its ${sign} marks thousands or a fraction`,
      `Say which mark stands before a fraction: --decimal point or --decimal comma.`,
    );
  }
  const time = columns.roles.get('time') as number;
  const order = options.dates ?? dateOrderOfColumn(rows.map(row => row[time]));
  reading.dates = order;
  if (options.dates === undefined && order !== undefined)
    reading.readings.add(order === 'dmy' ? 'dates have the day first' : 'dates have the month first');
}

/** The fields with numbers. */
function numberFields({ roles, amounts, volumes }: Reading['columns']): readonly number[] {
  const named = [...NUMBER_COLUMNS, 'price', 'funding', 'rate'] as const;
  return [
    ...new Set([
      ...named.flatMap(role => roles.get(role) ?? []),
      ...amounts.map(({ field }) => field),
      ...volumes.map(({ index }) => index),
    ]),
  ].sort((a, b) => a - b);
}

/** The first cell of a form; there is one. */
function firstCell(
  rows: Table['rows'],
  fields: readonly number[],
  form: RegExp,
): { row: number; field: number } {
  for (const [row, cells] of rows.entries())
    for (const field of fields) if (form.test(String(cells[field] ?? ''))) return { row, field };
  return { row: 0, field: fields[0] };
}

/** Fewest rows by whose form fields are taken for parts of one number. */
const MIN_ROWS = 5;

/**
 * The field of a price that is one number with the volume beside it in every row: one to three digits, then three. A part that
 * begins with 0 is no number of its own.
 */
function hasBareThousands({ table, columns: { roles }, options }: Reading): number | undefined {
  const { rows } = table;
  const field = roles.get('close') ?? roles.get('price');
  if (field === undefined || roles.get('volume') !== field + 1 || rows.length < MIN_ROWS) return undefined;
  const seconds = new Set(rows.map(row => row[field + 1]));
  const isOne = rows.every(
    row => /^[1-9]\d{0,2}$/.test(String(row[field])) && /^\d{3}(\.\d+)?$/.test(String(row[field + 1])),
  );
  const isSure = [...seconds].some(cell => /^0\d/.test(String(cell)));
  const isText = typeof rows[0][field] === 'string';
  return isOne && isText && seconds.size > 1 && (isSure || options.decimal !== 'point') ? field : undefined;
}

/** A field whose every number has a point before three digits, in a file whose fields a comma does not part. */
function pointsOfThousands({ table, options }: Reading, fields: readonly number[]): number | undefined {
  const { rows, says } = table;
  if (says.delimiter === undefined || options.decimal !== undefined) return undefined;
  return fields.find(field => {
    const cells = rows.map(row => row[field]).filter(cell => !isEmptyCell(cell));
    return (
      cells.length >= MIN_ROWS &&
      cells.every(cell => /^[1-9]\d{0,2}\.\d{3}$/.test(String(moneyOf(cell).text)))
    );
  });
}

/** The rows that have a time, without a last one that may have been cut off, and without lines below the table. */
function readTimes(reading: Reading): readonly TimedRow[] {
  const { rows: all, lastRowMayBeCut, header, says } = reading.table;
  if (says.titleLines !== undefined)
    reading.notes.push(`${counted(says.titleLines, 'line')} above the header left out`);
  const time = reading.columns.roles.get('time') as number;
  const clock = reading.columns.roles.get('clock');
  const cut = lastRowMayBeCut && reading.options.complete !== true && all.length > 1;
  if (cut) {
    reading.notes.push(
      `the last line, ${reading.table.lineOf(all.length - 1)}, has no line end and may have been cut off inside a number: ` +
        'it is left out (--complete takes it)',
    );
  }
  const rows = all.slice(0, cut ? -1 : undefined);
  const textOf = (row: readonly Cell[]): Cell =>
    clock === undefined ? row[time] : `${String(row[time] ?? '')} ${String(row[clock] ?? '')}`;
  const momentOf = (row: readonly Cell[]) => readTime(textOf(row), reading.dates);
  let end = rows.length;
  while (end > 0 && isNoRow(rows[end - 1][time]) && momentOf(rows[end - 1]) === undefined) end--;
  if (end === 0) end = rows.length;
  if (end < rows.length)
    reading.notes.push(
      `${counted(rows.length - end, 'line')} without a time below the rows left out, the first of ${showCell(rows[end].find(cell => !isEmptyCell(cell)))}`,
    );
  const timed: TimedRow[] = [];
  const width = header?.length ?? all[0].length;
  let headers = 0;
  rows.slice(0, end).forEach((row, index) => {
    if (header !== undefined && row.length === width && row.every((cell, i) => cell === header[i])) {
      headers++;
      return;
    }
    if (row.length !== width) {
      reading.fault(
        'width',
        index,
        undefined,
        `${width} fields expected, ${row.length} found`,
        'Numbers with a comma are written in quotes, or with a point; a line that was cut off is downloaded again.',
      );
      return;
    }
    const moment = momentOf(row);
    if (moment === undefined && reading.dates === undefined && isYearLast(row[time])) {
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
        `${showCell(textOf(row))} is not a time`,
        isSpreadsheetDay(String(textOf(row)))
          ? 'It looks like the number of a day in a spreadsheet: show the column as dates, and save the file again.'
          : `Times are written ${TIME_FORMS}.`,
      );
    } else if (moment.ms < EARLIEST_MS) {
      reading.fault(
        'early',
        index,
        time,
        `${showCell(row[time])} lies before 2009-01-03`,
        'No coin traded then: check the unit of the times, and remove older rows.',
      );
    } else timed.push({ index, moment });
  });
  if (headers > 0) reading.notes.push(`${counted(headers, 'repeated header')} left out`);
  return timed;
}

/** Whether the cell of a time is empty, or words: a total, a source or a footnote. */
const isNoRow = (cell: Cell): boolean =>
  cell === null || cell === undefined || /^\s*($|[^\d\s])/.test(String(cell));
