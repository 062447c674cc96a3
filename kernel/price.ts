/**
 * Prices from log prices in base 2: S = 2^x, relative error 2e-7, for |x| <= 126.
 *
 * x = n + f with n whole: a polynomial of degree 5 in f, n added to the exponent.
 * Coefficients and errors: test/fixtures/wasm/fit_kernel.py.
 */

import { constant, EXP2_E, EXP2_LEAST, EXP2_MOST, ONE, ROUND, step } from './constants';
import { GROUP_BYTES, VECTOR } from './lanes';
import { PRICES, SHOCKS } from './memory';

/** x within the range where 2^x is a normal number. */
function clamped(x: v128): v128 {
  return f32x4.pmin(f32x4.pmax(x, constant(EXP2_LEAST)), constant(EXP2_MOST));
}

/** 2^f 2^n, where the lowest bits of `rounded` are the whole number n. */
function scaled(power: v128, rounded: v128): v128 {
  return i32x4.add(power, i32x4.shl(rounded, 23));
}

/** Turns the log prices at PRICES into prices. */
export function exponentiate(bytes: usize): void {
  const end = PRICES + bytes;
  for (let at = PRICES; at < end; at += GROUP_BYTES) {
    const x0 = clamped(v128.load(at));
    const x1 = clamped(v128.load(at, VECTOR));
    const x2 = clamped(v128.load(at, 2 * VECTOR));
    const x3 = clamped(v128.load(at, 3 * VECTOR));
    const n0 = f32x4.add(x0, constant(ROUND));
    const n1 = f32x4.add(x1, constant(ROUND));
    const n2 = f32x4.add(x2, constant(ROUND));
    const n3 = f32x4.add(x3, constant(ROUND));
    const f0 = f32x4.sub(x0, f32x4.sub(n0, constant(ROUND)));
    const f1 = f32x4.sub(x1, f32x4.sub(n1, constant(ROUND)));
    const f2 = f32x4.sub(x2, f32x4.sub(n2, constant(ROUND)));
    const f3 = f32x4.sub(x3, f32x4.sub(n3, constant(ROUND)));
    let s0 = step(constant(EXP2_E + 4), f0, EXP2_E + 3);
    let s1 = step(constant(EXP2_E + 4), f1, EXP2_E + 3);
    let s2 = step(constant(EXP2_E + 4), f2, EXP2_E + 3);
    let s3 = step(constant(EXP2_E + 4), f3, EXP2_E + 3);
    s0 = step(s0, f0, EXP2_E + 2);
    s1 = step(s1, f1, EXP2_E + 2);
    s2 = step(s2, f2, EXP2_E + 2);
    s3 = step(s3, f3, EXP2_E + 2);
    s0 = step(s0, f0, EXP2_E + 1);
    s1 = step(s1, f1, EXP2_E + 1);
    s2 = step(s2, f2, EXP2_E + 1);
    s3 = step(s3, f3, EXP2_E + 1);
    s0 = step(s0, f0, EXP2_E);
    s1 = step(s1, f1, EXP2_E);
    s2 = step(s2, f2, EXP2_E);
    s3 = step(s3, f3, EXP2_E);
    s0 = step(s0, f0, ONE);
    s1 = step(s1, f1, ONE);
    s2 = step(s2, f2, ONE);
    s3 = step(s3, f3, ONE);
    v128.store(at, scaled(s0, n0));
    v128.store(at, scaled(s1, n1), VECTOR);
    v128.store(at, scaled(s2, n2), 2 * VECTOR);
    v128.store(at, scaled(s3, n3), 3 * VECTOR);
  }
}

/** 2^x - 1: where n is 0 it is the polynomial without its 1, which has lost nothing. */
export function gain(logPrice: v128): v128 {
  const x = clamped(logPrice);
  const n = f32x4.add(x, constant(ROUND));
  const f = f32x4.sub(x, f32x4.sub(n, constant(ROUND)));
  let s = step(constant(EXP2_E + 4), f, EXP2_E + 3);
  s = step(s, f, EXP2_E + 2);
  s = step(s, f, EXP2_E + 1);
  s = step(s, f, EXP2_E);
  const small = f32x4.mul(s, f);
  const other = f32x4.sub(scaled(f32x4.add(small, constant(ONE)), n), constant(ONE));
  return v128.bitselect(small, other, i32x4.eq(n, constant(ROUND)));
}

/** Turns the log prices at PRICES, times `direction`, into prices, and writes their gains to SHOCKS. */
export function formPricesAndGains(bytes: usize, direction: v128): void {
  for (let at: usize = 0; at < bytes; at += VECTOR) {
    const x = clamped(f32x4.mul(direction, v128.load(PRICES + at)));
    const n = f32x4.add(x, constant(ROUND));
    const f = f32x4.sub(x, f32x4.sub(n, constant(ROUND)));
    let s = step(constant(EXP2_E + 4), f, EXP2_E + 3);
    s = step(s, f, EXP2_E + 2);
    s = step(s, f, EXP2_E + 1);
    s = step(s, f, EXP2_E);
    const small = f32x4.mul(s, f);
    const price = scaled(f32x4.add(small, constant(ONE)), n);
    v128.store(PRICES + at, price);
    const other = f32x4.sub(price, constant(ONE));
    v128.store(SHOCKS + at, v128.bitselect(small, other, i32x4.eq(n, constant(ROUND))));
  }
}

/** Turns the log prices at PRICES into gains at `to`, S - 1: relative error 1e-6, also of small ones. */
export function formGains(bytes: usize, to: usize): void {
  const end = PRICES + bytes;
  let out = to;
  for (let at = PRICES; at < end; at += GROUP_BYTES) {
    v128.store(out, gain(v128.load(at)));
    v128.store(out, gain(v128.load(at, VECTOR)), VECTOR);
    v128.store(out, gain(v128.load(at, 2 * VECTOR)), 2 * VECTOR);
    v128.store(out, gain(v128.load(at, 3 * VECTOR)), 3 * VECTOR);
    out += GROUP_BYTES;
  }
}

/** Adds the prices at PRICES to the vectors at `sums` by the weight at `weightAt`; an asset of no weight adds nothing. */
export function addPrices(weightAt: usize, bytes: usize, sums: usize): void {
  const weight = v128.load(weightAt);
  if (!v128.any_true(weight)) return;
  for (let offset: usize = 0; offset < bytes; offset += GROUP_BYTES) {
    const from = PRICES + offset;
    const to = sums + offset;
    v128.store(to, f32x4.add(v128.load(to), f32x4.mul(weight, v128.load(from))));
    v128.store(to, f32x4.add(v128.load(to, VECTOR), f32x4.mul(weight, v128.load(from, VECTOR))), VECTOR);
    v128.store(
      to,
      f32x4.add(v128.load(to, 2 * VECTOR), f32x4.mul(weight, v128.load(from, 2 * VECTOR))),
      2 * VECTOR,
    );
    v128.store(
      to,
      f32x4.add(v128.load(to, 3 * VECTOR), f32x4.mul(weight, v128.load(from, 3 * VECTOR))),
      3 * VECTOR,
    );
  }
}
