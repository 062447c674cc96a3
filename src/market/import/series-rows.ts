/**
 * The numbers of a file as rows of one series: each row is checked, then their order.
 *
 * Must not know: how the series was determined.
 */
import { formatIsoDate, MS_PER_DAY, MS_PER_HOUR } from '../../text/calendar-date.ts';
import { counted } from '../../text/counted.ts';
import { FUNDING_RATE, INDEX_LEVEL, type NumberRule, PRICE, VOLUME } from '../../text/number-rules.ts';
import { type Cell, isEmptyCell } from '../../text/numbers.ts';
import type { Moment } from '../../text/times.ts';
import { rescalingOf } from '../price-jumps.ts';
import { copyRow, firstRows, makeRows, type NumberColumn, type Rows, sameNumbers } from '../store/rows.ts';
import {
  rowName,
  type SeriesKey,
  type SeriesKind,
  seriesId,
  seriesName,
  TIMEFRAME_HOURS,
} from '../store/series-key.ts';
import { numberOf } from './cells.ts';
import { describeGaps, findJumps } from './inspect-rows.ts';
import { type Reading, showCell, type TimedRow } from './reading.ts';
import { CLOSE_TOLERANCE_MS, unfinishedRows } from './unfinished-bars.ts';
import { type FundingCells, fundingCells, volumesOfPrice } from './units.ts';
import type { VolumeReading } from './volume-unit.ts';

export interface FileSeries {
  readonly key: SeriesKey;
  readonly rows: Rows;
}

/** A settlement is at its hour. */
const SETTLEMENT_TOLERANCE_MS = 60_000;

export function rowsOf(
  reading: Reading,
  key: SeriesKey,
  timed: readonly TimedRow[],
  column: number | undefined,
): FileSeries | undefined {
  const volumes = key.kind === 'price' ? volumesOfPrice(reading, key, timed) : undefined;
  const funding = key.kind === 'funding' ? fundingCells(reading, key, timed) : undefined;
  if (key.kind === 'funding' && funding === undefined) return undefined;
  const cells = numberCells(reading, key.kind, column, volumes, funding);
  const rows = makeRows(timed.length);
  const at: number[] = [];
  let count = 0;
  const left = { empty: 0, noClose: 0, missing: 0, open: 0 };
  const newest = timed.reduce((last, row) => (row.moment.ms > last ? row.moment.ms : last), 0);
  const isUnfinished = unfinishedRows(reading, key, timed);
  for (const { index, moment } of timed) {
    const row = reading.table.rows[index];
    if (isUnfinished(row, moment.ms)) {
      left.open++;
      continue;
    }
    const final = finalMs(reading, key, moment, index, newest);
    if (final === undefined) continue;
    if (cells.every(({ field }) => isEmptyCell(row[field]))) {
      left.empty++;
      continue;
    }
    if (cells.some(({ field, target }) => target === 'close' && isEmptyCell(row[field]))) {
      left.noClose++;
      continue;
    }
    let good = true;
    for (const { field, target, rule, factor } of cells) {
      if (isEmptyCell(row[field])) {
        left.missing++;
        continue;
      }
      const value = number(reading, row[field], rule, factor, index, field);
      if (value === undefined) good = false;
      else rows.numbers[target][count] = value;
    }
    if (!good || !enclosed(reading, rows, count, index)) continue;
    if (volumes?.unit === 'quote') rows.numbers.volume[count] /= rows.numbers.close[count];
    rows.hours[count] = final / MS_PER_HOUR;
    at.push(index);
    count++;
  }
  const { empty } = left;
  if (left.open > 0)
    reading.notes.push(`${counted(left.open, 'bar')} not closed when the file was written: left out`);
  if (left.noClose > 0) reading.notes.push(`${counted(left.noClose, 'row')} without a close left out`);
  if (left.missing > 0)
    reading.notes.push(`${counted(left.missing, 'empty cell')} beside a close: stored as missing`);
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

interface NumberCell {
  readonly field: number;
  readonly target: NumberColumn;
  readonly rule: NumberRule;
  readonly factor: number;
}

function numberCells(
  reading: Reading,
  kind: SeriesKind,
  column: number | undefined,
  volumes: VolumeReading | undefined,
  funding: FundingCells | undefined,
): readonly NumberCell[] {
  const { roles } = reading.columns;
  const factor = 1;
  if (column !== undefined) return [{ field: column, target: 'volume', rule: VOLUME, factor }];
  if (funding !== undefined) return [{ ...funding, target: 'close', rule: FUNDING_RATE }];
  const level = kind === 'index' ? INDEX_LEVEL : PRICE;
  const close = roles.get('close') ?? roles.get('price') ?? roles.get('rate');
  const cells = (['open', 'high', 'low'] as const).flatMap((target): NumberCell[] => {
    const field = roles.get(target);
    return field === undefined ? [] : [{ field, target, rule: level, factor }];
  });
  if (volumes !== undefined && volumes.unit !== 'none')
    cells.push({ field: volumes.field, target: 'volume', rule: VOLUME, factor });
  return close === undefined ? cells : [...cells, { field: close, target: 'close', rule: level, factor }];
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
  factor: number,
  index: number,
  field: number,
): number | undefined {
  const sent = numberOf(cell, reading.decimal);
  // 0.01 is 0.0001 in decimal digits.
  const value = factor === 1 ? sent : Number(`${sent}e-2`);
  if (Number.isFinite(value) && rule.holds(value)) return value;
  const number = Number.isFinite(value);
  if (!number && reading.isDecimalOpen) return undefined;
  reading.fault(
    number ? 'bound' : 'number',
    index,
    field,
    number ? `${showCell(cell)} is not ${rule.bound}` : `${showCell(cell)} is not a number`,
    number
      ? 'Correct or remove the row, or name another column with --columns.'
      : 'Numbers have a point as decimal mark, or a comma with --decimal comma; remove rows without them.',
    rule.bound,
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
      } else if (jump.back) reading.notes.push(`${seriesName(key)}: ${words}`);
      else
        reading.notes.push(
          `${seriesName(key)}: ${words}; if the coin was redenominated, market rescale ${seriesId(key)} --before ${formatIsoDate(Math.ceil(jump.hour / 24) - 1)} --by ${rescalingOf(jump)}`,
        );
    }
  }
  const gaps = describeGaps(key, rows);
  if (gaps !== undefined) reading.notes.push(`${seriesName(key)}: ${gaps}`);
}
