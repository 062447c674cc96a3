/**
 * The states of loans of common baskets and term along one path (methodology part 4), many of them at a time.
 *
 * Loans of a class (prepared-book.ts) differ in N and value, so their thresholds fall from loan to loan. The loans that
 * are open at a step are a range of places; an event cuts it in two: the first loans are liquidated, the last are
 * cured. The events of a path are as many as the different steps of calls and cures, whatever the number of loans.
 */
import type { BookSums } from './book-sums.ts';
import type { DifferenceSums } from './difference-sums.ts';
import type { LazyRatio } from './lazy-ratio.ts';
import type { PathBookings } from './path-bookings.ts';
import type { PreparedBook } from './prepared-book.ts';

export class ClassStates {
  /** Per place: 1 where the loan was sold on this path. */
  private readonly ended: Uint8Array;
  /** Ranges before their next call: first place, end, step index; three entries each. */
  private readonly waiting: number[] = [];
  private term = 0;

  constructor(
    private readonly book: PreparedBook,
    private readonly ratio: LazyRatio,
    private readonly bookings: PathBookings,
    private readonly differences: DifferenceSums,
  ) {
    this.ended = new Uint8Array(book.sharedGroups.length > 0 ? book.byCall.length : 0);
  }

  isEnded(place: number): boolean {
    return this.ended[place] === 1;
  }

  /** Resets the sales of loans `first` to `end` - 1. */
  forget(first: number, end: number): void {
    this.ended.fill(0, first, end);
  }

  /** Follows loans `first` to `end` - 1 of a class, all of which are called at some step before `term`. */
  follow(first: number, end: number, term: number, sums: BookSums): void {
    const { waiting } = this;
    this.term = term;
    this.differences.call(first, end);
    this.findCalls(first, end, 0, sums);
    while (waiting.length > 0) {
      const from = waiting.pop() as number;
      const last = waiting.pop() as number;
      this.findCalls(waiting.pop() as number, last, from, sums);
    }
  }

  /** Calls each of loans `first` to `end` - 1, uncalled at `from`, where its ratio falls below its M / N. */
  private findCalls(first: number, end: number, from: number, sums: BookSums): void {
    const { ratio, term } = this;
    const { callAt } = this.book;
    let index = from;
    for (let place = first; place < end; ) {
      index = ratio.firstBelow(callAt[place], index);
      if (index === term) return;
      const opening = ratio.at(index);
      const called = endOfPrefix(callAt, place, end, opening);
      this.open(place, called, index, opening, sums);
      place = called;
    }
  }

  /** Loans `first` to `end` - 1 are called at `index`, at ratio `opening`. */
  private open(first: number, end: number, index: number, opening: number, sums: BookSums): void {
    const { ratio, term } = this;
    const { liquidationAt, recoveryAt, topUpSteps } = this.book;
    // In the step of the call only a liquidation, or a deadline of 0 steps, ends a loan.
    first = this.liquidate(first, end, index, opening, sums);
    if (first === end) return;
    const deadline = index + topUpSteps[first];
    const lastOpen = Math.min(deadline, term - 1);
    for (let next = index + 1; ; next++) {
      next = ratio.firstOutside(liquidationAt[first], recoveryAt[end - 1], next, lastOpen);
      if (next > lastOpen) break;
      const now = ratio.at(next);
      first = this.liquidate(first, end, next, now, sums);
      if (first === end) return;
      const cured = endOfPrefix(recoveryAt, first, end, now);
      if (cured < end) {
        // With R below M the next call can open in the same step.
        this.waiting.push(cured, end, next);
        if (first === cured) return;
        end = cured;
      }
    }
    if (deadline < term) this.sell(first, end, deadline, false, sums);
  }

  /** Sells those of loans `first` to `end` - 1 that are below L / N. @returns the first of the others */
  private liquidate(first: number, end: number, index: number, now: number, sums: BookSums): number {
    const { liquidationAt } = this.book;
    if (!(liquidationAt[first] > now)) return first;
    const rest = endOfPrefix(liquidationAt, first, end, now);
    this.sell(first, rest, index, true, sums);
    return rest;
  }

  private sell(first: number, end: number, index: number, liquidated: boolean, sums: BookSums): void {
    const { bookings, differences, ratio, term } = this;
    bookings.sellRange(first, end, index, term, liquidated, sums, differences, ratio);
    this.ended.fill(1, first, end);
  }
}

/** The first of places `first` to `end` - 1 whose threshold is not above `ratio`; thresholds fall. `end` where there is none. */
export function endOfPrefix(threshold: Float64Array, first: number, end: number, ratio: number): number {
  let low = first;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (threshold[middle] > ratio) low = middle + 1;
    else high = middle;
  }
  return low;
}
