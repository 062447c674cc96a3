/** What the valuation of a tape takes from a market and from the schema of /book_risk; the terms of its questions. */
import { HOURS_PER_DAY } from '../../core/plan/grid.ts';
import type { ModelTerms } from '../../desk/ask-model.ts';
import type { Lack, TapeMarket, ValuedTape } from '../../desk/value-tape.ts';
import { closesAt } from '../../market/closes-at.ts';
import type { MarketData } from '../../market/market-data.ts';
import { isDollar } from '../../market/symbols.ts';
import { METHODOLOGIES, type MethodologyName } from '../../models/methodology/methodologies.ts';
import { type BookRows, pricesOfRows } from '../../tape/book-rows.ts';
import { tapeFaultsOf } from '../../tape/row-faults.ts';
import type { TapeFault } from '../../tape/tape.ts';
import type { Prices } from '../../tape/valuation.ts';
import type { Day } from '../../text/calendar-date.ts';
import type { ResolveSymbol } from '../../text/symbols.ts';
import { BOOK_READING } from '../book/request.ts';
import { NO_CLOSES, type PricesOf } from '../request/prices.ts';
import type { Proxies } from '../request/proxies.ts';

/** The prices of a market for a tape. Closes: RiskError where one of the day is missing. */
export const tapeMarket = (market: MarketData, now: Date, window: RunWindow): TapeMarket => ({
  resolve: market.symbols.resolve,
  isDollar,
  lastDays: () => lastDays(market),
  lacking: lackingOf(closesAt(market, now), market.symbols.resolve, window),
  closes: async (assets, day) => {
    const { prices, filled } = await market.dailyCloses(assets, day, 1);
    return {
      prices: new Map(assets.map((asset, i) => [asset, prices[i][0]] as const)),
      carried: filled.map(({ symbol }) => symbol),
    };
  },
});

/** What decides which closes a run reads of each asset. */
export interface RunWindow {
  /** Methodologies that are fitted; none where nothing is simulated. */
  readonly types: readonly MethodologyName[];
  readonly lookbackDays: number;
  readonly horizonDays: number;
  readonly saleDelayHours: number;
  readonly proxy?: Proxies | undefined;
}

/** Closes of each asset; windows of history begin a horizon and a sale before the lookback. */
function closesNeeded({ types, lookbackDays, horizonDays, saleDelayHours }: RunWindow): number {
  if (types.length === 0) return 1;
  const before = types.includes('HISTORICAL') ? horizonDays + Math.ceil(saleDelayHours / HOURS_PER_DAY) : 0;
  return lookbackDays + 1 + before;
}

/** What a market lacks of the closes that a run reads, up to a day. */
export const lackingOf =
  (pricesOf: PricesOf, resolve: ResolveSymbol, window: RunWindow): NonNullable<TapeMarket['lacking']> =>
  async (symbols, date) => {
    const proxies = Object.entries(window.proxy ?? {});
    const standIns = Object.fromEntries(
      proxies.map(([symbol, { asset }]) => [resolve(symbol), resolve(asset)]),
    );
    const found = await pricesOf({ symbols, date, closes: closesNeeded(window), standIns });
    return new Map(
      [...found].flatMap(([symbol, close]): [string, Lack][] =>
        'missing' in close ? [[symbol, { message: close.missing, young: close.young === true }]] : [],
      ),
    );
  };

/** The last day of each asset with prices. */
export const lastDays = async (market: MarketData): Promise<ReadonlyMap<string, string>> =>
  new Map((await market.assets()).map(({ symbol, lastDay }) => [symbol, lastDay]));

/** Whether a tape is computed: without faults, or without the loans that have one. A fault without a row is of the options or of the whole tape. */
export const isComputed = (
  { faults, loans }: Pick<ValuedTape, 'faults' | 'loans'>,
  skipFaulty: boolean,
): boolean =>
  faults.length === 0 || (skipFaulty && loans.length > 0 && faults.every(({ line }) => line !== undefined));

export const modelTerms = <T extends object>(
  options: T,
  { asOf, prices }: Pick<ValuedTape, 'asOf' | 'prices'>,
) => ({
  ...options,
  asOf,
  prices,
  draws: (type => METHODOLOGIES[type as MethodologyName].draws) satisfies ModelTerms['draws'],
});

type CheckedRows = Pick<BookRows, 'rows' | 'loans'>;

/** Rows that are checked at once where there are many faults: so few that a check lists all of theirs. */
const ROWS_OF_CHECK = 4;

/** Row faults by the schema of /book_risk, which lists a hundred a body. */
export async function faultsOfRows(
  valued: CheckedRows,
  prices: Prices,
  today: Day,
  maxLoans: number,
): Promise<TapeFault[]> {
  const check = (some: CheckedRows) => checkedRows(some, prices, today, maxLoans);
  const all = await check(valued);
  if (all.every(({ line }) => line !== undefined)) return all;
  const { rows, loans } = valued;
  const faults: TapeFault[] = [];
  for (let k = 0; k < rows.length; k += ROWS_OF_CHECK)
    faults.push(
      ...(await check({
        rows: rows.slice(k, k + ROWS_OF_CHECK),
        loans: loans.slice(k, k + ROWS_OF_CHECK),
      })),
    );
  // A fault of the whole book, such as too many symbols, is reported where no row has one.
  const faulty = new Set(faults.map(({ id }) => id));
  const isFaultless = loans.map(({ id }) => !faulty.has(id));
  const ofBook = await check({
    rows: rows.filter((_, k) => isFaultless[k]),
    loans: loans.filter((_, k) => isFaultless[k]),
  });
  return [...faults, ...ofBook];
}

async function checkedRows(
  { rows, loans }: CheckedRows,
  prices: Prices,
  today: Day,
  maxLoans: number,
): Promise<TapeFault[]> {
  if (rows.length === 0) return [];
  const params = {
    model_lookback: 2,
    mc_iter: 1,
    quantile: [0.5],
    prices: pricesOfRows(rows, prices),
    loans: rows,
  };
  const on = { today, resolve: (symbol: string) => symbol, maxLoans };
  const checked = BOOK_READING.read({ type: 'GBM', params }, on).resolve(NO_CLOSES);
  return checked.ok ? [] : tapeFaultsOf(checked.faults, loans);
}
