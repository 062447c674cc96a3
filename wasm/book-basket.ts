/**
 * C_t / L_t of a loan's baskets along one path of the packet, against a threshold x: by the sign of sum_i a_i S_i,
 * a_i = c_i - x l_i, four days or steps at a time; twin of src/core/book/signed-basket.ts.
 *
 * The sign of a sum in single precision is used where the sum is further from zero than its rounding, else that of the quotient in double
 * precision: every result is that of a division.
 */
import { boundRowBytes, boundsAt, daysOf, priceRowBytes, pricesOf } from './book-prices';
import { LANES, VECTOR, VECTOR_SHIFT } from './lanes';

/** A term: weights c and l, the asset, a_i of three thresholds, the weights in single precision, and a_i of another threshold. */
export const TERM_BYTES: usize = 48;
const TERM_LOAN: usize = 8;
const TERM_ASSET: usize = 16;
/** Places of a_i in a term by threshold: margin call, underwater, the lowest ratio so far. */
export const CALL: usize = 20;
export const UNDERWATER: usize = 24;
export const LOWEST: usize = 28;
const TERM_COLLATERAL_SINGLE: usize = 32;
const TERM_LOAN_SINGLE: usize = 36;
/** Places of a_i of any threshold, of a loan that is followed by rules of its own. */
export const FOLLOWED: usize = 40;

const DAY_STEPS: i32 = 24;
const DAY_BYTES: usize = 96;
/** Days that are bounded at a time. */
const DAYS: i32 = 16;
/** Steps that are compared at a time where the deadline of a call runs. */
const STEPS_AT_ONCE: i32 = LANES < 8 ? 8 : LANES;
/** Twice the rounding of a term: 2^-23. */
const ROUNDING: f64 = 1.1920928955078125e-7;

/** The current baskets: their terms, and the steps of the loan. */
let terms: usize;
let termsEnd: usize;
let steps: i32;
/** The tables of the growth of the debt, and its largest. */
let growth: usize;
let mostGrowth: f64;
/** The current path. */
let rows: usize;
let days: usize;
let highest: f32;
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

export function takePath(lane: usize, highestPrice: f32): void {
  rows = pricesOf(lane);
  days = daysOf(lane);
  highest = highestPrice;
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
function growthAt(index: i32): f64 {
  if (growth === 0 || index < 0) return 1;
  const day = index / DAY_STEPS;
  const ofStep = growth + ((<usize>(index - day * DAY_STEPS)) << 3);
  return load<f64>(growth + ((<usize>(DAY_STEPS + day)) << 3)) * load<f64>(ofStep);
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

/** Writes the weights in single precision; once for each loan. */
export function writeSingles(): void {
  for (let term = terms; term < termsEnd; term += TERM_BYTES) {
    store<f32>(term, <f32>load<f64>(term), TERM_COLLATERAL_SINGLE);
    store<f32>(term, <f32>load<f64>(term, TERM_LOAN), TERM_LOAN_SINGLE);
  }
}

/** Writes, for the test of whole paths, each term's row of bounds and a_i: the lowest prices where a_i is positive. */
export function writeFront(front: usize, place: usize): void {
  let out = front;
  for (let term = terms; term < termsEnd; term += TERM_BYTES) {
    const a = load<f32>(term + place);
    store<i32>(out, load<i32>(term, TERM_ASSET) + (a < 0 ? assets : 0));
    store<f32>(out, a, 4);
    out += 8;
  }
}

/** The sum of weights times prices at a step index; below 0 at the start, where prices are 1. */
export function collateralAt(index: i32): f64 {
  return sumAt(0, index);
}

export function loanAt(index: i32): f64 {
  return sumAt(TERM_LOAN, index) * growthAt(index);
}

function sumAt(weight: usize, index: i32): f64 {
  let sum: f64 = 0;
  if (index < 0) {
    for (let term = terms; term < termsEnd; term += TERM_BYTES) sum += load<f64>(term + weight);
    return sum;
  }
  const place = rows + ((<usize>index) << 2);
  for (let term = terms; term < termsEnd; term += TERM_BYTES) {
    const price = load<f32>(place + <usize>load<i32>(term, TERM_ASSET) * priceRowBytes());
    sum += load<f64>(term + weight) * <f64>price;
  }
  return sum;
}

/** C / L at a step index. */
export function ratioAt(index: i32): f64 {
  const place = rows + ((<usize>index) << 2);
  let collateral: f64 = 0;
  let loan: f64 = 0;
  for (let term = terms; term < termsEnd; term += TERM_BYTES) {
    const price = <f64>load<f32>(place + <usize>load<i32>(term, TERM_ASSET) * priceRowBytes());
    collateral += load<f64>(term) * price;
    loan += load<f64>(term, TERM_LOAN) * price;
  }
  return collateral / (loan * growthAt(index));
}

/** Days `first` .. `first` + 15 on which the sum may be below zero, a bit for each; those behind the last are anything. */
function openDays(place: usize, near: v128, first: i32): i32 {
  const at = days + ((<usize>first) << 2);
  let s0 = f32x4.splat(0);
  let s1 = f32x4.splat(0);
  let s2 = f32x4.splat(0);
  let s3 = f32x4.splat(0);
  for (let term = terms; term < termsEnd; term += TERM_BYTES) {
    const a = load<f32>(term + place);
    const row = load<i32>(term, TERM_ASSET) + (a < 0 ? assets : 0);
    const bound = at + <usize>row * boundRowBytes();
    const each = f32x4.splat(a);
    s0 = f32x4.add(s0, f32x4.mul(each, v128.load(bound)));
    if (LANES < 16) s1 = f32x4.add(s1, f32x4.mul(each, v128.load(bound, VECTOR)));
    if (LANES < 8) {
      s2 = f32x4.add(s2, f32x4.mul(each, v128.load(bound, 2 * VECTOR)));
      s3 = f32x4.add(s3, f32x4.mul(each, v128.load(bound, 3 * VECTOR)));
    }
  }
  let above = i32x4.bitmask(f32x4.ge(s0, near));
  if (LANES < 16) above |= i32x4.bitmask(f32x4.ge(s1, near)) << LANES;
  if (LANES < 8) {
    above |= i32x4.bitmask(f32x4.ge(s2, near)) << (2 * LANES);
    above |= i32x4.bitmask(f32x4.ge(s3, near)) << (3 * LANES);
  }
  return ~above & 0xffff;
}

/** Steps of a day whose sum is not above zero for certain, a bit for each. */
function openSteps(place: usize, near: v128, day: i32): i32 {
  const at = rows + <usize>day * DAY_BYTES;
  let s0 = f32x4.splat(0);
  let s1 = f32x4.splat(0);
  let s2 = f32x4.splat(0);
  let s3 = f32x4.splat(0);
  let s4 = f32x4.splat(0);
  let s5 = f32x4.splat(0);
  for (let term = terms; term < termsEnd; term += TERM_BYTES) {
    const price = at + <usize>load<i32>(term, TERM_ASSET) * priceRowBytes();
    const a = f32x4.splat(load<f32>(term + place));
    s0 = f32x4.add(s0, f32x4.mul(a, v128.load(price)));
    s1 = f32x4.add(s1, f32x4.mul(a, v128.load(price, VECTOR)));
    if (LANES < 16) s2 = f32x4.add(s2, f32x4.mul(a, v128.load(price, 2 * VECTOR)));
    if (LANES < 8) {
      s3 = f32x4.add(s3, f32x4.mul(a, v128.load(price, 3 * VECTOR)));
      s4 = f32x4.add(s4, f32x4.mul(a, v128.load(price, 4 * VECTOR)));
      s5 = f32x4.add(s5, f32x4.mul(a, v128.load(price, 5 * VECTOR)));
    }
  }
  let above = i32x4.bitmask(f32x4.ge(s0, near)) | (i32x4.bitmask(f32x4.ge(s1, near)) << LANES);
  if (LANES < 16) above |= i32x4.bitmask(f32x4.ge(s2, near)) << (2 * LANES);
  if (LANES < 8) {
    above |= i32x4.bitmask(f32x4.ge(s3, near)) << (3 * LANES);
    above |= i32x4.bitmask(f32x4.ge(s4, near)) << (4 * LANES);
    above |= i32x4.bitmask(f32x4.ge(s5, near)) << (5 * LANES);
  }
  return ~above & 0xffffff;
}

/** The bits `from` .. `to` - 1, some of them below 0 or beyond the last. */
function bitsBetween(from: i32, to: i32): i32 {
  const below = to >= 31 ? 0x7fffffff : (1 << to) - 1;
  return from <= 0 ? below : below & ~((1 << from) - 1);
}

/** Days of a bounded run on which a step of `from` .. the last may be below the threshold. */
function wantedDays(place: usize, near: v128, run: i32, from: i32): i32 {
  const end = (steps + DAY_STEPS - 1) / DAY_STEPS;
  return openDays(place, near, run) & bitsBetween(from / DAY_STEPS - run, end - run);
}

function wantedSteps(place: usize, near: v128, day: i32, from: i32): i32 {
  const first = day * DAY_STEPS;
  return openSteps(place, near, day) & bitsBetween(from - first, steps - first);
}

/** The first index from `from` on whose ratio is below `threshold`, whose a_i are at `place`; the number of steps if none. */
export function firstBelow(place: usize, scale: f32, threshold: f64, from: i32): i32 {
  const near = f32x4.splat(scale * highest);
  for (let run = (from / DAY_STEPS) & ~(DAYS - 1); run * DAY_STEPS < steps; run += DAYS) {
    let open = wantedDays(place, near, run, from);
    while (open !== 0) {
      const day = run + ctz(open);
      open &= open - 1;
      let candidates = wantedSteps(place, near, day, from);
      while (candidates !== 0) {
        const t = day * DAY_STEPS + ctz(candidates);
        if (ratioAt(t) < threshold) return t;
        candidates &= candidates - 1;
      }
    }
  }
  return steps;
}

/** The lowest ratio from `from` on, if it is below `lowest`, whose a_i are at LOWEST; otherwise `lowest`. */
export function lowestBelow(scale: f32, lowest: f64, from: i32): f64 {
  let least = lowest;
  let near = f32x4.splat(scale * highest);
  for (let run = (from / DAY_STEPS) & ~(DAYS - 1); run * DAY_STEPS < steps; run += DAYS) {
    let open = wantedDays(LOWEST, near, run, from);
    while (open !== 0) {
      const day = run + ctz(open);
      open &= open - 1;
      const before = least;
      let candidates = wantedSteps(LOWEST, near, day, from);
      while (candidates !== 0) {
        least = min(least, ratioAt(day * DAY_STEPS + ctz(candidates)));
        candidates &= candidates - 1;
      }
      if (least < before) near = f32x4.splat(writeCoefficients(LOWEST, least) * highest);
    }
  }
  return least;
}

/** The lowest of the ratios at the ends of the days. */
export function lowestAtDayEnds(): f64 {
  let least = Infinity;
  for (let end = DAY_STEPS; end < steps + DAY_STEPS; end += DAY_STEPS) {
    least = min(least, ratioAt(min(end, steps) - 1));
  }
  return least;
}

/** The first index from `from` to `to` whose ratio is below `low` or not below `high`; `to` + 1 where there is none. */
export function firstOutside(low: f64, high: f64, from: i32, to: i32): i32 {
  const slack = (<f64>((termsEnd - terms) / TERM_BYTES) + 6) * 2 * ROUNDING;
  // The growth is largest and least at one of the ends.
  const before = growthAt(from);
  const after = growthAt(to);
  const certainLow = f32x4.splat(<f32>(low * max(before, after) * (1 + slack)));
  const certainHigh = f32x4.splat(<f32>(high * min(before, after) * (1 - slack)));
  for (let first = from & ~(STEPS_AT_ONCE - 1); first <= to; first += STEPS_AT_ONCE) {
    const at = rows + ((<usize>first) << 2);
    let c0 = f32x4.splat(0);
    let l0 = f32x4.splat(0);
    let c1 = f32x4.splat(0);
    let l1 = f32x4.splat(0);
    for (let term = terms; term < termsEnd; term += TERM_BYTES) {
      const price = at + <usize>load<i32>(term, TERM_ASSET) * priceRowBytes();
      const s0 = v128.load(price);
      const c = f32x4.splat(load<f32>(term, TERM_COLLATERAL_SINGLE));
      const l = f32x4.splat(load<f32>(term, TERM_LOAN_SINGLE));
      c0 = f32x4.add(c0, f32x4.mul(c, s0));
      l0 = f32x4.add(l0, f32x4.mul(l, s0));
      if (LANES < 8) {
        const s1 = v128.load(price, VECTOR);
        c1 = f32x4.add(c1, f32x4.mul(c, s1));
        l1 = f32x4.add(l1, f32x4.mul(l, s1));
      }
    }
    const inside0 = v128.and(
      f32x4.gt(c0, f32x4.mul(certainLow, l0)),
      f32x4.lt(c0, f32x4.mul(certainHigh, l0)),
    );
    let inside = i32x4.bitmask(inside0);
    if (LANES < 8) {
      const inside1 = v128.and(
        f32x4.gt(c1, f32x4.mul(certainLow, l1)),
        f32x4.lt(c1, f32x4.mul(certainHigh, l1)),
      );
      inside |= i32x4.bitmask(inside1) << LANES;
    }
    let candidates = ~inside & ((1 << STEPS_AT_ONCE) - 1) & bitsBetween(from - first, to + 1 - first);
    while (candidates !== 0) {
      const t = first + ctz(candidates);
      const r = ratioAt(t);
      if (r < low || r >= high) return t;
      candidates &= candidates - 1;
    }
  }
  return to + 1;
}
