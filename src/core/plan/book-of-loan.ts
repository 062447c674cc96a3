/** A book of one loan, of value 1, on the terms of a single loan whose sales take time and cost. */
import { LOAN_START, plainLending } from './book-lending.ts';
import { HOURS_PER_DAY } from './grid.ts';
import type { BookProduct } from './product/book.ts';
import type { LoanProduct } from './product/loan.ts';

export interface SaleTerms {
  readonly saleDelaySteps: number;
  /** Cost of a sale, as a fraction of it. */
  readonly saleCost: number;
  readonly stepHours: number;
}

/** Its figures are sums over all paths; the tail is that of one path at most. */
const FEW_IN_TAIL = 1 - 2 ** -20;

/** @param loan without answers, and with one threshold of liquidation */
export function bookOfLoan(
  loan: LoanProduct,
  { saleDelaySteps, saleCost, stepHours }: SaleTerms,
): BookProduct {
  const { portfolio, steps, start, debtGrowth = 1 } = loan;
  return {
    kind: 'book',
    steps: steps + saleDelaySteps,
    saleDelaySteps,
    saleCost,
    daySteps: HOURS_PER_DAY / stepHours,
    quantiles: Float64Array.of(FEW_IN_TAIL),
    collateralWeights: portfolio.collateralWeights,
    loanWeights: portfolio.loanWeights,
    basket: Uint32Array.of(0),
    termSteps: Uint32Array.of(steps),
    topUpSteps: Uint32Array.of(loan.topUpSteps),
    loanValue: Float64Array.of(1),
    nominalRatio: Float64Array.of(loan.nominalRatio),
    marginCallRatio: Float64Array.of(loan.marginCallRatio),
    liquidationRatio: Float64Array.of(loan.liquidationRatio),
    recoveryRatio: Float64Array.of(loan.recoveryRatio),
    ...((start !== undefined || debtGrowth !== 1) && {
      lending: {
        ...plainLending(1, saleCost),
        debtGrowth: Float64Array.of(debtGrowth),
        ...(start && {
          start: Uint32Array.of(LOAN_START[start.status]),
          startDeadline: Uint32Array.of(Math.max(1, start.deadlineStep)),
        }),
      },
    }),
  };
}
