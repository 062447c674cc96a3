/**
 * The layout of market data files: what a folder, a file name and a header say about the rows below them.
 *
 * | folder | file | columns |
 * |---|---|---|
 * | daily | `<symbol>_usdt.csv` | date, open, high, low, close, volume |
 * | hourly | `<symbol>_usdt.csv` | timestamp (opening of the bar), open, high, low, close, volume |
 * | stablecoin | `<symbol>_usd.csv` | date, timestamp (of the snapshot), price |
 * | dvol | `<symbol>_dvol.csv` | date, open, high, low, close |
 * | exchange_volume | `<symbol>_daily_volume.csv` | date, then `<exchange>_<quote>`: volume in base coin, may be empty |
 * | funding | `<exchange>_<symbol>_usdt_perp.csv` | timestamp (of the settlement), funding_rate |
 *
 * Must not know: how files are read, the database.
 */
import { BAR_EXCHANGE, BAR_QUOTES, type SeriesKey, type SourceName } from '../store/directory.ts';

/** Columns of the observation table, in its order. */
export const TARGETS = ['open', 'high', 'low', 'close', 'volume'] as const;
export type Target = (typeof TARGETS)[number];

/** What a number must be: a price or index level > 0, a volume >= 0, a rate between -1 and 1. */
export type NumberRule = 'price' | 'volume' | 'rate';

/** A column of numbers: which series of the file it belongs to, and where it is stored. */
export interface NumberColumn {
  readonly series: number;
  readonly target: Target;
  readonly rule: NumberRule;
  /** An empty field is a missing observation, not a fault. */
  readonly mayBeEmpty: boolean;
}

/** A column of times: the stamp of the row, or the exact moment of a snapshot stamped with a date. */
export interface TimeColumn {
  readonly time: 'date' | 'timestamp' | 'snapshot';
}

export type Column = NumberColumn | TimeColumn;

/** What the rows of one file mean. */
export interface FileLayout {
  readonly source: SourceName;
  readonly series: readonly SeriesKey[];
  readonly columns: readonly Column[];
}

const stamp = (time: TimeColumn['time']): TimeColumn => ({ time });
const numberColumn = (target: Target, rule: NumberRule): NumberColumn => ({
  series: 0,
  target,
  rule,
  mayBeEmpty: false,
});
const PRICES = ['open', 'high', 'low', 'close'] as const;
const PRICE_COLUMNS = PRICES.map(target => [target, numberColumn(target, 'price')] as const);
const BAR_COLUMNS = [...PRICE_COLUMNS, ['volume', numberColumn('volume', 'volume')] as const];

/** Coins that lost their name to a successor: the files say classic, the symbol is the one they traded under. */
const CLASSIC: Readonly<Record<string, string>> = { luna_classic: 'LUNA', ust_classic: 'UST' };
const BAR_NAME = new RegExp(`^(luna_classic|ust_classic|[a-z0-9]+)_(${BAR_QUOTES.join('|').toLowerCase()})$`);

interface FolderLayout {
  /** The form of file names, for people. */
  readonly fileNames: string;
  /** Parts of a file name without `.csv`: its series, without the quote and exchange that the header adds. */
  readonly name: RegExp;
  readonly key: (parts: RegExpExecArray) => Omit<SeriesKey, 'source'>;
  /** Name and meaning of each column; absent where the header names exchanges. */
  readonly columns?: readonly (readonly [string, Column])[];
}

const bars = (firstColumn: 'date' | 'timestamp'): FolderLayout => ({
  fileNames: '<symbol>_usdt.csv or <symbol>_usdc.csv',
  name: BAR_NAME,
  key: ([, symbol, quote]) => ({
    symbol: CLASSIC[symbol] ?? symbol.toUpperCase(),
    quote: quote.toUpperCase(),
    exchange: BAR_EXCHANGE,
  }),
  columns: [[firstColumn, stamp(firstColumn)], ...BAR_COLUMNS],
});

const symbolOnly = ([, symbol]: RegExpExecArray) => ({
  symbol: symbol.toUpperCase(),
  quote: '',
  exchange: '',
});

/** Every folder that can be imported. */
export const FOLDERS: Readonly<Record<SourceName, FolderLayout>> = {
  daily: bars('date'),
  hourly: bars('timestamp'),
  stablecoin: {
    fileNames: '<symbol>_usd.csv',
    name: /^([a-z0-9]+)_usd$/,
    key: symbolOnly,
    columns: [
      ['date', stamp('date')],
      ['timestamp', stamp('snapshot')],
      ['price', numberColumn('close', 'price')],
    ],
  },
  dvol: {
    fileNames: '<symbol>_dvol.csv',
    name: /^([a-z0-9]+)_dvol$/,
    key: symbolOnly,
    columns: [['date', stamp('date')], ...PRICE_COLUMNS],
  },
  exchange_volume: {
    fileNames: '<symbol>_daily_volume.csv',
    name: /^([a-z0-9]+)_daily_volume$/,
    key: symbolOnly,
  },
  funding: {
    fileNames: '<exchange>_<symbol>_<quote>_perp.csv',
    name: /^([a-z0-9]+)_([a-z0-9]+)_([a-z0-9]+)_perp$/,
    key: ([, exchange, symbol, quote]) => ({
      symbol: symbol.toUpperCase(),
      quote: quote.toUpperCase(),
      exchange,
    }),
    columns: [
      ['timestamp', stamp('timestamp')],
      ['funding_rate', numberColumn('close', 'rate')],
    ],
  },
};

/** A fault in a header: the 0-based field it is in, and a sentence. */
export interface HeaderFault {
  readonly field: number;
  readonly message: string;
}

/** The series key of a file name, or undefined where the folder has no such files. */
export function seriesOfFile(source: SourceName, fileName: string): SeriesKey | undefined {
  const { name, key } = FOLDERS[source];
  const parts = fileName.endsWith('.csv') ? name.exec(fileName.slice(0, -'.csv'.length)) : null;
  return parts === null ? undefined : { source, ...key(parts) };
}

/** The layout that a file of `key` has by its header, or the header's first fault. */
export function layoutOfHeader(key: SeriesKey, header: readonly string[]): FileLayout | HeaderFault {
  const { columns } = FOLDERS[key.source];
  return columns === undefined ? volumeLayout(key, header) : fixedLayout(key, header, columns);
}

function fixedLayout(
  key: SeriesKey,
  header: readonly string[],
  columns: readonly (readonly [string, Column])[],
): FileLayout | HeaderFault {
  const names = columns.map(([name]) => name);
  const field = names.findIndex((name, i) => header[i] !== name);
  if (field < 0 && header.length === names.length) {
    return { source: key.source, series: [key], columns: columns.map(([, column]) => column) };
  }
  return {
    field: field < 0 ? names.length : field,
    message: `the header must be ${names.join(',')}`,
  };
}

function volumeLayout(key: SeriesKey, header: readonly string[]): FileLayout | HeaderFault {
  const markets = header.slice(1).map(name => /^([a-z0-9]+)_([a-z0-9]+)$/.exec(name));
  const unnamed = markets.findIndex((market, i) => market === null || header.indexOf(header[i + 1]) <= i);
  if (header[0] !== 'date' || markets.length === 0 || unnamed >= 0) {
    return {
      field: header[0] === 'date' ? unnamed + 1 : 0,
      message: 'the header must be date, then one or more different <exchange>_<quote>',
    };
  }
  const named = markets as RegExpExecArray[];
  return {
    source: key.source,
    series: named.map(([, exchange, quote]) => ({ ...key, exchange, quote: quote.toUpperCase() })),
    columns: [
      stamp('date'),
      ...named.map(
        (_, series): NumberColumn => ({ series, target: 'volume', rule: 'volume', mayBeEmpty: true }),
      ),
    ],
  };
}
