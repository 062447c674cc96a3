/**
 * The loans of a table, with every fault of every row. Rows of one id are several collateral assets of one loan.
 *
 * Must not know: files, prices, the bounds of terms.
 */

import { counted } from '../text/counted.ts';
import { listed, namedLoans } from '../text/grouped.ts';
import { type Cell, isEmptyCell } from '../text/numbers.ts';
import { isSteady, type ResolveSymbol, rateOf } from '../text/symbols.ts';
import { asideRemarks, idsHaveDigits, isSumOf, kindOfRow, type TotalRow } from './aside.ts';
import { type CellForms, readCell, saysNone } from './cells.ts';
import { type ColumnForms, columnForms, type SaidForms } from './column-forms.ts';
import { type CellFault, TAPE_COLUMNS, type TapeColumn } from './columns.ts';
import { type FoundColumns, findColumns, type NamedColumns } from './find-columns.ts';
import { headedTable } from './header.ts';
import { lostIds } from './ids.ts';
import { loanOf, type Row, type Values } from './loan-of-rows.ts';
import { isZeroDash } from './money.ts';
import { cellRemarks } from './remarks.ts';
import type { OptionRemedy } from './remedies.ts';
import type { TapeTable } from './tables.ts';
import { byLine, type OwedByFaulty, type ReadTape, type TapeFault, type TapeLoan } from './tape.ts';

export interface TapeOptions extends SaidForms, NamedColumns {
  /** Values of empty cells by column, in the format of the tape. */
  readonly defaults?: Readonly<Partial<Record<TapeColumn, string>>> | undefined;
  /** 1-based line of the header. Default: the row that names most columns. */
  readonly headerRow?: number | undefined;
  /** Columns of amounts in smallest units, such as wei and satoshi. */
  readonly smallestUnits?: readonly TapeColumn[] | undefined;
  /** Ids of loans whose figures are right, though they look wrong. */
  readonly accept?: readonly string[] | undefined;
  readonly resolve?: ResolveSymbol;
}

/** Most listed faults of rows; further ones are counted. */
const MAX_FAULTS = 100_000;
const SYMBOLS = ['collateral_asset', 'loan_asset'] as const;

export function readTape(table: TapeTable, options: TapeOptions): ReadTape {
  const { defaults = {}, resolve = symbol => symbol } = options;
  const headed = headedTable(table, options, options.headerRow);
  const columns = (at: number) => headed.rows.map(row => row[at]);
  const found = findColumns(headed.header, options, new Set(Object.keys(defaults) as TapeColumn[]), columns);
  const { index } = found;
  const idAt = index.get('loan_id');
  const haveDigits = idsHaveDigits(headed.rows, idAt);
  const kinds = headed.rows.map(row => kindOfRow(row, index, headed.header, haveDigits));
  const ofLoans = headed.rows.filter((_, k) => kinds[k] === 'loan');
  const forms = columnForms(found, at => ofLoans.map(row => row[at]), headed.header.length, options);
  const faults: TapeFault[] = [
    ...headed.faults,
    ...found.faults,
    ...forms.faults,
    ...(idAt === undefined ? [] : lostIds(ofLoans.map(row => row[idAt]))),
  ];
  const rows = rowsOf(headed, kinds, found, forms, resolve);
  faults.push(...rows.faults);
  const standard = defaultValues(defaults, forms, faults);
  const defaultSymbol = String(standard.loan_asset ?? '');
  const defaultRate = rateOf(resolve, defaultSymbol);
  if (standard.loan_asset !== undefined) standard.loan_asset = resolve(defaultSymbol);
  const units = new Set(options.smallestUnits ?? []);
  const read = loansOf(rows, standard, defaultRate, found, units, askedOnce(forms), faults);
  const { loans } = read;
  if (rows.count === 0 && headed.faults.length === 0)
    faults.push({
      code: 'missing',
      message: 'the tape has no rows',
      remedy: 'Write a row for each loan below the names of the columns.',
    });
  return {
    loans,
    faulty: read.faulty,
    faults: faults.sort(byLine),
    rows: rows.count,
    notUsed: found.notUsed,
    columns: found.names,
    remarks: [
      ...forms.remarks,
      ...rows.remarks,
      ...read.remarks,
      ...cellRemarks(ofLoans, index, options.decimal),
    ],
  };
}

type ColumnFault = CellFault & { readonly column?: string };

interface ReadRows {
  readonly byId: ReadonlyMap<string, readonly Row[]>;
  readonly faultyIds: ReadonlySet<string>;
  readonly faults: readonly TapeFault[];
  readonly remarks: readonly string[];
  /** Rows of loans. */
  readonly count: number;
}

/** Questions on columns that are not used, next to those that are. */
const QUESTIONS: ReadonlySet<string> = new Set<OptionRemedy['kind']>(['useColumn', 'addInterest']);

/** Faults that a column has once, and not in each cell. */
const ASKED_ONCE = new Set(['commas', 'mark', 'points', 'dates', 'dayFirst', 'percent', 'ratios']);

function askedOnce({ faults }: ColumnForms): (fault: Pick<TapeFault, 'column' | 'remedy'>) => boolean {
  const asked = new Set(
    faults.flatMap(({ column, remedy }) =>
      typeof remedy !== 'string' && remedy.kind === 'ratios' ? remedy.values[0].split(' ') : (column ?? []),
    ),
  );
  return ({ column = '', remedy }) =>
    asked.has(column) && typeof remedy !== 'string' && ASKED_ONCE.has(remedy.kind);
}

function rowsOf(
  headed: ReturnType<typeof headedTable>,
  kinds: readonly ReturnType<typeof kindOfRow>[],
  { index }: FoundColumns,
  forms: ColumnForms,
  resolve: ResolveSymbol,
): ReadRows {
  const faults: TapeFault[] = [];
  const faultyIds = new Set<string>();
  const byId = new Map<string, Row[]>();
  const isAsked = askedOnce(forms);
  const totals: (TotalRow & { readonly k: number })[] = [];
  const texts: { line: number; text: string }[] = [];
  const headers: number[] = [];
  /** Symbols that are another number of units of their asset. */
  const rated = new Map<string, string>();
  const parts: number[] = [];
  /** Id of the row above. */
  let above: string | undefined;
  let count = 0;
  let more = 0;
  const debtAt = index.get('loan_amount') ?? index.get('loan_value') ?? -1;
  const readAsLoan = (cells: readonly Cell[], line: number) => {
    count += 1;
    const { row, faults: own } = readRow(cells, line, index, headed.header.length, forms);
    const { values } = row;
    const rates: { [column in (typeof SYMBOLS)[number]]?: number } = {};
    for (const column of SYMBOLS) {
      if (values[column] === undefined) continue;
      const symbol = String(values[column]);
      values[column] = resolve(symbol);
      rates[column] = rateOf(resolve, symbol);
      if (rates[column] !== 1) rated.set(symbol, `${rates[column]} ${values[column]}`);
    }
    const named = values.loan_id === undefined ? undefined : String(values.loan_id);
    // A spreadsheet with merged cells has the id in the first row of a loan only: without this row it would lack collateral.
    const isBare = (Object.keys(values) as TapeColumn[]).every(column => !TAPE_COLUMNS[column].ofLoan);
    const isPart = named === undefined && values.collateral_asset !== undefined && isBare;
    const id = isPart ? above : named;
    if (named === undefined && isPart && above !== undefined) parts.push(line);
    else if (named === undefined && index.has('loan_id'))
      own.unshift({
        column: 'loan_id',
        code: 'missing',
        message: 'the row has no loan_id',
        remedy: 'Give every row the id of its loan.',
      });
    for (const fault of own) {
      if (isAsked(fault)) continue;
      if (faults.length < MAX_FAULTS) faults.push({ line, ...(id !== undefined && { id }), ...fault });
      else more += 1;
    }
    if (id === undefined) return;
    above = id;
    if (own.length > 0) faultyIds.add(id);
    const known = byId.get(id);
    if (known === undefined) byId.set(id, [{ ...row, id, rates }]);
    else known.push({ ...row, id, rates });
  };
  headed.rows.forEach((cells, k) => {
    const kind = kinds[k];
    if (kind === 'empty') return;
    const line = headed.lineOf(k);
    if (kind === 'loan') {
      readAsLoan(cells, line);
      return;
    }
    above = undefined;
    const text = cells.filter(cell => !isEmptyCell(cell)).map(String)[0] ?? '';
    if (kind === 'text') texts.push({ line, text });
    else if (kind === 'header') headers.push(line);
    else {
      const cell = cells[debtAt];
      const read = isEmptyCell(cell) ? undefined : readCell('loan_amount', cell, forms.of(debtColumn(index)));
      const amount = read !== undefined && 'value' in read ? Number(read.value) : Number.NaN;
      totals.push({ line, label: text, amount, k });
    }
  });
  const amounts = [...byId.values()].map(of => {
    const values = of.map(({ values: { loan_amount, loan_value } }) => loan_amount ?? loan_value);
    return Number(values.find(value => value !== undefined) ?? 0);
  });
  const sum = amounts.reduce((a, b) => a + b, 0);
  // A total without a word is the sum of the others, or it is a row without an id.
  const sums = totals.filter(({ label, amount, k }) => {
    if (/[a-z]/i.test(label) || isSumOf(amount, sum, amounts.length)) return true;
    readAsLoan(headed.rows[k], headed.lineOf(k));
    return false;
  });
  if (more > 0)
    faults.push({
      code: 'more_faults',
      message: `the tape has ${counted(more, 'more fault')}`,
      remedy: 'Correct those that are named first.',
    });
  return {
    byId,
    faultyIds,
    faults,
    count,
    remarks: [
      ...[...rated].map(
        ([symbol, units]) => `One ${symbol} counts as ${units}, by an alias of the market rules.`,
      ),
      ...asideRemarks(sums, texts, headers, sum, amounts.length),
      ...(parts.length === 0
        ? []
        : [
            `${counted(parts.length, 'row')} without an id ${parts.length === 1 ? 'is' : 'are'} collateral of the loan above: ${listed(
              parts.map(line => `line ${line}`),
              5,
            )}.`,
          ]),
    ],
  };
}

const debtColumn = (index: ReadonlyMap<TapeColumn, number>): TapeColumn =>
  index.has('loan_amount') ? 'loan_amount' : 'loan_value';

/** The loans of the rows that have no fault; repaid ones are named and left out. */
function loansOf(
  { byId, faultyIds }: ReadRows,
  standard: Values,
  defaultRate: number,
  found: FoundColumns,
  smallest: ReadonlySet<TapeColumn>,
  isAsked: (fault: TapeFault) => boolean,
  faults: TapeFault[],
): { readonly loans: TapeLoan[]; readonly faulty: OwedByFaulty[]; readonly remarks: string[] } {
  const loans: TapeLoan[] = [];
  const faulty: OwedByFaulty[] = [];
  const repaid: string[] = [];
  const converted: string[] = [];
  const byAsset: string[] = [];
  // What a question on a further column does not change is judged with it: a second answer would be asked for otherwise.
  const isReadable = found.faults.every(
    ({ remedy }) => typeof remedy !== 'string' && QUESTIONS.has(remedy.kind),
  );
  for (const [id, asNamed] of byId) {
    const of = inUnitsOfAssets(asNamed, defaultRate);
    const read = faultyIds.has(id) || !isReadable ? undefined : loanOf(of, standard, smallest);
    if (read === 'repaid') repaid.push(id);
    else if (read !== undefined && !('faults' in read)) {
      loans.push(read);
      if (read.collateral.some(({ liquidationLtv }) => liquidationLtv !== undefined)) byAsset.push(id);
      if (read.loanValueUsd !== undefined && !isSteady(read.loanAsset)) converted.push(id);
    } else {
      if (read !== undefined) faults.push(...read.faults.filter(fault => !isAsked(fault)));
      faulty.push(owedBy(id, of, standard));
    }
  }
  return {
    loans,
    faulty,
    remarks: [
      ...(repaid.length === 0
        ? []
        : [
            `${namedLoans(repaid)} ${repaid.length === 1 ? 'owes' : 'owe'} nothing, and ${repaid.length === 1 ? 'is' : 'are'} not computed.`,
          ]),
      ...(byAsset.length === 0
        ? []
        : [
            `${namedLoans(byAsset)} ${byAsset.length === 1 ? 'has' : 'have'} a liquidation_ltv for each collateral asset: the threshold is their mean by value, at the prices of each hour.`,
          ]),
      ...(converted.length === 0
        ? []
        : [
            `The debt of ${namedLoans(converted)} is in USD in the tape, and in another asset by loan_asset: it is divided by the close.`,
          ]),
    ],
  };
}

/** Rows of a loan with their amounts in units of the assets. @param defaultRate of the loan asset that no row names */
function inUnitsOfAssets(rows: readonly Row[], defaultRate: number): readonly Row[] {
  const ofLoan = rows.find(({ rates }) => rates?.loan_asset !== undefined)?.rates?.loan_asset ?? defaultRate;
  return rows.map(row => {
    const { rates = {}, currencies } = row;
    const values = { ...row.values };
    const convert = (column: TapeColumn, rate: number) => {
      // An amount with a currency of its own is not one of the symbol.
      if (values[column] !== undefined && rate !== 1 && currencies[column] === undefined)
        values[column] = Number(values[column]) * rate;
    };
    convert('collateral_amount', rates.collateral_asset ?? 1);
    for (const column of ['loan_amount', 'accrued_interest'] as const)
      convert(column, rates.loan_asset ?? ofLoan);
    return { ...row, values };
  });
}

/** What the rows of a loan with faults say of its debt. */
function owedBy(id: string, rows: readonly Row[], standard: Values): OwedByFaulty {
  const first = <T>(pick: (row: Row) => T | undefined) => rows.map(pick).find(each => each !== undefined);
  const amount = first(({ values }) => values.loan_amount);
  const value = first(({ values }) => values.loan_value);
  const currency = first(({ currencies }) => currencies.loan_amount);
  const asset = first(({ values }) => values.loan_asset) ?? standard.loan_asset ?? currency;
  return {
    id,
    ...(asset !== undefined && { loanAsset: String(asset) }),
    ...(value !== undefined
      ? { loanValueUsd: Number(value) }
      : amount === undefined
        ? {}
        : currency === 'USD'
          ? { loanValueUsd: Number(amount) }
          : { loanAmount: Number(amount) }),
  };
}

function readRow(
  cells: readonly Cell[],
  line: number,
  index: ReadonlyMap<TapeColumn, number>,
  width: number,
  forms: ColumnForms,
): { readonly row: Row; readonly faults: ColumnFault[] } {
  const values: Values = {};
  const currencies: Partial<Record<TapeColumn, string>> = {};
  const faults: ColumnFault[] = [];
  const row: Row = {
    line,
    id: '',
    values,
    currencies,
    isDashed: isZeroDash(cells[index.get('loan_amount') ?? index.get('loan_value') ?? -1]),
  };
  // A line may end with a mark more, and lack empty fields at its end.
  const extra = cells.slice(width).some(cell => !isEmptyCell(cell));
  if (extra || cells.length < width) {
    const id = cells[index.get('loan_id') as number];
    faults.push({
      code: 'malformed',
      message: `${width} fields expected, ${cells.length} found`,
      remedy: 'Put quotes around a field that holds the mark between fields.',
    });
    if (!isEmptyCell(id)) values.loan_id = String(id).trim();
    return { row, faults };
  }
  for (const [column, at] of index) {
    if (isEmptyCell(cells[at]) || saysNone(column, cells[at]) || isZeroDash(cells[at])) continue;
    const read = readCell(column, cells[at], forms.of(column));
    if ('message' in read) {
      faults.push({ column, ...read });
      continue;
    }
    values[column] = read.value;
    if (TAPE_COLUMNS[column].kind !== 'amount') continue;
    const currency = read.currency ?? forms.currencies.get(column);
    if (currency !== undefined) currencies[column] = currency;
  }
  return { row, faults };
}

/** The defaults, read as cells. */
function defaultValues(
  defaults: Readonly<Partial<Record<TapeColumn, string>>>,
  forms: ColumnForms,
  faults: TapeFault[],
): Values {
  const values: Values = {};
  for (const [column, text] of Object.entries(defaults) as [TapeColumn, string][]) {
    const own: CellForms = forms.of(column);
    const read = readCell(column, text, own);
    if ('message' in read) faults.push({ column, ...read, message: `the default: ${read.message}` });
    else values[column] = read.value;
  }
  return values;
}
