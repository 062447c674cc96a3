/**
 * The loans of a book with baskets of their own, along the paths of a packet: sums per loan, figures per path, sales by step, and events if
 * wanted; twin of src/core/book/book-path.ts. The host writes the loans, and the addresses of the results.
 */
import {
  collateralAt,
  firstBelow,
  firstOutside,
  foundRatio,
  loanAt,
  lowestAtDayEnds,
  lowestBelow,
  mayFallBelow,
  ratioAt,
  takePath,
} from './book-basket';
import {
  add,
  addFigure,
  BOOK_LOAN_BYTES,
  beginBookings,
  bookEvent,
  bookLoan,
  bookPath,
  bytesOfEvents,
  CALLED,
  CALLS_SUM,
  CLOSEOUTS_SUM,
  clearEvents,
  clearPaths,
  endAtStartDeadline,
  FORCED,
  hasCredit,
  isFull,
  LIQUIDATIONS_SUM,
  lose,
  missSteps,
  missUnsold,
  NOMINAL,
  placeBookings,
  STEPS,
  sellAt,
  UNDERWATER_SUM,
  VALUE,
} from './book-bookings';
import { beginRules, followRules, mostEvents } from './book-lending';
import { boundsAt } from './book-prices';
import {
  CALL,
  highestPrices,
  LOWEST,
  SPELT,
  takeBaskets,
  takeGrowth,
  UNDERWATER,
  writeCoefficients,
  writeFront,
  writeSingles,
} from './book-terms';
import { singleOf } from './lanes';

/** Places in a loan. The host writes all up to FRONT; sums begin with zeros. */
const WORST: usize = 0;
const MARGIN_CALL: usize = 8;
const UNDER: usize = 16;
const LIQUIDATION: usize = 24;
const RECOVERY: usize = 32;
const TOP_UP: usize = 60;
const TERMS: usize = 64;
const COUNT: usize = 68;
const FRONT: usize = 72;
const CALL_SCALE: usize = 76;
const UNDER_SCALE: usize = 80;
const WORST_SCALE: usize = 84;
/** Status of the loan at the start, and the step index of the deadline of a call that is open at the start. */
const AT_START: usize = 88;
const START_DEADLINE: usize = 92;
/** The tables of the growth of the debt, 0 without interest, and the most that it grows to by a step of the term. */
const GROWTH: usize = 96;
const MAX_GROWTH: usize = 104;
/** The rules of its own, 0 where it has none. */
const RULES: usize = 100;

/** In front of the terms of each loan's test of whole paths: rounding at prices of 1, and the number of terms. */
const FRONT_HEAD: usize = 8;
const FRONT_TERM: usize = 8;

/** Values at AT_START beside 0, nothing: those of LOAN_START in src/core/plan/book-lending.ts. */
const IS_CALLED: i32 = 2;
/** The index of the start. */
const START: i32 = -1;
/** Of src/core/plan/loan-terms.ts. */
const START_ROUNDING: f64 = 1e-12;
/** An open call that ended in a sale, in the place of the index of the next one. */
const SOLD: i32 = -1;

let loans: usize;
let loanCount: i32;
let fronts: usize;
let afterCost: f64;
let delay: i32;
/** Where the loans begin that are still to be followed, and their fronts. */
let nextLoan: i32;
let nextFront: usize;

/** The current path and loan. */
let path: i32;
let loan: usize;
let ended: bool;

/** Sets the addresses of the arrays. */
export function placeBook(
  loansAt: usize,
  count: i32,
  frontsAt: usize,
  figuresAt: usize,
  soldAt: usize,
  steps: i32,
  squaresAt: usize,
  creditsAt: usize,
  eventsAt: usize,
  eventsBytes: usize,
): void {
  loans = loansAt;
  loanCount = count;
  fronts = frontsAt;
  placeBookings(figuresAt, soldAt, steps, squaresAt, creditsAt, eventsAt, eventsBytes);
}

/** Sets the cost and the delay of a sale, the unit of amounts, and the seed of answers; makes the coefficients of all loans. */
export function beginBook(assets: i32, saleCost: f64, saleDelay: i32, usdUnit: f64, seed: i32): void {
  afterCost = 1 - saleCost;
  delay = saleDelay;
  beginBookings(usdUnit);
  beginRules(seed, saleDelay);
  highestPrices(assets);
  let front = fronts;
  for (let k = 0; k < loanCount; k++) {
    takeLoan(k);
    const count = load<i32>(loan, COUNT);
    store<usize>(loan, front, FRONT);
    store<i32>(front, count, 4);
    front += FRONT_HEAD + <usize>count * FRONT_TERM;
    writeSingles();
    store<f32>(loan, writeCoefficients(CALL, load<f64>(loan, MARGIN_CALL)), CALL_SCALE);
    store<f32>(loan, writeCoefficients(UNDERWATER, load<f64>(loan, UNDER)), UNDER_SCALE);
    noteLowest(load<f64>(loan, WORST));
  }
}

function takeLoan(k: i32): void {
  loan = loans + <usize>k * BOOK_LOAN_BYTES;
  bookLoan(loan, k);
  takeBaskets(load<usize>(loan, TERMS), load<i32>(loan, COUNT), load<i32>(loan, STEPS));
  takeGrowth(load<usize>(loan, GROWTH), load<f64>(loan, MAX_GROWTH));
}

/** Writes the lowest ratio so far and the thresholds of the test for a call, or for a lower ratio. */
function noteLowest(lowest: f64): void {
  store<f64>(loan, lowest, WORST);
  const isKnown = lowest < Infinity;
  if (isKnown) store<f32>(loan, writeCoefficients(LOWEST, lowest), WORST_SCALE);
  const front = load<usize>(loan, FRONT);
  const isAboveCall = isKnown && lowest > load<f64>(loan, MARGIN_CALL);
  writeFront(front + FRONT_HEAD, isAboveCall ? LOWEST : CALL);
  // Without a lowest ratio, or with events at the start, every path is followed: no sum is above infinity.
  const mayPass = isKnown && load<i32>(loan, AT_START) === 0;
  const scale: f32 = mayPass ? load<f32>(loan + (isAboveCall ? WORST_SCALE : CALL_SCALE)) : Infinity;
  store<f32>(front, scale);
}

/** Begins with the paths of the packet whose prices are in memory. */
export function beginPaths(): void {
  clearPaths();
  nextLoan = 0;
  nextFront = fronts;
}

/**
 * Follows the loans along the paths of the packet whose bit is set in `lanes`: all of them, or as many as there is room for events.
 *
 * @param firstPath number of the first path of the packet
 * @returns bytes of events, if they are wanted
 */
export function followBook(assets: i32, firstPath: i32, lanes: i32, withEvents: bool): usize {
  const highest = highestPrices(assets);
  const bounds = boundsAt();
  clearEvents(withEvents);
  let front = nextFront;
  let k = nextLoan;
  for (; k < loanCount; k++) {
    const near = f32x4.mul(v128.load32_splat(front), highest);
    const end = front + FRONT_HEAD + <usize>load<i32>(front, 4) * FRONT_TERM;
    const first = front + FRONT_HEAD;
    let sum = f32x4.add(
      f32x4.add(frontTerm(first, bounds), frontTerm(first + FRONT_TERM, bounds)),
      f32x4.add(frontTerm(first + 2 * FRONT_TERM, bounds), frontTerm(first + 3 * FRONT_TERM, bounds)),
    );
    for (let term = first + SPELT * FRONT_TERM; term < end; term += FRONT_TERM) {
      sum = f32x4.add(sum, frontTerm(term, bounds));
    }
    let open = ~i32x4.bitmask(f32x4.ge(sum, near)) & lanes;
    if (open !== 0) {
      takeLoan(k);
      if (withEvents && isFull(mostEvents(load<usize>(loan, RULES), load<i32>(loan, STEPS)))) break;
      while (open !== 0) {
        const lane = <usize>ctz(open);
        open &= open - 1;
        takePath(lane, singleOf(highest, lane));
        bookPath(lane);
        path = firstPath + <i32>lane;
        followLoan();
      }
    }
    front = end;
  }
  nextFront = front;
  nextLoan = k;
  return bytesOfEvents();
}

/** a_i times the bound of its asset, a lane per path. */
function frontTerm(term: usize, bounds: usize): v128 {
  return f32x4.mul(v128.load32_splat(term, 4), v128.load(bounds + load<usize>(term)));
}

/** Whether loans are left, for which there was no room for events. */
export function areLoansLeft(): bool {
  return nextLoan < loanCount;
}

/** One loan along one path. */
function followLoan(): void {
  const call = load<f64>(loan, MARGIN_CALL);
  const under = load<f64>(loan, UNDER);
  const steps = load<i32>(loan, STEPS);
  const worst = load<f64>(loan, WORST);
  if (load<i32>(loan, AT_START) !== 0) {
    followFromStart(worst);
    return;
  }
  if (worst > call) {
    // A call would be the worst so far.
    if (!findLower(0)) return;
    if (!(load<f64>(loan, WORST) < call)) return;
  }
  const first = firstBelow(CALL, load<f32>(loan, CALL_SCALE), call, 0);
  if (first === steps) return;
  addFigure(CALLED, 1);
  const rules = load<usize>(loan, RULES);
  // The rules of a loan, if it has any, book its loss.
  ended = rules !== 0;
  if (ended) {
    const topUp = load<i32>(loan, TOP_UP);
    followRules(
      loan,
      rules,
      topUp,
      call,
      load<f64>(loan, LIQUIDATION),
      load<f64>(loan, RECOVERY),
      path,
      first,
    );
  } else {
    add(CALLS_SUM, 1);
    followCalls(first);
  }
  // A value below 1 / N is below M / N, too: nothing before the first call.
  const isUnder = fallsUnder(first);
  if (isUnder) addUnderwater();
  if (worst <= call && (isUnder || worst > under)) findLower(first);
}

/** The same of a loan that is called or liquidated at the start; its ratio there counts as one of the term. */
function followFromStart(worst: f64): void {
  const under = load<f64>(loan, UNDER);
  addFigure(CALLED, 1);
  add(CALLS_SUM, 1);
  ended = false;
  if (load<i32>(loan, AT_START) === IS_CALLED) {
    const next = followCall(0, load<i32>(loan, START_DEADLINE));
    if (next !== SOLD) followCalls(next);
  } else sell(START, true);
  const isUnder =
    load<f64>(loan, NOMINAL) * (collateralAt(START) / loanAt(START)) < 1 - START_ROUNDING || fallsUnder(0);
  if (isUnder) addUnderwater();
  if (isUnder || worst > under) findLower(0);
}

/** Whether a value from `from` on is below 1 / N. */
function fallsUnder(from: i32): bool {
  const scale = load<f32>(loan, UNDER_SCALE);
  if (!mayFallBelow(UNDERWATER, scale)) return false;
  return firstBelow(UNDERWATER, scale, load<f64>(loan, UNDER), from) < load<i32>(loan, STEPS);
}

/** A loan that was under water; at the end of its term it may be so, too. */
function addUnderwater(): void {
  add(UNDERWATER_SUM, 1);
  const end = load<i32>(loan, STEPS) - 1;
  const last = ratioAt(end);
  if (load<f64>(loan, NOMINAL) * last < 1) handOver(end, last);
}

/** Whether a ratio from `from` on is below the worst so far; then the lowest is noted. */
function findLower(from: i32): bool {
  const worst = load<f64>(loan, WORST);
  let lowest = worst;
  if (worst === Infinity) {
    lowest = lowestAtDayEnds();
    noteLowest(lowest);
  } else if (!mayFallBelow(LOWEST, load<f32>(loan, WORST_SCALE))) return false;
  lowest = lowestBelow(load<f32>(loan, WORST_SCALE), lowest, from);
  if (!(lowest < worst)) return false;
  noteLowest(lowest);
  return true;
}

/** The states from a call on, at an index just found: liquidation, cure, call, closeout, in this order at every step. */
function followCalls(first: i32): void {
  const liquidation = load<f64>(loan, LIQUIDATION);
  const steps = load<i32>(loan, STEPS);
  const topUp = load<i32>(loan, TOP_UP);
  let index = first;
  while (index < steps) {
    // A call opens. In its own step only a liquidation, or a deadline of no steps, ends the loan.
    const isBelow = foundRatio() < liquidation;
    if (isBelow || topUp === 0) {
      sell(index, isBelow);
      return;
    }
    index = followCall(index + 1, index + topUp);
    if (index === SOLD) return;
  }
}

/** An open call from index `from` on. @returns the index of the next one; the number of steps where there is none, or SOLD */
function followCall(from: i32, deadline: i32): i32 {
  const call = load<f64>(loan, MARGIN_CALL);
  const liquidation = load<f64>(loan, LIQUIDATION);
  const recovery = load<f64>(loan, RECOVERY);
  const steps = load<i32>(loan, STEPS);
  const lastOpen = min(deadline, steps - 1);
  const next = firstOutside(liquidation, recovery, from, lastOpen);
  if (next > lastOpen) {
    if (deadline >= steps) return steps;
    sell(deadline, false);
    return SOLD;
  }
  if (foundRatio() < liquidation) {
    sell(next, true);
    return SOLD;
  }
  // Cured. With R below M the next call can open in the same step.
  return firstBelow(CALL, load<f32>(loan, CALL_SCALE), call, next);
}

function sell(index: i32, liquidated: bool): void {
  add(liquidated ? LIQUIDATIONS_SUM : CLOSEOUTS_SUM, 1);
  missSteps(<f64>(load<i32>(loan, STEPS) - (index + 1)));
  if (load<i32>(loan, AT_START) === IS_CALLED && index === load<i32>(loan, START_DEADLINE))
    endAtStartDeadline();
  addFigure(FORCED, 1);
  ended = true;
  const at = index + delay;
  const value = load<f64>(loan, VALUE);
  const collateral = load<f64>(loan, NOMINAL) * value * collateralAt(at);
  const debt = value * loanAt(at);
  sellAt(at, collateral, 1);
  const missing = debt - afterCost * collateral;
  lose(missing);
  if (hasCredit()) bookEvent(index + 1, loanAt(index), missing / value, at);
}

/** A loan that ends its term below its debt; one that was sold before counts as unsold only. */
function handOver(index: i32, last: f64): void {
  const value = load<f64>(loan, VALUE);
  const nominal = load<f64>(loan, NOMINAL);
  const debt = value * loanAt(index);
  missUnsold(debt, 1 - nominal * last);
  if (ended) return;
  const missed = debt - afterCost * (nominal * value * collateralAt(index));
  lose(missed);
  if (hasCredit()) bookEvent(index + 1, loanAt(index), missed / value, index);
}
