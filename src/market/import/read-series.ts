/**
 * One file to the rows of its series, or every kind of fault that it has.
 *
 * Takes: a table, what its name and the caller say of it, the present moment. Gives: rows by series, how the file was
 * understood, and what whoever imports should know. Must not know: the store, the terminal.
 */
import { formatIsoDate } from '../../calendar-date.ts';
import { counted } from '../counted.ts';
import { copyRow, firstRows, makeRows, type NumberColumn, type Rows, sameNumbers } from '../store/rows.ts';
import {
  KIND_TIMEFRAMES,
  rowName,
  type SeriesKey,
  type SeriesKind,
  seriesName,
  TIMEFRAME_HOURS,
  type Timeframe,
} from '../store/series-key.ts';
import { DOLLAR, isDollar } from '../symbols.ts';
import { type Columns, type Role, understandColumns } from './columns.ts';
import { assetOf, type Hints, hintsOfName, isDerivative, type Stamp, splitPair } from './file-name.ts';
import { FaultList, type ImportFault, type Place } from './import-error.ts';
import { describeGaps, findJumps } from './inspect-rows.ts';
import { FUNDING_RATE, INDEX_LEVEL, type NumberRule, PRICE, VOLUME } from './number-rules.ts';
import { type DecimalMark, readNumber } from './numbers.ts';
import { type Cell, type Table, UnreadableFile } from './table.ts';
import { type DateOrder, isLocalDate, type Moment, readMoment, TIME_FORMS } from './times.ts';
import { type VolumeUnit, volumeUnitOf } from './volume-unit.ts';

/** What the caller says of the files. */
export interface ImportOptions extends Hints {
  /** Names of columns by role. */
  readonly columns?: Readonly<Partial<Record<Role, string>>>;
  /** The last line is whole though it has no end. */
  readonly complete?: boolean;
  /** Jumps to a multiple and back are real. */
  readonly allowJumps?: boolean;
  /** What the column of volumes is counted in. */
  readonly volumeUnit?: VolumeUnit;
  /** Order of dates that have the year last. */
  readonly dates?: DateOrder;
  /** `point` where absent. */
  readonly decimal?: DecimalMark;
}

export interface FileSeries {
  readonly key: SeriesKey;
  readonly rows: Rows;
}

/** A file that can be imported. */
export interface FileContent {
  readonly path: string;
  readonly series: readonly FileSeries[];
  /** How it was understood: `ccxt OHLCV, bars stamped with their opening; exchange from the name`. */
  readonly understood: string;
  /** Notes for the user who imports. */
  readonly notes: readonly string[];
}

const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 24 * MS_PER_HOUR;
/** No coin traded before 2009-01-03. */
const EARLIEST_MS = Date.UTC(2009, 0, 3);
/** A snapshot stands for 00:00 if it is this near; a settlement for its hour. */
const SNAPSHOT_TOLERANCE_MS = 2 * MS_PER_HOUR;
const SETTLEMENT_TOLERANCE_MS = 60_000;
/** Binance stamps the end of a bar one millisecond early. */
const CLOSE_TOLERANCE_MS = 1000;
const NO_NUMBER = /^(|null|nan|none|n\/a|-)$/i;
const SYMBOL = /^(?=.*[A-Z])[A-Z0-9$][A-Z0-9$._-]{0,31}$/;
const EXCHANGE = /^[a-z0-9][a-z0-9_-]{0,31}$/;

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
  const notes: string[] = [];
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
  const reader = new SeriesReader(table, columns, options, named, now, faults, notes);
  const series = reader.read();
  return faults.size > 0
    ? { faults: faults.list() }
    : { path, series, understood: reader.understood(), notes };
}

/** A row's time, and where it stands in the table. */
interface TimedRow {
  readonly index: number;
  readonly moment: Moment;
}

class SeriesReader {
  readonly #table: Table;
  readonly #columns: Columns;
  readonly #options: ImportOptions;
  readonly #named: Hints;
  readonly #now: Date;
  readonly #faults: FaultList;
  readonly #notes: string[];
  /** What was guessed, by what it was guessed from. */
  readonly #guesses = new Map<string, string[]>();
  #stamp: Stamp = 'open';
  /** Whether the note on volumes in the quote was made. */
  #quoted = false;

  constructor(
    table: Table,
    columns: Columns,
    options: ImportOptions,
    named: Hints,
    now: Date,
    faults: FaultList,
    notes: string[],
  ) {
    this.#table = table;
    this.#columns = columns;
    this.#options = options;
    this.#named = named;
    this.#now = now;
    this.#faults = faults;
    this.#notes = notes;
  }

  understood(): string {
    const { form, leftAside } = this.#columns;
    const parts = [
      form === undefined ? '' : `rows are ${form}`,
      this.#columns.roles.has('funding') ? 'times are settlements' : STAMP_WORDS[this.#stamp],
      ...[...this.#guesses].map(([from, what]) => `from ${from}: ${what.join(', ')}`),
      leftAside.length === 0 ? '' : `not used: ${leftAside.join(', ')}`,
    ];
    return parts.filter(part => part !== '').join('; ');
  }

  read(): readonly FileSeries[] {
    const timed = this.#readTimes();
    const keys = this.#keys(timed);
    if (keys === undefined) return [];
    return keys.flatMap(({ key, column }) => this.#rowsOf(key, timed, column) ?? []);
  }

  /** The rows that have a time, without a last one that may have been cut off. */
  #readTimes(): readonly TimedRow[] {
    const { rows, lastRowMayBeCut } = this.#table;
    const time = this.#columns.roles.get('time') as number;
    const cut = lastRowMayBeCut && this.#options.complete !== true && rows.length > 1;
    if (cut) {
      this.#notes.push(
        `the last line, ${this.#table.lineOf(rows.length - 1)}, has no line end and may have been cut off inside a number: ` +
          'it is left out (--complete takes it)',
      );
    }
    const timed: TimedRow[] = [];
    const width = this.#table.header?.length ?? rows[0].length;
    rows.slice(0, cut ? -1 : undefined).forEach((row, index) => {
      if (row.length !== width) {
        this.#fault(
          'width',
          index,
          undefined,
          `${width} fields expected, ${row.length} found`,
          'Numbers have a point as decimal mark; a line that was cut off is downloaded again.',
        );
        return;
      }
      const moment = readMoment(row[time], this.#options.dates);
      if (moment === undefined && this.#options.dates === undefined && isLocalDate(row[time])) {
        this.#fault(
          'date order',
          index,
          time,
          `${show(row[time])} does not say which part is the day and which the month`,
          'Say it: --dates dmy (31.01.2024) or --dates mdy (01/31/2024).',
        );
      } else if (moment === undefined) {
        this.#fault(
          'time',
          index,
          time,
          `${show(row[time])} is not a time`,
          `Times are written ${TIME_FORMS}.`,
        );
      } else if (moment.ms < EARLIEST_MS) {
        this.#fault(
          'early',
          index,
          time,
          `${show(row[time])} lies before 2009-01-03`,
          'No coin traded then: check the unit of the times.',
        );
      } else timed.push({ index, moment });
    });
    return timed;
  }

  /** The series of the file, each with the column of its numbers where it has one of its own. */
  #keys(timed: readonly TimedRow[]): readonly { key: SeriesKey; column?: number }[] | undefined {
    const { volumes, roles } = this.#columns;
    const options = this.#options;
    const own = this.#symbolColumn();
    const kind: SeriesKind =
      options.kind ??
      (roles.has('funding') ? 'funding' : volumes.length > 0 ? 'volume' : (this.#named.kind ?? 'price'));
    const priceAlone = roles.has('price') && !roles.has('close');
    this.#stamp =
      options.stamp ??
      this.#named.stamp ??
      (kind === 'funding' || priceAlone || this.#table.says.snapshots ? 'snapshot' : 'open');
    const part = <T extends string>(
      name: string,
      sent: T | undefined,
      sources: readonly (readonly [string, T | undefined])[],
    ): T | undefined => {
      if (sent !== undefined) return sent;
      const found = sources.find(([, value]) => value !== undefined);
      if (found?.[1] === undefined) return undefined;
      this.#guesses.set(found[0], [...(this.#guesses.get(found[0]) ?? []), `${name} ${found[1]}`]);
      return found[1];
    };
    const asset = part('symbol', options.asset, [
      ['the column', own?.asset],
      ['the name', this.#named.asset],
    ]);
    const quote =
      kind === 'index' || kind === 'volume'
        ? ''
        : part('quote', options.quote, [
            ['the column', own?.quote],
            ['the name', this.#named.quote],
          ]);
    const exchange =
      kind === 'volume'
        ? ''
        : part('exchange', options.exchange, [
            ['the name', this.#named.exchange],
            ['the form', this.#table.says.exchange ?? this.#columns.exchange],
          ]);
    const timeframe = this.#timeframe(kind, timed, part);
    if (kind === 'price') this.#refuseDerivative(own?.derivative === true);
    const missing = [
      asset === undefined ? '--symbol BTC' : '',
      quote === undefined ? '--quote USD' : '',
      exchange === undefined ? '--exchange kraken' : '',
    ].filter(each => each !== '');
    if (missing.length > 0) {
      this.#faults.add('key', () => ({
        message: `the file does not say of which ${missing.map(each => each.split(' ')[0].slice(2)).join(', ')} its rows are`,
        remedy: `Say it, for example: ${missing.join(' ')}`,
      }));
    }
    if (asset === undefined || quote === undefined || exchange === undefined || timeframe === undefined)
      return undefined;
    const base = {
      kind,
      asset: assetOf(asset),
      quote: quote.toUpperCase(),
      exchange: exchange.toLowerCase(),
      timeframe,
    };
    const faultyName = [
      SYMBOL.test(base.asset) && !isDollar(base.asset) ? '' : base.asset,
      base.quote === '' || SYMBOL.test(base.quote) ? '' : base.quote,
      base.exchange === '' || EXCHANGE.test(base.exchange) ? '' : base.exchange,
    ].find(each => each !== '');
    if (faultyName !== undefined) {
      this.#faults.add('name', () => ({
        message: `${show(faultyName)} is no name of an asset or an exchange`,
        remedy: `Symbols are letters and digits, at most 32; ${DOLLAR} is the dollar itself and holds no series.`,
      }));
      return undefined;
    }
    if (kind !== 'volume') return [{ key: base }];
    return volumes.map(({ index, exchange: of, quote: against }) => ({
      key: { ...base, exchange: of, quote: against },
      column: index,
    }));
  }

  /** Prices of a perpetual are taken for those of its asset only where the caller says so. */
  #refuseDerivative(bySymbol: boolean): void {
    if (this.#options.kind === 'price' || !(bySymbol || this.#named.derivative === true)) return;
    const where = bySymbol ? 'the column of symbols' : 'the name of the file';
    this.#faults.add('derivative', () => ({
      message: `by ${where} these are prices of a perpetual or a future, and not of the asset itself`,
      remedy: 'Import the spot market. If these are spot prices, or shall stand for them, say --kind price.',
    }));
  }

  /** Asset and quote of a column that names the market, if it is one and the same. */
  #symbolColumn():
    | { readonly asset?: string; readonly quote?: string; readonly derivative: boolean }
    | undefined {
    const column = this.#columns.roles.get('symbol');
    const { symbol: said } = this.#table.says;
    if (said !== undefined) return { ...splitPair(said), derivative: isDerivative(said) };
    if (column === undefined || this.#options.asset !== undefined) return undefined;
    const names = new Set(this.#table.rows.map(row => String(row[column] ?? '')));
    if (names.size > 1) {
      this.#faults.add('symbols', () => ({
        message: `the rows are of ${names.size} symbols: ${[...names].slice(0, 3).join(', ')}`,
        remedy: 'Split the file: one symbol in each.',
      }));
      return undefined;
    }
    const [name] = names;
    return { ...splitPair(name), derivative: isDerivative(name) };
  }

  #timeframe(
    kind: SeriesKind,
    timed: readonly TimedRow[],
    part: (
      name: string,
      sent: Timeframe | undefined,
      sources: readonly (readonly [string, Timeframe | undefined])[],
    ) => Timeframe | undefined,
  ): Timeframe | undefined {
    const spacing = commonSpacingHours(timed.map(({ moment }) => moment.ms));
    const bySpacing = (Object.keys(TIMEFRAME_HOURS) as Timeframe[]).find(
      each => TIMEFRAME_HOURS[each] === spacing,
    );
    const stated = this.#options.timeframe ?? this.#named.timeframe;
    const refuse = (message: string, remedy: string): undefined => {
      this.#faults.add('timeframe', () => ({ message, remedy }));
      return undefined;
    };
    const taken = KIND_TIMEFRAMES[kind];
    if (stated !== undefined && !taken.includes(stated)) {
      return refuse(`a timeframe of ${stated} is not taken for a ${kind}`, `Taken are ${taken.join(', ')}.`);
    }
    const hours = stated === undefined ? undefined : TIMEFRAME_HOURS[stated];
    const fits =
      hours === undefined
        ? bySpacing !== undefined && taken.includes(bySpacing)
        : (spacing ?? hours) % hours === 0;
    if (spacing !== undefined && !fits) {
      const words = spacing < 1 ? `${Math.round(spacing * 60)} minutes` : counted(spacing, 'hour');
      return refuse(
        `most rows are ${words} apart${stated === undefined ? '' : `, not ${stated}`}`,
        `Taken are ${taken.join(', ')}: say --timeframe, download another one, or sum the bars to one.`,
      );
    }
    const found = part('timeframe', this.#options.timeframe, [
      ['the name', this.#named.timeframe],
      ['the times', bySpacing],
    ]);
    return found ?? refuse('one row does not say how long its bar is', 'Say it: --timeframe 1d');
  }

  #rowsOf(key: SeriesKey, timed: readonly TimedRow[], column: number | undefined): FileSeries | undefined {
    const unit = this.#volumeUnit(key);
    const cells = this.#numberCells(key.kind, column).filter(
      ({ target }) => unit !== 'none' || target !== 'volume',
    );
    const rows = makeRows(timed.length);
    const at: number[] = [];
    let count = 0;
    let empty = 0;
    const newest = timed.reduce((last, row) => (row.moment.ms > last ? row.moment.ms : last), 0);
    for (const { index, moment } of timed) {
      const final = this.#finalMs(key, moment, index, newest);
      if (final === undefined) continue;
      const row = this.#table.rows[index];
      if (cells.every(({ field }) => isEmpty(row[field]))) {
        empty++;
        continue;
      }
      let good = true;
      for (const { field, target, rule } of cells) {
        const value = this.#number(row[field], rule, index, field);
        if (value === undefined) good = false;
        else rows.numbers[target][count] = value;
      }
      if (!good || !this.#enclosed(rows, count, index)) continue;
      if (unit === 'quote') rows.numbers.volume[count] /= rows.numbers.close[count];
      rows.hours[count] = final / MS_PER_HOUR;
      at.push(index);
      count++;
    }
    if (empty > 0 && column === undefined)
      this.#notes.push(`${counted(empty, 'row')} without numbers left out`);
    const sorted = this.#inOrder(key, firstRows(rows, count), at);
    if (sorted === undefined || this.#faults.size > 0) return undefined;
    if (sorted.hours.length === 0) {
      if (column !== undefined) return undefined;
      this.#faults.add('rows', () => ({ message: 'no row holds numbers', remedy: 'Check the columns.' }));
      return undefined;
    }
    this.#inspect(key, sorted);
    return { key, rows: sorted };
  }

  /** What the volumes of a price are counted in; undefined where there are none. */
  #volumeUnit(key: SeriesKey): VolumeUnit | undefined {
    const column = this.#columns.roles.get('volume');
    if (key.kind !== 'price' || column === undefined) return undefined;
    const unit =
      this.#options.volumeUnit ?? volumeUnitOf(this.#table, this.#columns, key.asset, key.exchange);
    if (unit === undefined) {
      const name = this.#table.header?.[column] ?? 'volume';
      this.#faults.add('volume unit', () => ({
        message: `the file does not say whether its column ${name} counts ${key.asset} or ${key.quote}`,
        remedy: `Say it: --volume-unit base (${key.asset}), quote (${key.quote}), or none to leave the volumes out.`,
      }));
    } else if (unit === 'quote' && !this.#quoted) {
      this.#quoted = true;
      this.#notes.push(`volumes in ${key.quote} are divided by the closes: the store counts ${key.asset}`);
    }
    return unit;
  }

  #numberCells(
    kind: SeriesKind,
    column: number | undefined,
  ): readonly { field: number; target: NumberColumn; rule: NumberRule }[] {
    const { roles } = this.#columns;
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

  /** The moment from which a row is known; undefined where it is left out, or faulty. */
  #finalMs(key: SeriesKey, { ms }: Moment, index: number, newest: number): number | undefined {
    const time = this.#columns.roles.get('time') as number;
    const text = show(this.#table.rows[index][time]);
    const step = TIMEFRAME_HOURS[key.timeframe] * MS_PER_HOUR;
    const tolerance =
      this.#stamp === 'snapshot'
        ? key.kind === 'funding'
          ? SETTLEMENT_TOLERANCE_MS
          : Math.min(SNAPSHOT_TOLERANCE_MS, step / 12)
        : this.#stamp === 'close'
          ? CLOSE_TOLERANCE_MS
          : 0;
    const nearest = Math.round(ms / step) * step;
    if (Math.abs(nearest - ms) > tolerance) {
      if (
        this.#stamp === 'snapshot' &&
        key.kind !== 'funding' &&
        ms === newest &&
        this.#table.rows.length > 1
      ) {
        this.#notes.push(`the last row, of ${text}, is not of a whole ${key.timeframe}: it is left out`);
        return undefined;
      }
      const grid =
        step === MS_PER_DAY
          ? 'whole days, 00:00 UTC'
          : `${counted(step / MS_PER_HOUR, 'whole hour')} from 00:00`;
      this.#fault(
        'grid',
        index,
        time,
        `${text} is not on the grid of ${grid}`,
        'Times must be UTC; say --stamp close or --stamp snapshot if they are not openings of bars.',
      );
      return undefined;
    }
    const final = nearest + (this.#stamp === 'open' ? step : 0);
    const present = this.#now.getTime();
    if (final <= present) return final;
    if (ms === newest && ms <= present) {
      this.#notes.push(`the bar of ${text} is not finished: it is left out`);
      return undefined;
    }
    this.#fault(
      'future',
      index,
      time,
      `${text} lies in the future (it is ${formatIsoDate(Math.floor(present / MS_PER_DAY))})`,
      'Remove the row, or set the clock of this machine.',
    );
    return undefined;
  }

  #number(cell: Cell, rule: NumberRule, index: number, field: number): number | undefined {
    const value = readNumber(cell, this.#options.decimal);
    if (Number.isFinite(value) && rule.holds(value)) return value;
    const number = Number.isFinite(value);
    this.#fault(
      `${number ? 'bound' : 'number'} ${rule.bound}`,
      index,
      field,
      number ? `${show(cell)} is not ${rule.bound}` : `${show(cell)} is not a number`,
      number
        ? 'Correct or remove the row, or name another column with --columns.'
        : 'Numbers have a point as decimal mark, or a comma with --decimal comma; remove rows without them.',
    );
    return undefined;
  }

  #enclosed({ numbers }: Rows, row: number, index: number): boolean {
    const { open, high, low, close } = numbers;
    // Comparisons with NaN are false: a source without high and low passes.
    const faulty =
      high[row] < low[row] ||
      high[row] < open[row] ||
      high[row] < close[row] ||
      low[row] > open[row] ||
      low[row] > close[row];
    if (faulty) {
      this.#fault(
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
  #inOrder(key: SeriesKey, rows: Rows, at: readonly number[]): Rows | undefined {
    const order = Array.from(rows.hours.keys()).sort((a, b) => rows.hours[a] - rows.hours[b] || a - b);
    const sorted = makeRows(rows.hours.length);
    let [count, repeated] = [0, 0];
    const time = this.#columns.roles.get('time') as number;
    for (const from of order) {
      const again = count > 0 && sorted.hours[count - 1] === rows.hours[from];
      if (again && sameNumbers(sorted, count - 1, rows, from)) repeated++;
      else if (again) {
        this.#fault(
          'twice',
          at[from],
          time,
          `${rowName(key, rows.hours[from])} is there twice, with different numbers`,
          'Remove the wrong one.',
        );
      } else copyRow(rows, from, sorted, count++);
    }
    if (repeated > 0) this.#notes.push(`${counted(repeated, 'row')} there twice with the same numbers`);
    const falls = order.length > 1 && order.every((from, i) => from === order.length - 1 - i);
    if (!falls && order.some((from, i) => from !== i)) this.#notes.push('the rows were not in order of time');
    return firstRows(sorted, count);
  }

  /** Jumps and gaps: whoever imports is told, and a jump that goes back is refused. */
  #inspect(key: SeriesKey, rows: Rows): void {
    if (key.kind === 'price') {
      for (const jump of findJumps(rows)) {
        const words = `${rowName(key, jump.hour)} closes at ${jump.close}, ${jump.factor.toPrecision(3)} times the close before it`;
        if (jump.back && this.#options.allowJumps !== true) {
          this.#faults.add('jump', () => ({
            message: `${words}, and the price goes back after it`,
            remedy: 'Correct or remove the row; if the price was real, say --allow-jumps.',
          }));
        } else this.#notes.push(`${seriesName(key)}: ${words}`);
      }
    }
    const gaps = describeGaps(key, rows);
    if (gaps !== undefined) this.#notes.push(`${seriesName(key)}: ${gaps}`);
  }

  #fault(kind: string, index: number, field: number | undefined, message: string, remedy: string): void {
    this.#faults.add(kind, () => {
      const line = this.#table.lineOf(index);
      const place: Place = field === undefined ? { line } : { line, column: field + 1 };
      return { message, remedy, place };
    });
  }
}

const STAMP_WORDS: Readonly<Record<Stamp, string>> = {
  open: 'times are the opening of bars',
  close: 'times are the end of bars',
  snapshot: 'times are moments: a price at 00:00 is the close of the day before',
};

const isEmpty = (cell: Cell): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && NO_NUMBER.test(cell.trim()));

const show = (cell: Cell): string => {
  const text = String(cell ?? '');
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
};

/** The most common distance of neighbouring times, hours; undefined for one time. */
function commonSpacingHours(times: readonly number[]): number | undefined {
  const sorted = [...times].sort((a, b) => a - b);
  const counts = new Map<number, number>();
  for (let i = 1; i < sorted.length; i++) {
    // To the minute: snapshots and settlements are seconds late.
    const minutes = Math.round((sorted[i] - sorted[i - 1]) / 60_000);
    // A snapshot of a day may be two hours late.
    const rounded = Math.abs(minutes - 1440) <= 240 ? 1440 : minutes;
    if (rounded > 0) counts.set(rounded, (counts.get(rounded) ?? 0) + 1);
  }
  let best: number | undefined;
  for (const [minutes, count] of counts) {
    if (best === undefined || count > (counts.get(best) ?? 0)) best = minutes;
  }
  return best === undefined ? undefined : best / 60;
}
