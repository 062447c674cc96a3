/**
 * How the cells of each column are written, decided by all of its cells, and by those of the other columns where it has no evidence of its
 * own. What is decided is said once; what is not is asked once.
 *
 * Takes: the cells of each column, its heading, what the caller has said. Must not know: rows of loans.
 */
import { counted } from '../text/grouped.ts';
import { show } from '../text/message.ts';
import { type Cell, type DecimalMark, isEmptyCell, readNumber } from '../text/numbers.ts';
import type { DateOrder } from '../text/times.ts';
import { type CellForms, isLtv, signOf } from './cells.ts';
import { TAPE_COLUMNS, type TapeColumn } from './columns.ts';
import { type DateEvidence, dateEvidence, isOpenDate, readDate } from './dates.ts';
import type { FoundColumns } from './find-columns.ts';
import { markOfLtv } from './mark-of-ltv.ts';
import { dressed } from './money.ts';
import { remedy } from './remedies.ts';
import type { TapeFault } from './tape.ts';

/** What the caller has said of the cells. */
export interface SaidForms {
  readonly dates?: DateOrder | undefined;
  readonly decimal?: DecimalMark | undefined;
  readonly percent?: readonly TapeColumn[] | undefined;
  /** Columns of fractions, whatever their names say; before `percent`. */
  readonly fractions?: readonly TapeColumn[] | undefined;
  /** Columns of collateral over loan. */
  readonly ratios?: readonly TapeColumn[] | undefined;
}

export interface ColumnForms {
  readonly of: (column: TapeColumn) => CellForms;
  /** Currency of the amounts of a column, by its heading or its other cells. */
  readonly currencies: ReadonlyMap<TapeColumn, string>;
  readonly remarks: readonly string[];
  /** One for each column that is not decided. */
  readonly faults: readonly TapeFault[];
}

/** Fewest cells that show a habit. */
const MIN_CELLS = 3;

/** @param cellsOf cells of a column, by its place @param width number of columns of the table */
export function columnForms(
  { index, headings, inPercent }: FoundColumns,
  cellsOf: (at: number) => readonly Cell[],
  width: number,
  said: SaidForms,
): ColumnForms {
  const remarks: string[] = [];
  const faults: TapeFault[] = [];
  const filled = new Map<TapeColumn, readonly Cell[]>(
    [...index].map(([column, at]) => [column, cellsOf(at).filter(cell => !isEmptyCell(cell))]),
  );
  const cellsIn = (column: TapeColumn) => filled.get(column) ?? [];
  const textsIn = (column: TapeColumn) =>
    cellsIn(column).flatMap(cell => (typeof cell === 'string' ? [cell.trim()] : []));
  const cellsAt = (column: TapeColumn) => cellsOf(index.get(column) ?? -1) ?? [];
  const debt = index.has('loan_amount') ? 'loan_amount' : 'loan_value';
  const byLtv = () => markOfLtv(cellsAt('ltv'), cellsAt(debt), cellsAt('collateral_value'));
  const decimals = decimalsOf([...index.keys()], textsIn, said.decimal, byLtv, remarks, faults);
  const dates = datesOf([...index.keys()], textsIn, cellsOf, width, said.dates, remarks, faults);
  const units = unitsOf([...index.keys()], cellsIn, decimals, headings, inPercent, said, remarks, faults);
  const signMarksDebt = new Set<TapeColumn>();
  const currencies = new Map<TapeColumn, string>();
  for (const [column, cells] of filled) {
    if (TAPE_COLUMNS[column].kind !== 'amount') continue;
    if (isOwed(column, cells, decimals.get(column), remarks)) signMarksDebt.add(column);
    const currency = headings.get(column)?.currency ?? currencyOf(cells);
    if (currency !== undefined) currencies.set(column, currency);
  }
  const formsOf = (column: TapeColumn): CellForms => ({
    decimal: decimals.get(column) ?? said.decimal,
    ...dates.get(column),
    ...units,
    signMarksDebt: signMarksDebt.has(column),
    ...scaleOf(column, headings, remarks),
  });
  const forms = new Map([...index.keys()].map(column => [column, formsOf(column)]));
  return {
    // A column that has a default alone has no cells.
    of: column => forms.get(column) ?? formsOf(column),
    currencies,
    remarks,
    faults,
  };
}

/** The scale of the amounts of a column, said once. */
function scaleOf(
  column: TapeColumn,
  headings: FoundColumns['headings'],
  remarks: string[],
): Pick<CellForms, 'scale'> {
  const { scale } = headings.get(column) ?? {};
  if (scale === undefined || TAPE_COLUMNS[column].kind !== 'amount') return {};
  remarks.push(
    `In ${column} the heading says ${scale === 1e3 ? 'thousands' : 'millions'}: 1.5 is read as ${1.5 * scale}.`,
  );
  return { scale };
}

const POINT_THOUSANDS = /^\d{1,3}(\.\d{3})+$/;
const COMMA_THOUSANDS = /^\d{1,3}(,\d{3})+$/;

/** The mark of fractions that digits show; `open` where either is possible, and undefined where there is none. */
function markOf(digits: string): DecimalMark | 'comma-open' | undefined {
  const [comma, point] = [digits.indexOf(','), digits.indexOf('.')];
  const last = { comma: digits.lastIndexOf(','), point: digits.lastIndexOf('.') };
  if (comma >= 0 && (last.point > comma || last.comma > comma)) return 'point';
  if (point >= 0 && (last.comma > point || last.point > point)) return 'comma';
  if (digits.includes(','))
    return COMMA_THOUSANDS.test(digits) && !digits.startsWith('0') ? 'comma-open' : 'comma';
  // A point before three digits may stand between thousands; one before another number of digits does not.
  if (digits.includes('.'))
    return POINT_THOUSANDS.test(digits) && !digits.startsWith('0') ? undefined : 'point';
  return undefined;
}

const NUMERIC = new Set(['amount', 'fraction', 'hours', 'number']);

/** Column of money: units of a coin may have three digits behind a mark, money has not. */
const isMoneyColumn = (column: TapeColumn) =>
  TAPE_COLUMNS[column].kind === 'amount' && column !== 'collateral_amount';

function decimalsOf(
  columns: readonly TapeColumn[],
  textsIn: (column: TapeColumn) => readonly string[],
  said: DecimalMark | undefined,
  byLtv: () => DecimalMark | undefined,
  remarks: string[],
  faults: TapeFault[],
): ReadonlyMap<TapeColumn, DecimalMark> {
  const found = new Map<TapeColumn, DecimalMark>();
  const open = new Map<TapeColumn, readonly string[]>();
  for (const column of columns.filter(each => NUMERIC.has(TAPE_COLUMNS[each].kind))) {
    if (said !== undefined) found.set(column, said);
    else {
      const digits = textsIn(column).flatMap(text => {
        const one = dressed(text)?.digits.replace(/[ '\u2019]/g, '');
        return one === undefined ? [] : [{ text, mark: markOf(one) }];
      });
      const has = (mark: DecimalMark) => digits.some(each => each.mark === mark);
      const unclear = digits.filter(({ mark }) => mark === 'comma-open').map(({ text }) => text);
      if (unclear.length > 0) open.set(column, unclear);
      if (has('point') && !has('comma')) found.set(column, 'point');
      else if (has('comma') && !has('point')) found.set(column, 'comma');
      else if (!has('comma') && unclear.length >= MIN_CELLS && isMoneyColumn(column))
        found.set(column, 'point');
    }
  }
  if (said !== undefined) return found;
  // One program has written all columns.
  const marks = new Set(found.values());
  const isOpen = [...open.keys()].some(column => !found.has(column));
  const [other] = marks.size === 1 ? marks : marks.size === 0 && isOpen ? [byLtv()] : [undefined];
  for (const column of columns)
    if (NUMERIC.has(TAPE_COLUMNS[column].kind) && !found.has(column) && other !== undefined)
      found.set(column, other);
  for (const [column, mark] of found) {
    const texts = mark === 'comma' ? textsIn(column).filter(text => /[.,]/.test(text)) : [];
    if (texts.length > 0 && !open.has(column)) open.set(column, texts);
  }
  const asked: string[] = [];
  for (const [column, texts] of open) {
    const mark = found.get(column);
    if (mark === undefined) asked.push(column);
    else
      remarks.push(
        mark === 'point'
          ? `In ${column} a comma stands between thousands: ${show(texts[0])} is read as ${sayNumber(texts[0], mark)} (${counted(texts.length, 'cell')}).`
          : `In ${column} a comma stands before the fraction: ${show(texts[0])} is read as ${sayNumber(texts[0], mark)} (${counted(texts.length, 'cell')}).`,
      );
  }
  for (const column of asked as TapeColumn[]) {
    const texts = open.get(column) ?? [];
    faults.push({
      column,
      code: 'malformed',
      message: `${show(texts[0])}${texts.length === 1 ? '' : ` and ${counted(texts.length - 1, 'more cell')}`}: the comma may stand between thousands or before the fraction`,
      remedy: remedy('decimal'),
    });
  }
  return found;
}

const sayNumber = (text: string, mark: DecimalMark): string => {
  const parts = dressed(text);
  return parts === undefined ? text : String(parts.factor * readNumber(parts.digits, mark));
};

function datesOf(
  columns: readonly TapeColumn[],
  textsIn: (column: TapeColumn) => readonly string[],
  cellsOf: (at: number) => readonly Cell[],
  width: number,
  said: DateOrder | undefined,
  remarks: string[],
  faults: TapeFault[],
): ReadonlyMap<TapeColumn, Pick<CellForms, 'dates' | 'shortYears'>> {
  const found = new Map<TapeColumn, Pick<CellForms, 'dates' | 'shortYears'>>();
  let all: DateEvidence | undefined;
  /** Dates of every column of the table, those that are not used included. */
  const evidenceOfAll = () => {
    all ??= dateEvidence(
      Array.from({ length: width }, (_, at) => cellsOf(at))
        .flat()
        .flatMap(cell => (typeof cell === 'string' ? [cell.trim()] : [])),
    );
    return all;
  };
  for (const column of columns.filter(each => TAPE_COLUMNS[each].kind === 'moment')) {
    const open = textsIn(column).filter(isOpenDate);
    if (said !== undefined || open.length === 0) {
      found.set(column, { dates: said, shortYears: said !== undefined });
      continue;
    }
    const own = dateEvidence(textsIn(column));
    const order = own.order ?? evidenceOfAll().order;
    const dates = order === 'both' ? undefined : order;
    const shortYears = own.shortYears || evidenceOfAll().shortYears;
    found.set(column, { dates, shortYears });
    const isRead = (text: string) => readDate(text, { dates, shortYears }) !== undefined;
    const read = open.filter(isRead);
    const unclear = open.filter(text => !isRead(text) && readDate(text, { dates: 'dmy' }) !== undefined);
    if (read.length > 0) {
      const day = new Date(readDate(read[0], { dates, shortYears })?.ms ?? 0).toISOString().slice(0, 10);
      remarks.push(
        `In ${column} other dates show the order of day, month and year: ${show(read[0])} is read as ${day} (${counted(read.length, 'cell')}).`,
      );
    }
    if (unclear.length > 0 && dates === undefined)
      faults.push({
        column,
        code: 'malformed',
        message: `${show(unclear[0])}${unclear.length === 1 ? '' : ` and ${counted(unclear.length - 1, 'more cell')}`}: which part is the day, which the month and which the year is not clear${order === 'both' ? ', because other cells of the column contradict each other' : ''}`,
        remedy: remedy(/[a-z]/i.test(unclear[0]) ? 'dayFirst' : 'dates'),
      });
  }
  return found;
}

const withoutSign = (text: string) => text.slice(0, signOf(text)?.index ?? text.length).trimEnd();

/** Columns of per cent, of basis points and of collateral over loan. */
type Units = Required<Pick<CellForms, 'percent' | 'basisPoints' | 'ratios'>>;

const RATIO_COLUMNS: readonly TapeColumn[] = [
  'initial_ltv',
  'margin_call_ltv',
  'liquidation_ltv',
  'recovery_ltv',
];
/** From this interest on no loan is made; 5 is then per cent. */
const MOST_INTEREST = 3;
/** The least LTV that a threshold may have in per cent; smaller ones look like fractions. */
const LEAST_PER_CENT = 5;

function unitsOf(
  columns: readonly TapeColumn[],
  cellsIn: (column: TapeColumn) => readonly Cell[],
  decimals: ReadonlyMap<TapeColumn, DecimalMark>,
  headings: FoundColumns['headings'],
  inPercent: ReadonlySet<TapeColumn>,
  { percent = [], fractions = [], ratios = [] }: SaidForms,
  remarks: string[],
  faults: TapeFault[],
): Units {
  const inFractions = new Set(fractions);
  const asPercent = new Set([...percent, ...inPercent].filter(column => !inFractions.has(column)));
  const asRatio = new Set(ratios);
  const basisPoints = new Set<TapeColumn>();
  const asked: TapeColumn[] = [];
  for (const column of columns.filter(each => TAPE_COLUMNS[each].kind === 'fraction')) {
    if (headings.get(column)?.unit === 'basis-points') basisPoints.add(column);
    const bare = cellsIn(column).map(cell => (typeof cell === 'string' ? cell.trim() : cell));
    const isSigned = (cell: Cell) => typeof cell === 'string' && /(%|pct|bps?|cent)/i.test(cell);
    const values = bare.map(cell =>
      typeof cell === 'string' && isSigned(cell)
        ? readNumber(withoutSign(cell), decimals.get(column))
        : readNumber(cell, decimals.get(column)),
    );
    if (values.length === 0 || values.some(value => !Number.isFinite(value)) || basisPoints.has(column))
      continue;
    const signed = bare.filter(isSigned).length;
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const isFree = !inFractions.has(column) && !percent.includes(column);
    if (isFree && signed === 0 && asPercent.has(column) && isLtv(column) && least > 0 && most < 1.5) {
      // Stored as fractions, and shown as per cent by the spreadsheet.
      asPercent.delete(column);
      remarks.push(
        `${column} has fractions, though its name says per cent: ${values[0]} is read as ${sayPercent(values[0])}.`,
      );
    } else if (isFree && signed === 0 && !asPercent.has(column) && isPerCent(column, values, least, most)) {
      asPercent.add(column);
      remarks.push(`${column} is in per cent: ${values[0]} is read as ${sayPercent(values[0] / 100)}.`);
    }
    if (!RATIO_COLUMNS.includes(column) || asRatio.has(column)) continue;
    const scale = signed === values.length || asPercent.has(column) ? 100 : 1;
    const isAbove = least / scale >= 1 || (scale === 1 && signed === 0 && least >= 100 && most <= 1000);
    if (!isAbove) continue;
    if (headings.get(column)?.isRatio) {
      asRatio.add(column);
      if (scale === 1 && least >= 100) asPercent.add(column);
      remarks.push(
        `${column} is collateral over loan by its name: ${values[0]} is read as an LTV of ${sayPercent((least >= 100 ? 100 : scale) / values[0])}.`,
      );
    } else if (values.some(value => value / scale > 1)) asked.push(column);
  }
  // A single threshold a little above 1 is an LTV; two of them, or the call, are collateral over loan.
  if (asked.includes('margin_call_ltv') || asked.length > 1) {
    const [column] = asked;
    const cell = cellsIn(column)[0];
    const value = readNumber(typeof cell === 'string' ? withoutSign(cell) : cell, decimals.get(column));
    const isPercent = value >= 10;
    faults.push({
      column,
      code: 'out_of_range',
      message: `${show(typeof cell === 'bigint' ? Number(cell) : cell)} in ${asked.join(', ')} is above 100 % as loan over collateral: is it collateral over loan, an LTV of ${sayPercent(1 / (isPercent ? value / 100 : value))}?`,
      remedy: remedy(
        'ratios',
        asked.join(' '),
        isPercent && !(typeof cell === 'string' && cell.includes('%')) ? 'percent' : '',
      ),
    });
  }
  return { percent: asPercent, basisPoints, ratios: asRatio };
}

const sayPercent = (share: number) => `${Number((100 * share).toPrecision(4))} %`;

/** Whether the numbers of a column can be nothing but per cent. */
function isPerCent(column: TapeColumn, values: readonly number[], least: number, most: number): boolean {
  if (isLtv(column)) return least >= LEAST_PER_CENT && most <= 100 && most > 1.5;
  const nonzero = values.filter(value => value !== 0);
  return column === 'interest' && most > MOST_INTEREST && most <= 100 && nonzero.every(value => value >= 1);
}

/** Whether the sign of each amount of a debt is negative: it marks what is owed. */
function isOwed(
  column: TapeColumn,
  cells: readonly Cell[],
  decimal: DecimalMark | undefined,
  remarks: string[],
): boolean {
  if (column !== 'loan_amount' && column !== 'loan_value') return false;
  const signed = cells.filter(cell =>
    typeof cell === 'string' ? dressed(cell)?.isNegative === true : Number(cell) < 0,
  );
  const zero = cells.filter(cell => readNumber(cell, decimal) === 0).length;
  if (signed.length < 2 || signed.length + zero < cells.length) return false;
  const [first] = signed;
  remarks.push(
    `In ${column} the sign marks what is owed: ${show(typeof first === 'bigint' ? Number(first) : first)} is a debt (${counted(signed.length, 'cell')}).`,
  );
  return true;
}

/** The currency of the cells that name one; undefined where they name several or none. */
function currencyOf(cells: readonly Cell[]): string | undefined {
  const found = new Set(
    cells.flatMap(cell => (typeof cell === 'string' ? (dressed(cell)?.currency ?? []) : [])),
  );
  return found.size === 1 ? [...found][0] : undefined;
}
