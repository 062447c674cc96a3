// A loan whose sale is capped per step (methodology part 6). Amounts are in units of the loan's initial value.
// Provides: Terms, ProductState, ProductValues, SUM_COUNT and the functions product_*. Expects: terms, slice, trace, MarketLoan, grown_loan,
// market_ratio, path_value_of, sum_add, lowest_take, record_set, fixed_point. Twin: src/core/product/capped-loan.ts.
// Until the sale begins, and while nothing has been sold, the comparisons are those of product/loan.wgsl on the same
// numbers: unlimited capacity gives its counts exactly, no capacity its underwater paths and its worst CCR.

struct Terms {
  // Thresholds of the path's value: M/N, L/N, R/N and 1/N.
  margin_call: f32,
  liquidation: f32,
  recovery: f32,
  underwater: f32,
  // N, L and R.
  nominal_ratio: f32,
  liquidation_ratio: f32,
  recovery_ratio: f32,
  // Largest sale of a step; the largest number where there is no cap.
  capacity: f32,
  // log2 of what the debt grows by in a step.
  growth: f32,
  // Steps between a margin call and its deadline.
  top_up_steps: u32,
  // What the loan is at step 0, its value, C and L there, and the deadline of a call that is open.
  start_status: u32,
  start_value: f32,
  start_collateral: f32,
  start_loan: f32,
  start_deadline: u32,
}

// Sums over the paths, in this order in the results. An amount and a square take three, an amount
// that is kept finer takes four: see amount_add, square_add and fine_amount_add.
const SUM_MARGIN_CALLS = 0u;
const SUM_LIQUIDATIONS = 1u;
const SUM_CLOSEOUTS = 2u;
const SUM_UNDERWATER = 3u;
const SUM_CALLS = 4u;
const SUM_CALL_AMOUNT = 5u;
const SUM_SELLERS = 8u;
const SUM_SOLD_AMOUNT = 9u;
const SUM_CALL_SQUARES = 12u;
const SUM_CALL_AMOUNT_SQUARES = 15u;
const SUM_CALL_PRODUCTS = 19u;
const SUM_SOLD_AMOUNT_SQUARES = 23u;
const SUM_COUNT = 27u;

// Fields of a record, in this order.
const RECORD_WORST_CCR = 0u;
const RECORD_SOLD_AMOUNT = 1u;
const RECORD_CALL_AMOUNT = 2u;
const RECORD_FLAGS = 3u;

// Where the loan stands.
const LOAN_OPEN = 0u;
const LOAN_IN_SALE = 1u;
const LOAN_OVER = 2u;

// A coverage of nothing, whose logarithm still exists.
const MIN_COVERAGE = 1.0e-30;
// A long sale sells the same small part every step, and adding it up one by one would lose its last digits always the
// same way: parts are summed over so many steps before they are taken off what is left.
const SALE_STEPS = 256u;

alias ProductValues = MarketLoan;

struct ProductState {
  phase: u32,
  flags: u32,
  // Deadline of the open margin call, or NO_STEP.
  deadline: u32,
  calls: u32,
  call_amount: f32,
  // Steps that sold the capacity, and what the step sold that ended the sale.
  capped_steps: u32,
  last_sale: f32,
  // Units left of those at the start, as of the last multiple of SALE_STEPS, and what went since.
  collateral_left: f32,
  debt_left: f32,
  collateral_since: f32,
  debt_since: f32,
  // Lowest value while nothing was sold, and lowest coverage of the whole claim since.
  lowest: f32,
  lowest_coverage: f32,
}

fn product_begin(path: u32) -> ProductState {
  var state = ProductState(
    LOAN_OPEN, 0u, NO_STEP, 0u, 0.0, 0u, 0.0, 1.0, 1.0, 0.0, 0.0, VALUE_LIMIT, VALUE_LIMIT,
  );
  if (terms.start_status == START_NONE) {
    return state;
  }
  state.lowest = terms.start_value;
  if (terms.start_status >= START_CALLED) {
    loan_call(&state, terms.start_collateral, terms.start_loan);
    state.flags = FLAG_MARGIN_CALL;
    state.deadline = terms.start_deadline;
  }
  if (terms.start_status == START_LIQUIDATED) {
    state.flags |= FLAG_LIQUIDATION;
    state.phase = LOAN_IN_SALE;
    loan_sale_step(&state, terms.start_value, terms.start_collateral, terms.start_loan, 0u);
  }
  return state;
}

// Words of a path's state when it is put down between two time slices.
const PRODUCT_STATE_WORDS = 13u;

fn product_put_down(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  state_put_next(at, (*state).phase);
  state_put_next(at, (*state).flags);
  state_put_next(at, (*state).deadline);
  state_put_next(at, (*state).calls);
  state_put_next(at, bitcast<u32>((*state).call_amount));
  state_put_next(at, (*state).capped_steps);
  state_put_next(at, bitcast<u32>((*state).last_sale));
  state_put_next(at, bitcast<u32>((*state).collateral_left));
  state_put_next(at, bitcast<u32>((*state).debt_left));
  state_put_next(at, bitcast<u32>((*state).collateral_since));
  state_put_next(at, bitcast<u32>((*state).debt_since));
  state_put_next(at, bitcast<u32>((*state).lowest));
  state_put_next(at, bitcast<u32>((*state).lowest_coverage));
}

fn product_take_up(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  (*state).phase = state_take_next(at);
  (*state).flags = state_take_next(at);
  (*state).deadline = state_take_next(at);
  (*state).calls = state_take_next(at);
  (*state).call_amount = bitcast<f32>(state_take_next(at));
  (*state).capped_steps = state_take_next(at);
  (*state).last_sale = bitcast<f32>(state_take_next(at));
  (*state).collateral_left = bitcast<f32>(state_take_next(at));
  (*state).debt_left = bitcast<f32>(state_take_next(at));
  (*state).collateral_since = bitcast<f32>(state_take_next(at));
  (*state).debt_since = bitcast<f32>(state_take_next(at));
  (*state).lowest = bitcast<f32>(state_take_next(at));
  (*state).lowest_coverage = bitcast<f32>(state_take_next(at));
}

// Books a margin call: what is missing for the recovery ratio.
fn loan_call(state: ptr<function, ProductState>, collateral: f32, loan: f32) {
  (*state).calls += 1u;
  let missing = terms.recovery_ratio * loan - terms.nominal_ratio * collateral;
  (*state).call_amount += max(0.0, missing);
}

// One step before the sale, in the order of methodology part 4; may begin the sale.
fn loan_open_step(state: ptr<function, ProductState>, value: f32, collateral: f32, loan: f32, step: u32) {
  if (value < terms.liquidation) {
    if ((*state).deadline == NO_STEP) {
      loan_call(state, collateral, loan);
    }
    (*state).flags |= FLAG_MARGIN_CALL | FLAG_LIQUIDATION;
    (*state).phase = LOAN_IN_SALE;
    return;
  }
  let cured = (*state).deadline != NO_STEP && value >= terms.recovery;
  if (cured) {
    (*state).deadline = NO_STEP;
  }
  if ((*state).deadline == NO_STEP && value < terms.margin_call) {
    // With R below M a call can be cured and opened again in one step: one call, not two.
    if (!cured) {
      loan_call(state, collateral, loan);
    }
    (*state).flags |= FLAG_MARGIN_CALL;
    (*state).deadline = step + terms.top_up_steps;
  }
  if (step >= (*state).deadline) {
    (*state).flags |= FLAG_CLOSEOUT;
    (*state).phase = LOAN_IN_SALE;
  }
}

// What has been sold: every step of a sale but the last sells the capacity.
fn loan_sold(state: ptr<function, ProductState>) -> f32 {
  return fma(f32((*state).capped_steps), terms.capacity, (*state).last_sale);
}

// One step of the sale: the state of what is left, then what this step sells.
fn loan_sale_step(state: ptr<function, ProductState>, value: f32, collateral: f32, loan: f32, step: u32) {
  let debt_left = (*state).debt_left - (*state).debt_since;
  let collateral_left = (*state).collateral_left - (*state).collateral_since;
  let collateral_value = terms.nominal_ratio * collateral_left * collateral;
  let debt_value = debt_left * loan;
  if (loan_sold(state) == 0.0) {
    (*state).lowest = min((*state).lowest, value);
    if (value < terms.liquidation) {
      (*state).flags |= FLAG_LIQUIDATION;
    }
  } else {
    let coverage = collateral_value / loan + (1.0 - debt_left);
    (*state).lowest_coverage = min((*state).lowest_coverage, coverage);
    if (collateral_value < debt_value) {
      (*state).flags |= FLAG_UNDERWATER;
    }
    if (collateral_value < terms.liquidation_ratio * debt_value) {
      (*state).flags |= FLAG_LIQUIDATION;
    }
  }
  let sale = min(terms.capacity, min(collateral_value, debt_value));
  if (sale == debt_value) {
    (*state).last_sale = sale;
    (*state).phase = LOAN_OVER;
  } else if (sale == collateral_value) {
    (*state).last_sale = sale;
    (*state).flags |= FLAG_UNDERWATER;
    (*state).phase = LOAN_OVER;
  } else {
    (*state).capped_steps += 1u;
    (*state).collateral_since += sale / (terms.nominal_ratio * collateral);
    (*state).debt_since += sale / loan;
  }
  if (step % SALE_STEPS == 0u) {
    (*state).collateral_left -= (*state).collateral_since;
    (*state).debt_left -= (*state).debt_since;
    (*state).collateral_since = 0.0;
    (*state).debt_since = 0.0;
  }
}

fn loan_step(state: ptr<function, ProductState>, value: f32, collateral: f32, loan: f32, step: u32) {
  if ((*state).phase == LOAN_OPEN) {
    (*state).lowest = min((*state).lowest, value);
    loan_open_step(state, value, collateral, loan, step);
  }
  if ((*state).phase == LOAN_IN_SALE) {
    loan_sale_step(state, value, collateral, loan, step);
  }
}

// Values after steps `step` + 1 .. `step` + 4, of which the first `live` belong to the term.
fn product_group(state: ptr<function, ProductState>, path: MarketLoan, step: u32, live: u32) {
  let v = path.value;
  let lowest = lowest_of(v);
  // The common case: an open loan without a call that stays above M.
  if (live == 4u && (*state).phase == LOAN_OPEN && (*state).deadline == NO_STEP && lowest >= terms.margin_call) {
    (*state).lowest = min((*state).lowest, lowest);
    return;
  }
  loan_step(state, v.x, path.collateral.x, path.loan.x, step + 1u);
  if (live > 1u) {
    loan_step(state, v.y, path.collateral.y, path.loan.y, step + 2u);
  }
  if (live > 2u) {
    loan_step(state, v.z, path.collateral.z, path.loan.z, step + 3u);
  }
  if (live > 3u) {
    loan_step(state, v.w, path.collateral.w, path.loan.w, step + 4u);
  }
}

fn product_finish(state: ptr<function, ProductState>, path: u32) {
  var flags = (*state).flags;
  if ((*state).lowest < terms.underwater) {
    flags |= FLAG_UNDERWATER;
  }
  sum_add(SUM_MARGIN_CALLS, u32((flags & FLAG_MARGIN_CALL) != 0u));
  sum_add(SUM_LIQUIDATIONS, u32((flags & FLAG_LIQUIDATION) != 0u));
  sum_add(SUM_CLOSEOUTS, u32((flags & FLAG_CLOSEOUT) != 0u));
  sum_add(SUM_UNDERWATER, u32((flags & FLAG_UNDERWATER) != 0u));
  sum_add(SUM_CALLS, (*state).calls);
  amount_add(SUM_CALL_AMOUNT, (*state).call_amount);
  let sold = loan_sold(state);
  sum_add(SUM_SELLERS, u32(sold > 0.0));
  amount_add(SUM_SOLD_AMOUNT, sold);
  let called = (*state).call_amount;
  square_add(SUM_CALL_SQUARES, (*state).calls);
  fine_amount_add(SUM_CALL_AMOUNT_SQUARES, called * called);
  fine_amount_add(SUM_CALL_PRODUCTS, called * f32((*state).calls));
  fine_amount_add(SUM_SOLD_AMOUNT_SQUARES, sold * sold);
  // Coverage joins in the value's own unit, so that a path without a sale keeps its very value.
  var lowest = (*state).lowest;
  if ((*state).lowest_coverage < VALUE_LIMIT) {
    lowest = min(lowest, path_value_of(max((*state).lowest_coverage, MIN_COVERAGE) / terms.nominal_ratio));
  }
  lowest_take(lowest);
  if (trace) {
    record_set(RECORD_WORST_CCR, path, bitcast<u32>(terms.nominal_ratio * market_ratio(lowest)));
    record_set(RECORD_SOLD_AMOUNT, path, bitcast<u32>(sold));
    record_set(RECORD_CALL_AMOUNT, path, bitcast<u32>((*state).call_amount));
    record_set(RECORD_FLAGS, path, flags);
  }
}
