/** A book under one scenario before its simulation: the shock, then the replay. */
import type { GridHours } from '../plan/grid.ts';
import { assetsOf, type BookProduct, basketValues } from '../plan/product/book.ts';
import { type BookLeft, bookAfterReplay } from './book-after-replay.ts';
import { lendingOf, shockBook } from './book-shock.ts';
import { type ReplayedBook, replayBook } from './replay-book.ts';

export interface StressInput {
  /** The book with steps of one hour, and with the steps of the paths; both with lending terms. */
  readonly hourly: BookProduct;
  readonly onGrid: BookProduct;
  readonly gridHours: GridHours;
  /** Per asset: price after the shock over the price before; absent without a shock. */
  readonly factors: readonly number[] | undefined;
  /** Absent without a replay. */
  readonly replay: { readonly relatives: readonly Float64Array[]; readonly hours: number } | undefined;
  /** Per loan: hours to its maturity, at least its term; infinite without one. */
  readonly maturityHours: Float64Array;
  /** Of the draws of answers. */
  readonly seed: number;
}

/** The loans immediately after the shock; lists have an entry per loan. */
export interface BookAtOnce {
  /** USD. */
  readonly collateral: Float64Array;
  readonly debt: Float64Array;
  /** A value of `LOAN_START`. */
  readonly start: Uint32Array;
}

export interface StressedBook {
  readonly atOnce: BookAtOnce;
  readonly replayed: ReplayedBook | undefined;
  /** The book to simulate; undefined where no loan remains. */
  readonly left: BookLeft | undefined;
}

export function stressBook({
  hourly,
  onGrid,
  gridHours,
  factors,
  replay,
  maturityHours,
  seed,
}: StressInput): StressedBook {
  const shocked = (product: BookProduct) => (factors === undefined ? product : shockBook(product, factors));
  const start = shocked(hourly);
  const atOnce = bookAtOnce(start);
  if (replay === undefined) {
    const all = Uint32Array.from(hourly.loanValue.keys());
    return { atOnce, replayed: undefined, left: { product: shocked(onGrid), loans: all } };
  }
  const input = { product: untilMaturity(start, maturityHours, replay.hours), ...replay, seed };
  const replayed = replayBook(input);
  return { atOnce, replayed, left: bookAfterReplay(input, replayed.loans, gridHours) };
}

/**
 * The product whose loans live through a replay: to their maturity, at most for their term after its end. The rate of interest stays.
 *
 * @param maturityHours per loan, at least its term
 */
function untilMaturity(product: BookProduct, maturityHours: Float64Array, hours: number): BookProduct {
  const lending = lendingOf(product);
  const termSteps = product.termSteps.map((steps, k) => Math.min(maturityHours[k], steps + hours));
  return {
    ...product,
    termSteps,
    lending: {
      ...lending,
      debtGrowth: lending.debtGrowth.map((growth, k) => growth ** (termSteps[k] / product.termSteps[k])),
    },
  };
}

function bookAtOnce(product: BookProduct): BookAtOnce {
  const { basket, collateralWeights, loanWeights, loanValue, nominalRatio } = product;
  const assets = assetsOf(product);
  const collateral = basketValues(collateralWeights, assets);
  const debt = basketValues(loanWeights, assets);
  return {
    collateral: loanValue.map((value, k) => nominalRatio[k] * value * collateral[basket[k]]),
    debt: loanValue.map((value, k) => value * debt[basket[k]]),
    start: lendingOf(product).start,
  };
}
