/**
 * The current loan of a book with rules of its own, from its first call on: answered calls and partial sales; twin of
 * src/core/lending/follow-lending.ts and src/core/random/answers.ts. Steps are counted from 1, as there: step t has index t - 1.
 */
import { collateralAt, firstBelow, firstOutside, loanAt, ratioAt } from './book-basket';
import {
  AMOUNT_UNITS,
  add,
  addFigure,
  addSquareAt,
  bookEvent,
  CALLS_SUM,
  CLOSEOUTS_SUM,
  FORCED,
  hasCredit,
  inUnits,
  LIQUIDATIONS_SUM,
  lose,
  missSteps,
  NOMINAL,
  rounded,
  STEPS,
  sellAt,
  TOPPED_UP,
  VALUE,
} from './book-bookings';
import { FOLLOWED, writeCoefficients } from './book-terms';
import { KEY_PARITY } from './threefry';

/** Bytes of the rules of a loan, and the places in them. The host writes all up to the sums, which begin with zeros. */
export const BOOK_RULES_BYTES: usize = 136;
const COST: usize = 0;
/** Number of the 2^32 words that answer a call. */
const ANSWERING: usize = 8;
/** Collateral over debt that an answer restores, and that a sale restores; 0 where nobody answers, and where all is sold. */
const ANSWER_RATIO: usize = 16;
const SALE_RATIO: usize = 24;
const SALE_SHARE: usize = 32;
const ANSWER_DELAY: usize = 40;
const NAME_HIGH: usize = 44;
const NAME_LOW: usize = 48;
const ONE_DRAW: usize = 52;
/** Sums in the order of LENDING_COLUMNS in src/core/book/book-sums.ts. */
export const BOOK_RULES_SUMS: usize = 56;
const SALE_PATHS: usize = BOOK_RULES_SUMS;
const SALES: usize = BOOK_RULES_SUMS + 8;
const SALE_SQUARES: usize = BOOK_RULES_SUMS + 16;
const SOLD_UNITS: usize = BOOK_RULES_SUMS + 24;
const SOLD_SQUARES: usize = BOOK_RULES_SUMS + 32;
const TOP_UP_PATHS: usize = BOOK_RULES_SUMS + 48;
const TOP_UP_UNITS: usize = BOOK_RULES_SUMS + 56;
const TOP_UP_SQUARES: usize = BOOK_RULES_SUMS + 64;

/** A debt below this part of that at the start is repaid; a sale that would leave less of it than the second sells everything. */
const MIN_DEBT: f64 = 9.5367431640625e-7;
const MIN_DEBT_LEFT: f64 = 0.01;
const NO_STEP: i32 = -1;
const ANSWER_KEY: i32 = 0x616e7377;

/** Of the plan. */
let seed: i32;
let saleDelay: i32;

/** The current loan. */
let loan: usize;
let rules: usize;
let steps: i32;
let topUpSteps: i32;
let nominal: f64;
let callAt: f64;
let liquidationAt: f64;
let recoveryAt: f64;
let afterCost: f64;

/** Its state: collateral and debt in units of those at the start, the open call, and the ordered fraction. */
let collateral: f64;
let debt: f64;
let path: i32;
let calls: i32;
let deadline: i32;
let answer: i32;
let fraction: f64;

/** Its state. */
let liquidated: bool;
let closedOut: bool;
let eventStep: i32;
let endStep: i32;
let lossStep: i32;
let lost: f64;
let sales: i32;
let soldShare: f64;
let topUps: i32;
let topUpAmount: f64;

export function beginRules(planSeed: i32, planSaleDelay: i32): void {
  seed = planSeed;
  saleDelay = planSaleDelay;
}

/** Most events of the loan with these rules on one path: a sale at every step, and a loss. */
export function mostEvents(rulesAt: usize, loanSteps: i32): i32 {
  return rulesAt !== 0 && load<f64>(rulesAt, SALE_RATIO) > 0 ? loanSteps + 2 : 2;
}

/**
 * Follows the loan of the current baskets.
 *
 * @param first index of its first call
 * @param call M / N; then L / N and R / N
 */
export function followRules(
  loanAt: usize,
  rulesAt: usize,
  deadlineSteps: i32,
  call: f64,
  liquidation: f64,
  recovery: f64,
  pathNumber: i32,
  first: i32,
): void {
  loan = loanAt;
  rules = rulesAt;
  topUpSteps = deadlineSteps;
  callAt = call;
  liquidationAt = liquidation;
  recoveryAt = recovery;
  path = pathNumber;
  steps = load<i32>(loan, STEPS);
  nominal = load<f64>(loan, NOMINAL);
  afterCost = 1 - load<f64>(rules, COST);
  collateral = 1;
  debt = 1;
  calls = 0;
  deadline = NO_STEP;
  answer = NO_STEP;
  liquidated = false;
  closedOut = false;
  eventStep = NO_STEP;
  endStep = NO_STEP;
  lossStep = NO_STEP;
  lost = 0;
  sales = 0;
  soldShare = 0;
  topUps = 0;
  topUpAmount = 0;
  follow(first + 1);
  bookCourse();
}

function follow(firstCall: i32): void {
  let t = firstCall;
  while (t <= steps) {
    if (applyRules(t)) {
      t += saleDelay;
      if (carryOut(t)) return;
    }
    if (t >= steps) {
      settle(t);
      return;
    }
    t = nextEvent(t + 1);
  }
  settle(steps);
}

/** The first step from `from` on at which a rule may do something; a step beyond the last where there is none. */
function nextEvent(from: i32): i32 {
  const scale = debt / collateral;
  if (deadline === NO_STEP) {
    const low = callAt * scale;
    return firstBelow(FOLLOWED, writeCoefficients(FOLLOWED, low), low, from - 1) + 1;
  }
  const due = answer === NO_STEP ? deadline : min(deadline, answer);
  const stop = min(due, steps);
  if (from <= stop) {
    const next = firstOutside(liquidationAt * scale, recoveryAt * scale, from - 1, stop - 1) + 1;
    if (next <= stop) return next;
  }
  return due <= steps ? due : steps + 1;
}

/** Liquidation, cure, call, the answer that is due, closeout. @returns whether a sale is ordered */
function applyRules(t: i32): bool {
  const scale = debt / collateral;
  const ratio = ratioAt(t - 1);
  if (ratio < liquidationAt * scale) {
    liquidated = true;
    order(t);
    return true;
  }
  if (ratio >= recoveryAt * scale) closeCall();
  if (deadline === NO_STEP && ratio < callAt * scale) {
    calls += 1;
    deadline = t + topUpSteps;
    const mayAnswer = load<f64>(rules, ANSWER_RATIO) > 0;
    answer = mayAnswer && isAnswered() ? t + load<i32>(rules, ANSWER_DELAY) : NO_STEP;
  }
  if (t === answer) topUp(t);
  if (deadline === NO_STEP || t < deadline) return false;
  closedOut = true;
  order(t);
  return true;
}

function closeCall(): void {
  deadline = NO_STEP;
  answer = NO_STEP;
}

/** The borrower adds as many units of the basket as restore the ratio of answers. */
function topUp(t: i32): void {
  const before = collateral;
  const value = collateralAt(t - 1);
  collateral = (load<f64>(rules, ANSWER_RATIO) * (debt * loanAt(t - 1))) / (nominal * value);
  topUps += 1;
  topUpAmount += nominal * (collateral - before) * value;
  closeCall();
}

/** Orders the sale of all or a part; no rule applies until it is carried out. */
function order(t: i32): void {
  closeCall();
  fraction = orderedFraction(t);
  if (eventStep === NO_STEP) eventStep = t;
  if (fraction === 1) endStep = t;
}

function orderedFraction(t: i32): f64 {
  const toRatio = load<f64>(rules, SALE_RATIO);
  if (!(toRatio > 0)) return 1;
  const value = nominal * collateral * collateralAt(t - 1);
  const owed = debt * loanAt(t - 1);
  const restoring = (toRatio * owed - value) / (toRatio * afterCost - 1);
  const allowed = (load<f64>(rules, SALE_SHARE) * owed) / afterCost;
  const part = min<f64>(min<f64>(1, restoring / value), allowed / value);
  return owed - afterCost * part * value < MIN_DEBT_LEFT ? 1 : part;
}

/** Carries out the order at the prices of step t. @returns whether the loan has ended */
function carryOut(t: i32): bool {
  const value = load<f64>(loan, VALUE);
  const units = collateral * fraction;
  const price = loanAt(t - 1);
  const worth = collateralAt(t - 1);
  const before = debt;
  const missing = debt * price - afterCost * (nominal * units * worth);
  const usd = nominal * value * worth * units;
  sales += 1;
  soldShare += usd / value;
  sellAt(t - 1, usd, units);
  collateral -= units;
  debt = missing > 0 ? missing / price : 0;
  if (fraction === 1) {
    if (missing > 0) loseAt(t, units, before);
    return true;
  }
  if (!(debt < MIN_DEBT)) return false;
  endStep = min(t, steps);
  return true;
}

/** The end of the term, or of the order that was open then: below its debt the loan is handed over. */
function settle(t: i32): void {
  if (!(nominal * ratioAt(t - 1) * collateral < debt)) return;
  if (eventStep === NO_STEP) eventStep = t;
  if (debt * loanAt(t - 1) - afterCost * (nominal * collateral * collateralAt(t - 1)) > 0)
    loseAt(t, collateral, debt);
}

/** The loan is sold or handed over for less than its debt: both are in units of those at the start. */
function loseAt(t: i32, units: f64, owed: f64): void {
  const value = load<f64>(loan, VALUE);
  const proceeds = afterCost * (nominal * value * collateralAt(t - 1) * units);
  const missing = value * loanAt(t - 1) * owed - proceeds;
  lose(missing);
  lossStep = t;
  lost = missing / value;
}

function addToRules(place: usize, amount: f64): void {
  store<f64>(rules + place, load<f64>(rules + place) + amount);
}

function bookCourse(): void {
  add(CALLS_SUM, 1);
  if (liquidated) add(LIQUIDATIONS_SUM, 1);
  if (closedOut) add(CLOSEOUTS_SUM, 1);
  if (endStep !== NO_STEP) missSteps(<f64>(steps - endStep));
  if (sales > 0) {
    const count = <f64>sales;
    addFigure(FORCED, 1);
    addToRules(SALE_PATHS, 1);
    addToRules(SALES, count);
    addToRules(SALE_SQUARES, count * count);
    addToRules(SOLD_UNITS, rounded(soldShare * AMOUNT_UNITS));
    addSquareAt(rules + SOLD_SQUARES, soldShare);
  }
  if (topUps > 0) {
    addFigure(TOPPED_UP, inUnits(topUpAmount * load<f64>(loan, VALUE)));
    addToRules(TOP_UP_PATHS, 1);
    addToRules(TOP_UP_UNITS, rounded(topUpAmount * AMOUNT_UNITS));
    addSquareAt(rules + TOP_UP_SQUARES, topUpAmount);
  }
  if (eventStep !== NO_STEP && hasCredit()) bookEvent(eventStep, loanAt(eventStep - 1), lost, lossStep - 1);
}

/** Whether the borrower answers the call that has the number `calls` on this path. */
function isAnswered(): bool {
  const call = load<i32>(rules, ONE_DRAW) === 1 ? 0 : calls;
  const word = answerWord(call, load<i32>(rules, NAME_HIGH), load<i32>(rules, NAME_LOW));
  return <f64>(<u32>word) < load<f64>(rules, ANSWERING);
}

/** The first word of Threefry 4x32 with 12 rounds, of the counter path, call, name and the key of the plan's answers. */
function answerWord(call: i32, nameHigh: i32, nameLow: i32): i32 {
  // Key words 2 and 3 are 0.
  const parity = KEY_PARITY ^ seed ^ ANSWER_KEY;
  let x0 = path + seed;
  let x1 = call + ANSWER_KEY;
  let x2 = nameHigh;
  let x3 = nameLow;
  for (let injection = 1; injection <= 3; injection++) {
    const isOdd = (injection & 1) === 1;
    x0 += x1;
    x1 = rotl(x1, isOdd ? 10 : 6) ^ x0;
    x2 += x3;
    x3 = rotl(x3, isOdd ? 26 : 20) ^ x2;
    x0 += x3;
    x3 = rotl(x3, isOdd ? 11 : 17) ^ x0;
    x2 += x1;
    x1 = rotl(x1, isOdd ? 21 : 11) ^ x2;
    x0 += x1;
    x1 = rotl(x1, isOdd ? 13 : 25) ^ x0;
    x2 += x3;
    x3 = rotl(x3, isOdd ? 27 : 10) ^ x2;
    x0 += x3;
    x3 = rotl(x3, isOdd ? 23 : 18) ^ x0;
    x2 += x1;
    x1 = rotl(x1, isOdd ? 5 : 20) ^ x2;
    if (injection === 1) {
      x0 += ANSWER_KEY;
      x3 += parity + 1;
    } else if (injection === 2) {
      x2 += parity;
      x3 += seed + 2;
    }
  }
  return x0;
}
