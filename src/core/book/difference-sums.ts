/**
 * Sums per loan to which whole ranges of places are added as differences at their ends; after many paths they are
 * summed once.
 *
 * All are whole numbers, so the order of additions does not matter.
 */
import { type BookSums, squareParts } from './book-sums.ts';
import { CREDIT_SETS, type CreditColumns, type CreditSums } from './credit-columns.ts';
import { exposureUnits } from './credit-events.ts';
import type { PreparedBook } from './prepared-book.ts';

/** Sums of exposures as differences: events, units of exposures, and their squares in two parts. */
type Exposures = Readonly<Record<'events' | 'exposure' | 'high' | 'low', Float64Array>>;

export class DifferenceSums {
  private readonly marginCalls: Float64Array;
  private readonly liquidations: Float64Array;
  private readonly closeouts: Float64Array;
  private readonly missedSteps: Float64Array;
  private readonly missedSquares: Float64Array;
  private readonly earlyEnds: Float64Array;
  /** By rank in `byNominal`. */
  private readonly underwater: Float64Array;
  /** Absent without credit figures. */
  private readonly exposures: Readonly<Record<keyof CreditSums, Exposures>> | undefined;

  /** @param hasCredit whether there are credit figures */
  constructor(
    private readonly book: PreparedBook,
    hasCredit = false,
  ) {
    const length = book.sharedGroups.length > 0 ? book.byCall.length + 1 : 0;
    const differences = () => new Float64Array(length);
    this.marginCalls = differences();
    this.liquidations = differences();
    this.closeouts = differences();
    this.missedSteps = differences();
    this.missedSquares = differences();
    this.earlyEnds = differences();
    this.underwater = differences();
    const exposures = (): Exposures => ({
      events: differences(),
      exposure: differences(),
      high: differences(),
      low: differences(),
    });
    this.exposures = hasCredit ? { within: exposures(), after: exposures() } : undefined;
  }

  call(first: number, end: number): void {
    add(this.marginCalls, first, end, 1);
  }

  /** Loans `first` to `end` - 1 are sold, `missed` steps before their term. */
  sell(first: number, end: number, missed: number, liquidated: boolean): void {
    add(liquidated ? this.liquidations : this.closeouts, first, end, 1);
    add(this.missedSteps, first, end, missed);
    add(this.missedSquares, first, end, missed * missed);
    if (missed > 0) add(this.earlyEnds, first, end, 1);
  }

  /** Loans `first` to `end` - 1 have their event, at this debt in loan values. */
  expose(first: number, end: number, exposure: number, set: keyof CreditSums): void {
    const sums = this.exposures?.[set];
    if (sums === undefined) return;
    const [high, low] = squareParts(exposure);
    add(sums.events, first, end, 1);
    add(sums.exposure, first, end, exposureUnits(exposure));
    add(sums.high, first, end, high);
    add(sums.low, first, end, low);
  }

  /** Loans of ranks `first` to `end` - 1 in `byNominal` are under water on a path. */
  addUnderwater(first: number, end: number): void {
    add(this.underwater, first, end, 1);
  }

  /** Adds these sums to `sums`, and resets them. */
  moveTo(sums: BookSums): void {
    if (this.marginCalls.length === 0) return;
    const { byNominal } = this.book;
    move(this.marginCalls, sums.marginCalls);
    move(this.liquidations, sums.liquidations);
    move(this.closeouts, sums.closeouts);
    move(this.missedSteps, sums.missedSteps);
    if (sums.squares !== undefined) {
      move(this.missedSquares, sums.squares.missedSteps);
      move(this.earlyEnds, sums.squares.earlyEnds);
    }
    if (this.exposures !== undefined && sums.credit !== undefined)
      for (const set of CREDIT_SETS) moveExposures(this.exposures[set], sums.credit[set]);
    let sum = 0;
    for (let i = 0; i < byNominal.length; i++) {
      sum += this.underwater[i];
      sums.underwater[byNominal[i]] += sum;
    }
    this.underwater.fill(0);
  }
}

function add(differences: Float64Array, first: number, end: number, amount: number): void {
  differences[first] += amount;
  differences[end] -= amount;
}

function move(differences: Float64Array, to: Float64Array): void {
  let sum = 0;
  for (let i = 0; i < to.length; i++) {
    sum += differences[i];
    to[i] += sum;
  }
  differences.fill(0);
}

function moveExposures({ events, exposure, high, low }: Exposures, to: CreditColumns): void {
  move(events, to.events);
  move(exposure, to.exposure);
  if (to.squares === undefined) return;
  move(high, to.squares.exposureHigh);
  move(low, to.squares.exposureLow);
}
