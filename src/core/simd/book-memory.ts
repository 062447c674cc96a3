/**
 * A book in the kernel's memory: its loans with baskets of their own, and what is found of them.
 *
 * Takes: a prepared book. Gives: the places of what the kernel writes. The layout is that of wasm/book-loans.ts and
 * wasm/book-basket.ts. Must not know: prices.
 */

import { SQUARE_COLUMNS } from '../book/book-sums.ts';
import { type DebtGrowth, debtGrowths } from '../book/debt-growth.ts';
import type { PreparedBook } from '../book/prepared-book.ts';
import { type BookProduct, MOST_SQUARED_LOANS } from '../plan/product/book.ts';
import type { Kernel } from './kernel.ts';

const DOUBLE = Float64Array.BYTES_PER_ELEMENT;
const INTEGER = Int32Array.BYTES_PER_ELEMENT;
/** Doubles of a loan: lowest ratio, M / N, 1 / N, L / N, R / N, N, value. */
const LOWEST = 0;
const MARGIN_CALL = 1;
const UNDERWATER = 2;
const LIQUIDATION = 3;
const RECOVERY = 4;
const NOMINAL = 5;
const VALUE = 6;
/** Integers of a loan, behind its doubles: steps, deadline, address and number of its terms. */
const STEPS = 14;
const TOP_UP = 15;
const TERMS = 16;
const COUNT = 17;
/** What it is at the start, and the step index of the deadline of its call then. */
const AT_START = 22;
const START_DEADLINE = 23;
/** The address of the tables of the growth of its debt, and, a double, its largest. */
const GROWTH = 24;
const MOST_GROWTH = 13;
/** In the place of the deadline: the loan is followed singly from its first call on, by the host. */
const CALL_IS_TOLD = -1;
/** Integers of a term: weights are doubles, then comes the asset. */
const TERM_ASSET = 4;
/** Bytes in front of the terms of a loan's test of whole paths, and of each. */
const FRONT_BYTES = 8;

/** Where the kernel has what, in bytes or, for places, in elements of its views. */
export interface BookMemory {
  /** Places in the prepared book of the loans in the order in which the kernel has them. */
  readonly places: Uint32Array;
  readonly groups: Uint32Array;
  readonly events: number;
  /** Pairs of integers of a lane: a loan that is followed singly, by its number in the kernel, and the index of its first call. */
  callsOf(lane: number): number;
  readonly eventBytes: number;
  /** Begins a run over paths with the lowest ratios so far, one per group. */
  begin(worstRatio: Float64Array): void;
  /** Follows the loans along the paths of a packet. @returns bytes of events */
  follow(lanes: number, withEvents: boolean): number;
  figuresOf(lane: number): number;
  soldOf(lane: number): number;
  sumsOf(loan: number): number;
  /** Where the squares of a loan begin, in the order of SQUARE_COLUMNS; undefined where the book keeps none. */
  readonly squaresOf: ((loan: number) => number) | undefined;
  worstOf(loan: number): number;
}

/** Writes a book behind `at`. */
export function writeBook(
  kernel: Kernel,
  product: BookProduct,
  book: PreparedBook,
  assets: number,
  at: number,
): BookMemory {
  const { exports } = kernel;
  const loanBytes = exports.BOOK_LOAN_BYTES.value;
  const termBytes = exports.TERM_BYTES.value;
  const eventBytes = exports.BOOK_EVENT_BYTES.value;
  const sumsPlace = exports.BOOK_SUMS.value;
  const figureBytes = exports.BOOK_FIGURE_BYTES.value;
  const groups = book.aloneGroups;
  const places = groups.map(g => book.groupFirst[g]);
  const loans = places.map(place => book.byCall[place]);
  const { start, asset, collateral, loan: ofLoan } = book.terms;
  const isHeld = (i: number) => collateral[i] !== 0 || ofLoan[i] !== 0;
  let terms = 0;
  for (const g of groups)
    for (let i = start[book.groupBasket[g]]; i < start[book.groupBasket[g] + 1]; i++) if (isHeld(i)) terms++;
  const firstTerm = at + loans.length * loanBytes;
  const fronts = firstTerm + terms * termBytes;
  const figures = fronts + loans.length * FRONT_BYTES + terms * FRONT_BYTES;
  const sold = figures + kernel.lanes * figureBytes;
  const keepsSquares = product.loanValue.length <= MOST_SQUARED_LOANS;
  const squares = sold + kernel.lanes * product.steps * DOUBLE;
  const squareDoubles = keepsSquares ? SQUARE_COLUMNS.length * loans.length : 0;
  const events = squares + squareDoubles * DOUBLE;
  // A loan is sold once and loses once on a path; events are told path by path.
  const calls = events + 2 * loans.length * eventBytes;
  const callBytes = exports.BOOK_CALL_BYTES.value * book.singleFromCall.reduce((sum, is) => sum + is, 0);
  const growthAt = new Map<DebtGrowth, number>();
  // Whole doubles, as calls are.
  let end = calls + kernel.lanes * callBytes;
  const growths = debtGrowths(groups, book.groupGrowth, product.steps);
  for (const growth of growths) {
    if (growth === undefined || growthAt.has(growth)) continue;
    growthAt.set(growth, end);
    end += (growth.ofStep.length + growth.beforeDay.length) * DOUBLE;
  }
  kernel.reserve(end - exports.PATHS.value);
  const { doubles, integers } = kernel;
  for (const [{ ofStep, beforeDay }, place] of growthAt) {
    doubles.set(ofStep, place / DOUBLE);
    doubles.set(beforeDay, place / DOUBLE + ofStep.length);
  }
  // Written place by place: a list for each of a hundred thousand loans would be as much memory again.
  let term = firstTerm;
  for (let i = 0; i < loans.length; i++) {
    const k = loans[i];
    const n = product.nominalRatio[k];
    const double = (at + i * loanBytes) / DOUBLE;
    doubles[double + MARGIN_CALL] = product.marginCallRatio[k] / n;
    doubles[double + UNDERWATER] = 1 / n;
    doubles[double + LIQUIDATION] = product.liquidationRatio[k] / n;
    doubles[double + RECOVERY] = product.recoveryRatio[k] / n;
    doubles[double + NOMINAL] = n;
    doubles[double + VALUE] = product.loanValue[k];
    const integer = (at + i * loanBytes) / INTEGER;
    integers[integer + STEPS] = product.termSteps[k];
    integers[integer + TOP_UP] = book.singleFromCall[i] === 1 ? CALL_IS_TOLD : product.topUpSteps[k];
    integers[integer + AT_START] = book.aloneStart[i];
    const growth = growths[i];
    integers[integer + GROWTH] = growth === undefined ? 0 : Number(growthAt.get(growth));
    doubles[double + MOST_GROWTH] = growth?.mostOver(product.termSteps[k]) ?? 1;
    integers[integer + START_DEADLINE] = book.aloneDeadline[i];
    integers[integer + TERMS] = term;
    const begin = term;
    const b = book.groupBasket[groups[i]];
    for (let j = start[b]; j < start[b + 1]; j++) {
      if (!isHeld(j)) continue;
      doubles[term / DOUBLE] = collateral[j];
      doubles[term / DOUBLE + 1] = ofLoan[j];
      integers[term / INTEGER + TERM_ASSET] = asset[j];
      term += termBytes;
    }
    integers[integer + COUNT] = (term - begin) / termBytes;
  }
  exports.placeBook(
    at,
    loans.length,
    fronts,
    figures,
    sold,
    product.steps,
    keepsSquares ? squares : 0,
    events,
    calls,
    callBytes,
  );
  const sumsOf = (loan: number) => (at + loan * loanBytes + sumsPlace) / DOUBLE;
  const worstOf = (loan: number) => (at + loan * loanBytes) / DOUBLE + LOWEST;
  return {
    places,
    groups,
    events,
    eventBytes,
    begin(worstRatio) {
      for (let i = 0; i < groups.length; i++) {
        kernel.doubles[worstOf(i)] = worstRatio[groups[i]];
        kernel.doubles.fill(0, sumsOf(i), worstOf(i) + loanBytes / DOUBLE);
      }
      kernel.doubles.fill(0, squares / DOUBLE, squares / DOUBLE + squareDoubles);
      exports.beginBook(assets, product.saleCost, product.saleDelaySteps, book.unit);
    },
    follow: (lanes, withEvents) => exports.followBook(assets, lanes, withEvents),
    callsOf: lane => (calls + lane * callBytes) / INTEGER,
    figuresOf: lane => (figures + lane * figureBytes) / DOUBLE,
    soldOf: lane => sold / DOUBLE + lane * product.steps,
    sumsOf,
    squaresOf: keepsSquares ? loan => squares / DOUBLE + loan * SQUARE_COLUMNS.length : undefined,
    worstOf,
  };
}
