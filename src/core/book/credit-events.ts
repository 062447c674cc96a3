/** Books the first event of each loan on a path for the credit figures of a book. */
import type { BookCredit } from '../plan/book-credit.ts';
import { AMOUNT_UNITS, addParts, addSquare, SQUARE_UNITS, UNITS_PER_LOAN_VALUE } from './book-sums.ts';
import type { CREDIT_SETS, CreditColumns, CreditSums } from './credit-columns.ts';
import { type DebtGrowth, debtGrowths } from './debt-growth.ts';

/** Adds the events of loans, named by their places, to their sums. */
export class CreditEvents {
  private readonly discounts: readonly (DebtGrowth | undefined)[];

  /** @param byCall per place its loan; @param steps of a path */
  constructor(
    private readonly credit: BookCredit,
    byCall: Uint32Array,
    steps: number,
  ) {
    this.discounts = debtGrowths(byCall, credit.logDiscount, steps);
  }

  /** The sums to which an event at `step` counts. */
  setOf(step: number): (typeof CREDIT_SETS)[number] {
    return step <= this.credit.horizonSteps ? 'within' : 'after';
  }

  /**
   * Adds the first event of a loan on a path.
   *
   * @param exposure its debt at `step`, in loan values
   * @param loss in loan values, 0 or less without one; @param lossIndex step index of its cash
   */
  add(
    sums: CreditSums,
    place: number,
    step: number,
    exposure: number,
    loss: number,
    lossIndex: number,
  ): void {
    expose(sums[this.setOf(step)], place, exposure);
    this.lose(sums, place, step, exposure, loss, lossIndex);
  }

  /** Adds the loss of an event alone. */
  lose(
    sums: CreditSums,
    place: number,
    step: number,
    exposure: number,
    loss: number,
    lossIndex: number,
  ): void {
    if (!(loss > 0)) return;
    const share = loss * (this.discounts[place]?.at(lossIndex) ?? 1);
    const isLoss = Math.round(loss * UNITS_PER_LOAN_VALUE) > 0;
    addLoss(sums[this.setOf(step)], place, exposure, share, isLoss);
  }
}

/** Units of an exposure in its sum. */
export const exposureUnits = (exposure: number): number => Math.round(exposure * AMOUNT_UNITS);

function expose(sums: CreditColumns, place: number, exposure: number): void {
  sums.events[place] += 1;
  sums.exposure[place] += exposureUnits(exposure);
  const { squares } = sums;
  if (squares !== undefined) addSquare(squares.exposureHigh, squares.exposureLow, place, exposure);
}

function addLoss(sums: CreditColumns, place: number, exposure: number, share: number, isLoss: boolean): void {
  sums.lost[place] += Math.round(share * UNITS_PER_LOAN_VALUE);
  if (!isLoss) return;
  sums.losses[place] += 1;
  sums.lossExposure[place] += exposureUnits(exposure);
  const { squares } = sums;
  if (squares === undefined) return;
  addSquare(squares.lossExposureHigh, squares.lossExposureLow, place, exposure);
  addSquare(squares.lostHigh, squares.lostLow, place, share);
  addParts(squares.productHigh, squares.productLow, place, share * exposure * SQUARE_UNITS);
}
