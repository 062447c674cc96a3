/**
 * The terms of real loans in the rows of a book: columns in hours and per year, and on a grid columns of a plan. Both are absent if no
 * row has any of the members and none starts below M.
 */
import { type BookLending, LOAN_START } from '../../core/plan/book-lending.ts';
import type { GridHours } from '../../core/plan/grid.ts';
import { statusAtStart } from '../../core/plan/loan-terms.ts';
import { debtGrowth, nameKey, restoredRatio, underWaySteps } from '../loan/under-way.ts';
import { thresholdsOf } from '../request/ltv.ts';
import { type BookLoan, saleRatio } from './loan-row.ts';

/** One entry per loan; `saleCost` is below 0 where the cost is that of the book. */
export interface LendingColumns extends Omit<BookLending, 'startDeadline' | 'startAnswer' | 'answerDelay'> {
  readonly calledHoursAgo: Float64Array;
  /** 0 where nobody answers. */
  readonly answerDelayHours: Float64Array;
}

const OF_BOOK = -1;

const isByAsset = ({ liquidation_ltv, collateral_weights }: BookLoan) =>
  thresholdsOf(liquidation_ltv, collateral_weights) !== undefined;

const hasTerms = (row: BookLoan) => {
  const { N, M, interest_rate, top_up, sale_cost, partial_sale } = row;
  return (
    N < M ||
    isByAsset(row) ||
    interest_rate !== undefined ||
    top_up !== undefined ||
    sale_cost !== undefined ||
    partial_sale !== undefined
  );
};

/** The columns of rows; with `always` also of rows without such terms, as a shock of prices requires. */
export function lendingColumns(rows: readonly BookLoan[], always = false): LendingColumns | undefined {
  if (!always && !rows.some(hasTerms)) return undefined;
  const doubles = (pick: (row: BookLoan) => number) => Float64Array.from(rows, pick);
  const words = (pick: (row: BookLoan) => number) => Uint32Array.from(rows, pick);
  // A loan without answers draws nothing.
  const keys = rows.map(({ top_up, borrower, id }) =>
    top_up === undefined ? [0, 0] : nameKey(borrower ?? id),
  );
  return {
    debtGrowth: doubles(({ interest_rate, loan_duration }) => debtGrowth(interest_rate, loan_duration)),
    saleCost: doubles(({ sale_cost }) => sale_cost ?? OF_BOOK),
    start: words(row => {
      const status = statusAtStart(row.N, row, false);
      return status === 'open' ? LOAN_START.none : LOAN_START[status];
    }),
    calledHoursAgo: doubles(({ called_hours_ago }) => called_hours_ago ?? 0),
    answerShare: doubles(({ top_up }) => top_up?.share ?? 0),
    answerDelayHours: doubles(({ top_up }) => top_up?.delay_hours ?? 0),
    answerRatio: doubles(({ top_up, R }) => (top_up === undefined ? 0 : restoredRatio(top_up, R))),
    nameHigh: Uint32Array.from(keys, ([high]) => high),
    nameLow: Uint32Array.from(keys, ([, low]) => low),
    ...(rows.some(isByAsset) && { byAsset: words(row => Number(isByAsset(row))) }),
    oneDraw: words(({ borrower }) => Number(borrower !== undefined)),
    saleRatio: doubles(({ partial_sale }) => (partial_sale === undefined ? 0 : saleRatio(partial_sale))),
    saleShare: doubles(({ partial_sale }) => partial_sale?.max_share ?? 1),
  };
}

/** The columns of a plan. @param ofBook cost of a sale of the book, a fraction */
export function bookLending(
  { calledHoursAgo, answerDelayHours, ...columns }: LendingColumns,
  topUpHours: Float64Array,
  ofBook: number,
  gridHours: GridHours,
): BookLending {
  const loans = topUpHours.length;
  const [startDeadline, startAnswer, answerDelay] = [0, 1, 2].map(() => new Uint32Array(loans));
  for (let k = 0; k < loans; k++) {
    const delay_hours = answerDelayHours[k];
    const top_up = delay_hours > 0 ? { delay_hours } : undefined;
    const terms = { mc_top_up: topUpHours[k], called_hours_ago: calledHoursAgo[k], top_up };
    const steps = underWaySteps(terms, gridHours);
    startDeadline[k] = steps.startDeadline;
    startAnswer[k] = steps.startAnswer;
    answerDelay[k] = Math.max(1, steps.answerDelay);
  }
  const saleCost = columns.saleCost.map(cost => (cost === OF_BOOK ? ofBook : cost));
  return { ...columns, saleCost, startDeadline, startAnswer, answerDelay };
}
