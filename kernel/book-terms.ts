/**
 * The terms of a loan's baskets: its assets with their weights c and l, and the coefficients a_i = c_i - x l_i of thresholds x of C_t / L_t;
 * twin of src/core/book/signed-terms.ts. The host writes weights and assets.
 */
import { boundsAt, priceRowBytes } from './book-prices';
import { VECTOR_SHIFT } from './lanes';

/** A term: weights c and l, the asset, a_i of three thresholds, the weights in single precision, and a_i of another threshold. */
export const TERM_BYTES: usize = 48;
export const TERM_LOAN: usize = 8;
const TERM_ASSET: usize = 16;
/** Places of a_i in a term by threshold: margin call, underwater, the lowest ratio so far. */
export const CALL: usize = 20;
export const UNDERWATER: usize = 24;
export const LOWEST: usize = 28;
export const TERM_COLLATERAL_SINGLE: usize = 32;
export const TERM_LOAN_SINGLE: usize = 36;
/** Places of a_i of any threshold, of a loan that is followed by rules of its own. */
export const FOLLOWED: usize = 40;
/** Bytes from the first row of prices to that of the asset. */
export const TERM_ROW: usize = 44;
/** Terms that are written out in the loops: a loop whose length differs from loan to loan is predicted badly. The host writes as many or more. */
export const SPELT: usize = 4;
export const SPELT_BYTES: usize = SPELT * TERM_BYTES;

/** Steps of a day in the tables of the growth of a debt. */
const DAY_STEPS: i32 = 24;
/** Twice the rounding of a term: 2^-23. */
export const ROUNDING: f64 = 1.1920928955078125e-7;

/** The current baskets: their terms, and the steps of the loan. */
export let terms: usize;
export let termsEnd: usize;
export let steps: i32;
/** The tables of the growth of the debt, and its largest. */
let growth: usize;
let mostGrowth: f64;
let assets: i32;

/** The highest price of any asset on each path of the packet. */
export function highestPrices(planAssets: i32): v128 {
  assets = planAssets;
  let high = v128.load(boundsAt() + ((<usize>assets) << VECTOR_SHIFT));
  for (let i = assets + 1; i < 2 * assets; i++) {
    high = f32x4.pmax(high, v128.load(boundsAt() + ((<usize>i) << VECTOR_SHIFT)));
  }
  return high;
}

export function takeBaskets(at: usize, count: i32, loanSteps: i32): void {
  terms = at;
  termsEnd = at + <usize>count * TERM_BYTES;
  steps = loanSteps;
}

/**
 * Sets the growth of the debt, and its maximum over the steps of the term. At `at` are 24 doubles by step of a day, then one for each
 * day; the growth at an index is the product of two. 0 without interest.
 */
export function takeGrowth(at: usize, most: f64): void {
  growth = at;
  mostGrowth = most;
}

/** A debt of 1 at a step index. */
export function growthAt(index: i32): f64 {
  return growthOf(growth, index);
}

/** The growth, or the discount factor, of the tables at an address; 1 where it is 0. */
export function growthOf(at: usize, index: i32): f64 {
  if (at === 0 || index < 0) return 1;
  const day = index / DAY_STEPS;
  const ofStep = at + ((<usize>(index - day * DAY_STEPS)) << 3);
  return load<f64>(at + ((<usize>(DAY_STEPS + day)) << 3)) * load<f64>(ofStep);
}

/** Writes a_i of threshold `x`, at the largest debt. @returns bound of the rounding of their sums at prices of 1 */
export function writeCoefficients(place: usize, x: f64): f32 {
  let sum: f64 = 0;
  let count: f64 = 4;
  for (let term = terms; term < termsEnd; term += TERM_BYTES) {
    const a = <f32>(load<f64>(term) - x * mostGrowth * load<f64>(term, TERM_LOAN));
    store<f32>(term + place, a);
    sum += abs(<f64>a);
    count += 1;
  }
  return <f32>(sum * count * ROUNDING);
}

/** Writes the weights in single precision, and the row of prices; once for each loan. */
export function writeSingles(): void {
  for (let term = terms; term < termsEnd; term += TERM_BYTES) {
    store<usize>(term, <usize>load<i32>(term, TERM_ASSET) * priceRowBytes(), TERM_ROW);
    store<f32>(term, <f32>load<f64>(term), TERM_COLLATERAL_SINGLE);
    store<f32>(term, <f32>load<f64>(term, TERM_LOAN), TERM_LOAN_SINGLE);
  }
}

/** Writes, for the test of whole paths, where the bounds of each term are among those of the packet, and a_i. */
export function writeFront(front: usize, place: usize): void {
  let out = front;
  for (let term = terms; term < termsEnd; term += TERM_BYTES) {
    store<usize>(out, rowOf(term, place) << VECTOR_SHIFT);
    store<f32>(out, load<f32>(term + place), 4);
    out += 8;
  }
}

/** The row of bounds of a term: the lowest prices where a_i is positive, else the highest. */
export function rowOf(term: usize, place: usize): usize {
  return <usize>(load<i32>(term, TERM_ASSET) + (load<f32>(term + place) < 0 ? assets : 0));
}
