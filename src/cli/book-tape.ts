/**
 * The market store as the source of a tape's prices, and the schema of /book_risk as the judge of its rows.
 *
 * Takes: a table, how it is written, a market. Must not know: models, reports.
 */
import { type Day, dayOf, formatIsoDate } from '../calendar-date.ts';
import { type ValuationTerms, type ValuedTape, valueTape } from '../desk/value-tape.ts';
import type { MarketData } from '../market/market-data.ts';
import { printable } from '../market/printable.ts';
import { isDollar } from '../market/symbols.ts';
import { readBookRisk } from '../question/book/request.ts';
import { type PricesOf, readWithAmounts } from '../request/amounts.ts';
import { type BookRows, pricesOfRows } from '../tape/book-rows.ts';
import type { TapeTable } from '../tape/read-tape.ts';
import { tapeFaultsOf } from '../tape/row-faults.ts';
import type { TapeFault } from '../tape/tape.ts';
import type { Prices } from '../tape/valuation.ts';

/** Values the loans that have no fault. @throws RiskError where the store lacks closes of the last day */
export const valueAtStore = (
  table: TapeTable,
  terms: ValuationTerms,
  market: MarketData,
  now: Date,
): Promise<ValuedTape> =>
  valueTape(
    table,
    terms,
    {
      resolve: market.symbols.resolve,
      isDollar,
      lastDays: async () => new Map((await market.assets()).map(({ symbol, lastDay }) => [symbol, lastDay])),
      closes: async (assets, day) => {
        const { prices, filled } = await market.dailyCloses(assets, day, 1);
        return {
          prices: new Map(assets.map((asset, i) => [asset, prices[i][0]] as const)),
          carried: filled.map(({ symbol }) => symbol),
        };
      },
    },
    now,
    (valued, prices) => faultsOfRows(valued, prices, dayOf(now)),
  );

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
