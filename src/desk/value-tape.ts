/** A loan tape as rows of /book_risk at the closes of a market, with every fault. */
import { type BookRow, type BookRows, bookRows, type TapeNotes } from '../tape/book-rows.ts';
import { doubtfulLoans } from '../tape/doubts.ts';
import { readTape, type TapeOptions } from '../tape/read-tape.ts';
import { tapeRemarks } from '../tape/remarks.ts';
import { remedy } from '../tape/remedies.ts';
import type { TapeTable } from '../tape/tables.ts';
import { byLine, type OwedByFaulty, type ReadTape, type TapeFault, type TapeLoan } from '../tape/tape.ts';
import { assetsOf, distinctAssets, faultAtAsset, type Prices } from '../tape/valuation.ts';
import { type Day, dayOf, MS_PER_DAY, parseIsoDate } from '../text/calendar-date.ts';
import { isSteady, type ResolveSymbol } from '../text/symbols.ts';

/** Days from the end of the data to the last whole day, and the assets whose data end first. */
export interface DataAge {
  readonly Days: number;
  readonly Assets: readonly string[];
}

/** Debt of loans that are left out. */
export interface OwedLeftOut {
  readonly usd: number;
  /** Loans whose debt the tape does not say, or whose asset has no price. */
  readonly unknown: number;
}

export interface ValuedTape {
  readonly loans: readonly TapeLoan[];
  /** Positions of the same loans. */
  readonly rows: readonly BookRow[];
  readonly faults: readonly TapeFault[];
  /** What the loans owe that have faults. */
  readonly leftOut: OwedLeftOut;
  readonly notes: TapeNotes;
  /** Contradictions on the tape, in sentences. */
  readonly remarks: readonly string[];
  /** Rows of the table. */
  readonly tableRows: number;
  readonly notUsed: readonly string[];
  /** Names in the tape of the columns that are found or proposed. */
  readonly columns: ReadTape['columns'];
  readonly asOf: Day;
  readonly prices: Prices;
  /** Assets with the close of an earlier day. */
  readonly carried: readonly string[];
  /** Null where a day was named, or the data reach the last whole day. */
  readonly behind: DataAge | null;
}

export interface ValuationTerms extends TapeOptions {
  /** Last day of the data; by default the last day with a close of every asset of the tape in the store. */
  readonly asOf?: Day | undefined;
  readonly horizonDays: number;
}

/** Closes that a window lacks of an asset. */
export interface Lack {
  readonly message: string;
  /** Whether all of them are before its first close. */
  readonly young: boolean;
}

/** The source of the prices of a tape. */
export interface TapeMarket {
  readonly resolve: ResolveSymbol;
  /** Whether a symbol is the dollar, which has no series. */
  isDollar(symbol: string): boolean;
  /** The last day of each asset with prices, `2026-11-22`. */
  lastDays(): Promise<ReadonlyMap<string, string>>;
  /**
   * The assets whose closes do not cover the window of the run that ends with a day, each with what is missing. Absent where the server
   * that is asked says so.
   */
  lacking?(assets: readonly string[], day: Day): Promise<ReadonlyMap<string, Lack>>;
  /** The closes of a day, and the assets with the close of an earlier day. */
  closes(
    assets: readonly string[],
    day: Day,
  ): Promise<{ readonly prices: Prices; readonly carried: readonly string[] }>;
}

/** Finds further faults of rows. */
export type CheckRows = (
  valued: Pick<BookRows, 'rows' | 'loans'>,
  prices: Prices,
) => Promise<readonly TapeFault[]>;

/** Values the loans that have no fault. */
export async function valueTape(
  table: TapeTable,
  terms: ValuationTerms,
  market: TapeMarket,
  now: Date,
  check: CheckRows,
): Promise<ValuedTape> {
  const read = readTape(table, { ...terms, resolve: market.resolve });
  const lastDays = await market.lastDays();
  const faults: TapeFault[] = [...read.faults];
  const priced = read.loans.filter(loan => {
    const own = unknownAssets(loan, lastDays, market);
    faults.push(...own);
    return own.length === 0;
  });
  const named = distinctAssets(priced);
  const current = market.lacking === undefined ? named : distinctAssets(withoutStale(priced, lastDays));
  const asOf = terms.asOf ?? lastDayOf(current, lastDays, now);
  const lacking = (await market.lacking?.(named, asOf)) ?? new Map<string, Lack>();
  const held = priced.filter(loan => {
    const own = lackingAssets(loan, lacking);
    faults.push(...own);
    return own.length === 0;
  });
  const assets = distinctAssets(held);
  const { prices, carried } =
    assets.length === 0 ? { prices: new Map(), carried: [] } : await market.closes(assets, asOf);
  const doubts = doubtfulLoans(held, prices, terms.accept);
  faults.push(...doubts);
  const doubtful = new Set(doubts.map(({ id }) => id));
  const kept = new Set(held.filter(({ id }) => !doubtful.has(id)));
  const valued = bookRows(
    [...kept],
    {
      asOfMs: (asOf + 1) * MS_PER_DAY,
      horizonDays: terms.horizonDays,
      callsUntilMs: now.getTime(),
    },
    prices,
  );
  const all: ValuedTape = {
    loans: valued.loans,
    rows: valued.rows,
    faults,
    leftOut: owedLeftOut(
      [
        ...read.faulty,
        ...read.loans.filter(loan => !kept.has(loan) || valued.faults.some(({ id }) => id === loan.id)),
      ],
      prices,
    ),
    notes: valued.notes,
    remarks: [],
    tableRows: read.rows,
    notUsed: read.notUsed,
    columns: read.columns,
    asOf,
    prices,
    carried,
    behind: terms.asOf === undefined ? ageOf(assets, lastDays, asOf, now) : null,
  };
  const tape = withoutFaulty(all, [...valued.faults, ...(await check(valued, prices))]);
  return { ...tape, remarks: [...read.remarks, ...tapeRemarks(tape.loans, prices)] };
}

/** A tape without the loans that have further faults. Its remarks stay. */
export function withoutFaulty(tape: ValuedTape, further: readonly TapeFault[]): ValuedTape {
  const faulty = new Set(further.map(({ id }) => id));
  const isFaultless = tape.loans.map(({ id }) => !faulty.has(id));
  const away = owedLeftOut(
    tape.loans.filter((_, k) => !isFaultless[k]),
    tape.prices,
  );
  return {
    ...tape,
    leftOut: { usd: tape.leftOut.usd + away.usd, unknown: tape.leftOut.unknown + away.unknown },
    loans: tape.loans.filter((_, k) => isFaultless[k]),
    rows: tape.rows.filter((_, k) => isFaultless[k]),
    faults: [...tape.faults, ...further].sort(byLine),
    notes: notesOn(tape.notes, faulty),
  };
}

/** The debt of some loans; dollars and stablecoins without a close are worth one. */
function owedLeftOut(loans: readonly OwedByFaulty[], prices: Prices): OwedLeftOut {
  const owed = loans.map(({ loanAsset = '', loanAmount = Number.NaN, loanValueUsd }) =>
    Math.abs(loanValueUsd ?? loanAmount * (prices.get(loanAsset) ?? (isSteady(loanAsset) ? 1 : Number.NaN))),
  );
  const known = owed.filter(Number.isFinite);
  return { usd: known.reduce((sum, usd) => sum + usd, 0), unknown: owed.length - known.length };
}

/** Notes on the loans that have no fault. */
const notesOn = (notes: TapeNotes, faulty: ReadonlySet<string | undefined>): TapeNotes =>
  new Map(
    [...notes]
      .map(([note, ids]) => [note, ids.filter(id => !faulty.has(id))] as const)
      .filter(([, ids]) => ids.length > 0),
  );

function ageOf(
  assets: readonly string[],
  lastDays: ReadonlyMap<string, string>,
  asOf: Day,
  now: Date,
): DataAge | null {
  const Days = dayOf(now) - 1 - asOf;
  return Days > 0
    ? { Days, Assets: assets.filter(asset => parseIsoDate(lastDays.get(asset) ?? '') === asOf) }
    : null;
}

/** Days by which the data of a loan may end before those of the median loan: the book does not wait for an older one. */
const STALE_DAYS = 7;

/** The loans whose prices do not end long before those of most. */
function withoutStale(
  loans: readonly TapeLoan[],
  lastDays: ReadonlyMap<string, string>,
): readonly TapeLoan[] {
  const ends = loans.map(loan =>
    Math.min(
      ...assetsOf(loan).map(asset => parseIsoDate(lastDays.get(asset) ?? '') ?? Number.POSITIVE_INFINITY),
    ),
  );
  const rising = ends.toSorted((a, b) => a - b);
  const median = rising[(rising.length - 1) >> 1];
  return loans.filter((_, k) => ends[k] >= median - STALE_DAYS);
}

/** The last day with a close of every asset. */
function lastDayOf(assets: readonly string[], lastDays: ReadonlyMap<string, string>, now: Date): Day {
  const days = assets.flatMap(asset => parseIsoDate(lastDays.get(asset) ?? '') ?? []);
  return Math.min(dayOf(now) - 1, ...days);
}

const lackingAssets = (loan: TapeLoan, lacking: ReadonlyMap<string, Lack>): TapeFault[] =>
  [...new Set(assetsOf(loan))].flatMap(asset => {
    const lack = lacking.get(asset);
    if (lack === undefined) return [];
    const kind = lack.young ? 'joinHistory' : 'importHistory';
    return [
      faultAtAsset(loan, asset, { code: 'no_data', message: lack.message, remedy: remedy(kind, asset) }),
    ];
  });

function unknownAssets(
  loan: TapeLoan,
  lastDays: ReadonlyMap<string, string>,
  { isDollar }: TapeMarket,
): TapeFault[] {
  const unknown = assetsOf(loan).filter(asset => !isDollar(asset) && !lastDays.has(asset));
  return [...new Set(unknown)].map(asset =>
    faultAtAsset(loan, asset, {
      code: 'no_data',
      message: `the market store has no price of ${asset}`,
      remedy: remedy('importPrices', asset),
    }),
  );
}
