/**
 * C_t / L_t of a loan's baskets along one path of the packet, against a threshold x: by the sign of sum_i a_i S_i,
 * a_i = c_i - x l_i, four days or steps at a time; twin of src/core/book/signed-basket.ts.
 *
 * The sign of a sum in single precision is used where the sum is further from zero than its rounding, else that of the quotient in double
 * precision: every result is that of a division.
 */
import { boundRowBytes, boundsAt, daysOf, pricesOf } from './book-prices';
import {
  growthAt,
  LOWEST,
  ROUNDING,
  rowOf,
  SPELT_BYTES,
  steps,
  TERM_BYTES,
  TERM_COLLATERAL_SINGLE,
  TERM_LOAN,
  TERM_LOAN_SINGLE,
  TERM_ROW,
  terms,
  termsEnd,
  writeCoefficients,
} from './book-terms';
import { LANES, VECTOR, VECTOR_SHIFT } from './lanes';

const DAY_STEPS: i32 = 24;
const DAY_BYTES: usize = 96;
/** Days that are bounded at a time. */
const DAYS: i32 = 16;
/** Steps that are compared at a time where the deadline of a call runs. */
const STEPS_AT_ONCE: i32 = LANES < 8 ? 8 : LANES;
/** The ratio at the index that the last search found. */
let found: f64;
/** The current path. */
let rows: usize;
let days: usize;
/** Its lowest and highest price of the first asset: those of the others are vectors apart. */
let bounds: usize;
let highest: f32;

export function takePath(lane: usize, highestPrice: f32): void {
  rows = pricesOf(lane);
  days = daysOf(lane);
  bounds = boundsAt() + (lane << 2);
  highest = highestPrice;
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
    sum += load<f64>(term + weight) * priceOf(term, place);
  }
  return sum;
}

/** The price of the asset of a term at a place in the first row. */
function priceOf(term: usize, place: usize): f64 {
  return <f64>load<f32>(place + load<usize>(term, TERM_ROW));
}

/** C / L at a step index. */
export function ratioAt(index: i32): f64 {
  const place = rows + ((<usize>index) << 2);
  const t = terms;
  const s0 = priceOf(t, place);
  const s1 = priceOf(t + TERM_BYTES, place);
  const s2 = priceOf(t + 2 * TERM_BYTES, place);
  const s3 = priceOf(t + 3 * TERM_BYTES, place);
  let collateral =
    load<f64>(t) * s0 +
    load<f64>(t, TERM_BYTES) * s1 +
    load<f64>(t, 2 * TERM_BYTES) * s2 +
    load<f64>(t, 3 * TERM_BYTES) * s3;
  let loan =
    load<f64>(t, TERM_LOAN) * s0 +
    load<f64>(t, TERM_LOAN + TERM_BYTES) * s1 +
    load<f64>(t, TERM_LOAN + 2 * TERM_BYTES) * s2 +
    load<f64>(t, TERM_LOAN + 3 * TERM_BYTES) * s3;
  for (let term = t + SPELT_BYTES; term < termsEnd; term += TERM_BYTES) {
    const price = priceOf(term, place);
    collateral += load<f64>(term) * price;
    loan += load<f64>(term, TERM_LOAN) * price;
  }
  return collateral / (loan * growthAt(index));
}

/** The ratio at the index that the last search returned, where it found one. */
export function foundRatio(): f64 {
  return found;
}

/** The sum of four vectors by their weights. */
function weigh(a0: v128, a1: v128, a2: v128, a3: v128, s0: v128, s1: v128, s2: v128, s3: v128): v128 {
  const two = f32x4.add(f32x4.mul(a0, s0), f32x4.mul(a1, s1));
  return f32x4.add(f32x4.add(two, f32x4.mul(a2, s2)), f32x4.mul(a3, s3));
}

/** The same of the vectors at `at` bytes behind four addresses. */
function weighAt(
  a0: v128,
  a1: v128,
  a2: v128,
  a3: v128,
  r0: usize,
  r1: usize,
  r2: usize,
  r3: usize,
  at: usize,
): v128 {
  return weigh(
    a0,
    a1,
    a2,
    a3,
    v128.load(r0 + at),
    v128.load(r1 + at),
    v128.load(r2 + at),
    v128.load(r3 + at),
  );
}

/** The bounds of the days of a term, at a place in the first row. */
function boundOf(term: usize, place: usize, at: usize): usize {
  return at + rowOf(term, place) * boundRowBytes();
}

/** Whether the bounds of the path allow a sum below zero. */
export function mayFallBelow(place: usize, scale: f32): bool {
  const t = terms;
  let sum =
    leastOf(t, place) +
    leastOf(t + TERM_BYTES, place) +
    (leastOf(t + 2 * TERM_BYTES, place) + leastOf(t + 3 * TERM_BYTES, place));
  for (let term = t + SPELT_BYTES; term < termsEnd; term += TERM_BYTES) sum += leastOf(term, place);
  return !(sum >= scale * highest);
}

/** The least value of a term on the path. */
function leastOf(term: usize, place: usize): f32 {
  return load<f32>(term + place) * load<f32>(bounds + (rowOf(term, place) << VECTOR_SHIFT));
}

/** Days `first` .. `first` + 15 on which the sum may be below zero, a bit for each; those behind the last are anything. */
function openDays(place: usize, near: v128, first: i32): i32 {
  const at = days + ((<usize>first) << 2);
  const t = terms;
  const a0 = v128.load32_splat(t + place);
  const a1 = v128.load32_splat(t + place + TERM_BYTES);
  const a2 = v128.load32_splat(t + place + 2 * TERM_BYTES);
  const a3 = v128.load32_splat(t + place + 3 * TERM_BYTES);
  const r0 = boundOf(t, place, at);
  const r1 = boundOf(t + TERM_BYTES, place, at);
  const r2 = boundOf(t + 2 * TERM_BYTES, place, at);
  const r3 = boundOf(t + 3 * TERM_BYTES, place, at);
  let s0 = weighAt(a0, a1, a2, a3, r0, r1, r2, r3, 0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  if (LANES < 16) s1 = weighAt(a0, a1, a2, a3, r0, r1, r2, r3, VECTOR);
  if (LANES < 8) {
    s2 = weighAt(a0, a1, a2, a3, r0, r1, r2, r3, 2 * VECTOR);
    s3 = weighAt(a0, a1, a2, a3, r0, r1, r2, r3, 3 * VECTOR);
  }
  for (let term = t + SPELT_BYTES; term < termsEnd; term += TERM_BYTES) {
    const bound = boundOf(term, place, at);
    const each = v128.load32_splat(term + place);
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
  const t = terms;
  const a0 = v128.load32_splat(t + place);
  const a1 = v128.load32_splat(t + place + TERM_BYTES);
  const a2 = v128.load32_splat(t + place + 2 * TERM_BYTES);
  const a3 = v128.load32_splat(t + place + 3 * TERM_BYTES);
  const r0 = at + load<usize>(t, TERM_ROW);
  const r1 = at + load<usize>(t, TERM_ROW + TERM_BYTES);
  const r2 = at + load<usize>(t, TERM_ROW + 2 * TERM_BYTES);
  const r3 = at + load<usize>(t, TERM_ROW + 3 * TERM_BYTES);
  let s0 = weighAt(a0, a1, a2, a3, r0, r1, r2, r3, 0);
  let s1 = weighAt(a0, a1, a2, a3, r0, r1, r2, r3, VECTOR);
  let s2 = s0;
  let s3 = s0;
  let s4 = s0;
  let s5 = s0;
  if (LANES < 16) s2 = weighAt(a0, a1, a2, a3, r0, r1, r2, r3, 2 * VECTOR);
  if (LANES < 8) {
    s3 = weighAt(a0, a1, a2, a3, r0, r1, r2, r3, 3 * VECTOR);
    s4 = weighAt(a0, a1, a2, a3, r0, r1, r2, r3, 4 * VECTOR);
    s5 = weighAt(a0, a1, a2, a3, r0, r1, r2, r3, 5 * VECTOR);
  }
  for (let term = t + SPELT_BYTES; term < termsEnd; term += TERM_BYTES) {
    const price = at + load<usize>(term, TERM_ROW);
    const a = v128.load32_splat(term + place);
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
        found = ratioAt(t);
        if (found < threshold) return t;
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
      const price = at + load<usize>(term, TERM_ROW);
      const s0 = v128.load(price);
      const c = v128.load32_splat(term, TERM_COLLATERAL_SINGLE);
      const l = v128.load32_splat(term, TERM_LOAN_SINGLE);
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
      found = ratioAt(t);
      if (found < low || found >= high) return t;
      candidates &= candidates - 1;
    }
  }
  return to + 1;
}
