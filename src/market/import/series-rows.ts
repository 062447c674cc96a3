/**
 * The numbers of a file as rows of one series: each row is checked, then their order.
 *
 * Must not know: how the series was determined.
 */
import { formatIsoDate, MS_PER_DAY, MS_PER_HOUR } from '../../text/calendar-date.ts';
import { counted } from '../../text/counted.ts';
import { FUNDING_RATE, INDEX_LEVEL, type NumberRule, PRICE, VOLUME } from '../../text/number-rules.ts';
import { type Cell, readNumber } from '../../text/numbers.ts';
import type { Moment } from '../../text/times.ts';
import { copyRow, firstRows, makeRows, type NumberColumn, type Rows, sameNumbers } from '../store/rows.ts';
import {
  rowName,
  type SeriesKey,
  type SeriesKind,
  seriesName,
  TIMEFRAME_HOURS,
} from '../store/series-key.ts';
import { describeGaps, findJumps } from './inspect-rows.ts';
import { type Reading, showCell, type TimedRow } from './reading.ts';
import { type VolumeUnit, volumeUnitOf } from './volume-unit.ts';

export interface FileSeries {
  readonly key: SeriesKey;
  readonly rows: Rows;
}

/** A settlement is at its hour. */
const SETTLEMENT_TOLERANCE_MS = 60_000;
/** Binance stamps the end of a bar one millisecond early. */
const CLOSE_TOLERANCE_MS = 1000;
const NO_NUMBER = /^(|null|nan|none|n\/a|-)$/i;

export function rowsOf(
  reading: Reading,
  key: SeriesKey,
  timed: readonly TimedRow[],
  column: number | undefined,
): FileSeries | undefined {
  const unit = volumeUnit(reading, key);
  const cells = numberCells(reading, key.kind, column).filter(
    ({ target }) => unit !== 'none' || target !== 'volume',
  );
  const rows = makeRows(timed.length);
  const at: number[] = [];
  let count = 0;
  let empty = 0;
  const newest = timed.reduce((last, row) => (row.moment.ms > last ? row.moment.ms : last), 0);
  for (const { index, moment } of timed) {
    const final = finalMs(reading, key, moment, index, newest);
    if (final === undefined) continue;
    const row = reading.table.rows[index];
    if (cells.every(({ field }) => isEmpty(row[field]))) {
      empty++;
      continue;
    }
    let good = true;
    for (const { field, target, rule } of cells) {
      const value = number(reading, row[field], rule, index, field);
      if (value === undefined) good = false;
      else rows.numbers[target][count] = value;
    }
    if (!good || !enclosed(reading, rows, count, index)) continue;
    if (unit === 'quote') rows.numbers.volume[count] /= rows.numbers.close[count];
    rows.hours[count] = final / MS_PER_HOUR;
    at.push(index);
    count++;
  }
  if (empty > 0 && column === undefined)
    reading.notes.push(`${counted(empty, 'row')} without numbers left out`);
  const sorted = inOrder(reading, key, firstRows(rows, count), at);
  if (sorted === undefined || reading.faults.size > 0) return undefined;
  if (sorted.hours.length === 0) {
    if (column !== undefined) return undefined;
    reading.faults.add('rows', () => ({ message: 'no row holds numbers', remedy: 'Check the columns.' }));
    return undefined;
  }
  inspect(reading, key, sorted);
  return { key, rows: sorted };
}

/** The unit of the volumes of a price; undefined without volumes. */
function volumeUnit(reading: Reading, key: SeriesKey): VolumeUnit | undefined {
  const column = reading.columns.roles.get('volume');
  if (key.kind !== 'price' || column === undefined) return undefined;
  const unit =
    reading.options.volumeUnit ?? volumeUnitOf(reading.table, reading.columns, key.asset, key.exchange);
  if (unit === undefined) {
    const name = reading.table.header?.[column] ?? 'volume';
    reading.faults.add('volume unit', () => ({
      message: `the file does not say whether its column ${name} counts ${key.asset} or ${key.quote}`,
      remedy: `Say it: --volume-unit base (${key.asset}), quote (${key.quote}), or none to leave the volumes out.`,
    }));
  } else if (unit === 'quote' && !reading.quoted) {
    reading.quoted = true;
    reading.notes.push(`volumes in ${key.quote} are divided by the closes: the store counts ${key.asset}`);
  }
  return unit;
}

function numberCells(
  reading: Reading,
  kind: SeriesKind,
  column: number | undefined,
): readonly { field: number; target: NumberColumn; rule: NumberRule }[] {
  const { roles } = reading.columns;
  if (column !== undefined) return [{ field: column, target: 'volume', rule: VOLUME }];
  const funding = roles.get('funding');
  if (kind === 'funding' && funding !== undefined)
    return [{ field: funding, target: 'close', rule: FUNDING_RATE }];
  const level = kind === 'index' ? INDEX_LEVEL : PRICE;
  const close = roles.get('close') ?? roles.get('price');
  const cells = (['open', 'high', 'low', 'volume'] as const).flatMap(target => {
    const field = roles.get(target);
    if (field === undefined || (target === 'volume' && kind !== 'price')) return [];
    return [{ field, target, rule: target === 'volume' ? VOLUME : level }];
  });
  return close === undefined ? cells : [...cells, { field: close, target: 'close' as const, rule: level }];
}

/** The moment from which a row is known; undefined where it is omitted, or faulty. */
function finalMs(
  reading: Reading,
  key: SeriesKey,
  { ms }: Moment,
  index: number,
  newest: number,
): number | undefined {
  const time = reading.columns.roles.get('time') as number;
  const text = showCell(reading.table.rows[index][time]);
  const step = TIMEFRAME_HOURS[key.timeframe] * MS_PER_HOUR;
  // A snapshot may be two hours from 00:00, and five minutes from its hour.
  const tolerance =
    reading.stamp === 'snapshot'
      ? key.kind === 'funding'
        ? SETTLEMENT_TOLERANCE_MS
        : step / 12
      : reading.stamp === 'close'
        ? CLOSE_TOLERANCE_MS
        : 0;
  const nearest = Math.round(ms / step) * step;
  if (Math.abs(nearest - ms) > tolerance) {
    if (
      reading.stamp === 'snapshot' &&
      key.kind !== 'funding' &&
      ms === newest &&
      reading.table.rows.length > 1
    ) {
      reading.notes.push(`the last row, of ${text}, is not of a whole ${key.timeframe}: it is left out`);
      return undefined;
    }
    const grid =
      step === MS_PER_DAY
        ? 'whole days, 00:00 UTC'
        : `${counted(step / MS_PER_HOUR, 'whole hour')} from 00:00`;
    reading.fault(
      'grid',
      index,
      time,
      `${text} is not on the grid of ${grid}`,
      'Times must be UTC; say --stamp close or --stamp snapshot if they are not openings of bars.',
    );
    return undefined;
  }
  const final = nearest + (reading.stamp === 'open' ? step : 0);
  const present = reading.now.getTime();
  if (final <= present) return final;
  if (ms === newest && ms <= present) {
    reading.notes.push(`the bar of ${text} is not finished: it is left out`);
    return undefined;
  }
  reading.fault(
    'future',
    index,
    time,
    `${text} lies in the future (it is ${formatIsoDate(Math.floor(present / MS_PER_DAY))})`,
    'Remove the row, or set the clock of this machine.',
  );
  return undefined;
}

function number(
  reading: Reading,
  cell: Cell,
  rule: NumberRule,
  index: number,
  field: number,
): number | undefined {
  const value = readNumber(cell, reading.options.decimal);
  if (Number.isFinite(value) && rule.holds(value)) return value;
  const number = Number.isFinite(value);
  reading.fault(
    `${number ? 'bound' : 'number'} ${rule.bound}`,
    index,
    field,
    number ? `${showCell(cell)} is not ${rule.bound}` : `${showCell(cell)} is not a number`,
    number
      ? 'Correct or remove the row, or name another column with --columns.'
      : 'Numbers have a point as decimal mark, or a comma with --decimal comma; remove rows without them.',
  );
  return undefined;
}

function enclosed(reading: Reading, { numbers }: Rows, row: number, index: number): boolean {
  const { open, high, low, close } = numbers;
  // Comparisons with NaN are false: a source without high and low passes.
  const faulty =
    high[row] < low[row] ||
    high[row] < open[row] ||
    high[row] < close[row] ||
    low[row] > open[row] ||
    low[row] > close[row];
  if (faulty) {
    reading.fault(
      'envelope',
      index,
      undefined,
      `high ${high[row]} and low ${low[row]} do not enclose open ${open[row]} and close ${close[row]}`,
      'The bar is wrong, or the columns are in another order: name them with --columns.',
    );
  }
  return !faulty;
}

/** The rows in order of time, each time once; undefined where two of one time differ. */
function inOrder(reading: Reading, key: SeriesKey, rows: Rows, at: readonly number[]): Rows | undefined {
  const order = Array.from(rows.hours.keys()).sort((a, b) => rows.hours[a] - rows.hours[b] || a - b);
  const sorted = makeRows(rows.hours.length);
  let [count, repeated] = [0, 0];
  const time = reading.columns.roles.get('time') as number;
  for (const from of order) {
    const again = count > 0 && sorted.hours[count - 1] === rows.hours[from];
    if (again && sameNumbers(sorted, count - 1, rows, from)) repeated++;
    else if (again) {
      reading.fault(
        'twice',
        at[from],
        time,
        `${rowName(key, rows.hours[from])} is there twice, with different numbers`,
        'Remove the wrong one.',
      );
    } else copyRow(rows, from, sorted, count++);
  }
  if (repeated > 0) reading.notes.push(`${counted(repeated, 'row')} there twice with the same numbers`);
  const falls = order.every((from, i) => from === order.length - 1 - i);
  if (!falls && order.some((from, i) => from !== i)) reading.notes.push('the rows were not in order of time');
  return firstRows(sorted, count);
}

/** Notes jumps and gaps; refuses a jump backwards. */
function inspect(reading: Reading, key: SeriesKey, rows: Rows): void {
  if (key.kind === 'price') {
    for (const jump of findJumps(rows)) {
      const words = `${rowName(key, jump.hour)} closes at ${jump.close}, ${jump.factor.toPrecision(3)} times the close before it`;
      if (jump.back && reading.options.allowJumps !== true) {
        reading.faults.add('jump', () => ({
          message: `${words}, and the price goes back after it`,
          remedy: 'Correct or remove the row; if the price was real, say --allow-jumps.',
        }));
      } else reading.notes.push(`${seriesName(key)}: ${words}`);
    }
  }
  const gaps = describeGaps(key, rows);
  if (gaps !== undefined) reading.notes.push(`${seriesName(key)}: ${gaps}`);
}

const isEmpty = (cell: Cell): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && NO_NUMBER.test(cell.trim()));
