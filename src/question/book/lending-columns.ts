/**
 * The terms of real loans in the rows of a book, by columns, and as the plan has them.
 *
 * Takes: rows as their schema gives them. Gives: columns in hours and per year; on a grid, columns of a plan. All are absent where no row
 * has any of the members and none begins below M.
 */
import { type BookLending, LOAN_START } from '../../core/plan/book-lending.ts';
import type { GridHours } from '../../core/plan/grid.ts';
import { startOf } from '../../core/plan/loan-terms.ts';
import { nameKey } from '../loan/name-key.ts';
import { answerRatio, debtGrowth, type TopUp, underWaySteps } from '../loan/under-way.ts';
import { saleRatio } from './row-rules.ts';

/** Members of a row that are read here. */
export interface LendingRow {
  readonly id: string;
  readonly N: number;
  readonly M: number;
  readonly L: number;
  readonly R: number;
  readonly loan_duration: number;
  readonly mc_top_up: number;
  readonly called_hours_ago?: number | undefined;
  readonly interest_rate?: number | undefined;
  readonly top_up?: TopUp | undefined;
  readonly borrower?: string | undefined;
  readonly sale_cost?: number | undefined;
  readonly partial_sale?:
    | { readonly to?: number | undefined; readonly to_ltv?: number | undefined; readonly max_share: number }
    | undefined;
}

/** One entry per loan. */
export interface LendingColumns {
  readonly debtGrowth: Float64Array;
  /** Below 0 where it is that of the book. */
  readonly saleCost: Float64Array;
  /** A value of `LOAN_START`. */
  readonly start: Uint32Array;
  readonly calledHoursAgo: Float64Array;
  readonly answerShare: Float64Array;
  /** 0 where nobody answers. */
  readonly answerDelayHours: Float64Array;
  readonly answerRatio: Float64Array;
  readonly nameHigh: Uint32Array;
  readonly nameLow: Uint32Array;
  readonly oneDraw: Uint32Array;
  /** 0 where everything is sold. */
  readonly saleRatio: Float64Array;
  readonly saleShare: Float64Array;
}

const OF_BOOK = -1;

const hasTerms = ({ N, M, interest_rate, top_up, sale_cost, partial_sale }: LendingRow) =>
  N < M ||
  interest_rate !== undefined ||
  top_up !== undefined ||
  sale_cost !== undefined ||
  partial_sale !== undefined;

/** The columns of rows; also of rows without such terms where `always`, as a shock of prices needs. */
export function lendingColumns(rows: readonly LendingRow[], always = false): LendingColumns | undefined {
  if (!always && !rows.some(hasTerms)) return undefined;
  const doubles = (pick: (row: LendingRow) => number) => Float64Array.from(rows, pick);
  const words = (pick: (row: LendingRow) => number) => Uint32Array.from(rows, pick);
  // A loan whose calls nobody answers draws nothing.
  const keys = rows.map(({ top_up, borrower, id }) =>
    top_up === undefined ? [0, 0] : nameKey(borrower ?? id),
  );
  return {
    debtGrowth: doubles(({ interest_rate, loan_duration }) => debtGrowth(interest_rate, loan_duration)),
    saleCost: doubles(({ sale_cost }) => sale_cost ?? OF_BOOK),
    start: words(row => {
      const { status } = startOf(row.N, row, false, 1);
      return status === 'open' ? LOAN_START.none : LOAN_START[status];
    }),
    calledHoursAgo: doubles(({ called_hours_ago }) => called_hours_ago ?? 0),
    answerShare: doubles(({ top_up }) => top_up?.share ?? 0),
    answerDelayHours: doubles(({ top_up }) => top_up?.delay_hours ?? 0),
    answerRatio: doubles(({ top_up, R }) => (top_up === undefined ? 0 : answerRatio(top_up, R))),
    nameHigh: Uint32Array.from(keys, ([high]) => high),
    nameLow: Uint32Array.from(keys, ([, low]) => low),
    oneDraw: words(({ borrower }) => Number(borrower !== undefined)),
    saleRatio: doubles(({ partial_sale }) => (partial_sale === undefined ? 0 : saleRatio(partial_sale))),
    saleShare: doubles(({ partial_sale }) => partial_sale?.max_share ?? 1),
  };
}

/** The columns of a plan. */
export function bookLending(
  columns: LendingColumns,
  topUpHours: Float64Array,
  saleCost: number,
  gridHours: GridHours,
): BookLending {
  const steps = Array.from(topUpHours, (mc_top_up, k) => {
    const delay_hours = columns.answerDelayHours[k];
    return underWaySteps(
      {
        mc_top_up,
        called_hours_ago: columns.calledHoursAgo[k],
        ...(delay_hours > 0 && { top_up: { delay_hours } }),
      },
      gridHours,
    );
  });
  return {
    debtGrowth: columns.debtGrowth,
    saleCost: columns.saleCost.map(cost => (cost === OF_BOOK ? saleCost : cost)),
    start: columns.start,
    startDeadline: Uint32Array.from(steps, ({ startDeadline }) => startDeadline),
    startAnswer: Uint32Array.from(steps, ({ startAnswer }) => startAnswer),
    answerShare: columns.answerShare,
    answerDelay: Uint32Array.from(steps, ({ answerDelay }) => Math.max(1, answerDelay)),
    answerRatio: columns.answerRatio,
    nameHigh: columns.nameHigh,
    nameLow: columns.nameLow,
    oneDraw: columns.oneDraw,
    saleRatio: columns.saleRatio,
    saleShare: columns.saleShare,
  };
}
