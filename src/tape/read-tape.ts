/**
 * The loans of a table, with every fault of every row. Rows of one id are several collateral assets of one loan.
 *
 * Must not know: files, prices, the bounds of terms.
 */

import type { FaultCode } from '../core/errors.ts';
import { counted } from '../text/counted.ts';
import { show } from '../text/message.ts';
import type { Cell } from '../text/numbers.ts';
import { MAX_SYMBOLS } from '../text/symbols.ts';
import { type CellForms, type CellValue, isEmptyCell, negativeRemedy, readCell } from './cells.ts';
import { type CellFault, findColumns, NEEDED_COLUMNS, TAPE_COLUMNS, type TapeColumn } from './columns.ts';
import { cellRemarks } from './remarks.ts';
import { type Remedy, remedy } from './remedies.ts';
import type { TapeTable } from './tables.ts';
import {
  byLine,
  type CollateralLine,
  type LoanTerms,
  type ReadTape,
  type TapeFault,
  type TapeLoan,
} from './tape.ts';

export interface TapeOptions extends Omit<CellForms, 'percent'> {
  readonly percent?: readonly TapeColumn[] | undefined;
  /** Columns of fractions, whatever their names say; before `percent`. */
  readonly fractions?: readonly TapeColumn[] | undefined;
  /** Names in the tape, by column. */
  readonly columns?: Readonly<Partial<Record<TapeColumn, string>>> | undefined;
  /** Values of empty cells by column, in the format of the tape. */
  readonly defaults?: Readonly<Partial<Record<TapeColumn, string>>> | undefined;
  readonly resolve?: (symbol: string) => string;
}

type Values = Partial<Record<TapeColumn, CellValue>>;
interface Row {
  readonly line: number;
  readonly id: string;
  readonly values: Values;
}

const NEEDED_OF_LOAN = NEEDED_COLUMNS.filter(column => TAPE_COLUMNS[column].ofLoan);

/** Most listed faults of rows; further ones are counted. */
const MAX_FAULTS = 100_000;
const SYMBOLS = ['collateral_asset', 'loan_asset'] as const;

export function readTape(table: TapeTable, options: TapeOptions): ReadTape {
  const { defaults = {}, percent = [], fractions = [], columns: mapped = {} } = options;
  const found = findColumns(table.header, mapped, new Set(Object.keys(defaults) as TapeColumn[]));
  const { resolve = symbol => symbol } = options;
  const forms: CellForms = {
    ...options,
    percent: new Set([...percent, ...found.inPercent].filter(column => !fractions.includes(column))),
  };
  const faults: TapeFault[] = [...found.faults];
  const faultyIds = new Set<string>();
  const byId = new Map<string, Row[]>();
  /** Id of the row above. */
  let above: string | undefined;
  let rows = 0;
  let more = 0;
  table.rows.forEach((cells, k) => {
    if (cells.every(isEmptyCell)) return;
    rows += 1;
    const line = table.lineOf(k);
    const { values, faults: own } = readRow(cells, found.index, table.header.length, forms);
    for (const column of SYMBOLS)
      if (values[column] !== undefined) values[column] = resolve(String(values[column]));
    const named = values.loan_id === undefined ? undefined : String(values.loan_id);
    // A spreadsheet with merged cells has the id in the first row of a loan only: without this row it would lack collateral.
    const isPart =
      named === undefined && values.collateral_asset !== undefined && values.loan_amount === undefined;
    const id = isPart ? above : named;
    if (named === undefined && found.index.has('loan_id'))
      own.unshift({
        code: 'missing',
        column: 'loan_id',
        message: `the row has no loan_id${isPart && above !== undefined ? ', and may be collateral of the loan above' : ''}`,
        remedy: 'Give every row the id of its loan.',
      });
    for (const fault of own)
      if (faults.length < MAX_FAULTS) faults.push({ line, ...(id !== undefined && { id }), ...fault });
      else more += 1;
    if (id === undefined) return;
    above = id;
    if (own.length > 0) faultyIds.add(id);
    if (named === undefined) return;
    const known = byId.get(id);
    if (known === undefined) byId.set(id, [{ line, id, values }]);
    else known.push({ line, id, values });
  });
  const standard = defaultValues(defaults, forms, faults);
  if (standard.loan_asset !== undefined) standard.loan_asset = resolve(String(standard.loan_asset));
  const loans = [...byId.values()].flatMap(of => {
    if (found.faults.length > 0 || faultyIds.has(of[0].id)) return [];
    const read = loanOf(of, standard);
    if ('faults' in read) faults.push(...read.faults);
    return 'faults' in read ? [] : [read];
  });
  if (more > 0)
    faults.push({
      code: 'more_faults',
      message: `the tape has ${counted(more, 'more fault')}`,
      remedy: 'Correct those that are named first.',
    });
  if (rows === 0)
    faults.push({
      code: 'missing',
      message: 'the tape has no rows',
      remedy: 'Write a row for each loan below the names of the columns.',
    });
  return {
    loans,
    faults: faults.sort(byLine),
    rows,
    notUsed: found.notUsed,
    remarks: cellRemarks(table.rows, found.index, options.decimal),
  };
}

type ColumnFault = CellFault & { readonly column?: string };

function readRow(
  cells: readonly Cell[],
  index: ReadonlyMap<TapeColumn, number>,
  width: number,
  forms: CellForms,
): { readonly values: Values; readonly faults: ColumnFault[] } {
  const values: Values = {};
  const faults: ColumnFault[] = [];
  if (cells.length !== width) {
    const id = cells[index.get('loan_id') as number];
    faults.push({
      code: 'malformed',
      message: `${width} fields expected, ${cells.length} found`,
      remedy: 'Put quotes around a field that holds the mark between fields.',
    });
    return { values: isEmptyCell(id) ? {} : { loan_id: String(id).trim() }, faults };
  }
  for (const [column, at] of index) {
    if (isEmptyCell(cells[at])) continue;
    const read = readCell(column, cells[at], forms);
    if ('message' in read) faults.push({ column, ...read });
    else values[column] = read.value;
  }
  return { values, faults };
}

/** The defaults, read as cells. */
function defaultValues(
  defaults: Readonly<Partial<Record<TapeColumn, string>>>,
  forms: CellForms,
  faults: TapeFault[],
): Values {
  const values: Values = {};
  for (const [column, text] of Object.entries(defaults) as [TapeColumn, string][]) {
    const read = readCell(column, text, forms);
    if ('message' in read) faults.push({ column, ...read, message: `the default: ${read.message}` });
    else values[column] = read.value;
  }
  return values;
}

/** Reports a fault of a column of a loan in a line. */
type Refuse = (code: FaultCode, line: number, column: string, message: string, remedy: Remedy) => void;

/** The loan of some rows. */
function loanOf(
  rows: readonly Row[],
  defaults: Values,
): TapeLoan | { readonly faults: readonly TapeFault[] } {
  const [{ id, line }] = rows;
  if (rows.length > MAX_SYMBOLS) {
    const message = `the loan has ${rows.length} rows, and at most ${MAX_SYMBOLS} collateral assets are taken`;
    return {
      faults: [{ code: 'out_of_range', line, id, message, remedy: 'Give each loan an id of its own.' }],
    };
  }
  const faults: TapeFault[] = [];
  const refuse: Refuse = (code, line, column, message, remedy) => {
    faults.push({ code, line, id, column, message, remedy });
  };
  const said: Values = {};
  const lineOfValue = new Map<string, number>();
  for (const row of rows)
    for (const [column, value] of Object.entries(row.values) as [TapeColumn, CellValue][]) {
      if (!TAPE_COLUMNS[column].ofLoan) continue;
      const before = said[column];
      if (before === undefined) {
        said[column] = value;
        lineOfValue.set(column, row.line);
      } else if (before !== value)
        refuse(
          'inconsistent',
          row.line,
          column,
          `${show(shownValue(column, value))} differs from ${show(shownValue(column, before))} in line ${lineOfValue.get(column)} of the same loan`,
          'Say it once for a loan, or the same in all of its rows; give another loan another id.',
        );
    }
  const collateral = rows.map(row => collateralOf(row, refuse));
  rows.forEach((row, k) => {
    const first = collateral.findIndex(({ asset }) => asset === collateral[k].asset);
    if (first < k && collateral[k].asset !== '')
      refuse(
        'repeated',
        row.line,
        'collateral_asset',
        `${show(collateral[k].asset)} is collateral of this loan in line ${rows[first].line}, too`,
        'Write an asset once for a loan, with its whole amount; give another loan another id.',
      );
  });
  const values = { ...defaults, ...said };
  for (const column of NEEDED_OF_LOAN)
    if (values[column] === undefined)
      refuse('missing', line, column, `${column} is missing`, remedy('writeOrFill', column));
  refuseUnlessAbove0(
    refuse,
    lineOfValue.get('loan_amount') ?? line,
    'loan_amount',
    values.loan_amount,
    'Leave out a loan that is repaid.',
  );
  if (faults.length > 0) return { faults };
  const { loan_id: _id, borrower, loan_asset, loan_amount, ...terms } = values;
  return {
    id,
    lines: rows.map(each => each.line),
    ...(borrower !== undefined && { borrower: String(borrower) }),
    collateral,
    loanAsset: String(loan_asset),
    loanAmount: Number(loan_amount),
    terms: terms as LoanTerms,
  };
}

/** @param none the remedy for an amount of 0 */
function refuseUnlessAbove0(
  refuse: Refuse,
  line: number,
  column: TapeColumn,
  value: CellValue | undefined,
  none: string,
): void {
  const amount = Number(value ?? 1);
  if (amount > 0) return;
  const remedy = amount < 0 ? negativeRemedy(column, -amount) : none;
  refuse('out_of_range', line, column, `${column} must be above 0; got ${amount}`, remedy);
}

function collateralOf({ line, values }: Row, refuse: Refuse): CollateralLine {
  const { collateral_asset: asset, collateral_amount: amount, collateral_value: valueUsd } = values;
  if (asset === undefined)
    refuse(
      'missing',
      line,
      'collateral_asset',
      'collateral_asset is missing',
      'Write the symbol of the asset in every row: BTC.',
    );
  if (amount === undefined && valueUsd === undefined)
    refuse(
      'missing',
      line,
      'collateral_amount',
      'neither collateral_amount nor collateral_value is there',
      'Write the units of the asset, or their value in USD.',
    );
  const none = 'Leave out a row without collateral.';
  refuseUnlessAbove0(refuse, line, 'collateral_amount', amount, none);
  refuseUnlessAbove0(refuse, line, 'collateral_value', valueUsd, none);
  return {
    asset: String(asset ?? ''),
    ...(amount !== undefined && { amount: Number(amount) }),
    ...(valueUsd !== undefined && { valueUsd: Number(valueUsd) }),
  };
}

/** A value in a message. */
const shownValue = (column: TapeColumn, value: CellValue): CellValue =>
  TAPE_COLUMNS[column].kind === 'moment' ? new Date(Number(value)).toISOString() : value;
