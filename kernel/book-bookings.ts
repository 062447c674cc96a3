/**
 * Bookings of the current loan on the current path, of a book's loans with baskets of their own: sums per loan, figures per path, sales by
 * step, and events if wanted; twin of src/core/book/path-bookings.ts.
 */
import { growthOf } from './book-terms';
import { LANES } from './lanes';

/** Bytes of a loan. Its places up to the sums are those of book-loans.ts. */
export const BOOK_LOAN_BYTES: usize = 168;
export const NOMINAL: usize = 40;
export const VALUE: usize = 48;
export const STEPS: usize = 56;
/** Sums in the order of SUM_COLUMNS in src/core/book/book-sums.ts. */
export const BOOK_SUMS: usize = 112;
export const CALLS_SUM: usize = BOOK_SUMS;
export const LIQUIDATIONS_SUM: usize = BOOK_SUMS + 8;
export const CLOSEOUTS_SUM: usize = BOOK_SUMS + 16;
export const UNDERWATER_SUM: usize = BOOK_SUMS + 24;
const MISSED_SUM: usize = BOOK_SUMS + 32;
const UNSOLD_SUM: usize = BOOK_SUMS + 40;
const LOSS_SUM: usize = BOOK_SUMS + 48;

/** Squares of a loan, in the order of SQUARE_COLUMNS in src/core/book/book-sums.ts. */
const SQUARES_BYTES: usize = 72;
const MISSED_SQUARES: usize = 0;
const UNSOLD_PATHS: usize = 8;
const LOSS_PATHS: usize = 16;
const UNSOLD_SQUARES: usize = 24;
const LOSS_SQUARES: usize = 40;
const EARLY_ENDS: usize = 56;
const DEADLINE_ENDS: usize = 64;

/** Figures of a path: loss, and loss with nothing sold, in USD; loans called, loans sold, units of USD added by answers. */
export const BOOK_FIGURE_BYTES: usize = 40;
const UNSOLD: usize = 8;
export const CALLED: usize = 16;
export const FORCED: usize = 24;
export const TOPPED_UP: usize = 32;

/** An event: loan, kind, USD lost or the step index of the sale, and the amount sold in units of the collateral at the start. */
export const BOOK_EVENT_BYTES: usize = 24;
const EVENT_KIND: usize = 4;
const EVENT_VALUE: usize = 8;
const EVENT_FACTOR: usize = 16;
const IS_LOSS: i32 = 0;
const IS_SALE: i32 = 1;

/**
 * The credit sums of a loan: the last step of an event within the horizon, the tables of the discount factor, 0 without one; then the sums
 * of the events within the horizon and of those after it, in the order of CREDIT_COLUMNS and CREDIT_SQUARES in src/core/book/credit-columns.ts.
 */
const HORIZON: usize = 0;
const DISCOUNT: usize = 4;
export const BOOK_CREDIT_SUMS: usize = 8;
const CREDIT_SET_BYTES: usize = 104;
export const BOOK_CREDIT_BYTES: usize = BOOK_CREDIT_SUMS + 2 * CREDIT_SET_BYTES;
const EXPOSURE: usize = 8;
const LOSSES: usize = 16;
const LOSS_EXPOSURE: usize = 24;
const LOST: usize = 32;
const EXPOSURE_SQUARES: usize = 40;
const LOSS_EXPOSURE_SQUARES: usize = 56;
const LOST_SQUARES: usize = 72;
const PRODUCTS: usize = 88;

/** Units of a sum in one loan value, and of a squared share, whose sum has two parts. */
const UNITS: f64 = 4294967296;
const SQUARE_UNITS: f64 = 281474976710656;
/** Units of sold, added and owed amounts in one loan value: AMOUNT_UNITS there. */
export const AMOUNT_UNITS: f64 = 67108864;
const LOW_PART: f64 = 16777216;

let figures: usize;
/** USD units sold, a double per step, path after path. */
let sold: usize;
let soldPathBytes: usize;
/** 0 where the book has no squares. */
let squares: usize;
/** 0 where the book has no credit figures. */
let credits: usize;
let events: usize;
let eventsEnd: usize;
let eventsLimit: usize;
let wantsEvents: bool;
let unit: f64;

/** The current path and loan. */
let figure: usize;
let soldOfPath: usize;
let loan: usize;
let number: i32;

export function placeBookings(
  figuresAt: usize,
  soldAt: usize,
  steps: i32,
  squaresAt: usize,
  creditsAt: usize,
  eventsAt: usize,
  eventsBytes: usize,
): void {
  figures = figuresAt;
  sold = soldAt;
  soldPathBytes = (<usize>steps) << 3;
  squares = squaresAt;
  credits = creditsAt;
  events = eventsAt;
  eventsLimit = eventsAt + eventsBytes;
}

/** Sets the unit of amounts, USD. */
export function beginBookings(usdUnit: f64): void {
  unit = usdUnit;
}

/** Begins the paths of a packet. */
export function clearPaths(): void {
  memory.fill(figures, 0, <usize>LANES * BOOK_FIGURE_BYTES);
  memory.fill(sold, 0, <usize>LANES * soldPathBytes);
}

export function clearEvents(areWanted: bool): void {
  wantsEvents = areWanted;
  eventsEnd = events;
}

export function bytesOfEvents(): usize {
  return eventsEnd - events;
}

/** Whether there is no room for `more` events. */
export function isFull(more: i32): bool {
  return wantsEvents && eventsEnd + <usize>more * BOOK_EVENT_BYTES > eventsLimit;
}

export function bookLoan(at: usize, loanNumber: i32): void {
  loan = at;
  number = loanNumber;
}

export function bookPath(lane: usize): void {
  figure = figures + lane * BOOK_FIGURE_BYTES;
  soldOfPath = sold + lane * soldPathBytes;
}

/** Adds to a sum of the current loan. */
export function add(place: usize, amount: f64): void {
  store<f64>(loan + place, load<f64>(loan + place) + amount);
}

/** Adds to a figure of the current path. */
export function addFigure(place: usize, amount: f64): void {
  store<f64>(figure + place, load<f64>(figure + place) + amount);
}

/** Adds to a column of the squares of the current loan; a large book has none. */
function addToSquares(place: usize, amount: f64): void {
  if (squares === 0) return;
  const at = squares + <usize>number * SQUARES_BYTES + place;
  store<f64>(at, load<f64>(at) + amount);
}

/** Adds the square of a share to the two doubles at an address, in two parts. */
export function addSquareAt(at: usize, share: f64): void {
  addPartsAt(at, share * share * SQUARE_UNITS);
}

function addPartsAt(at: usize, amount: f64): void {
  const whole = rounded(amount);
  const high = floor(whole / LOW_PART);
  store<f64>(at, load<f64>(at) + high);
  store<f64>(at, load<f64>(at, 8) + (whole - high * LOW_PART), 8);
}

function addSquare(place: usize, share: f64): void {
  if (squares !== 0) addSquareAt(squares + <usize>number * SQUARES_BYTES + place, share);
}

/** The nearest whole number, halves upwards. */
export function rounded(x: f64): f64 {
  return floor(x + 0.5);
}

/** So many USD as units of amounts. */
export function inUnits(usd: f64): f64 {
  return rounded(usd / unit);
}

/** The sale of everything was ordered, `missed` steps before the end of the term. */
export function missSteps(missed: f64): void {
  add(MISSED_SUM, missed);
  addToSquares(MISSED_SQUARES, missed * missed);
  if (missed > 0) addToSquares(EARLY_ENDS, 1);
}

/** It was ordered at the deadline of the call that is open at the start. */
export function endAtStartDeadline(): void {
  addToSquares(DEADLINE_ENDS, 1);
}

/** Collateral of a value in USD is sold at a step index. @param factor in units of that at the start */
export function sellAt(index: i32, usd: f64, factor: f64): void {
  // Sales at the start are counted in the first step.
  const place = soldOfPath + ((<usize>max(index, 0)) << 3);
  store<f64>(place, load<f64>(place) + inUnits(usd));
  if (wantsEvents) writeEvent(IS_SALE, <f64>index, factor);
}

/** The debt at the end of the term, USD, and the part of it that would be missing if nothing were sold. */
export function missUnsold(debt: f64, missing: f64): void {
  add(UNSOLD_SUM, rounded(missing * UNITS));
  addToSquares(UNSOLD_PATHS, 1);
  addSquare(UNSOLD_SQUARES, missing);
  addFigure(UNSOLD, debt * missing);
}

export function lose(usd: f64): void {
  if (!(usd > 0)) return;
  addFigure(0, usd);
  const share = usd / load<f64>(loan, VALUE);
  const units = rounded(share * UNITS);
  add(LOSS_SUM, units);
  if (units > 0) addToSquares(LOSS_PATHS, 1);
  addSquare(LOSS_SQUARES, share);
  if (wantsEvents) writeEvent(IS_LOSS, usd, 0);
}

/** Whether the book has credit figures. */
export function hasCredit(): bool {
  return credits !== 0;
}

/**
 * The first event of the current loan on the current path; a book with credit figures alone.
 *
 * @param exposure its debt at `step`, in loan values
 * @param loss in loan values, 0 or less without one; @param lossIndex step index of its cash
 */
export function bookEvent(step: i32, exposure: f64, loss: f64, lossIndex: i32): void {
  const credit = credits + <usize>number * BOOK_CREDIT_BYTES;
  const isLoss = loss > 0;
  const share = isLoss ? loss * growthOf(load<usize>(credit, DISCOUNT), lossIndex) : 0;
  const counts = isLoss && rounded(loss * UNITS) > 0;
  const isWithin = step <= load<i32>(credit, HORIZON);
  addEvent(credit + BOOK_CREDIT_SUMS + (isWithin ? 0 : CREDIT_SET_BYTES), exposure, share, counts);
}

function addEvent(at: usize, exposure: f64, share: f64, isLoss: bool): void {
  store<f64>(at, load<f64>(at) + 1);
  const units = rounded(exposure * AMOUNT_UNITS);
  store<f64>(at, load<f64>(at, EXPOSURE) + units, EXPOSURE);
  addSquareAt(at + EXPOSURE_SQUARES, exposure);
  if (!(share > 0)) return;
  store<f64>(at, load<f64>(at, LOST) + rounded(share * UNITS), LOST);
  if (!isLoss) return;
  store<f64>(at, load<f64>(at, LOSSES) + 1, LOSSES);
  store<f64>(at, load<f64>(at, LOSS_EXPOSURE) + units, LOSS_EXPOSURE);
  addSquareAt(at + LOSS_EXPOSURE_SQUARES, exposure);
  addSquareAt(at + LOST_SQUARES, share);
  addPartsAt(at + PRODUCTS, share * exposure * SQUARE_UNITS);
}

function writeEvent(kind: i32, value: f64, factor: f64): void {
  store<i32>(eventsEnd, number);
  store<i32>(eventsEnd, kind, EVENT_KIND);
  store<f64>(eventsEnd, value, EVENT_VALUE);
  store<f64>(eventsEnd, factor, EVENT_FACTOR);
  eventsEnd += BOOK_EVENT_BYTES;
}
