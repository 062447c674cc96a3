// A loan with unlimited sales, constant debt and no answered calls (methodology part 4).
// Inputs: values of the path: log2(C/L), C/L or C/L - 1; terms.
// Outputs: sums and records.
// Units: thresholds in the unit of the values; steps.
// Provides: Terms, LOAN_SUMS, SUM_COUNT, ProductValues, ProductState, product_*.
// Reference: src/core/product/loan.ts.
// Expects:
//   kernel/bindings.wgsl: state_restore_next, state_save_next, trace
//   kernel/sums.wgsl: lowest_update
//   kernel/unweighted.wgsl or product/weighted_loan.wgsl: WEIGHTED_SUMS
//   lib/four_steps.wgsl: highest_of, live_steps, lowest_of, step_value
//   lib/limits.wgsl: VALUE_LIMIT
//   product/loan_end.wgsl: LoanEnd, loan_end, loan_end_add, loan_end_record
//   product/loan_states.wgsl: LoanRules, LoanState, loan_begin, loan_group, loan_set_limits
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
}

// Every sum is one of product/loan_end.wgsl.
const LOAN_SUMS = 14u;
const SUM_COUNT = LOAN_SUMS + WEIGHTED_SUMS;

alias ProductValues = vec4<f32>;

struct ProductState {
  // Lowest value of the full term, and the value of the last step so far.
  lowest: f32,
  value: f32,
  loan: LoanState,
}

fn product_rules() -> LoanRules {
  return LoanRules(terms.margin_call, terms.liquidation, terms.recovery, terms.top_up_steps);
}

fn product_begin(path: u32) -> ProductState {
  return ProductState(VALUE_LIMIT, 0.0, loan_begin(product_rules()));
}

// The debt of this loan does not grow (it does in product/loan_under_way.wgsl).
fn product_values(values: vec4<f32>, step: u32) -> vec4<f32> {
  return values;
}

// Words of the saved state of a path.
const PRODUCT_STATE_WORDS = 4u;

fn product_save(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  state_save_next(at, bitcast<u32>((*state).lowest));
  state_save_next(at, bitcast<u32>((*state).value));
  state_save_next(at, (*state).loan.deadline);
  state_save_next(at, (*state).loan.end);
}

fn product_restore(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  (*state).lowest = bitcast<f32>(state_restore_next(at));
  (*state).value = bitcast<f32>(state_restore_next(at));
  (*state).loan.deadline = state_restore_next(at);
  (*state).loan.end = state_restore_next(at);
  loan_set_limits(&(*state).loan, product_rules());
}

// Evaluates the values after steps `step` + 1 .. `step` + 4, of which the first `live` belong to the term.
fn product_group(state: ptr<function, ProductState>, values: vec4<f32>, step: u32, live: u32) {
  var v = values;
  (*state).value = v.w;
  if (live < 4u) {
    (*state).value = step_value(v, live - 1u);
    v = live_steps(v, live, VALUE_LIMIT);
  }
  let lowest = lowest_of(v);
  let highest = highest_of(v);
  (*state).lowest = min((*state).lowest, lowest);
  loan_group(&(*state).loan, product_rules(), v, v, lowest, highest, step);
}

// The end of the path. A loan that ended was called at that step at the latest: the lowest value decides on the call and on the
// underwater flag.
fn product_end(state: ptr<function, ProductState>) -> LoanEnd {
  let lowest = (*state).lowest;
  return loan_end(lowest, (*state).value, (*state).loan.end, lowest < terms.margin_call);
}

// 1 if a call was answered, else 0, and the amount added: both 0, as no call of this loan is answered.
fn product_top_ups(state: ptr<function, ProductState>) -> vec2<f32> {
  return vec2(0.0);
}

// Adds the path to the sums, and writes its record in a trace.
fn product_finish(state: ptr<function, ProductState>, path: u32) {
  let end = product_end(state);
  loan_end_add(end);
  lowest_update((*state).lowest);
  if (trace) {
    loan_end_record(end, (*state).lowest, path);
  }
}
