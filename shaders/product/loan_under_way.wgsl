// A loan whose debt grows, that may begin called, and whose calls may be answered.
// Provides: Terms, ProductState, ProductValues, LOAN_SUMS, SUM_COUNT and the functions product_*. Expects: WEIGHTED_SUMS, terms, slice, trace, MarketLoan, loan_end.wgsl, path_raised,
// path_raise_to, path_missing, PATH_UNRAISED, grown_loan, answer_word, sum_add, fine_amount_add, lowest_take, record_set.
// Twin: src/core/product/loan-under-way.ts.
// Without any of this the comparisons are those of product/loan.wgsl on the same numbers.

struct Terms {
  // Thresholds of the path's value: M/N, L/N, R/N and 1/N.
  margin_call: f32,
  liquidation: f32,
  recovery: f32,
  underwater: f32,
  // N.
  nominal_ratio: f32,
  // Steps between a margin call and its deadline.
  top_up_steps: u32,
  // log2 of what the debt grows by in a step.
  growth: f32,
  // What the loan is at step 0, its value there, and the deadline of a call that is open.
  start_status: u32,
  start_value: f32,
  start_deadline: u32,
  // Steps from a call to its answer, 0 where nobody answers; step of the answer to a call that is open at the start, 0 for none.
  answer_delay: u32,
  answer_start: u32,
  // The value that an answer restores.
  answer_value: f32,
  // The largest word that answers a call, and the name that the words belong to.
  answer_last: u32,
  answer_name_high: u32,
  answer_name_low: u32,
}

// Sums after those of product/loan_end.wgsl. An amount takes four: see fine_amount_add.
const SUM_TOP_UPS = 13u;
const SUM_TOP_UP_AMOUNT = 14u;
const SUM_TOP_UP_AMOUNT_SQUARES = 18u;
const LOAN_SUMS = 22u;
const SUM_COUNT = LOAN_SUMS + WEIGHTED_SUMS;

// The field of a record after those of product/loan_end.wgsl.
const RECORD_TOP_UP_AMOUNT = 4u;

alias ProductValues = MarketLoan;

struct ProductState {
  // Number of the path: its answers are drawn by it.
  path: u32,
  // Lowest value of the full term, and the value of the last step so far, nothing added.
  lowest: f32,
  value: f32,
  // Deadline of the open margin call, the step of its answer, or NO_STEP.
  deadline: u32,
  due: u32,
  // How the loan ended: twice the step, plus 1 for a closeout; NO_STEP while it is open.
  end: u32,
  // Calls since the start.
  calls: u32,
  // What the collateral was raised by, answered calls, and what they added.
  raise: f32,
  top_ups: u32,
  added: f32,
}

// Whether a call is answered.
fn loan_answered(path: u32, call: u32) -> bool {
  let name = vec2(terms.answer_name_high, terms.answer_name_low);
  return terms.answer_delay > 0u && answer_word(slice.seed, path, name, call) <= terms.answer_last;
}

fn product_begin(path: u32) -> ProductState {
  var state = ProductState(
    path, VALUE_LIMIT, 0.0, NO_STEP, NO_STEP, NO_STEP, 0u, PATH_UNRAISED, 0u, 0.0,
  );
  if (terms.start_status == START_NONE) {
    return state;
  }
  state.lowest = terms.start_value;
  if (terms.start_status == START_LIQUIDATED) {
    state.end = 0u;
  }
  if (terms.start_status == START_CALLED) {
    state.deadline = terms.start_deadline;
    if (terms.answer_start > 0u && loan_answered(path, 0u)) {
      state.due = terms.answer_start;
    }
  }
  return state;
}

// Words of a path's state when it is put down between two time slices.
const PRODUCT_STATE_WORDS = 9u;

fn product_put_down(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  state_put_next(at, bitcast<u32>((*state).lowest));
  state_put_next(at, bitcast<u32>((*state).value));
  state_put_next(at, (*state).deadline);
  state_put_next(at, (*state).due);
  state_put_next(at, (*state).end);
  state_put_next(at, (*state).calls);
  state_put_next(at, bitcast<u32>((*state).raise));
  state_put_next(at, (*state).top_ups);
  state_put_next(at, bitcast<u32>((*state).added));
}

fn product_take_up(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  (*state).lowest = bitcast<f32>(state_take_next(at));
  (*state).value = bitcast<f32>(state_take_next(at));
  (*state).deadline = state_take_next(at);
  (*state).due = state_take_next(at);
  (*state).end = state_take_next(at);
  (*state).calls = state_take_next(at);
  (*state).raise = bitcast<f32>(state_take_next(at));
  (*state).top_ups = state_take_next(at);
  (*state).added = bitcast<f32>(state_take_next(at));
}

// One step of a loan. The rules in their order: liquidation, cure, call, the answer that is due, closeout.
fn loan_step(state: ptr<function, ProductState>, market_value: f32, loan: f32, step: u32) {
  if ((*state).end != NO_STEP) {
    return;
  }
  let value = path_raised(market_value, (*state).raise);
  if (value < terms.liquidation) {
    (*state).end = 2u * step;
    return;
  }
  if (value >= terms.recovery) {
    (*state).deadline = NO_STEP;
    (*state).due = NO_STEP;
  }
  if ((*state).deadline == NO_STEP && value < terms.margin_call) {
    (*state).calls += 1u;
    (*state).deadline = step + terms.top_up_steps;
    (*state).due = NO_STEP;
    if (loan_answered((*state).path, (*state).calls)) {
      (*state).due = step + terms.answer_delay;
    }
  }
  if (step == (*state).due) {
    (*state).top_ups += 1u;
    let missing = terms.nominal_ratio * path_missing(value, terms.answer_value);
    (*state).added += max(0.0, missing) * loan;
    (*state).raise = path_raise_to(market_value, terms.answer_value);
    (*state).deadline = NO_STEP;
    (*state).due = NO_STEP;
  }
  if (step >= (*state).deadline) {
    (*state).end = 2u * step + 1u;
  }
}

// Values after steps `step` + 1 .. `step` + 4, of which the first `live` belong to the term.
fn product_group(state: ptr<function, ProductState>, path: MarketLoan, step: u32, live: u32) {
  var v = path.value;
  (*state).value = v.w;
  if (live < 4u) {
    (*state).value = step_value(v, live - 1u);
    v = live_steps(v, live, VALUE_LIMIT);
  }
  let lowest = lowest_of(v);
  (*state).lowest = min((*state).lowest, lowest);
  // The common case: the loan has ended, or no call is open and it stays above M.
  let quiet = (*state).deadline == NO_STEP && path_raised(lowest, (*state).raise) >= terms.margin_call;
  if ((*state).end != NO_STEP || quiet) {
    return;
  }
  loan_step(state, v.x, path.loan.x, step + 1u);
  if (live > 1u) {
    loan_step(state, v.y, path.loan.y, step + 2u);
  }
  if (live > 2u) {
    loan_step(state, v.z, path.loan.z, step + 3u);
  }
  if (live > 3u) {
    loan_step(state, v.w, path.loan.w, step + 4u);
  }
}

// What became of the path. Nothing is added before the first call, so the lowest value tells the call, but for one at the start.
fn product_end(state: ptr<function, ProductState>) -> LoanEnd {
  let lowest = (*state).lowest;
  let called = terms.start_status >= START_CALLED || lowest < terms.margin_call;
  return loan_end(lowest, (*state).value, (*state).end, called);
}

// Whether a call was answered, as a number, and what was added.
fn product_top_ups(state: ptr<function, ProductState>) -> vec2<f32> {
  return vec2(f32((*state).top_ups > 0u), (*state).added);
}

// Books the path.
fn product_finish(state: ptr<function, ProductState>, path: u32) {
  let end = product_end(state);
  loan_end_add(end);
  sum_add(SUM_TOP_UPS, u32((*state).top_ups > 0u));
  let added = (*state).added;
  fine_amount_add(SUM_TOP_UP_AMOUNT, added);
  fine_amount_add(SUM_TOP_UP_AMOUNT_SQUARES, added * added);
  lowest_take((*state).lowest);
  if (trace) {
    loan_end_record(end, (*state).lowest, path);
    record_set(RECORD_TOP_UP_AMOUNT, path, bitcast<u32>(added));
  }
}
