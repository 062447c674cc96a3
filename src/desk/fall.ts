/**
 * The book if all collateral falls at once by the same part, and nothing else moves: loans called, liquidated, and what is not covered.
 *
 * Must not know: models.
 */
import type { LoanLine } from './result.ts';

export interface AfterFall {
  /** A fraction. */
  readonly fall: number;
  /** USD lent in loans at or beyond their margin call LTV, and beyond their liquidation LTV. */
  readonly calledUsd: number;
  readonly liquidatedUsd: number;
  /** USD lent beyond the value of the collateral. */
  readonly uncoveredUsd: number;
}

export function afterFall(loans: readonly LoanLine[], fall: number): AfterFall {
  const sum = (pick: (loan: LoanLine) => number) => loans.reduce((total, loan) => total + pick(loan), 0);
  const ltv = (loan: LoanLine) => loan.Ltv / (1 - fall);
  return {
    fall,
    calledUsd: sum(loan => (ltv(loan) > loan.MarginCallLtv ? loan.LoanUsd : 0)),
    liquidatedUsd: sum(loan => (ltv(loan) > loan.LiquidationLtv ? loan.LoanUsd : 0)),
    uncoveredUsd: sum(loan => Math.max(0, loan.LoanUsd - (1 - fall) * loan.CollateralUsd)),
  };
}
