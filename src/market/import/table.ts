/**
 * A file of any form as one table: a header, if there is one, and rows of texts and numbers with their lines.
 *
 * Takes: the name and the bytes of a CSV, JSON or Parquet file. Must not know: what the columns mean.
 */
import { delimitedRecords, NoTable, type Records, usualDelimiter } from '../../text/delimited.ts';
import { simpleName } from '../../text/nearest-name.ts';
import { type Cell, isEmptyCell, isPlainNumber } from '../../text/numbers.ts';
import { readTime } from './dates.ts';
import { knownHeadings } from './headings.ts';
import { UnreadableFile } from './import-error.ts';
import { parquetCells } from './parquet-cells.ts';

export interface Table {
  /** Names of the columns; undefined where there is no header. */
  readonly header: readonly string[] | undefined;
  readonly rows: readonly (readonly Cell[])[];
  /** 1-based line of a CSV row; 1-based number of the element or row of the other forms. */
  lineOf(row: number): number;
  /** Whether the last row may have been cut off: its line has no end. */
  readonly lastRowMayBeCut: boolean;
  /** Facts on the series from the format of the file. */
  readonly says: {
    readonly exchange?: string;
    readonly snapshots?: boolean;
    /** `BTC-USD`. */
    readonly symbol?: string;
    readonly volumeUnit?: 'base' | 'quote';
    /** A price is the close of its day, even where its time is 00:00. */
    readonly closeOfDay?: boolean;
    /** Opening of the last bar that is closed, seconds since 1970. */
    readonly lastClosed?: number;
    /** Lines above the header that are no comments. */
    readonly titleLines?: number;
    /** The mark between its fields. */
    readonly delimiter?: string;
  };
}

export const DATA_FILE = /\.(csv|txt|json|parquet)$/i;

/** Rows that have numbers and no lines. */
const NUMBERED = { lineOf: (row: number) => row + 1, lastRowMayBeCut: false };

/** Reads a file. @throws UnreadableFile */
export async function readTable(path: string, bytes: Buffer): Promise<Table> {
  if (/\.parquet$/i.test(path)) return { ...(await parquetCells(bytes)), ...NUMBERED, says: {} };
  if (bytes.length > MAX_TEXT_BYTES)
    throw new UnreadableFile(
      `the file has ${bytes.length} bytes, and at most ${MAX_TEXT_BYTES} are read`,
      'Write hours or days in place of shorter bars, or split the file.',
    );
  refuseBinary(bytes);
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') throw new UnreadableFile('the file is empty', 'Download it again.');
  return /\.json$/i.test(path) || /^\s*[[{]/.test(text) ? jsonTable(text) : csvTable(text);
}

/** The first bytes of archives: gzip, and ZIP, which an XLSX is too. */
const ARCHIVES: readonly (readonly [start: string, what: string, remedy: string])[] = [
  ['\x1f\x8b', 'the file is compressed by gzip', 'Unpack it.'],
  [
    'PK\x03\x04',
    'the file is a ZIP archive or a spreadsheet',
    'Unpack it; save a spreadsheet as "CSV UTF-8".',
  ],
];
const LOOKED_AT_BYTES = 4096;

/** @throws UnreadableFile for bytes that are not UTF-8, such as an archive or the UTF-16 of a spreadsheet */
function refuseBinary(bytes: Buffer): void {
  const start = bytes.toString('latin1', 0, LOOKED_AT_BYTES);
  for (const [begin, message, remedy] of ARCHIVES)
    if (start.startsWith(begin)) throw new UnreadableFile(message, remedy);
  if (start.includes('\0'))
    throw new UnreadableFile('the file is no text in UTF-8: it has bytes of 0', 'Save it as "CSV UTF-8".');
}

/** Largest text file: a cell uses up to 100 bytes of memory. */
export const MAX_TEXT_BYTES = 128 * 2 ** 20;

/** Lines without data above the header: comments, and the address in files of CryptoDataDownload. */
const PREAMBLE = /^\s*(#|"?(https?:\/\/|www\.)\S*\s*$)/i;
const MAX_PREAMBLE = 5;

function csvTable(text: string): Table {
  let body = text;
  let skipped = 0;
  let titleLines = 0;
  const header = headerLine(text);
  const skip = (): void => {
    body = body.slice(body.indexOf('\n') + 1);
    skipped++;
  };
  for (; header !== undefined && skipped < header; skip())
    if (!PREAMBLE.test(body.slice(0, body.indexOf('\n')))) titleLines++;
  for (let i = 0; header === undefined && i < MAX_PREAMBLE; i++) {
    const end = body.indexOf('\n');
    if (end < 0 || !PREAMBLE.test(body.slice(0, end))) break;
    skip();
  }
  const { records: all, lines: allLines } = recordsOf(body, skipped);
  // A spreadsheet writes an empty row as marks alone.
  const full = [...all.keys()].filter(i => all[i].some(cell => cell !== ''));
  const [records, lines] = [full.map(i => all[i]), full.map(i => allLines[i])];
  const lastRowMayBeCut = !text.endsWith('\n');
  const yahoo = yahooTable(records, lines, lastRowMayBeCut);
  if (yahoo !== undefined) return yahoo;
  const first = records[0] ?? [];
  const hasHeader =
    header !== undefined ||
    first.some(
      cell =>
        /[a-z]/i.test(cell) && readTime(cell) === undefined && !isPlainNumber(cell) && !isEmptyCell(cell),
    );
  const names = first.map((name, i) => (i === 0 ? name.replace(/^#\s*/, '') : name));
  return {
    header: hasHeader ? names : undefined,
    rows: hasHeader ? records.slice(1) : records,
    lineOf: row => lines[hasHeader ? row + 1 : row] ?? 0,
    lastRowMayBeCut,
    says: {
      ...(hasHeader && saidByHeader(names)),
      ...(titleLines > 0 && { titleLines }),
      ...(usualDelimiter(body) !== ',' && { delimiter: usualDelimiter(body) }),
    },
  };
}

/** Lines that are searched for a header, and the headings by which it is known. */
const MAX_TITLE = 12;
const HEADINGS = 2;

/** The number of lines above the line that names most columns; undefined where none names two, a time among them. */
function headerLine(text: string): number | undefined {
  let best: number | undefined;
  let most = HEADINGS - 1;
  for (const [i, line] of text.split('\n', MAX_TITLE).entries()) {
    const cells = line.split(usualDelimiter(line)).map(cell => cell.trim().replace(/^"|"$/g, ''));
    const known = knownHeadings(cells);
    if (known > most) [best, most] = [i, known];
  }
  return best;
}

/** Other metrics of Coin Metrics. */
const COIN_METRICS =
  /^(adract|capmrkt|capreal|referencerate|splycur|splyff|txcnt|txtfr|feetot|feemean|hashrate|diffmean|blkcnt|isstot|nvtadj|roi\d)/;

/** Only CoinGecko has this name of times; only Yahoo has adjusted closes beside closes, and its volumes are in the quote. */
function saidByHeader(header: readonly string[]): Table['says'] {
  if (header[0].toLowerCase() === 'snapped_at') return { exchange: 'coingecko', snapshots: true };
  // FRED has the prices of Coinbase under names such as CBBTCUSD.
  const ofFred =
    header[0].toLowerCase() === 'observation_date' && /^CB(BTC|ETH|LTC|BCH)USD$/.exec(header[1] ?? '');
  if (ofFred) return { symbol: `${ofFred[1]}/USD`, exchange: 'coinbase' };
  const names = header.map(simpleName);
  // CoinMarketCap's volumes are those of all markets, in the currency of the prices.
  if (names.includes('timeopen') && names.includes('marketcap'))
    return { exchange: 'coinmarketcap', volumeUnit: 'quote' };
  // A metric of Coin Metrics is that of its whole day, which is stamped with its start.
  if (names.includes('time') && names.includes('priceusd') && names.some(name => COIN_METRICS.test(name)))
    return { exchange: 'coinmetrics', closeOfDay: true };
  if (names.includes('adjclose') && names.includes('close'))
    return { exchange: 'yahoo', volumeUnit: 'quote' };
  return {};
}

/**
 * The format of yfinance: names of columns, the ticker under each, and sometimes a line with only the name of the index.
 * Its volumes are in the quote.
 */
function yahooTable(
  records: Records['records'],
  lines: readonly number[],
  lastRowMayBeCut: boolean,
): Table | undefined {
  const [names, tickers, third] = records;
  if (tickers === undefined || !/^(price|)$/i.test(names[0]) || !/^(ticker|)$/i.test(tickers[0]))
    return undefined;
  const symbols = new Set(tickers.slice(1));
  if (symbols.size !== 1 || !/^[A-Z0-9]+-[A-Z]{3,4}$/i.test(tickers[1])) return undefined;
  const rest = third?.slice(1).every(cell => cell === '') ? 3 : 2;
  return {
    header: ['Date', ...names.slice(1)],
    rows: records.slice(rest),
    lineOf: row => lines[row + rest] ?? 0,
    lastRowMayBeCut,
    says: { exchange: 'yahoo', symbol: tickers[1], volumeUnit: 'quote' },
  };
}

/** The records of a text. @throws UnreadableFile */
function recordsOf(body: string, skippedLines: number): Records {
  try {
    return delimitedRecords(body, skippedLines);
  } catch (error) {
    if (!(error instanceof NoTable)) throw error;
    throw new UnreadableFile(
      `the file is no whole CSV: ${error.message}`,
      'Close every quote, or remove the quotes: prices and times need none.',
    );
  }
}

/** A list of lists (ccxt, klines, candles), a list of objects, columns of lists, or one of these under one member. */
function jsonTable(text: string): Table {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UnreadableFile(
      `the file is not whole JSON: ${(error as Error).message}`,
      'Download it again: a file that was cut off ends in the middle.',
    );
  }
  const table = tableOf(value);
  if (table === undefined)
    throw new UnreadableFile(
      'the JSON is no list of rows',
      'Rows are lists ([time, open, high, low, close, volume]) or objects ({"date": ..., "close": ...}).',
    );
  return table;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Kraken names the last closed bar beside the rows. */
function withLastClosed(value: Record<string, unknown>, table: Table | undefined): Table | undefined {
  const { last } = value;
  if (table === undefined || typeof last !== 'number') return table;
  return { ...table, says: { ...table.says, lastClosed: last } };
}

function tableOf(value: unknown, depth = 0): Table | undefined {
  if (Array.isArray(value) && value.length > 0) {
    if (value.every(Array.isArray))
      return { ...NUMBERED, header: undefined, rows: value as Cell[][], says: {} };
    if (!value.every(isObject)) return undefined;
    const header = [...new Set(value.slice(0, 100).flatMap(row => Object.keys(row)))];
    return { ...NUMBERED, header, rows: value.map(row => header.map(name => row[name] as Cell)), says: {} };
  }
  if (!isObject(value) || depth > 3) return undefined;
  // CoinGecko's market_chart: prices at moments, with or without other members.
  if (Array.isArray(value.prices) && value.prices.every(Array.isArray)) {
    return {
      ...NUMBERED,
      header: ['timestamp', 'price'],
      rows: value.prices as Cell[][],
      says: { exchange: 'coingecko', snapshots: true },
    };
  }
  const lists = Object.entries(value).filter(([, each]) => Array.isArray(each) && each.length > 0);
  const columns = lists.filter(([, each]) =>
    (each as unknown[]).every(cell => !Array.isArray(cell) && !isObject(cell)),
  );
  if (columns.length >= 2 && new Set(columns.map(([, each]) => (each as unknown[]).length)).size === 1) {
    const [, { length }] = columns[0] as [string, unknown[]];
    const rows = Array.from({ length }, (_, i) => columns.map(([, each]) => (each as Cell[])[i]));
    return { ...NUMBERED, header: columns.map(([name]) => name), rows, says: {} };
  }
  const inner = Object.values(value).flatMap(each => tableOf(each, depth + 1) ?? []);
  return inner.length === 1 ? withLastClosed(value, inner[0]) : undefined;
}
