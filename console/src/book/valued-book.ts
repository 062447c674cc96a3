/**
 * A file with a book as rows of /book_risk, at the closes of the server.
 *
 * Takes: a file, how it is written. Gives: rows, and with a tape its loans, prices and faults. Must not know: the page.
 */
import { type ValuedTape, valueTape, withoutFaulty } from '#src/desk/value-tape.ts';
import { isDollar } from '#src/market/symbols.ts';
import { pricesOfRows } from '#src/tape/book-rows.ts';
import type { TapeOptions } from '#src/tape/read-tape.ts';
import { tapeFaultsOf } from '#src/tape/row-faults.ts';
import type { Prices } from '#src/tape/valuation.ts';
import { formatCalendarDate, formatIsoDate, parseIsoDate } from '#src/text/calendar-date.ts';
import { MAX_SYMBOLS, type ResolveSymbol } from '#src/text/symbols.ts';
import { type Fault, getPrices } from '../api/request.ts';
import { symbolRows } from '../state/server.ts';
import { type BookFile, tableOf } from './book-file.ts';

export interface ValuedBook {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Absent for a book of rows. */
  readonly tape?: ValuedTape;
  /** Members of `params` with the prices and the day of the valuation. */
  readonly params: Readonly<Record<string, unknown>>;
}

export interface BookForms {
  readonly options: TapeOptions;
  /** Days for which loans are followed at most. */
  readonly horizonDays: number;
  /** The last day of the data, `2026-11-22`; the newest that all assets have where it is absent. */
  readonly asOf?: string;
}

/** @throws Refusal where the server gives no prices */
export async function valueBook(
  file: Extract<BookFile, { kind: 'tape' | 'rows' }>,
  forms: BookForms,
): Promise<ValuedBook> {
  if (file.kind === 'rows') return { rows: file.loans, params: {} };
  const { asOf, options, horizonDays } = forms;
  const day = asOf === undefined ? undefined : parseIsoDate(asOf);
  const tape = await valueTape(
    tableOf(file),
    {
      ...options,
      horizonDays,
      ...(day === undefined ? {} : { asOf: day }),
    },
    {
      resolve: resolveSymbol,
      isDollar,
      lastDays: async () => new Map(symbolRows.value.map(({ symbol, last_day }) => [symbol, last_day])),
      closes: closesOf,
    },
    new Date(),
    // The server judges the rows, and names the loan.
    async () => [],
  );
  return {
    rows: tape.rows,
    tape,
    params: {
      analysis_date: formatCalendarDate(tape.asOf),
      prices: pricesOfRows(tape.rows, tape.prices),
    },
  };
}

/** A book of a tape without the loans that the server refuses; undefined where it refuses none of them. */
export function withoutRefused(book: ValuedBook, refused: readonly Fault[]): ValuedBook | undefined {
  if (book.tape === undefined) return undefined;
  const found = tapeFaultsOf(refused, book.tape.loans).filter(({ id }) => id !== undefined);
  if (found.length === 0) return undefined;
  const tape = withoutFaulty(book.tape, found);
  return {
    rows: tape.rows,
    tape,
    params: { ...book.params, prices: pricesOfRows(tape.rows, tape.prices) },
  };
}

const rowOf = (name: string) =>
  symbolRows.value.find(({ symbol, aliases }) => symbol === name || aliases.includes(name));

const resolveSymbol: ResolveSymbol = Object.assign(
  (symbol: string): string => rowOf(symbol.toUpperCase())?.symbol ?? symbol.toUpperCase(),
  { rate: (symbol: string) => rowOf(symbol.toUpperCase())?.alias_rates?.[symbol.toUpperCase()] ?? 1 },
);

/** The closes of a day. @throws Error where the server has none of that day yet */
async function closesOf(assets: readonly string[], day: number) {
  const prices = new Map<string, number>();
  const carried: string[] = [];
  for (let i = 0; i < assets.length; i += MAX_SYMBOLS) {
    const { body } = await getPrices(assets.slice(i, i + MAX_SYMBOLS), formatCalendarDate(day));
    if (body.date !== formatCalendarDate(day))
      throw new Error(`The server has closes of ${body.date}, and not of ${formatIsoDate(day)}.`);
    for (const { symbol, price, carried: isCarried } of body.prices) {
      prices.set(symbol, price);
      if (isCarried) carried.push(symbol);
    }
  }
  return { prices: prices as Prices, carried };
}
