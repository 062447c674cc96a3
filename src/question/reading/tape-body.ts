/** A loan tape in CSV as the JSON body of a request of /book_risk, or every fault of the tape with its line. */
import type { Fault } from '../../core/errors.ts';
import type { LongText } from '../../core/long-text.ts';
import { bookRows } from '../../tape/book-rows.ts';
import { readTape } from '../../tape/read-tape.ts';
import { noteSentences, tapeRemarks, unusedSentences } from '../../tape/remarks.ts';
import { tapeFaultsOf } from '../../tape/row-faults.ts';
import { textTable } from '../../tape/tables.ts';
import type { TapeFault, TapeLoan } from '../../tape/tape.ts';
import { assetsOf, distinctAssets, faultAtAsset } from '../../tape/valuation.ts';
import { type Day, MS_PER_DAY } from '../../text/calendar-date.ts';
import { counted } from '../../text/counted.ts';
import { NoTable } from '../../text/delimited.ts';
import { MAX_SYMBOLS, type ResolveSymbol } from '../../text/symbols.ts';
import { MAX_LOANS, readBookRisk } from '../book/request.ts';
import { type Close, type PricesOf, readWithAmounts } from '../request/amounts.ts';
import type { Checked } from '../request/parse.ts';
import type { TapeQuery } from '../request/tape-query.ts';

export interface TapeTerms {
  readonly query: TapeQuery;
  /** Last day of the data. */
  readonly asOf: Day;
}

/** A value, its faults, or why the bytes cannot be read. */
export type Read<T> = Checked<T> | { readonly ok: false; readonly unreadable: string };

const MAX_FAULTS = 200;
/** Letters of an id in a message; longer ids are refused. */
const LONGEST_ID = 64;

export interface TapeBody {
  /** JSON text of the request. */
  readonly text: LongText;
  /** Sentences on what the tape says twice and differently, on decisions, and on unused columns. */
  readonly remarks: readonly string[];
}

/** @param today the day on which the tape was sent */
export async function readTapeBody(
  bytes: Uint8Array,
  { query, asOf }: TapeTerms,
  today: Day,
  resolve: ResolveSymbol,
  pricesOf: PricesOf,
): Promise<Read<TapeBody>> {
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
  const { loans, faults, notUsed, remarks: ofCells } = readTape(table, { ...query.options, resolve });
  if (loans.length > MAX_LOANS)
    return refused([
      { message: `a tape has at most ${MAX_LOANS} loans; got ${loans.length}`, remedy: 'Split it.' },
    ]);
  if (faults.length > 0) return refused(faults);
  const symbols = distinctAssets(loans);
  if (symbols.length > MAX_SYMBOLS)
    return refused([
      {
        message: `the loans of a tape name at most ${MAX_SYMBOLS} distinct symbols; got ${symbols.length}`,
        remedy: 'Split it.',
      },
    ]);
  const closes = await pricesOf({ symbols, date: asOf });
  const unpriced = loans.flatMap(loan => priceFaults(loan, closes));
  if (unpriced.length > 0) return refused(unpriced);
  const prices = new Map(
    [...closes].flatMap(([symbol, close]) => ('price' in close ? [[symbol, close.price] as const] : [])),
  );
  const following = { asOfMs: (asOf + 1) * MS_PER_DAY, horizonDays: query.horizonDays };
  const { rows, faults: ofDates, notes } = bookRows(loans, following, prices);
  if (ofDates.length > 0) return refused(ofDates);
  const body = {
    type: query.type,
    params: { ...query.params, prices: Object.fromEntries(prices), loans: rows },
  };
  const checked = await readWithAmounts(body, 'both', resolve, pricesOf, valued =>
    readBookRisk(valued, today, resolve),
  );
  if (checked.ok) {
    const remarks = [
      ...ofCells,
      ...tapeRemarks(loans, prices),
      ...noteSentences(notes),
      ...unusedSentences(notUsed),
    ];
    return { ok: true, value: { text: JSON.stringify(body), remarks } };
  }
  const ofRows = checked.faults.filter(({ path }) => path.startsWith('params.loans'));
  const others = checked.faults.filter(({ path }) => !path.startsWith('params.loans'));
  const named = others.map(({ path, message }) => ({ path: path.replace(/^params\./, 'query.'), message }));
  return { ok: false, faults: [...named, ...requestFaults(tapeFaultsOf(ofRows, loans))] };
}

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
    return [faultAtAsset(loan, asset, { message: why, remedy })];
  });
}

/** Options of the command line as members of the query: `--decimal comma` is `decimal=comma`. */
const inQuery = (remedy: string): string =>
  remedy
    .replaceAll('--as-of', 'analysis_date')
    .replace(
      /--(\w+) ("[^"]*"|\S+)/g,
      (_, name, value) => `${name}=${value.replaceAll('"', '')} in the query`,
    );

const refused = (faults: readonly TapeFault[]) => ({ ok: false as const, faults: requestFaults(faults) });

function requestFaults(faults: readonly TapeFault[]): Fault[] {
  const shown = faults.slice(0, MAX_FAULTS).map(({ line, id, column, message, remedy }): Fault => {
    const place = [
      line === undefined ? '' : `line ${line}`,
      id === undefined ? '' : `loan ${id.slice(0, LONGEST_ID)}`,
      column ?? '',
    ].filter(each => each !== '');
    return {
      path: line === undefined ? 'body' : ['line', line, ...(column === undefined ? [] : [column])].join('.'),
      message: `${place.length === 0 ? '' : `${place.join(', ')}: `}${message}${message.endsWith('?') ? '' : '.'} ${inQuery(remedy)}`,
    };
  });
  const more = faults.length - shown.length;
  return more > 0
    ? [...shown, { path: 'body', message: `The tape has ${counted(more, 'more fault')}.` }]
    : shown;
}
