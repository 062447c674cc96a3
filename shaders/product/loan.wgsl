// A loan under unlimited liquidity (methodology part 4).
// Provides: Terms, ProductState, ProductValues, LOAN_SUMS, SUM_COUNT and the functions product_*. Expects: WEIGHTED_SUMS, trace, loan_states.wgsl, loan_end.wgsl, lowest_take.
// Twin: src/core/product/loan.ts.
// Values and thresholds are C/L or log2(C/L), as the market files of the kernel have it.

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
const LOAN_SUMS = 13u;
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

// The debt of this loan does not grow: product/loan_under_way.wgsl has one that does.
fn product_values(values: vec4<f32>, step: u32) -> vec4<f32> {
  return values;
}

// Words of a path's state when it is put down between two time slices.
const PRODUCT_STATE_WORDS = 4u;

fn product_put_down(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  state_put_next(at, bitcast<u32>((*state).lowest));
  state_put_next(at, bitcast<u32>((*state).value));
  state_put_next(at, (*state).loan.deadline);
  state_put_next(at, (*state).loan.end);
}

fn product_take_up(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  (*state).lowest = bitcast<f32>(state_take_next(at));
  (*state).value = bitcast<f32>(state_take_next(at));
  (*state).loan.deadline = state_take_next(at);
  (*state).loan.end = state_take_next(at);
  loan_watch(&(*state).loan, product_rules());
}

// Values after steps `step` + 1 .. `step` + 4, of which the first `live` belong to the term.
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
  loan_group(&(*state).loan, product_rules(), v, lowest, highest, step);
}

// What became of the path. A loan that ended was called at that step at the latest, so the lowest value tells both the call
// and the fall under 1/N.
fn product_end(state: ptr<function, ProductState>) -> LoanEnd {
  let lowest = (*state).lowest;
  return loan_end(lowest, (*state).value, (*state).loan.end, lowest < terms.margin_call);
}

// Whether a call was answered, as a number, and what was added: no call of this loan is answered.
fn product_top_ups(state: ptr<function, ProductState>) -> vec2<f32> {
  return vec2(0.0);
}

// Books the path.
fn product_finish(state: ptr<function, ProductState>, path: u32) {
  let end = product_end(state);
  loan_end_add(end);
  lowest_take((*state).lowest);
  if (trace) {
    loan_end_record(end, (*state).lowest, path);
  }
}
