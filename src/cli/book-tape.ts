/** A tape valued at the closes of the market store, with row faults by the schema of /book_risk. */
import { writeFileSync } from 'node:fs';
import type { ModelTerms } from '../desk/ask-model.ts';
import { type ValuedTape, valueTape } from '../desk/value-tape.ts';
import { counted } from '../desk/words.ts';
import type { MarketData } from '../market/market-data.ts';
import { isDollar } from '../market/symbols.ts';
import { METHODOLOGIES, type MethodologyName } from '../models/methodology/methodologies.ts';
import { BOOK_READING, MAX_LOANS_OF_COMMAND } from '../question/book/request.ts';
import { NO_CLOSES } from '../question/request/prices.ts';
import { type BookRows, pricesOfRows } from '../tape/book-rows.ts';
import { columnsFileText } from '../tape/columns-file.ts';
import { type FaultGroup, faultGroups, othersText } from '../tape/fault-groups.ts';
import { COMMAND_WORDS, remedyText } from '../tape/remedies.ts';
import { tapeFaultsOf } from '../tape/row-faults.ts';
import type { TapeTable } from '../tape/tables.ts';
import type { TapeFault } from '../tape/tape.ts';
import type { Prices } from '../tape/valuation.ts';
import { type Day, dayOf } from '../text/calendar-date.ts';
import { printable } from '../text/printable.ts';
import { written } from './input.ts';
import type { Output } from './output.ts';
import type { TapeRunOptions } from './tape-options.ts';

/** Most kinds of faults that are printed. */
const MAX_KINDS = 100;

/**
 * Values the loans of a tape at the closes of a market; prints faults that forbid the run, and returns undefined.
 *
 * @param path of the tape, for messages
 * @throws RiskError when the store lacks closes of the last day
 */
export async function valueOrPrint(
  path: string,
  table: TapeTable,
  options: TapeRunOptions,
  market: MarketData,
  now: Date,
  { err }: Output,
): Promise<ValuedTape | undefined> {
  const tape = await valueTape(
    table,
    { ...options.tape, ...options },
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
  const { saveColumns } = options;
  if (saveColumns !== undefined)
    written(saveColumns, () => writeFileSync(saveColumns, columnsFileText(options.tape, tape.columns)));
  if (tape.faults.length === 0) return tape;
  // A fault without a row is of the options or of the whole tape.
  const isOfLoans = tape.faults.every(({ line }) => line !== undefined);
  if (options.skipFaulty && isOfLoans && tape.loans.length > 0) return tape;
  err(faultsText(path, tape, options));
  return undefined;
}

export const modelTerms = <T extends TapeRunOptions>(options: T, { asOf, prices }: ValuedTape) => ({
  ...options,
  asOf,
  prices,
  draws: (type => METHODOLOGIES[type as MethodologyName].draws) satisfies ModelTerms['draws'],
});

type CheckedRows = Pick<BookRows, 'rows' | 'loans'>;

/** Rows that are checked at once where there are many faults: so few that a check lists all of theirs. */
const ROWS_OF_CHECK = 4;

/** Row faults by the schema of /book_risk, which lists a hundred a body. */
async function faultsOfRows(valued: CheckedRows, prices: Prices, today: Day): Promise<TapeFault[]> {
  const check = (some: CheckedRows) => checkedRows(some, prices, today);
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

async function checkedRows({ rows, loans }: CheckedRows, prices: Prices, today: Day): Promise<TapeFault[]> {
  if (rows.length === 0) return [];
  const params = {
    model_lookback: 2,
    mc_iter: 1,
    quantile: [0.5],
    prices: pricesOfRows(rows, prices),
    loans: rows,
  };
  const on = { today, resolve: (symbol: string) => symbol, maxLoans: MAX_LOANS_OF_COMMAND };
  const checked = BOOK_READING.read({ type: 'GBM', params }, on).resolve(NO_CLOSES);
  return checked.ok ? [] : tapeFaultsOf(checked.faults, loans);
}

/** One entry for each kind of fault; a result of --skip-faulty has every row. */
function faultsText(path: string, { faults, loans }: ValuedTape, { skipFaulty }: TapeRunOptions): string {
  const groups = faultGroups(faults);
  const more = groups.length - MAX_KINDS;
  const kinds = groups.length < faults.length ? ` of ${counted(groups.length, 'kind')}` : '';
  return [
    ...groups.slice(0, MAX_KINDS).map(group => groupText(path, group)),
    ...(more > 0 ? [`${counted(more, 'more kind')} of faults.`] : []),
    skipFaulty
      ? loans.length === 0
        ? 'No loan without a fault is left.'
        : 'Nothing was computed: a fault without a line is not one of a loan.'
      : `Nothing was computed: ${counted(faults.length, 'fault')}${kinds}.${loans.length === 0 ? '' : ' With --skip-faulty the loans without a fault are computed, and the others are named in the result.'}`,
    '',
  ].join('\n');
}

/** `tape.csv:12: loan a-7, maturity: ...`, then the remedy and the other rows, a line each. */
function groupText(file: string, group: FaultGroup): string {
  const { line, id, column, message, remedy } = group.first;
  const place = line === undefined ? file : `${file}:${line}`;
  const of = [id === undefined ? '' : `loan ${id}`, column ?? ''].filter(each => each !== '').join(', ');
  const others = othersText(group);
  return [
    `${place}: ${of === '' ? '' : `${of}: `}${message}`,
    `  ${remedyText(remedy, COMMAND_WORDS)}`,
    ...(others === '' ? [] : [`  ${others}`]),
  ]
    .map(printable)
    .join('\n');
}
