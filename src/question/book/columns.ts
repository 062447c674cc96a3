/**
 * The loans of a book by columns, so that a hundred thousand of them are a few arrays.
 *
 * Takes: loans as their schema gives them. Gives: columns, and the JSON text that echoes them. Must not know: plans.
 */
import type { WeightMap } from '../../request/weight-map.ts';
import { type LendingColumns, type LendingRow, lendingColumns } from './lending-columns.ts';

/** A loan of a book as processed. */
export interface BookLoan extends LendingRow {
  readonly collateral_weights: WeightMap;
  readonly loan_weights: WeightMap;
  readonly loan_value: number;
  readonly collateral?: WeightMap | undefined;
}

/** K loans of B distinct pairs of baskets over n assets. */
export interface BookColumns {
  readonly ids: readonly string[];
  /** JSON text of the loans, symbols upper-case. */
  readonly echo: string;
  /** Distinct assets in alphabetical order. */
  readonly symbols: readonly string[];
  /** B x n weights. */
  readonly collateralWeights: Float64Array;
  readonly loanWeights: Float64Array;
  /** Per pair of baskets: the first loan that has it. */
  readonly firstLoan: Uint32Array;
  /** Per loan: its pair of baskets. */
  readonly basket: Uint32Array;
  readonly loanValue: Float64Array;
  readonly nominalRatio: Float64Array;
  readonly marginCallRatio: Float64Array;
  readonly liquidationRatio: Float64Array;
  readonly recoveryRatio: Float64Array;
  readonly durationDays: Float64Array;
  readonly topUpHours: Float64Array;
  /** 1 where the weights of a loan follow from amounts. */
  readonly byAmounts: Uint32Array;
  /** Absent where no loan has any of these terms. */
  readonly lending?: LendingColumns;
  /** Per loan its borrower, null without one; absent where no loan has one. */
  readonly borrowers?: readonly (string | null)[];
}

/** Distinct symbols of all loans, alphabetically. */
export function symbolsOf(loans: readonly Pick<BookLoan, 'collateral_weights' | 'loan_weights'>[]): string[] {
  const symbols = new Set<string>();
  for (const loan of loans)
    for (const map of [loan.collateral_weights, loan.loan_weights])
      for (const symbol of Object.keys(map)) symbols.add(symbol);
  return [...symbols].sort();
}

/** @param isShocked whether prices are shocked at the start, so that any loan may begin called or liquidated */
export function bookColumns(loans: readonly BookLoan[], isShocked = false): BookColumns {
  const symbols = symbolsOf(loans);
  const number = new Map(symbols.map((symbol, i) => [symbol, i]));
  const baskets = new Map<string, number>();
  const firstLoan: number[] = [];
  const basket = Uint32Array.from(loans, (loan, k) => {
    const key = JSON.stringify([loan.collateral_weights, loan.loan_weights]);
    const known = baskets.get(key);
    if (known !== undefined) return known;
    baskets.set(key, firstLoan.length);
    return firstLoan.push(k) - 1;
  });
  const rows = (side: 'collateral_weights' | 'loan_weights') => {
    const weights = new Float64Array(firstLoan.length * symbols.length);
    firstLoan.forEach((k, b) => {
      for (const [symbol, weight] of Object.entries(loans[k][side]))
        weights[b * symbols.length + (number.get(symbol) as number)] = weight;
    });
    return weights;
  };
  const lending = lendingColumns(loans, isShocked);
  const hasBorrowers = loans.some(({ borrower }) => borrower !== undefined);
  const column = (pick: (loan: BookLoan) => number) => Float64Array.from(loans, pick);
  return {
    ids: loans.map(({ id }) => id),
    echo: JSON.stringify(loans),
    symbols,
    collateralWeights: rows('collateral_weights'),
    loanWeights: rows('loan_weights'),
    firstLoan: Uint32Array.from(firstLoan),
    basket,
    loanValue: column(loan => loan.loan_value),
    nominalRatio: column(loan => loan.N),
    marginCallRatio: column(loan => loan.M),
    liquidationRatio: column(loan => loan.L),
    recoveryRatio: column(loan => loan.R),
    durationDays: column(loan => loan.loan_duration),
    topUpHours: column(loan => loan.mc_top_up),
    byAmounts: Uint32Array.from(loans, ({ collateral }) => Number(collateral !== undefined)),
    ...(lending && { lending }),
    ...(hasBorrowers && { borrowers: loans.map(({ borrower }) => borrower ?? null) }),
  };
}
