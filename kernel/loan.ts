/**
 * Four loans under unlimited liquidity, without a branch per path (methodology part 4); twin of
 * shaders/product/loan.wgsl and, word for word in its rules, of src/core/product/loan.ts.
 *
 * From values (C/L or its logarithm) of consecutive steps: lowest and final value, and the step of the end. Steps are counted down, T + 1 - t at
 * step t: the earlier of two events is the larger number, and 0 is never.
 */

import { BEYOND, constant, MINUS_ONE } from './constants';
import { GROUP_BYTES, GROUP_SHIFT, VECTOR, VECTOR_SHIFT } from './lanes';
import { LOAN_STATE, RESULT_BYTES, RESULTS, RULES } from './memory';

/** Places of LOAN_STATE; the first five are the result. */
const LOWEST: usize = 0;
const FINAL: usize = VECTOR;
const CLOSEOUT: usize = 2 * VECTOR;
const LIQUIDATION: usize = 3 * VECTOR;
const CALLED: usize = 4 * VECTOR;
const DEADLINE: usize = 5 * VECTOR;

/** Places of RULES. */
const MARGIN_CALL: usize = 0;
const LIQUIDATE: usize = VECTOR;
const RECOVERY: usize = 2 * VECTOR;

/** Opens the four loans. */
export function beginLoans(): void {
  v128.store(LOAN_STATE + LOWEST, constant(BEYOND));
  v128.store(LOAN_STATE + CLOSEOUT, i32x4.splat(0));
  v128.store(LOAN_STATE + LIQUIDATION, i32x4.splat(0));
  v128.store(LOAN_STATE + CALLED, i32x4.splat(0));
  v128.store(LOAN_STATE + DEADLINE, i32x4.splat(0));
}

/** The deadline of an open call after a step, unless cured; that of a new call is later. */
function nextDeadline(deadline: v128, value: v128, deadlineOfCall: v128): v128 {
  const kept = v128.and(deadline, f32x4.lt(value, v128.load(RULES, RECOVERY)));
  const called = v128.and(deadlineOfCall, f32x4.lt(value, v128.load(RULES, MARGIN_CALL)));
  return i32x4.max_s(kept, called);
}

/** When the loan was liquidated, by the end of this step. */
function nextLiquidation(liquidation: v128, value: v128, now: v128): v128 {
  return i32x4.max_s(liquidation, v128.and(now, f32x4.lt(value, v128.load(RULES, LIQUIDATE))));
}

/** When the loan was closed out, by the end of this step. */
function nextCloseout(closeout: v128, deadline: v128, now: v128): v128 {
  return i32x4.max_s(closeout, v128.and(now, i32x4.eq(deadline, now)));
}

/**
 * Follows the loans over the steps behind `values`.
 *
 * @param count steps, at least 1
 * @param left T + 1 - t of the first
 * @param topUpSteps steps between a call and its deadline
 */
export function followLoans(values: usize, count: i32, left: i32, topUpSteps: i32): void {
  const marginCall = v128.load(RULES, MARGIN_CALL);
  const end = values + ((<usize>count) << VECTOR_SHIFT);
  const wholeGroupsEnd = values + ((<usize>(count >>> 2)) << GROUP_SHIFT);
  let lowest = v128.load(LOAN_STATE, LOWEST);
  let deadline = v128.load(LOAN_STATE, DEADLINE);
  let closeout = v128.load(LOAN_STATE, CLOSEOUT);
  let liquidation = v128.load(LOAN_STATE, LIQUIDATION);
  let open = i32x4.eq(v128.or(closeout, liquidation), i32x4.splat(0));
  let at = values;
  let countdown = left;
  for (; at < wholeGroupsEnd; at += GROUP_BYTES) {
    const v0 = v128.load(at);
    const v1 = v128.load(at, VECTOR);
    const v2 = v128.load(at, 2 * VECTOR);
    const v3 = v128.load(at, 3 * VECTOR);
    const low = f32x4.pmin(f32x4.pmin(v0, v1), f32x4.pmin(v2, v3));
    lowest = f32x4.pmin(lowest, low);
    // Nothing can happen to loans that have ended, or that have no open call and stay above M.
    if (v128.any_true(v128.and(v128.or(f32x4.lt(low, marginCall), deadline), open))) {
      const one = constant(MINUS_ONE);
      let now = i32x4.splat(countdown);
      let called = i32x4.splat(countdown - topUpSteps);
      deadline = nextDeadline(deadline, v0, called);
      closeout = nextCloseout(closeout, deadline, now);
      liquidation = nextLiquidation(liquidation, v0, now);
      now = i32x4.add(now, one);
      called = i32x4.add(called, one);
      deadline = nextDeadline(deadline, v1, called);
      closeout = nextCloseout(closeout, deadline, now);
      liquidation = nextLiquidation(liquidation, v1, now);
      now = i32x4.add(now, one);
      called = i32x4.add(called, one);
      deadline = nextDeadline(deadline, v2, called);
      closeout = nextCloseout(closeout, deadline, now);
      liquidation = nextLiquidation(liquidation, v2, now);
      now = i32x4.add(now, one);
      called = i32x4.add(called, one);
      deadline = nextDeadline(deadline, v3, called);
      closeout = nextCloseout(closeout, deadline, now);
      liquidation = nextLiquidation(liquidation, v3, now);
      open = i32x4.eq(v128.or(closeout, liquidation), i32x4.splat(0));
    }
    countdown -= 4;
  }
  for (; at < end; at += VECTOR) {
    const value = v128.load(at);
    const now = i32x4.splat(countdown);
    lowest = f32x4.pmin(lowest, value);
    deadline = nextDeadline(deadline, value, i32x4.splat(countdown - topUpSteps));
    closeout = nextCloseout(closeout, deadline, now);
    liquidation = nextLiquidation(liquidation, value, now);
    countdown--;
  }
  v128.store(LOAN_STATE, lowest, LOWEST);
  v128.store(LOAN_STATE, v128.load(end - VECTOR), FINAL);
  v128.store(LOAN_STATE, closeout, CLOSEOUT);
  v128.store(LOAN_STATE, liquidation, LIQUIDATION);
  v128.store(LOAN_STATE, deadline, DEADLINE);
}

/** Finds the first calls of loans that have been followed over the steps behind `values`, and over those before them. @param left as of followLoans */
export function findCalls(values: usize, count: i32, left: i32): void {
  const marginCall = v128.load(RULES, MARGIN_CALL);
  let called = v128.load(LOAN_STATE, CALLED);
  const below = f32x4.lt(v128.load(LOAN_STATE, LOWEST), marginCall);
  // A loan was called where its lowest value lies below M: most blocks have no first call.
  if (!v128.any_true(v128.and(below, i32x4.eq(called, i32x4.splat(0))))) return;
  for (let t = 0; t < count; t++) {
    const now = v128.and(
      i32x4.splat(left - t),
      f32x4.lt(v128.load(values + ((<usize>t) << VECTOR_SHIFT)), marginCall),
    );
    called = i32x4.max_s(called, now);
  }
  v128.store(LOAN_STATE, called, CALLED);
}

/** Writes the result of the packet. */
export function endLoans(packet: i32): void {
  memory.copy(RESULTS + <usize>packet * RESULT_BYTES, LOAN_STATE, RESULT_BYTES);
}
