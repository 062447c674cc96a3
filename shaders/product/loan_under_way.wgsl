// A loan with unlimited sales whose debt may grow, that may start with a call, and whose calls may be answered. Without any of these its
// comparisons are those of product/loan.wgsl on the same numbers; that file stays apart because its step needs no amounts and has no
// branches.
// Inputs: value, C and L after each step; terms.
// Outputs: sums and records.
// Units: thresholds in the unit of the values; amounts in units of the loan value; steps.
// Provides: Terms, LOAN_SUMS, SUM_COUNT, ProductValues, ProductState, product_*.
// Reference: src/core/product/loan-under-way.ts.
// Expects:
//   kernel/bindings.wgsl: record_set, slice, state_restore_next, state_save_next, trace
//   kernel/sums.wgsl: fine_amount_add, lowest_update, sum_add
//   kernel/unweighted.wgsl or product/weighted_loan.wgsl: WEIGHTED_SUMS
//   lib/answer_words.wgsl: answer_word
//   lib/four_steps.wgsl: live_steps, lowest_of, step_value
//   lib/limits.wgsl: NO_STEP, VALUE_LIMIT
//   portfolio/market_loan.wgsl: MarketLoan
//   product/loan_codes.wgsl: START_*
//   product/loan_end.wgsl: LoanEnd, loan_end, loan_end_add, loan_end_record
//   product/one_threshold.wgsl or product/asset_thresholds.wgsl: THRESHOLDS_BY_ASSET
//   one file of values: PATH_UNRAISED, path_raise_to, path_raised, path_shortfall
//   one product: terms

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
  // log2 of the growth factor of the debt in a step.
  growth: f32,
  // Status and value at step 0, and the deadline of a call that is open there.
  start_status: u32,
  start_value: f32,
  start_deadline: u32,
  // Steps from a call to its answer, 0 for no answers; step of the answer to a call that is open at the start, 0 for none.
  answer_delay: u32,
  answer_start: u32,
  // The value that an answer restores.
  answer_value: f32,
  // The largest random word that answers a call, and the borrower's name (64 bits) that the words depend on.
  answer_last: u32,
  answer_name_high: u32,
  answer_name_low: u32,
  // With thresholds by asset: per asset, the collateral weight times the threshold over the mean threshold at the start, less the weight in
  // the loan; and their sum.
  secured_weight: array<vec4<f32>, 8>,
  secured_sum: f32,
}

// Sums after those of product/loan_end.wgsl. An amount takes four: see fine_amount_add.
const SUM_DEADLINE_ENDS = 14u;
const SUM_TOP_UPS = 15u;
const SUM_TOP_UP_AMOUNT = 16u;
const SUM_TOP_UP_AMOUNT_SQUARES = 20u;
const LOAN_SUMS = 24u;
const SUM_COUNT = LOAN_SUMS + WEIGHTED_SUMS;

// The field of a record after those of product/loan_end.wgsl.
const RECORD_TOP_UP_AMOUNT = 4u;

alias ProductValues = MarketLoan;

struct ProductState {
  // Number of the path: its random words decide which calls are answered.
  path: u32,
  // Lowest value of the full term, and value of the last step so far, both without added collateral.
  lowest: f32,
  value: f32,
  // Deadline of the open margin call, the step of its answer, or NO_STEP.
  deadline: u32,
  due: u32,
  // How the loan ended: twice the step, plus 1 for a closeout; NO_STEP while it is open.
  end: u32,
  // Calls since the start.
  calls: u32,
  // Raise of the collateral, number of answered calls, and amount that they added.
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

// Words of the saved state of a path.
const PRODUCT_STATE_WORDS = 9u;

fn product_save(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  state_save_next(at, bitcast<u32>((*state).lowest));
  state_save_next(at, bitcast<u32>((*state).value));
  state_save_next(at, (*state).deadline);
  state_save_next(at, (*state).due);
  state_save_next(at, (*state).end);
  state_save_next(at, (*state).calls);
  state_save_next(at, bitcast<u32>((*state).raise));
  state_save_next(at, (*state).top_ups);
  state_save_next(at, bitcast<u32>((*state).added));
}

fn product_restore(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  (*state).lowest = bitcast<f32>(state_restore_next(at));
  (*state).value = bitcast<f32>(state_restore_next(at));
  (*state).deadline = state_restore_next(at);
  (*state).due = state_restore_next(at);
  (*state).end = state_restore_next(at);
  (*state).calls = state_restore_next(at);
  (*state).raise = bitcast<f32>(state_restore_next(at));
  (*state).top_ups = state_restore_next(at);
  (*state).added = bitcast<f32>(state_restore_next(at));
}

// One step of a loan. The rules in their order: liquidation, cure, call, answer, closeout. @param secured see MarketLoan
fn loan_step(state: ptr<function, ProductState>, market_value: f32, secured: f32, loan: f32, step: u32) {
  if ((*state).end != NO_STEP) {
    return;
  }
  let value = path_raised(market_value, (*state).raise);
  if (path_raised(secured, (*state).raise) < terms.liquidation) {
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
    let missing = terms.nominal_ratio * path_shortfall(value, terms.answer_value);
    (*state).added += max(0.0, missing) * loan;
    (*state).raise = path_raise_to(market_value, terms.answer_value);
    (*state).deadline = NO_STEP;
    (*state).due = NO_STEP;
  }
  if (step >= (*state).deadline) {
    (*state).end = 2u * step + 1u;
  }
}

// Evaluates the values after steps `step` + 1 .. `step` + 4, of which the first `live` belong to the term.
fn product_group(state: ptr<function, ProductState>, path: MarketLoan, step: u32, live: u32) {
  var v = path.value;
  (*state).value = v.w;
  if (live < 4u) {
    (*state).value = step_value(v, live - 1u);
    v = live_steps(v, live, VALUE_LIMIT);
  }
  let lowest = lowest_of(v);
  (*state).lowest = min((*state).lowest, lowest);
  // The common case: the loan has ended, or no call is open and all values are at or above M and L.
  let quiet = (*state).deadline == NO_STEP && path_raised(lowest, (*state).raise) >= terms.margin_call
    && (!THRESHOLDS_BY_ASSET || path_raised(lowest_of(path.secured), (*state).raise) >= terms.liquidation);
  if ((*state).end != NO_STEP || quiet) {
    return;
  }
  loan_step(state, v.x, path.secured.x, path.loan.x, step + 1u);
  if (live > 1u) {
    loan_step(state, v.y, path.secured.y, path.loan.y, step + 2u);
  }
  if (live > 2u) {
    loan_step(state, v.z, path.secured.z, path.loan.z, step + 3u);
  }
  if (live > 3u) {
    loan_step(state, v.w, path.secured.w, path.loan.w, step + 4u);
  }
}

// The end of the path. No collateral is added before the first call: the lowest value decides on the call, except for one at the start.
fn product_end(state: ptr<function, ProductState>) -> LoanEnd {
  let lowest = (*state).lowest;
  let called = terms.start_status >= START_CALLED || lowest < terms.margin_call
    || (THRESHOLDS_BY_ASSET && (*state).end != NO_STEP);
  return loan_end(lowest, (*state).value, (*state).end, called);
}

// 1 if a call was answered, else 0, and the amount added.
fn product_top_ups(state: ptr<function, ProductState>) -> vec2<f32> {
  return vec2(f32((*state).top_ups > 0u), (*state).added);
}

// Adds the path to the sums, and writes its record in a trace.
fn product_finish(state: ptr<function, ProductState>, path: u32) {
  let end = product_end(state);
  loan_end_add(end);
  sum_add(SUM_DEADLINE_ENDS, u32(terms.start_status == START_CALLED && end.step == terms.start_deadline));
  sum_add(SUM_TOP_UPS, u32((*state).top_ups > 0u));
  let added = (*state).added;
  fine_amount_add(SUM_TOP_UP_AMOUNT, added);
  fine_amount_add(SUM_TOP_UP_AMOUNT_SQUARES, added * added);
  lowest_update((*state).lowest);
  if (trace) {
    loan_end_record(end, (*state).lowest, path);
    record_set(RECORD_TOP_UP_AMOUNT, path, bitcast<u32>(added));
  }
}
