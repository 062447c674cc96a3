/** The loans of a book by columns: twenty thousand processed loans are a few arrays and some JSON texts. */
import { HOURS_PER_DAY } from '../../core/plan/grid.ts';
import type { Portfolio } from '../../core/plan/portfolio.ts';
import type { BookProduct } from '../../core/plan/product/book.ts';
import { inTurns } from '../../host/in-turns.ts';
import { debtGrowth } from '../loan/under-way.ts';
import { rangeByAsset, thresholdsOf } from '../request/ltv.ts';
import { type CreditColumns, creditColumns } from './credit.ts';
import type { CreditTerms } from './credit-request.ts';
import { type LendingColumns, lendingColumns } from './lending-columns.ts';
import type { BookLoan } from './loan-row.ts';

/** K loans of B distinct pairs of baskets over n assets; the columns of the plan, and what they lack. */
export interface BookColumns
  extends Pick<
    BookProduct,
    | 'collateralWeights'
    | 'loanWeights'
    | 'basket'
    | 'loanValue'
    | 'nominalRatio'
    | 'marginCallRatio'
    | 'liquidationRatio'
    | 'liquidationWeights'
    | 'recoveryRatio'
  > {
  readonly ids: readonly string[];
  /** JSON texts of lists of the loans, symbols upper-case: a message between threads has them faster than loans. */
  readonly echo: readonly string[];
  /** Distinct assets in alphabetical order. */
  readonly symbols: readonly string[];
  /** All baskets as one, by the values of the loans. */
  readonly whole: Portfolio;
  /** The longest term, days. */
  readonly longestDays: number;
  /** Per pair of baskets: its first loan. */
  readonly firstLoan: Uint32Array;
  readonly durationDays: Float64Array;
  /** Days to the maturity, at least the duration; infinite without one. */
  readonly maturityDays: Float64Array;
  readonly topUpHours: Float64Array;
  /** 1 where the weights of a loan follow from amounts. */
  readonly byAmounts: Uint32Array;
  /** Absent where no loan has any of these terms. */
  readonly lending?: LendingColumns;
  /** Absent without credit figures. */
  readonly credit?: CreditColumns;
  /** Absent where no loan has one. */
  readonly borrowers?: Borrowers;
}

/** The borrowers of a book in the order of their first loans, and per loan 1 + the place of its borrower, 0 without one. */
export interface Borrowers {
  readonly names: readonly string[];
  readonly ranks: Uint32Array;
}

/** Distinct symbols of all loans, alphabetically. */
export function symbolsOf(loans: readonly Pick<BookLoan, 'collateral_weights' | 'loan_weights'>[]): string[] {
  const symbols = new Set<string>();
  for (const loan of loans)
    for (const map of [loan.collateral_weights, loan.loan_weights])
      for (const symbol of Object.keys(map)) symbols.add(symbol);
  return [...symbols].sort();
}

/** Loans of one text: some milliseconds. */
const LOANS_PER_TEXT = 1000;

const echoOf = (loans: readonly BookLoan[]): readonly string[] =>
  Array.from({ length: Math.ceil(loans.length / LOANS_PER_TEXT) }, (_, i) =>
    JSON.stringify(loans.slice(i * LOANS_PER_TEXT, (i + 1) * LOANS_PER_TEXT)),
  );

/** The loans as `Arguments` shows them. */
export async function shownLoans({ echo }: BookColumns): Promise<readonly unknown[]> {
  const loans: unknown[] = [];
  await inTurns(echo, text => loans.push(...(JSON.parse(text) as unknown[])));
  return loans;
}

/**
 * @param isShocked whether prices are shocked at the start, after which any loan may begin called or liquidated
 * @param creditTerms of credit figures, if there are any
 */
export function bookColumns(
  loans: readonly BookLoan[],
  isShocked = false,
  creditTerms?: CreditTerms,
): BookColumns {
  const symbols = symbolsOf(loans);
  const number = new Map(symbols.map((symbol, i) => [symbol, i]));
  const baskets = new Map<string, number>();
  const firstLoan: number[] = [];
  const thresholds = loans.map(loan => thresholdsOf(loan.liquidation_ltv, loan.collateral_weights));
  const basket = Uint32Array.from(loans, (loan, k) => {
    const key = JSON.stringify([loan.collateral_weights, loan.loan_weights, thresholds[k]]);
    const known = baskets.get(key);
    if (known !== undefined) return known;
    baskets.set(key, firstLoan.length);
    return firstLoan.push(k) - 1;
  });
  const rows = (side: 'collateral_weights' | 'loan_weights', factor = (_k: number, _symbol: string) => 1) => {
    const weights = new Float64Array(firstLoan.length * symbols.length);
    firstLoan.forEach((k, b) => {
      for (const [symbol, weight] of Object.entries(loans[k][side]))
        weights[b * symbols.length + (number.get(symbol) as number)] = weight * factor(k, symbol);
    });
    return weights;
  };
  const credit = creditTerms && creditColumns(loans, creditTerms, logGrowth);
  const lending = lendingColumns(loans, isShocked || credit?.inDefault.includes(1));
  const borrowers = borrowersOf(loans);
  const column = (pick: (loan: BookLoan) => number) => Float64Array.from(loans, pick);
  const loanValue = column(loan => loan.loan_value);
  const [collateralWeights, loanWeights] = [rows('collateral_weights'), rows('loan_weights')];
  const total = loanValue.reduce((sum, value) => sum + value, 0);
  const byBasket = new Float64Array(firstLoan.length);
  basket.forEach((b, k) => {
    byBasket[b] += loanValue[k] / total;
  });
  const sum = (weights: Float64Array) => {
    const all = new Float64Array(symbols.length);
    weights.forEach((weight, i) => {
      all[i % symbols.length] += weight * byBasket[Math.floor(i / symbols.length)];
    });
    return all;
  };
  return {
    ids: loans.map(({ id }) => id),
    echo: echoOf(loans),
    symbols,
    collateralWeights,
    loanWeights,
    whole: { collateralWeights: sum(collateralWeights), loanWeights: sum(loanWeights) },
    longestDays: loans.reduce((longest, { loan_duration }) => Math.max(longest, loan_duration), 0),
    firstLoan: Uint32Array.from(firstLoan),
    basket,
    loanValue,
    nominalRatio: column(loan => loan.N),
    marginCallRatio: column(loan => loan.M),
    liquidationRatio: Float64Array.from(loans, (loan, k) => {
      const byAsset = thresholds[k];
      return byAsset === undefined ? loan.L : rangeByAsset(byAsset).most;
    }),
    ...(thresholds.some(each => each !== undefined) && {
      liquidationWeights: rows('collateral_weights', (k, symbol) => thresholds[k]?.[symbol] ?? 0),
    }),
    recoveryRatio: column(loan => loan.R),
    durationDays: column(loan => loan.loan_duration),
    maturityDays: column(
      ({ loan_duration, maturity_days = loan_duration }) => maturity_days ?? Number.POSITIVE_INFINITY,
    ),
    topUpHours: column(loan => loan.mc_top_up),
    byAmounts: Uint32Array.from(loans, ({ collateral }) => Number(collateral !== undefined)),
    ...(lending && { lending }),
    ...(credit && { credit }),
    ...(borrowers.names.length > 0 && { borrowers }),
  };
}

/** Increment per hour of the natural logarithm of the debt of a loan. */
const logGrowth = ({ interest_rate, loan_duration }: BookLoan): number =>
  Math.log(debtGrowth(interest_rate, loan_duration)) / (HOURS_PER_DAY * loan_duration);

export function borrowersOf(loans: readonly Pick<BookLoan, 'borrower'>[]): Borrowers {
  const places = new Map<string, number>();
  const ranks = Uint32Array.from(loans, ({ borrower }) => {
    if (borrower === undefined) return 0;
    const rank = places.get(borrower) ?? places.size + 1;
    places.set(borrower, rank);
    return rank;
  });
  return { names: [...places.keys()], ranks };
}
