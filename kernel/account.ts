/**
 * Cross-margined accounts, four paths side by side (docs/accounts.md, "One hour"); twin of src/core/account/account-state.ts and touch.ts, and of
 * the hours of src/core/product/account.ts in which nothing is closed.
 *
 * From gains of the assets since the start, terms at ACCOUNT and what is settled in each hour: the state after each hour. In an hour in which a path
 * touches its line, or is below it, the path is left as it was before, and the host follows it through that hour: it alone has closing rules.
 * Amounts are in units of the equity at the start, in prices of the start after a shock.
 */
import { BEYOND, constant, ONE, ZERO } from './constants';
import { drawKeyedWords } from './extra';
import { beginProcess, followProcess, PROCESS_ASSET, PROCESS_BYTES } from './funding';
import { VECTOR, VECTOR_SHIFT } from './lanes';
import {
  ACCOUNT,
  ACCOUNT_CURRENCIES,
  ACCOUNT_CURRENCY_BYTES,
  ACCOUNT_ROW_BYTES,
  ACCOUNT_ROWS,
  ACCOUNT_START,
  ACCOUNT_STATE,
  ACCOUNT_STATE_BYTES,
  BLOCK_BYTES,
  CORRELATION,
  CORRELATION_ROW_BYTES,
  DAY_ROOTS,
  DAY_STEPS,
  DEVIATIONS,
  EARLIER_BYTES,
  EQUITIES,
  EVALUATED,
  FLOWS,
  GAIN_BYTES,
  HOUR_SCALE,
  LARGEST_DEVIATION,
  LOG_PRICE,
  MAX_CURRENCIES,
  MAX_ROWS,
  NOTIONALS,
  SLOPES,
  TOUCH_WORDS,
} from './memory';
import { walkModel } from './model';
import { negativeLog2 } from './normal';
import { formGains } from './price';

/** Places of ACCOUNT. */
const STRICT: usize = 0;
const MARGIN_CALL: usize = 4;
const RESERVED: usize = 8;
/** Variance within an hour over that of its return, 0 for checks by the hour; and what a reach is multiplied by (src/core/account/touch.ts). */
const BRIDGE: usize = 12;
const REACH: usize = 16;
const CURRENCIES_END: usize = 20;
/** Address of the gains, of a word for each hour in which anything is settled, and of the leverage. */
const GAINS: usize = 24;
const DUES: usize = 28;
const LEVERAGE: usize = 32;
/** Hours that are behind, and the address of the values of the currencies after them; for the host. */
const HOURS: usize = 36;
const VALUES: usize = 40;
/** Bytes of the hours by which the deciding prices are late. */
const LATE: usize = 44;
/** Whether credits of funding that is drawn are 0; addresses of its processes, one after another. */
const DEBITS_ONLY: usize = 48;
const PROCESSES: usize = 52;
const PROCESSES_END: usize = 56;
/** Reach of an hour per root of -2 ln U; and what bounds the slopes: a share of the notionals, and one of the values of the currencies. */
const REACH_OF_ROOT: usize = 60;
const SLOPE_OF_NOTIONALS: usize = 64;
const SLOPE_OF_VALUES: usize = 68;

/** Places of a row: address of its asset's gains, profit per unit of gain, and at the start; notional; funding per notional of a settlement. */
const ROW_GAINS: usize = 0;
const SLOPE: usize = 4;
const START: usize = 8;
const SIZE: usize = 12;
const FUNDING: usize = 16;
const ROW_DUES: usize = 20;
const KIND: usize = 24;
/** Its tiers, pairs of rate and deduction. */
const TIERS: usize = 28;
const TIERS_END: usize = 32;
const ROW_ASSET: usize = 36;
/** Address of the rates of a block, where they are drawn; else 0. */
const ROW_RATES: usize = 40;
const INVERSE: i32 = 1;
const IN_COINS: i32 = 2;

/** Places of a currency: address of its gains, end of its rows, weights of a credit and a debt, and the place of its asset in vectors. */
const CURRENCY_GAINS: usize = 0;
const ROWS_END: usize = 4;
const CREDIT: usize = 8;
const DEBT: usize = 12;
const CURRENCY_ASSET: usize = 16;

/** Places of ACCOUNT_STATE. */
const OPEN_PATHS: usize = 0;
const CALLED: usize = VECTOR;
const CALL_HOUR: usize = 2 * VECTOR;
/** E - M and E - M / ratio after the last hour, and a bound of their slopes. */
const EXCESS: usize = 3 * VECTOR;
const CALL_EXCESS: usize = 4 * VECTOR;
const BOUND: usize = 5 * VECTOR;
const PEAK: usize = 6 * VECTOR;
const DRAWDOWN: usize = 7 * VECTOR;
const EQUITY: usize = 8 * VECTOR;
/** Hours with an equity above 0, the start among them; lowest and highest leverage of them. */
const OPEN_STEPS: usize = 9 * VECTOR;
const LOWEST: usize = 10 * VECTOR;
const HIGHEST: usize = 11 * VECTOR;
const OPEN: usize = 16 * VECTOR;
const VALUES_BYTES: usize = MAX_CURRENCIES * VECTOR;
const FIRST_VALUES: usize = OPEN + MAX_ROWS * VECTOR;
/** Sums along a path: balances of currencies; funding of rows in USD, then in units. Then the same sums since the block began. */
const SUMS: usize = FIRST_VALUES + 2 * VALUES_BYTES;
const SUMS_BYTES: usize = VALUES_BYTES + 2 * MAX_ROWS * VECTOR;
/** Places of EVALUATED: G, E, sizes of the values of the currencies, notionals, maintenance. */
const COUNTED: usize = VECTOR;
const WORTH: usize = 2 * VECTOR;
const ALL_NOTIONALS: usize = 3 * VECTOR;
const MAINTAINED: usize = 4 * VECTOR;
/** Places of FLOWS: in units of currencies; of rows in USD, then in units. */
const ROW_FLOWS: usize = VALUES_BYTES;
const ROW_PLACES: usize = MAX_ROWS * VECTOR;

/** Second key word of the words of touches: src/core/account/touch.ts. */
const TOUCH_KEY: i32 = 0x746f7563;
const TOUCH_BITS: i32 = 24;
const TOUCH_SCALE: f32 = 5.9604644775390625e-8;
const MINUS_TWICE_LN: f32 = <f32>(2 * Math.LN2);

let touchBlock: i32;
let gains: usize;
let values: usize;

function term(place: usize): v128 {
  return v128.load_splat<f32>(ACCOUNT + place);
}

function state(place: usize): v128 {
  return v128.load(ACCOUNT_STATE + place);
}

/** Puts the accounts of a packet to the state at the start. */
export function beginAccountPaths(assets: i32): void {
  memory.copy(ACCOUNT_STATE, ACCOUNT_START, ACCOUNT_STATE_BYTES);
  gains = load<usize>(ACCOUNT, GAINS);
  values = ACCOUNT_STATE + FIRST_VALUES;
  touchBlock = -1;
  store<i32>(ACCOUNT, 0, HOURS);
  store<usize>(ACCOUNT, values, VALUES);
  v128.store(load<usize>(ACCOUNT, LEVERAGE), v128.load(ACCOUNT_STATE, LOWEST));
  // Of the hours before the first block; USD gains nothing.
  memory.fill(gains, 0, <usize>(assets + 1) * GAIN_BYTES);
  const end = load<usize>(ACCOUNT, PROCESSES_END);
  for (let process = load<usize>(ACCOUNT, PROCESSES); process < end; process += PROCESS_BYTES)
    beginProcess(process);
}

/** Whether a position is open on a path. */
export function anyAccountOpen(): bool {
  return v128.any_true(state(OPEN_PATHS));
}

/** Hours that are behind. */
export function accountHours(): i32 {
  return load<i32>(ACCOUNT, HOURS);
}

/** Writes the gains of all assets over a block whose normals are drawn, the deviations of its hours, and the rates that are drawn. */
export function beginAccountBlock(seed: i32, path: i32, assets: i32, bytes: usize): void {
  const end = load<usize>(ACCOUNT, PROCESSES_END);
  let first = constant(ZERO);
  let second = first;
  for (let i = 0; i < assets; i++) {
    const row = gains + <usize>i * GAIN_BYTES;
    memory.copy(row, row + BLOCK_BYTES, EARLIER_BYTES);
    const at = (<usize>i) << VECTOR_SHIFT;
    const start = v128.load(LOG_PRICE + at);
    walkModel(i, bytes);
    formGains(bytes, row + EARLIER_BYTES);
    for (let process = load<usize>(ACCOUNT, PROCESSES); process < end; process += PROCESS_BYTES)
      if (load<i32>(process, PROCESS_ASSET) === i)
        followProcess(process, seed, path, load<i32>(ACCOUNT, HOURS), bytes, start);
    const scale = v128.load(HOUR_SCALE + at);
    const one = f32x4.mul(scale, v128.load(DAY_ROOTS + 2 * at));
    const other = f32x4.mul(scale, v128.load(DAY_ROOTS + 2 * at, VECTOR));
    v128.store(DEVIATIONS + 2 * at, one);
    v128.store(DEVIATIONS + 2 * at, other, VECTOR);
    first = f32x4.pmax(first, one);
    second = f32x4.pmax(second, other);
  }
  v128.store(LARGEST_DEVIATION, first);
  v128.store(LARGEST_DEVIATION, second, VECTOR);
  // Flows of a block are summed before they join the sum of all: a long sum of small numbers would lose its last digits.
  const sums = ACCOUNT_STATE + SUMS;
  for (let place: usize = 0; place < SUMS_BYTES; place += VECTOR) {
    const sum = f32x4.add(v128.load(sums + place), v128.load(sums + place + SUMS_BYTES));
    v128.store(sums + place, sum);
  }
  memory.fill(sums + SUMS_BYTES, 0, SUMS_BYTES);
}

/**
 * Follows the accounts from hour `from` of a block up to hour `count`.
 *
 * @returns bits of the paths that the host follows through the last hour that is behind; 0 at the end of the block
 */
export function followAccountHours(seed: i32, path: i32, assets: i32, from: i32, count: i32): i32 {
  const zero = constant(ZERO);
  const late = load<usize>(ACCOUNT, LATE);
  const hasBridge = f32.load(ACCOUNT, BRIDGE) > 0;
  const isStrict = load<i32>(ACCOUNT, STRICT) !== 0;
  const dues = load<usize>(ACCOUNT, DUES);
  const leverage = load<usize>(ACCOUNT, LEVERAGE);
  const end = load<usize>(ACCOUNT, CURRENCIES_END);
  for (let t = from; t < count; t++) {
    const hour = load<i32>(ACCOUNT, HOURS);
    const place = (<usize>t) << VECTOR_SHIFT;
    const at = EARLIER_BYTES + place;
    const valuesBefore = values;
    values = otherValues(values);
    evaluate(at, false);
    let equity = v128.load(EVALUATED);
    let counted = v128.load(EVALUATED, COUNTED);
    const worth = v128.load(EVALUATED, WORTH);
    const notionals = v128.load(EVALUATED, ALL_NOTIONALS);
    let required = requiredOfAll();
    let calling = f32x4.mul(term(MARGIN_CALL), required);
    const openPaths = state(OPEN_PATHS);
    const called = state(CALLED);
    let isCalled = zero;
    let events = zero;
    if (hasBridge) {
      const d0 = state(EXCESS);
      const c0 = state(CALL_EXCESS);
      const d1 = f32x4.sub(counted, required);
      const c1 = f32x4.sub(counted, calling);
      const nearest = v128.bitselect(f32x4.pmin(d0, d1), f32x4.pmin(c0, c1), called);
      const day = (<usize>(t / DAY_STEPS)) << VECTOR_SHIFT;
      const most = f32x4.mul(v128.load(LARGEST_DEVIATION + day), state(BOUND));
      let near = v128.and(openPaths, f32x4.le(nearest, f32x4.mul(term(REACH), most)));
      if (v128.any_true(near)) {
        // The word of the hour first: on average it reaches a fifth of what any word reaches.
        const logarithm = touchLogarithm(seed, path, hour);
        const reach = f32x4.mul(term(REACH_OF_ROOT), f32x4.sqrt(logarithm));
        near = v128.and(near, f32x4.le(nearest, f32x4.mul(reach, most)));
        if (v128.any_true(near)) {
          formSlopes(at - VECTOR, valuesBefore, assets);
          near = v128.and(near, f32x4.le(nearest, f32x4.mul(reach, weighSlopes(assets, day))));
          const spread = f32x4.mul(f32x4.mul(term(BRIDGE), varianceOf(assets)), logarithm);
          isCalled = v128.andnot(v128.and(near, touches(c0, c1, spread)), called);
          events = v128.and(v128.and(near, f32x4.gt(d0, zero)), touches(d0, d1, spread));
        }
      }
    }
    const isDue = load<i32>(dues + ((<usize>hour) << 2)) !== 0;
    if (isDue) {
      settle(hour, at);
      equity = zero;
      counted = zero;
      let currencyPlace: usize = 0;
      for (let c = ACCOUNT_CURRENCIES; c < end; c += ACCOUNT_CURRENCY_BYTES) {
        const value = v128.load(values + currencyPlace);
        equity = f32x4.add(equity, value);
        counted = f32x4.add(counted, countedOf(c, value));
        currencyPlace += VECTOR;
      }
    }
    if (late > 0) {
      // Today's balances and shares, at earlier prices.
      evaluate(at - late, isDue);
      counted = v128.load(EVALUATED, COUNTED);
      required = requiredOfAll();
      calling = f32x4.mul(term(MARGIN_CALL), required);
    }
    const excess = f32x4.sub(counted, required);
    const callExcess = f32x4.sub(counted, calling);
    const below = isStrict ? f32x4.lt(excess, zero) : f32x4.le(excess, zero);
    events = v128.or(events, v128.and(openPaths, below));
    const kept = v128.andnot(openPaths, events);
    isCalled = v128.or(isCalled, v128.andnot(f32x4.le(callExcess, zero), called));
    isCalled = v128.and(kept, isCalled);
    v128.store(ACCOUNT_STATE, v128.or(called, isCalled), CALLED);
    v128.store(ACCOUNT_STATE, v128.bitselect(i32x4.splat(hour + 1), state(CALL_HOUR), isCalled), CALL_HOUR);
    v128.store(ACCOUNT_STATE, excess, EXCESS);
    v128.store(ACCOUNT_STATE, callExcess, CALL_EXCESS);
    const slopes = f32x4.mul(term(SLOPE_OF_NOTIONALS), notionals);
    v128.store(ACCOUNT_STATE, f32x4.add(slopes, f32x4.mul(term(SLOPE_OF_VALUES), worth)), BOUND);
    if (isDue) book(kept);
    const last = v128.bitselect(equity, state(EQUITY), kept);
    v128.store(ACCOUNT_STATE, last, EQUITY);
    v128.store(EQUITIES + place, f32x4.pmax(last, zero));
    const peak = f32x4.pmax(state(PEAK), last);
    v128.store(ACCOUNT_STATE, peak, PEAK);
    v128.store(ACCOUNT_STATE, f32x4.pmin(state(DRAWDOWN), f32x4.sub(last, peak)), DRAWDOWN);
    const levered = v128.and(kept, f32x4.gt(equity, zero));
    const ratio = f32x4.div(notionals, equity);
    v128.store(ACCOUNT_STATE, i32x4.sub(state(OPEN_STEPS), levered), OPEN_STEPS);
    v128.store(
      ACCOUNT_STATE,
      f32x4.pmin(state(LOWEST), v128.bitselect(ratio, state(LOWEST), levered)),
      LOWEST,
    );
    v128.store(
      ACCOUNT_STATE,
      f32x4.pmax(state(HIGHEST), v128.bitselect(ratio, state(HIGHEST), levered)),
      HIGHEST,
    );
    v128.store(
      leverage + ((<usize>(hour + 1)) << VECTOR_SHIFT),
      v128.bitselect(ratio, constant(BEYOND), levered),
    );
    store<i32>(ACCOUNT, hour + 1, HOURS);
    store<usize>(ACCOUNT, values, VALUES);
    if (v128.any_true(events)) return i32x4.bitmask(events);
  }
  return 0;
}

/** Writes what the accounts come to at the prices of an hour to EVALUATED and `values`. @param flowed whether FLOWS is booked, too */
function evaluate(at: usize, flowed: bool): void {
  const zero = constant(ZERO);
  const one = constant(ONE);
  const end = load<usize>(ACCOUNT, CURRENCIES_END);
  let equity = zero;
  let counted = zero;
  let worth = zero;
  let notionals = zero;
  let maintained = zero;
  let row = ACCOUNT_ROWS;
  let place: usize = 0;
  let currencyPlace: usize = 0;
  for (let c = ACCOUNT_CURRENCIES; c < end; c += ACCOUNT_CURRENCY_BYTES) {
    const sums = ACCOUNT_STATE + SUMS + currencyPlace;
    let units = f32x4.add(v128.load(sums), v128.load(sums + SUMS_BYTES));
    if (flowed) units = f32x4.add(units, v128.load(FLOWS + currencyPlace));
    let usd = zero;
    const rowsEnd = load<usize>(c, ROWS_END);
    for (; row < rowsEnd; row += ACCOUNT_ROW_BYTES) {
      const gain = v128.load(load<usize>(row, ROW_GAINS) + at);
      const price = f32x4.add(one, gain);
      const open = v128.load(ACCOUNT_STATE + OPEN + place);
      const profit = f32x4.mul(
        open,
        f32x4.add(f32x4.mul(v128.load_splat<f32>(row, SLOPE), gain), v128.load_splat<f32>(row, START)),
      );
      let size = f32x4.mul(open, v128.load_splat<f32>(row, SIZE));
      const kind = load<i32>(row, KIND);
      if ((kind & INVERSE) !== 0) {
        usd = f32x4.add(usd, profit);
      } else {
        units = f32x4.add(units, profit);
        size = f32x4.mul(size, price);
      }
      let margin = zero;
      const tiersEnd = load<usize>(row, TIERS_END);
      if ((kind & IN_COINS) === 0) {
        for (let tier = load<usize>(row, TIERS); tier < tiersEnd; tier += 8) {
          const line = f32x4.mul(v128.load_splat<f32>(tier), size);
          margin = f32x4.pmax(margin, f32x4.sub(line, v128.load_splat<f32>(tier, 4)));
        }
      } else {
        for (let tier = load<usize>(row, TIERS); tier < tiersEnd; tier += 8) {
          const line = f32x4.mul(v128.load_splat<f32>(tier), size);
          const deduction = f32x4.mul(v128.load_splat<f32>(tier, 4), price);
          margin = f32x4.pmax(margin, f32x4.sub(line, deduction));
        }
      }
      v128.store(NOTIONALS + place, size);
      notionals = f32x4.add(notionals, size);
      maintained = f32x4.add(maintained, margin);
      place += VECTOR;
    }
    const unit = f32x4.add(one, v128.load(load<usize>(c, CURRENCY_GAINS) + at));
    const value = f32x4.add(f32x4.mul(units, unit), usd);
    v128.store(values + currencyPlace, value);
    equity = f32x4.add(equity, value);
    worth = f32x4.add(worth, f32x4.abs(value));
    counted = f32x4.add(counted, countedOf(c, value));
    currencyPlace += VECTOR;
  }
  v128.store(EVALUATED, equity);
  v128.store(EVALUATED, counted, COUNTED);
  v128.store(EVALUATED, worth, WORTH);
  v128.store(EVALUATED, notionals, ALL_NOTIONALS);
  v128.store(EVALUATED, maintained, MAINTAINED);
}

/** M of what is evaluated. */
function requiredOfAll(): v128 {
  const reserved = f32x4.mul(term(RESERVED), v128.load(EVALUATED, ALL_NOTIONALS));
  return f32x4.add(v128.load(EVALUATED, MAINTAINED), reserved);
}

function otherValues(current: usize): usize {
  const first = ACCOUNT_STATE + FIRST_VALUES;
  return current === first ? first + VALUES_BYTES : first;
}

/** What the value of a currency counts for in E. */
function countedOf(currency: usize, value: v128): v128 {
  const credit = f32x4.mul(v128.load_splat<f32>(currency, CREDIT), value);
  return f32x4.pmin(credit, f32x4.mul(v128.load_splat<f32>(currency, DEBT), value));
}

/** Writes what the rows settle in an hour to FLOWS, and adds it to the values of the currencies. */
function settle(hour: i32, at: usize): void {
  const one = constant(ONE);
  const isDebit = load<i32>(ACCOUNT, DEBITS_ONLY) !== 0;
  const end = load<usize>(ACCOUNT, CURRENCIES_END);
  let row = ACCOUNT_ROWS;
  let place: usize = 0;
  let currencyPlace: usize = 0;
  for (let c = ACCOUNT_CURRENCIES; c < end; c += ACCOUNT_CURRENCY_BYTES) {
    const unit = f32x4.add(one, v128.load(load<usize>(c, CURRENCY_GAINS) + at));
    let inUsd = f32x4.splat(0);
    let inUnits = inUsd;
    const rowsEnd = load<usize>(c, ROWS_END);
    for (; row < rowsEnd; row += ACCOUNT_ROW_BYTES) {
      const due = f32.load(load<usize>(row, ROW_DUES) + ((<usize>hour) << 2));
      const rate = f32x4.splat(due * f32.load(row, FUNDING));
      let flow = f32x4.mul(rate, v128.load(NOTIONALS + place));
      const rates = load<usize>(row, ROW_RATES);
      if (rates !== 0) {
        flow = f32x4.mul(flow, v128.load(rates + at - EARLIER_BYTES));
        if (isDebit) flow = f32x4.pmin(flow, f32x4.splat(0));
      }
      const isInverse = (load<i32>(row, KIND) & INVERSE) !== 0;
      const usd = isInverse ? flow : f32x4.mul(flow, unit);
      const units = isInverse ? f32x4.div(flow, unit) : flow;
      v128.store(FLOWS + ROW_FLOWS + place, usd);
      v128.store(FLOWS + ROW_FLOWS + ROW_PLACES + place, units);
      inUsd = f32x4.add(inUsd, usd);
      inUnits = f32x4.add(inUnits, units);
      place += VECTOR;
    }
    v128.store(FLOWS + currencyPlace, inUnits);
    v128.store(values + currencyPlace, f32x4.add(v128.load(values + currencyPlace), inUsd));
    currencyPlace += VECTOR;
  }
}

/** Adds what is settled to the sums of some paths. */
function book(paths: v128): void {
  const since = ACCOUNT_STATE + SUMS + SUMS_BYTES;
  const currencies = (load<usize>(ACCOUNT, CURRENCIES_END) - ACCOUNT_CURRENCIES) / ACCOUNT_CURRENCY_BYTES;
  const currenciesBytes = currencies << VECTOR_SHIFT;
  for (let place: usize = 0; place < currenciesBytes; place += VECTOR) addFlow(since, place, paths);
  const lastEnd = load<usize>(ACCOUNT_CURRENCIES + (currencies - 1) * ACCOUNT_CURRENCY_BYTES, ROWS_END);
  const rowsBytes = ((lastEnd - ACCOUNT_ROWS) / ACCOUNT_ROW_BYTES) << VECTOR_SHIFT;
  for (let place: usize = 0; place < rowsBytes; place += VECTOR) {
    addFlow(since, ROW_FLOWS + place, paths);
    addFlow(since, ROW_FLOWS + ROW_PLACES + place, paths);
  }
}

function addFlow(since: usize, place: usize, paths: v128): void {
  const flow = v128.and(paths, v128.load(FLOWS + place));
  v128.store(since + place, f32x4.add(v128.load(since + place), flow));
}

/** Writes D = dE / d ln S - dM / d ln S of every asset to SLOPES, at the prices of an hour, whose values of the currencies are at `before`. */
function formSlopes(at: usize, before: usize, assets: i32): void {
  const zero = constant(ZERO);
  const one = constant(ONE);
  memory.fill(SLOPES, 0, (<usize>(assets + 1)) << VECTOR_SHIFT);
  const end = load<usize>(ACCOUNT, CURRENCIES_END);
  let row = ACCOUNT_ROWS;
  let place: usize = 0;
  let currencyPlace: usize = 0;
  for (let c = ACCOUNT_CURRENCIES; c < end; c += ACCOUNT_CURRENCY_BYTES) {
    const value = v128.load(before + currencyPlace);
    const weight = v128.bitselect(
      v128.load_splat<f32>(c, DEBT),
      v128.load_splat<f32>(c, CREDIT),
      f32x4.lt(value, zero),
    );
    addSlope(load<usize>(c, CURRENCY_ASSET), f32x4.mul(weight, value));
    const unit = f32x4.add(one, v128.load(load<usize>(c, CURRENCY_GAINS) + at));
    const rowsEnd = load<usize>(c, ROWS_END);
    for (; row < rowsEnd; row += ACCOUNT_ROW_BYTES) {
      const price = f32x4.add(one, v128.load(load<usize>(row, ROW_GAINS) + at));
      const open = v128.load(ACCOUNT_STATE + OPEN + place);
      const kind = load<i32>(row, KIND);
      const isInverse = (kind & INVERSE) !== 0;
      const slope = v128.load_splat<f32>(row, SLOPE);
      // What the currency is worth is in the slope of its value; an inverse row's value is n S (1 / entry - 1 / P).
      const ofProfit = isInverse
        ? f32x4.sub(slope, v128.load_splat<f32>(row, START))
        : f32x4.mul(slope, f32x4.mul(price, unit));
      let own = f32x4.mul(weight, f32x4.mul(open, ofProfit));
      let size = f32x4.mul(open, v128.load_splat<f32>(row, SIZE));
      if (!isInverse) size = f32x4.mul(size, price);
      const usd = (kind & IN_COINS) === 0 ? one : price;
      let margin = zero;
      let rate = zero;
      let deduction = zero;
      const tiersEnd = load<usize>(row, TIERS_END);
      for (let tier = load<usize>(row, TIERS); tier < tiersEnd; tier += 8) {
        const off = f32x4.mul(v128.load_splat<f32>(tier, 4), usd);
        const line = f32x4.sub(f32x4.mul(v128.load_splat<f32>(tier), size), off);
        const isHigher = f32x4.gt(line, margin);
        margin = v128.bitselect(line, margin, isHigher);
        rate = v128.bitselect(v128.load_splat<f32>(tier), rate, isHigher);
        deduction = v128.bitselect(off, deduction, isHigher);
      }
      if ((kind & IN_COINS) === 0) {
        if (!isInverse) own = f32x4.sub(own, f32x4.mul(rate, size));
      } else {
        own = isInverse ? f32x4.add(own, deduction) : f32x4.sub(own, margin);
      }
      if (!isInverse) own = f32x4.sub(own, f32x4.mul(term(RESERVED), size));
      addSlope(load<usize>(row, ROW_ASSET), own);
      place += VECTOR;
    }
    currencyPlace += VECTOR;
  }
}

function addSlope(asset: usize, slope: v128): void {
  v128.store(SLOPES + asset, f32x4.add(v128.load(SLOPES + asset), slope));
}

/** Multiplies the slopes by the deviations of an hour. @returns the sum of their sizes */
function weighSlopes(assets: i32, day: usize): v128 {
  let reach = f32x4.splat(0);
  for (let at: usize = 0; at < (<usize>assets) << VECTOR_SHIFT; at += VECTOR) {
    const weighed = f32x4.mul(v128.load(SLOPES + at), v128.load(DEVIATIONS + day + 2 * at));
    v128.store(SLOPES + at, weighed);
    reach = f32x4.add(reach, f32x4.abs(weighed));
  }
  return reach;
}

/** D' C D of the weighed slopes. */
function varianceOf(assets: i32): v128 {
  let variance = f32x4.splat(0);
  for (let i = 0; i < assets; i++) {
    const row = CORRELATION + <usize>i * CORRELATION_ROW_BYTES;
    let sum = f32x4.splat(0);
    for (let j = 0; j < assets; j++) {
      const each = v128.load(SLOPES + ((<usize>j) << VECTOR_SHIFT));
      sum = f32x4.add(sum, f32x4.mul(v128.load_splat<f32>(row + ((<usize>j) << 2)), each));
    }
    variance = f32x4.add(variance, f32x4.mul(v128.load(SLOPES + ((<usize>i) << VECTOR_SHIFT)), sum));
  }
  return f32x4.pmax(variance, f32x4.splat(0));
}

/** -2 ln U of the hour, at least 0. */
function touchLogarithm(seed: i32, path: i32, hour: i32): v128 {
  if (hour >>> 2 !== touchBlock) {
    touchBlock = hour >>> 2;
    drawKeyedWords(TOUCH_KEY, seed, path, touchBlock, 0, TOUCH_WORDS);
  }
  const word = i32x4.shr_u(v128.load(TOUCH_WORDS + ((<usize>(hour & 3)) << VECTOR_SHIFT)), 32 - TOUCH_BITS);
  const k = f32x4.add(f32x4.convert_i32x4_s(word), constant(ONE));
  const logarithm = negativeLog2(f32x4.mul(k, f32x4.splat(TOUCH_SCALE)));
  return f32x4.mul(f32x4.splat(MINUS_TWICE_LN), f32x4.pmax(logarithm, f32x4.splat(0)));
}

/** Whether the lowest point of a bridge between two ends is not above 0. @param spread variance times -2 ln U */
function touches(d0: v128, d1: v128, spread: v128): v128 {
  const rise = f32x4.sub(d1, d0);
  return f32x4.le(f32x4.add(d0, d1), f32x4.sqrt(f32x4.add(f32x4.mul(rise, rise), spread)));
}

/** Hours with a leverage, and the lowest and highest of it. */
export function leverageCounts(): v128 {
  return state(OPEN_STEPS);
}

export function lowestLeverage(): v128 {
  return state(LOWEST);
}

export function highestLeverage(): v128 {
  return state(HIGHEST);
}
