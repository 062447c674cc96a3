/**
 * The states of one loan with baskets of its own along one path after its first call, or from a start as called or
 * liquidated (methodology part 4).
 *
 * The ratio is opened at the loan's call; loans are named by their places in a prepared book.
 */
import type { BookSums } from './book-sums.ts';
import { START } from './debt-growth.ts';
import type { PathBookings } from './path-bookings.ts';
import type { PreparedBook } from './prepared-book.ts';
import type { SignedBasket } from './signed-basket.ts';

/** The result of a call that ended with a sale, in the place of the index of the next call. */
const SOLD = -1;

/**
 * Follows a loan whose ratio falls below M / N at `first`: liquidation, cure, call, closeout, in this order at every
 * step.
 *
 * @returns whether it was sold
 */
export function followFromCall(
  book: PreparedBook,
  place: number,
  term: number,
  sums: BookSums,
  ratio: SignedBasket,
  first: number,
  bookings: PathBookings,
): boolean {
  const liquidation = book.liquidationAt[place];
  const topUp = book.topUpSteps[place];
  let index = first;
  while (index < term) {
    // A call opens. In its step only a liquidation, or a deadline of 0 steps, ends the loan.
    const deadline = index + topUp;
    const mayFall = ratio.mayFallBelow(liquidation, index, Math.min(deadline, term - 1));
    const opensBelow = mayFall && ratio.at(index) < liquidation;
    if (opensBelow || topUp === 0) {
      bookings.sell(place, index, term, opensBelow, sums, ratio);
      return true;
    }
    index = followCall(book, place, term, sums, ratio, index + 1, deadline, mayFall, bookings);
    if (index === SOLD) return true;
  }
  return false;
}

/**
 * Follows a loan that is called or liquidated at the start.
 *
 * @param deadline index of the deadline of its call; undefined for a liquidated loan
 * @returns whether it was sold
 */
export function followFromStart(
  book: PreparedBook,
  place: number,
  term: number,
  sums: BookSums,
  ratio: SignedBasket,
  deadline: number | undefined,
  bookings: PathBookings,
): boolean {
  if (deadline === undefined) {
    bookings.sell(place, START, term, true, sums, ratio);
    return true;
  }
  const mayFall = ratio.mayFallBelow(book.liquidationAt[place], 0, Math.min(deadline, term - 1));
  const next = followCall(book, place, term, sums, ratio, 0, deadline, mayFall, bookings);
  return next === SOLD || followFromCall(book, place, term, sums, ratio, next, bookings);
}

/**
 * Follows an open call from index `from` on.
 *
 * @param mayFall whether a ratio may be below L / N up to the deadline
 * @returns the index of the next call; the number of steps without one, `SOLD` after a sale
 */
function followCall(
  book: PreparedBook,
  place: number,
  term: number,
  sums: BookSums,
  ratio: SignedBasket,
  from: number,
  deadline: number,
  mayFall: boolean,
  bookings: PathBookings,
): number {
  const liquidation = book.liquidationAt[place];
  const recovery = book.recoveryAt[place];
  const lastOpen = Math.min(deadline, term - 1);
  const next = mayFall
    ? ratio.firstOutside(liquidation, recovery, from, lastOpen)
    : ratio.firstNotBelow(recovery, from, lastOpen);
  if (next > lastOpen) {
    if (deadline >= term) return term;
    bookings.sell(place, deadline, term, false, sums, ratio);
    return SOLD;
  }
  if (mayFall && ratio.at(next) < liquidation) {
    bookings.sell(place, next, term, true, sums, ratio);
    return SOLD;
  }
  // Cured. With R below M the next call can open in the same step.
  return ratio.firstBelow(next);
}
