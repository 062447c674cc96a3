/**
 * A loan tape to rows of /book_risk at the closes of the market, with every fault that it has.
 *
 * Takes: a table, how it is written, a market. Must not know: models, reports.
 */
import { type Day, dayOf, formatIsoDate, MS_PER_DAY, parseIsoDate } from '../calendar-date.ts';
import type { MarketData } from '../market/market-data.ts';
import { printable } from '../market/printable.ts';
import { isDollar } from '../market/symbols.ts';
import { readBookRisk } from '../question/book/request.ts';
import { type PricesOf, readWithAmounts } from '../request/amounts.ts';
import { type BookRow, type BookRows, bookRows, pricesOfRows, type TapeNotes } from '../tape/book-rows.ts';
import { readTape, type TapeOptions, type TapeTable } from '../tape/read-tape.ts';
import { tapeFaultsOf } from '../tape/row-faults.ts';
import type { TapeFault, TapeLoan } from '../tape/tape.ts';
import { assetsOf, type Prices } from '../tape/valuation.ts';

export interface ValuedTape {
  readonly loans: readonly TapeLoan[];
  /** Of the same loans. */
  readonly rows: readonly BookRow[];
  readonly faults: readonly TapeFault[];
  readonly notes: TapeNotes;
  /** Rows of the table. */
  readonly tableRows: number;
  readonly notUsed: readonly string[];
  readonly asOf: Day;
  readonly prices: Prices;
  /** Assets whose close is that of an earlier day. */
  readonly carried: readonly string[];
}

export interface ValuationTerms extends TapeOptions {
  /** Last day of the data; by default the last day of which the store has a close of every asset of the tape. */
  readonly asOf?: Day;
  readonly horizonDays: number;
}

/** Values the loans that have no fault. @throws RiskError where the store lacks closes of the last day */
export async function valueTape(
  table: TapeTable,
  terms: ValuationTerms,
  market: MarketData,
  now: Date,
): Promise<ValuedTape> {
  const read = readTape(table, { ...terms, resolve: market.symbols.resolve });
  const lastDays = new Map((await market.assets()).map(({ symbol, lastDay }) => [symbol, lastDay]));
  const faults: TapeFault[] = [...read.faults];
  const priced = read.loans.filter(loan => {
    const own = unknownAssets(loan, lastDays);
    faults.push(...own);
    return own.length === 0;
  });
  const assets = [...new Set(priced.flatMap(assetsOf))].sort();
  const asOf = terms.asOf ?? lastDayOf(assets, lastDays, now);
  const { prices, carried } = await closesOf(assets, asOf, market);
  const valued = bookRows(
    priced,
    { asOfMs: (asOf + 1) * MS_PER_DAY, horizonDays: terms.horizonDays },
    prices,
  );
  faults.push(...valued.faults, ...(await faultsOfRows(valued, prices, dayOf(now))));
  const faulty = new Set(faults.map(({ id }) => id));
  const keeps = valued.loans.map(({ id }) => !faulty.has(id));
  return {
    loans: valued.loans.filter((_, k) => keeps[k]),
    rows: valued.rows.filter((_, k) => keeps[k]),
    faults: faults.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    notes: valued.notes,
    tableRows: read.rows,
    notUsed: read.notUsed,
    asOf,
    prices,
    carried,
  };
}

/** The last day on which every asset has a close. */
function lastDayOf(assets: readonly string[], lastDays: ReadonlyMap<string, string>, now: Date): Day {
  const days = assets.flatMap(asset => parseIsoDate(lastDays.get(asset) ?? '') ?? []);
  return Math.min(dayOf(now) - 1, ...days);
}

function unknownAssets(loan: TapeLoan, lastDays: ReadonlyMap<string, string>): TapeFault[] {
  const unknown = assetsOf(loan).filter(asset => !isDollar(asset) && !lastDays.has(asset));
  return [...new Set(unknown)].map(asset => ({
    line: loan.lines[0],
    id: loan.id,
    column: loan.loanAsset === asset ? 'loan_asset' : 'collateral_asset',
    message: `the market store has no price of ${asset}`,
    remedy: `Import prices of ${asset} (market import), or correct the symbol. \`market list\` shows what there is.`,
  }));
}

async function closesOf(assets: readonly string[], day: Day, market: MarketData) {
  if (assets.length === 0) return { prices: new Map<string, number>(), carried: [] };
  const { prices, filled } = await market.dailyCloses(assets, day, 1);
  return {
    prices: new Map(assets.map((asset, i) => [asset, prices[i][0]] as const)),
    carried: filled.map(({ symbol }) => symbol),
  };
}

/** What the schema of /book_risk says of the rows. */
async function faultsOfRows(
  { rows, loans }: Pick<BookRows, 'rows' | 'loans'>,
  prices: Prices,
  today: Day,
): Promise<TapeFault[]> {
  if (rows.length === 0) return [];
  const params = {
    model_lookback: 2,
    mc_iter: 1,
    quantile: [0.5],
    prices: pricesOfRows(rows, prices),
    loans: rows,
  };
  const none: PricesOf = async () => new Map();
  const checked = await readWithAmounts(
    { type: 'GBM', params },
    'both',
    symbol => symbol,
    none,
    body => readBookRisk(body, today),
  );
  return checked.ok ? [] : tapeFaultsOf(checked.faults, loans);
}

/** `tape.csv:12: loan a-7, maturity: ...` and the remedy below it. */
export function faultText(file: string, { line, id, column, message, remedy }: TapeFault): string {
  const place = line === undefined ? file : `${file}:${line}`;
  const of = [id === undefined ? '' : `loan ${id}`, column ?? ''].filter(each => each !== '').join(', ');
  return `${printable(`${place}: ${of === '' ? '' : `${of}: `}${message}`)}\n  ${printable(remedy)}`;
}

/** `2026-11-22` */
export const dayText = formatIsoDate;
