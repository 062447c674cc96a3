/**
 * Four isolated perpetual positions, without a branch per path (methodology part 7); twin of shaders/product/perpetual.wgsl and, in its rules, of
 * src/core/product/perpetual.ts.
 *
 * From log2 of the price relative to its start at PRICES, terms at POSITION and settlements of each step: figures in units of the initial equity,
 * and the leverage of every step for median.ts. Both contracts have the same PnL in these units: exposure x (v - 1).
 */

import { BEYOND, constant, MINUS_ONE, ONE, ZERO } from './constants';
import { VECTOR, VECTOR_SHIFT } from './lanes';
import { POSITION, POSITION_STATE, PRICES, SHOCKS } from './memory';
import { formPricesAndGains } from './price';

/** Places of POSITION. */
const EXPOSURE: usize = 0;
const FUNDING: usize = VECTOR;
const MAINTENANCE: usize = 2 * VECTOR;
const MARGIN_CALL: usize = 3 * VECTOR;
const FEE: usize = 4 * VECTOR;
/** 1 for a linear contract, -1 for an inverse one, whose notional falls as the price rises. */
const DIRECTION: usize = 5 * VECTOR;
/** Equity before a shock above that at the start; 0 without. */
const START_PEAK: usize = 6 * VECTOR;
/** Above 0 where the position is called at the start. */
const START_CALLED: usize = 7 * VECTOR;
/** Notional that needs no margin. */
const EXEMPT: usize = 8 * VECTOR;

/** Places of POSITION_STATE; the first four are results: change of equity, settled notional, drawdown, flags. */
const CHANGE: usize = 0;
const SETTLED: usize = VECTOR;
const DRAWDOWN: usize = 2 * VECTOR;
const FLAGS: usize = 3 * VECTOR;
const SETTLED_SINCE: usize = 4 * VECTOR;
const PEAK: usize = 5 * VECTOR;
const OPEN: usize = 6 * VECTOR;
/** Steps after which the position is open, the start included; lowest and highest leverage of them. */
export const OPEN_STEPS: usize = 7 * VECTOR;
export const LOWEST: usize = 8 * VECTOR;
export const HIGHEST: usize = 9 * VECTOR;

/** Flags, as in src/core/engine.ts. */
const FLAG_MARGIN_CALL: i32 = 1;
const FLAG_LIQUIDATION: i32 = 2;

/** Opens the four positions; their leverage at the start, in units of itself, goes to `leverage`. */
export function beginPositions(leverage: usize): void {
  const zero = constant(ZERO);
  const one = constant(ONE);
  memory.fill(POSITION_STATE, 0, OPEN);
  const peak = v128.load(POSITION, START_PEAK);
  v128.store(POSITION_STATE, peak, PEAK);
  v128.store(POSITION_STATE, f32x4.sub(zero, peak), DRAWDOWN);
  const called = f32x4.gt(v128.load(POSITION, START_CALLED), zero);
  v128.store(POSITION_STATE, v128.and(called, i32x4.splat(FLAG_MARGIN_CALL)), FLAGS);
  v128.store(POSITION_STATE, constant(MINUS_ONE), OPEN);
  v128.store(POSITION_STATE, i32x4.sub(zero, constant(MINUS_ONE)), OPEN_STEPS);
  v128.store(POSITION_STATE, one, LOWEST);
  v128.store(POSITION_STATE, one, HIGHEST);
  v128.store(leverage, one);
}

/** Whether a position is open yet. */
export function anyOpen(): bool {
  return v128.any_true(v128.load(POSITION_STATE, OPEN));
}

/**
 * Follows the positions over `count` steps.
 *
 * @param dues settlements of each step, a single each
 * @param leverage address of the leverage of each step, relative to that at the start; beyond all values once a position has ended
 */
export function followPositions(count: i32, dues: usize, leverage: usize): void {
  const exposure = v128.load(POSITION, EXPOSURE);
  const funding = v128.load(POSITION, FUNDING);
  formPricesAndGains((<usize>count) << VECTOR_SHIFT, v128.load(POSITION, DIRECTION));
  // Settled notionals of a block are summed before they join the sum of all: a long sum of small numbers would lose its last digits.
  const settled = f32x4.add(v128.load(POSITION_STATE, SETTLED), v128.load(POSITION_STATE, SETTLED_SINCE));
  v128.store(POSITION_STATE, settled, SETTLED);
  let since = f32x4.splat(0);
  let booked = f32x4.mul(funding, settled);
  let change = v128.load(POSITION_STATE, CHANGE);
  let drawdown = v128.load(POSITION_STATE, DRAWDOWN);
  let flags = v128.load(POSITION_STATE, FLAGS);
  let peak = v128.load(POSITION_STATE, PEAK);
  let open = v128.load(POSITION_STATE, OPEN);
  let openSteps = v128.load(POSITION_STATE, OPEN_STEPS);
  let lowest = v128.load(POSITION_STATE, LOWEST);
  let highest = v128.load(POSITION_STATE, HIGHEST);
  for (let t = 0; t < count; t++) {
    const at = (<usize>t) << VECTOR_SHIFT;
    const notional = v128.load(PRICES + at);
    const due = f32.load(dues + ((<usize>t) << 2));
    if (due > 0) {
      since = f32x4.add(since, v128.and(open, f32x4.mul(f32x4.splat(due), notional)));
      booked = f32x4.mul(funding, f32x4.add(settled, since));
    }
    const now = f32x4.add(f32x4.mul(exposure, v128.load(SHOCKS + at)), booked);
    const equity = f32x4.add(constant(ONE), now);
    const charged = f32x4.pmax(f32x4.sub(notional, v128.load(POSITION, EXEMPT)), f32x4.splat(0));
    const called = f32x4.le(equity, f32x4.mul(v128.load(POSITION, MARGIN_CALL), charged));
    const liquidated = f32x4.le(equity, f32x4.mul(v128.load(POSITION, MAINTENANCE), charged));
    let events = v128.and(v128.or(called, liquidated), i32x4.splat(FLAG_MARGIN_CALL));
    events = v128.or(events, v128.and(liquidated, i32x4.splat(FLAG_LIQUIDATION)));
    flags = v128.or(flags, v128.and(open, events));
    const afterFee = f32x4.sub(now, f32x4.mul(v128.load(POSITION, FEE), notional));
    const left = v128.bitselect(f32x4.pmax(afterFee, f32x4.splat(-1)), now, liquidated);
    change = v128.bitselect(left, change, open);
    peak = f32x4.pmax(peak, change);
    drawdown = f32x4.pmin(drawdown, f32x4.sub(change, peak));
    open = v128.andnot(open, liquidated);
    openSteps = i32x4.sub(openSteps, open);
    const ratio = f32x4.div(notional, equity);
    lowest = f32x4.pmin(lowest, v128.bitselect(ratio, lowest, open));
    highest = f32x4.pmax(highest, v128.bitselect(ratio, highest, open));
    v128.store(leverage + at, v128.bitselect(ratio, constant(BEYOND), open));
  }
  v128.store(POSITION_STATE, change, CHANGE);
  v128.store(POSITION_STATE, drawdown, DRAWDOWN);
  v128.store(POSITION_STATE, flags, FLAGS);
  v128.store(POSITION_STATE, since, SETTLED_SINCE);
  v128.store(POSITION_STATE, peak, PEAK);
  v128.store(POSITION_STATE, open, OPEN);
  v128.store(POSITION_STATE, openSteps, OPEN_STEPS);
  v128.store(POSITION_STATE, lowest, LOWEST);
  v128.store(POSITION_STATE, highest, HIGHEST);
}

/** Writes the four results to `result`. */
export function endPositions(result: usize): void {
  const settled = f32x4.add(v128.load(POSITION_STATE, SETTLED), v128.load(POSITION_STATE, SETTLED_SINCE));
  v128.store(POSITION_STATE, settled, SETTLED);
  memory.copy(result, POSITION_STATE, 4 * VECTOR);
}
