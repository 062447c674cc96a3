/** The figures of one scenario of /stress: after the shock, along the replay, and of each loan. */
import {
  bookLoanFigures,
  expectedLoss,
  LOAN_STATUS,
  type LoanOutcomes,
} from '../../core/figures/book-loan.ts';
import { capitalParts } from '../../core/figures/capital.ts';
import { LOAN_START } from '../../core/plan/book-lending.ts';
import { REPLAY_END, type ReplayedBook } from '../../core/stress/replay-book.ts';
import type { BookAtOnce, StressedBook } from '../../core/stress/stressed-book.ts';

const sum = (values: ArrayLike<number>) => {
  let total = 0;
  for (let k = 0; k < values.length; k++) total += values[k];
  return total;
};

/** The book immediately after the shock. */
export function figuresAtOnce({ collateral, debt, start }: BookAtOnce) {
  const of = (status: number) => {
    let [Loans, LoanUsd] = [0, 0];
    for (let k = 0; k < start.length; k++) {
      if (start[k] !== status) continue;
      Loans += 1;
      LoanUsd += debt[k];
    }
    return { Loans, LoanUsd };
  };
  const [CollateralUsd, LoanUsd] = [sum(collateral), sum(debt)];
  return {
    CollateralUsd,
    LoanUsd,
    Ltv: LoanUsd / CollateralUsd,
    Called: of(LOAN_START.called),
    Liquidated: of(LOAN_START.liquidated),
  };
}

/** The book in the replay. @param withPath whether the answer has the ratio of the book hour by hour */
export function replayFigures(
  { loans, followedHours, ccr, peakDay }: ReplayedBook,
  hours: number,
  withPath: boolean,
) {
  const atEnd = (state: number) => loans.end.reduce((count, end) => count + Number(end === state), 0);
  return {
    Hours: hours,
    FollowedHours: followedHours,
    Matured: sum(loans.matured),
    Called: sum(loans.called),
    ClosedOut: sum(loans.closedOut),
    Liquidated: sum(loans.liquidated),
    CalledAtEnd: atEnd(REPLAY_END.called),
    OrdersOpen: atEnd(REPLAY_END.ordered),
    Loss: sum(loans.loss),
    ForcedSaleUsd: sum(loans.sold),
    PeakDayUsd: peakDay,
    ToppedUpUsd: sum(loans.toppedUp),
    Lowest: ccr.reduce((low, value) => (value > 0 ? Math.min(low, value) : low), Number.POSITIVE_INFINITY),
    ...(withPath && { Path: Array.from(ccr) }),
  };
}

const END_NAMES = ['open', 'called', 'ordered', 'ended'] as const;

export interface StressedLoans extends StressedBook {
  /** Whether loans have their parts in the economic capital. */
  readonly hasCapital: boolean;
  readonly outcome: LoanOutcomes | undefined;
}

/** Loss of each loan, USD: in the replay, and on average after it. */
export function lossesOf({ replayed, left, outcome }: StressedLoans, loans: number): Float64Array {
  const losses = replayed === undefined ? new Float64Array(loans) : Float64Array.from(replayed.loans.loss);
  if (outcome === undefined || left === undefined) return losses;
  left.loans.forEach((k, i) => {
    losses[k] += expectedLoss(left.product, outcome, i);
  });
  return losses;
}

/** The members of loan k. @param place its number in the simulated book; -1 outside it @param loss undefined where none was computed */
export function stressedLoan(
  { atOnce, replayed, left, outcome, hasCapital }: StressedLoans,
  k: number,
  place: number,
  loss: number | undefined,
) {
  const status = LOAN_STATUS.get(atOnce.start[k]);
  const [CollateralUsd, LoanUsd] = [atOnce.collateral[k], atOnce.debt[k]];
  return {
    CollateralUsd,
    LoanUsd,
    Ltv: LoanUsd / CollateralUsd,
    ...(status === undefined ? {} : { Status: status }),
    ...(loss !== undefined && { Loss: loss }),
    ...(replayed && { Replay: replayedLoan(replayed, k) }),
    ...(outcome &&
      left &&
      place >= 0 && {
        Book: {
          ...bookLoanFigures(left.product, outcome, place),
          ...(hasCapital && capitalParts(left.product, outcome, [place])),
        },
      }),
  };
}

function replayedLoan({ loans }: ReplayedBook, k: number) {
  return {
    Called: loans.called[k] === 1,
    ClosedOut: loans.closedOut[k] === 1,
    Liquidated: loans.liquidated[k] === 1,
    End: END_NAMES[loans.end[k]],
    Ltv: loans.ccr[k] === 0 ? null : 1 / loans.ccr[k],
    Loss: loans.loss[k],
    ForcedSaleUsd: loans.sold[k],
    ToppedUpUsd: loans.toppedUp[k],
  };
}

/** Most loans in an answer without include=loans. */
const MAX_TOLD = 20;

/** The numbers of the loans with the largest losses above 0, the largest first. */
export function largestLosses(losses: Float64Array): number[] {
  const found: number[] = [];
  for (let k = 0; k < losses.length; k++) {
    const least = found.length < MAX_TOLD ? 0 : losses[found[found.length - 1]];
    if (!(losses[k] > least)) continue;
    const place = found.findIndex(each => losses[each] < losses[k]);
    found.splice(place < 0 ? found.length : place, 0, k);
    found.length = Math.min(found.length, MAX_TOLD);
  }
  return found;
}
