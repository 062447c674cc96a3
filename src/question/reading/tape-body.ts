/** A loan tape in CSV as the JSON body of a request of /book_risk, or every fault of the tape with its line. */
import type { Fault } from '../../core/errors.ts';
import { bookRows, pricesOfRows } from '../../tape/book-rows.ts';
import { doubtfulLoans } from '../../tape/doubts.ts';
import { readTape } from '../../tape/read-tape.ts';
import { noteSentences, tapeRemarks, unusedSentences } from '../../tape/remarks.ts';
import { type OptionWords, remedyText } from '../../tape/remedies.ts';
import { tapeFaultsOf } from '../../tape/row-faults.ts';
import { textTable } from '../../tape/tables.ts';
import { byLine, type TapeFault, type TapeLoan } from '../../tape/tape.ts';
import { assetsOf, distinctAssets, faultAtAsset } from '../../tape/valuation.ts';
import { type Day, MS_PER_DAY } from '../../text/calendar-date.ts';
import { counted } from '../../text/counted.ts';
import { NoTable } from '../../text/delimited.ts';
import { MAX_SYMBOLS, type ResolveSymbol } from '../../text/symbols.ts';

import { BOOK_READING, type BookRiskRequest, COMMAND_TAKES_MORE } from '../book/request.ts';
import type { Checked } from '../request/parse.ts';
import type { Close, PricesOf } from '../request/prices.ts';
import type { TapeQuery } from '../request/tape-query.ts';
import { requestOf } from '../resolved.ts';

export interface TapeTerms {
  readonly query: TapeQuery;
  /** Last day of the data. */
  readonly asOf: Day;
  /** Whether the JSON text of the request is wanted, too. */
  readonly keepsJson: boolean;
}

const MAX_FAULTS = 200;
/** Letters of an id in a message; longer ids are refused. */
const LONGEST_ID = 64;

/** A value, its faults, or why the bytes cannot be read. */
export type Read<T> = Checked<T> | { readonly ok: false; readonly unreadable: string };

interface TapeBook {
  readonly request: BookRiskRequest;
  /** Sentences on what the tape says twice and differently, on decisions, and on unused columns. */
  readonly remarks: readonly string[];
  /** The JSON text of the request, where it is wanted. */
  readonly json?: string;
}

interface Terms extends TapeTerms {
  /** The day on which the tape was sent. */
  readonly today: Day;
  readonly maxLoans: number;
}

/** The tape is the value of a JSON body, which is read like any other. */
export async function readTapeBody(
  bytes: Uint8Array,
  { query, asOf, keepsJson, today, maxLoans }: Terms,
  resolve: ResolveSymbol,
  pricesOf: PricesOf,
): Promise<Read<TapeBook>> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, unreadable: 'The body is not valid UTF-8.' };
  }
  let table: ReturnType<typeof textTable>;
  try {
    table = textTable(text);
  } catch (error) {
    if (!(error instanceof NoTable)) throw error;
    return { ok: false, unreadable: `The body is no CSV: ${error.message}` };
  }
  const read = readTape(table, { ...query.options, resolve });
  const faults: TapeFault[] = [...read.faults];
  if (read.loans.length > maxLoans)
    faults.push({
      code: 'out_of_range',
      message: `a tape has at most ${maxLoans} loans; got ${read.loans.length}`,
      remedy: `Split it; ${COMMAND_TAKES_MORE}.`,
    });
  const symbols = distinctAssets(read.loans);
  if (symbols.length > MAX_SYMBOLS)
    faults.push({
      code: 'out_of_range',
      message: `the loans of a tape name at most ${MAX_SYMBOLS} distinct symbols; got ${symbols.length}`,
      remedy: 'Split it.',
    });
  const few = read.loans.length <= maxLoans && symbols.length <= MAX_SYMBOLS;
  const closes = few ? await pricesOf({ symbols, date: asOf }) : new Map<string, Close>();
  const priced = read.loans.filter(loan => {
    const own = few ? priceFaults(loan, closes) : [];
    faults.push(...own);
    return few && own.length === 0;
  });
  const prices = new Map(
    [...closes].flatMap(([symbol, close]) => ('price' in close ? [[symbol, close.price] as const] : [])),
  );
  const doubts = doubtfulLoans(priced, prices, query.options.accept);
  faults.push(...doubts);
  const doubtful = new Set(doubts.map(({ id }) => id));
  const following = { asOfMs: (asOf + 1) * MS_PER_DAY, horizonDays: query.horizonDays };
  const {
    rows,
    loans,
    faults: ofDates,
    notes,
  } = bookRows(
    priced.filter(({ id }) => !doubtful.has(id)),
    following,
    prices,
  );
  faults.push(...ofDates);
  const body = {
    type: query.type,
    params: { ...query.params, prices: pricesOfRows(rows, prices), loans: rows },
  };
  const checked = await requestOf(BOOK_READING, body, { today, resolve, maxLoans }, pricesOf);
  if (checked.ok && faults.length === 0) {
    const remarks = [
      ...read.remarks,
      ...tapeRemarks(loans, prices),
      ...noteSentences(notes),
      ...unusedSentences(read.notUsed),
    ];
    const json = keepsJson ? { json: JSON.stringify(body) } : {};
    return { ok: true, value: { request: checked.value, remarks, ...json } };
  }
  const found = checked.ok ? [] : checked.faults;
  // Without a row that has no fault there is nothing to refuse for its loans.
  const ofRows = rows.length === 0 ? [] : found.filter(({ path }) => OF_LOANS.test(path));
  const others = found.filter(({ path }) => !OF_LOANS.test(path));
  const named = others.map(fault => ({ ...fault, path: fault.path.replace(/^params\./, 'query.') }));
  const all = [...faults, ...tapeFaultsOf(ofRows, loans)].sort(byLine);
  return { ok: false, faults: [...named, ...requestFaults(all, QUERY_WORDS)] };
}

/** Members of the loans of a body. */
const OF_LOANS = /^params\.(loans|prices)\b/;

/** Assets of a loan that have no close of the last day. */
function priceFaults(loan: TapeLoan, closes: ReadonlyMap<string, Close>): TapeFault[] {
  return [...new Set(assetsOf(loan))].flatMap(asset => {
    const close = closes.get(asset);
    if (close !== undefined && 'price' in close && !close.carried) return [];
    const why =
      close !== undefined && 'price' in close
        ? `the last close of ${asset} is that of a day before, carried over a hole`
        : `there is no price of ${asset}: ${close?.missing ?? 'no close is available'}`;
    const remedy = 'Correct the symbol, or name an analysis_date that has a close.';
    return [faultAtAsset(loan, asset, { code: 'no_data', message: why, remedy })];
  });
}

/** The options of a tape as members of the query. */
const QUERY_WORDS: OptionWords = {
  dates: 'Say it: dates=dmy in the query (31.01.2026) or dates=mdy in the query (01/31/2026).',
  comma: 'Say decimal=comma in the query',
  point: 'Say decimal=point in the query',
  ratios: (columns, percent) =>
    `Say ratios=${columns.join(',')}${percent ? ` and percent=${columns.join(',')}` : ''} in the query`,
  accept: id => `say accept=${id} in the query`,
  smallestUnits: columns => `Say smallest_units=${columns.join(',')} in the query`,
  headerRow: 'Say header_row in the query with the line of the names of the columns.',
  percent: column => `Say percent=${column} in the query`,
  fractions: column => `say fractions=${column} in the query`,
  nameColumn: pair => `Name it: columns=${pair} in the query`,
  columns: pairs => `columns=${pairs.join(',')} in the query`,
  fillCells: column => `: default=${column}=... in the query`,
  lastDay: 'analysis_date',
  lookback: 'lookback',
  skipFaulty: 'in the tape',
  standIn: asset => `params.proxy of the JSON body, {"${asset}": {"asset": "ETH"}}`,
  market: 'GET /symbols shows',
};

/** Faults of a tape as those of a request. @param words how it sets the options of the tape */
export function requestFaults(faults: readonly TapeFault[], words: OptionWords): Fault[] {
  const shown = faults.slice(0, MAX_FAULTS).map(({ code, line, id, column, message, remedy }): Fault => {
    const place = [
      line === undefined ? '' : `line ${line}`,
      id === undefined ? '' : `loan ${id.slice(0, LONGEST_ID)}`,
      column ?? '',
    ].filter(each => each !== '');
    return {
      code,
      path: line === undefined ? 'body' : ['line', line, ...(column === undefined ? [] : [column])].join('.'),
      message: `${place.length === 0 ? '' : `${place.join(', ')}: `}${message}${message.endsWith('?') ? '' : '.'} ${remedyText(remedy, words)}`,
    };
  });
  const more = faults.length - shown.length;
  return more > 0
    ? [
        ...shown,
        { code: 'more_faults', path: 'body', message: `The tape has ${counted(more, 'more fault')}.` },
      ]
    : shown;
}
