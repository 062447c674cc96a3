/**
 * What becomes of one loan with baskets of its own along one path after its first call (methodology part 4).
 *
 * Takes: the ratio of the loan's baskets, opened at its call, and where sales are booked. Loans are named by their places in a
 * prepared book. Must not know: how a ratio is found, other loans. Loans that share a ratio are followed by class-states.ts.
 */
import type { BookSums } from './book-sums.ts';
import type { PathBookings } from './path-bookings.ts';
import type { PreparedBook } from './prepared-book.ts';
import type { SignedBasket } from './signed-basket.ts';

/**
 * The states of a loan whose ratio falls below M / N at `first`: liquidation, cure, call, closeout, in this order at every step.
 *
 * @returns whether it was sold
 */
export function followLoan(
  book: PreparedBook,
  place: number,
  term: number,
  sums: BookSums,
  ratio: SignedBasket,
  first: number,
  bookings: PathBookings,
): boolean {
  const liquidation = book.liquidationAt[place];
  const recovery = book.recoveryAt[place];
  const topUp = book.topUpSteps[place];
  sums.marginCalls[place] += 1;
  let index = first;
  while (index < term) {
    // A call opens. In its own step only a liquidation, or a deadline of no steps, ends the loan.
    const deadline = index + topUp;
    const lastOpen = Math.min(deadline, term - 1);
    const mayFall = ratio.mayFallBelow(liquidation, index, lastOpen);
    const opensBelow = mayFall && ratio.at(index) < liquidation;
    if (opensBelow || topUp === 0) {
      bookings.sell(place, index, term, opensBelow, sums, ratio);
      return true;
    }
    const next = mayFall
      ? ratio.firstOutside(liquidation, recovery, index + 1, lastOpen)
      : ratio.firstNotBelow(recovery, index + 1, lastOpen);
    if (next > lastOpen) {
      if (deadline < term) bookings.sell(place, deadline, term, false, sums, ratio);
      return deadline < term;
    }
    if (mayFall && ratio.at(next) < liquidation) {
      bookings.sell(place, next, term, true, sums, ratio);
      return true;
    }
    // Cured. With R below M the next call can open in the same step.
    index = ratio.firstBelow(next);
  }
  return false;
}
