/**
 * The sums over the paths of a book, in memory that threads can share.
 *
 * Every entry is a whole number, so that paths can be added in any order: counts, steps, and amounts in units so small
 * that their rounding does not show.
 */
import { LOAN_START } from '../plan/book-lending.ts';
import { startOfRatio } from '../plan/loan-terms.ts';
import {
  assetsOf,
  type BookCreditSums,
  type BookLendingSums,
  type BookLoanSquares,
  type BookLoanSums,
  type BookProduct,
  basketValues,
  MAX_SQUARED_LOANS,
} from '../plan/product/book.ts';
import {
  CREDIT_COLUMNS,
  CREDIT_SQUARES,
  type CreditColumns,
  type CreditSums,
  creditColumns,
  creditSumsAt,
  listCredit,
} from './credit-columns.ts';

/** Units of the per-loan sums in one loan value. */
export const UNITS_PER_LOAN_VALUE = 2 ** 32;

/** Units of sales and top-ups in one loan value: sums of a million paths of 100 loan values are below 2^53. */
export const AMOUNT_UNITS = 2 ** 26;

/** Columns of K entries, one per place of the prepared book, in the order of their memory. */
export const SUM_COLUMNS = [
  'marginCalls',
  'liquidations',
  'closeouts',
  'underwater',
  'missedSteps',
  'unsoldUnits',
  'lossUnits',
] as const satisfies readonly (keyof BookLoanSums)[];

/** Further columns of books with squares: steps, path counts, and squared shares in two parts. */
export const SQUARE_COLUMNS = [
  'missedSteps',
  'unsoldPaths',
  'lossPaths',
  'unsoldHigh',
  'unsoldLow',
  'lossHigh',
  'lossLow',
  'earlyEnds',
  'deadlineEnds',
] as const;

export const LENDING_COLUMNS = [
  'salePaths',
  'sales',
  'saleSquares',
  'soldUnits',
  'soldHigh',
  'soldLow',
  'topUpPaths',
  'topUpUnits',
  'topUpHigh',
  'topUpLow',
] as const;

/** Units of a squared share. Its sum has two parts, each a whole number below 2^53. */
export const SQUARE_UNITS = 2 ** 48;
export const LOW_PART = 2 ** 24;

type Column = (typeof SUM_COLUMNS)[number];
export type LendingSums = Readonly<Record<(typeof LENDING_COLUMNS)[number], Float64Array>>;
export type SquareSums = Readonly<Record<(typeof SQUARE_COLUMNS)[number], Float64Array>>;

/** Sums of some paths, one entry per place of the prepared book; `worstRatio` has one per group. */
export type BookSums = Readonly<Record<Column | 'worstRatio', Float64Array>> & {
  readonly squares: SquareSums | undefined;
  readonly lending: LendingSums | undefined;
  readonly credit: CreditSums | undefined;
};

/** Doubles of the sums of one thread. @param lending whether loans may have the terms of real loans; @param credit whether there are credit figures */
export const sumsLength = (loans: number, groups: number, lending = false, credit = false) =>
  columnsOf(loans, lending, credit) * loans + groups;

const hasSquares = (loans: number) => loans <= MAX_SQUARED_LOANS;
const columnsBeforeCredit = (loans: number, lending: boolean) =>
  SUM_COLUMNS.length +
  (hasSquares(loans) ? SQUARE_COLUMNS.length : 0) +
  (lending ? LENDING_COLUMNS.length : 0);
const columnsOf = (loans: number, lending: boolean, credit: boolean) =>
  columnsBeforeCredit(loans, lending) + (credit ? creditColumns(hasSquares(loans)) : 0);

/** Views on the sums at `offset` doubles of a buffer. */
export function sumsAt(
  buffer: ArrayBufferLike,
  offset: number,
  loans: number,
  groups: number,
  lending = false,
  credit = false,
): BookSums {
  const view = (at: number, length: number) =>
    new Float64Array(buffer, (offset + at) * Float64Array.BYTES_PER_ELEMENT, length);
  const viewsOf = <K extends string>(names: readonly K[], first: number) =>
    Object.fromEntries(names.map((name, i) => [name, view((first + i) * loans, loans)])) as Record<
      K,
      Float64Array
    >;
  return {
    ...viewsOf(SUM_COLUMNS, 0),
    squares: hasSquares(loans) ? viewsOf(SQUARE_COLUMNS, SUM_COLUMNS.length) : undefined,
    lending: lending ? viewsOf(LENDING_COLUMNS, columnsBeforeCredit(loans, false)) : undefined,
    credit: credit
      ? creditSumsAt(
          column => view((columnsBeforeCredit(loans, lending) + column) * loans, loans),
          hasSquares(loans),
        )
      : undefined,
    worstRatio: view(columnsOf(loans, lending, credit) * loans, groups),
  };
}

/** Sums of no paths, in memory of their own. @param shared whether threads are to share that */
export function emptySums(
  loans: number,
  groups: number,
  lending = false,
  shared = false,
  credit = false,
): BookSums {
  const bytes = sumsLength(loans, groups, lending, credit) * Float64Array.BYTES_PER_ELEMENT;
  const buffer = shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
  const sums = sumsAt(buffer, 0, loans, groups, lending, credit);
  sums.worstRatio.fill(Number.POSITIVE_INFINITY);
  return sums;
}

/** Sums of no paths of a product. */
export const sumsOfProduct = (
  { loanValue, lending, credit }: Pick<BookProduct, 'loanValue' | 'lending' | 'credit'>,
  groups: number,
): BookSums => emptySums(loanValue.length, groups, lending !== undefined, false, credit !== undefined);

export function addSums(sums: BookSums, more: BookSums): void {
  const addTo = (to: Float64Array, from: Float64Array) => {
    for (let i = 0; i < to.length; i++) to[i] += from[i];
  };
  for (const column of SUM_COLUMNS) addTo(sums[column], more[column]);
  if (sums.squares !== undefined && more.squares !== undefined)
    for (const column of SQUARE_COLUMNS) addTo(sums.squares[column], more.squares[column]);
  if (sums.lending !== undefined && more.lending !== undefined)
    for (const column of LENDING_COLUMNS) addTo(sums.lending[column], more.lending[column]);
  if (sums.credit !== undefined && more.credit !== undefined) {
    const from = listCredit(more.credit);
    listCredit(sums.credit).forEach(([, column], c) => {
      addTo(column, from[c][1]);
    });
  }
  const { worstRatio } = sums;
  for (let g = 0; g < worstRatio.length; g++) worstRatio[g] = Math.min(worstRatio[g], more.worstRatio[g]);
}

/** The sums by loan, as in the outcome: a group's worst ratio becomes the worst CCR of each loan. */
export function loanSums(
  { worstRatio, squares, lending, credit, ...places }: BookSums,
  product: BookProduct,
  { groupFirst, byCall }: { readonly groupFirst: Uint32Array; readonly byCall: Uint32Array },
): BookLoanSums {
  const { nominalRatio } = product;
  const startRatio = startRatios(product);
  const worstCcr = new Float64Array(nominalRatio.length);
  for (let g = 0; g < worstRatio.length; g++)
    for (let i = groupFirst[g]; i < groupFirst[g + 1]; i++)
      worstCcr[byCall[i]] = nominalRatio[byCall[i]] * Math.min(worstRatio[g], startRatio(byCall[i]));
  const byLoan: ByLoan = valueAt => {
    const column = new Float64Array(nominalRatio.length);
    for (let i = 0; i < byCall.length; i++) column[byCall[i]] = valueAt(i);
    return column;
  };
  const columns = SUM_COLUMNS.map(name => {
    const column = places[name];
    return [name, byLoan(i => column[i])] as const;
  });
  return {
    ...(Object.fromEntries(columns) as Record<Column, Float64Array>),
    worstCcr,
    squares: squares && loanSquares(squares, byLoan),
    ...(lending && { lending: lendingSums(lending, byLoan) }),
    ...(credit && { credit: creditSums(credit, byLoan) }),
  };
}

/** A column by loan, from its values by place. */
type ByLoan = (valueAt: (place: number) => number) => Float64Array;

/** C_0 / L_0 of loans whose start is a step of their term; Infinity of the others. */
function startRatios(product: BookProduct): (loan: number) => number {
  const { lending, basket, collateralWeights, loanWeights } = product;
  if (lending === undefined) return () => Number.POSITIVE_INFINITY;
  const assets = assetsOf(product);
  const collateral = basketValues(collateralWeights, assets);
  const loan = basketValues(loanWeights, assets);
  return k =>
    lending.start[k] === LOAN_START.none
      ? Number.POSITIVE_INFINITY
      : startOfRatio(collateral[basket[k]] / loan[basket[k]], product.nominalRatio[k]);
}

function lendingSums(sums: LendingSums, byLoan: ByLoan): BookLendingSums {
  return {
    salePaths: byLoan(i => sums.salePaths[i]),
    sales: byLoan(i => sums.sales[i]),
    saleSquares: byLoan(i => sums.saleSquares[i]),
    sold: byLoan(i => sums.soldUnits[i] / AMOUNT_UNITS),
    soldSquares: byLoan(squareIn(sums.soldHigh, sums.soldLow)),
    topUpPaths: byLoan(i => sums.topUpPaths[i]),
    topUp: byLoan(i => sums.topUpUnits[i] / AMOUNT_UNITS),
    topUpSquares: byLoan(squareIn(sums.topUpHigh, sums.topUpLow)),
  };
}

function loanSquares(squares: SquareSums, byLoan: ByLoan): BookLoanSquares {
  return {
    missedSteps: byLoan(i => squares.missedSteps[i]),
    earlyEnds: byLoan(i => squares.earlyEnds[i]),
    deadlineEnds: byLoan(i => squares.deadlineEnds[i]),
    unsoldPaths: byLoan(i => squares.unsoldPaths[i]),
    lossPaths: byLoan(i => squares.lossPaths[i]),
    unsold: byLoan(squareIn(squares.unsoldHigh, squares.unsoldLow)),
    loss: byLoan(squareIn(squares.lossHigh, squares.lossLow)),
  };
}

/** Both sets in one, whose columns are whole numbers. */
function bothSets({ within, after }: CreditSums): CreditColumns {
  const added = <N extends string>(
    one: Readonly<Record<N, Float64Array>>,
    more: typeof one,
    names: readonly N[],
  ) =>
    Object.fromEntries(
      names.map(name => [name, one[name].map((value, i) => value + more[name][i])]),
    ) as Record<N, Float64Array>;
  return {
    ...added(within, after, CREDIT_COLUMNS),
    squares: within.squares && after.squares && added(within.squares, after.squares, CREDIT_SQUARES),
  };
}

function creditSums(sums: CreditSums, byLoan: ByLoan): BookCreditSums {
  const ofSet = ({ events, exposure, losses, lossExposure, lost, squares }: CreditColumns) => ({
    events: byLoan(i => events[i]),
    exposure: byLoan(i => exposure[i] / AMOUNT_UNITS),
    losses: byLoan(i => losses[i]),
    lossExposure: byLoan(i => lossExposure[i] / AMOUNT_UNITS),
    lost: byLoan(i => lost[i] / UNITS_PER_LOAN_VALUE),
    squares: squares && {
      exposure: byLoan(squareIn(squares.exposureHigh, squares.exposureLow)),
      lossExposure: byLoan(squareIn(squares.lossExposureHigh, squares.lossExposureLow)),
      lost: byLoan(squareIn(squares.lostHigh, squares.lostLow)),
      product: byLoan(squareIn(squares.productHigh, squares.productLow)),
    },
  });
  return { all: ofSet(bothSets(sums)), within: ofSet(sums.within) };
}

/** A sum of squares from its two parts. */
const squareIn = (high: Float64Array, low: Float64Array) => (place: number) =>
  (high[place] * LOW_PART + low[place]) / SQUARE_UNITS;

/** Adds the square of a share to a sum in two parts. */
export function addSquare(high: Float64Array, low: Float64Array, place: number, share: number): void {
  addParts(high, low, place, share * share * SQUARE_UNITS);
}

/** The two parts of the square of a share. */
export function squareParts(share: number): readonly [high: number, low: number] {
  const whole = Math.round(share * share * SQUARE_UNITS);
  const high = Math.floor(whole / LOW_PART);
  return [high, whole - high * LOW_PART];
}

/** Adds an amount, rounded to a whole number, to a sum in two parts. */
export function addParts(high: Float64Array, low: Float64Array, place: number, amount: number): void {
  const whole = Math.round(amount);
  const part = Math.floor(whole / LOW_PART);
  high[place] += part;
  low[place] += whole - part * LOW_PART;
}
