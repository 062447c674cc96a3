// A loan under unlimited liquidity (methodology part 4).
// Provides: Terms, ProductState, SUM_COUNT and the functions product_*. Expects: terms, slice, trace, market_ratio, loan_states.wgsl,
// sum_add, square_add, lowest_take, record_set. Twin: src/core/product/loan.ts.
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

// Sums over the paths, in this order in the results. A square takes three: see square_add.
const SUM_MARGIN_CALLS = 0u;
const SUM_LIQUIDATIONS = 1u;
const SUM_CLOSEOUTS = 2u;
const SUM_UNDERWATER = 3u;
const SUM_OPEN_STEPS = 4u;
const SUM_LOSS = 5u;
const SUM_CLOSED_STEP_SQUARES = 6u;
const SUM_LOSSES = 9u;
const SUM_LOSS_SQUARES = 10u;
const SUM_COUNT = 13u;

// Fields of a record, in this order.
const RECORD_MINIMUM_RATIO = 0u;
const RECORD_FINAL_RATIO = 1u;
const RECORD_END_STEP = 2u;
const RECORD_FLAGS = 3u;

const FLAG_MARGIN_CALL = 1u;
const FLAG_LIQUIDATION = 2u;
const FLAG_CLOSEOUT = 4u;
const FLAG_UNDERWATER = 8u;

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
  return ProductState(LOAN_BEYOND, 0.0, loan_begin(product_rules()));
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
    // Not v[live - 1]: an index that is no constant would drive the values out of the registers.
    (*state).value = select(select(v.x, v.y, live > 1u), v.z, live > 2u);
    v = select(v, vec4(LOAN_BEYOND), vec4(0u, 1u, 2u, 3u) >= vec4(live));
  }
  let lowest = min(min(v.x, v.y), min(v.z, v.w));
  let highest = max(max(v.x, v.y), max(v.z, v.w));
  (*state).lowest = min((*state).lowest, lowest);
  loan_group(&(*state).loan, product_rules(), v, lowest, highest, step);
}

// Books the path. A loan that ended was called at that step at the latest, so the lowest value tells both the call
// and the fall under 1/N.
fn product_finish(state: ptr<function, ProductState>, path: u32) {
  let lowest = (*state).lowest;
  let end = (*state).loan.end;
  let ended = end != LOAN_NEVER;
  let called = lowest < terms.margin_call;
  let liquidated = ended && (end & 1u) == 0u;
  let closed_out = ended && (end & 1u) == 1u;
  let underwater = lowest < terms.underwater;
  let end_step = select(slice.steps, end >> 1u, ended);
  let final_ratio = market_ratio((*state).value);
  sum_add(SUM_MARGIN_CALLS, u32(called));
  sum_add(SUM_LIQUIDATIONS, u32(liquidated));
  sum_add(SUM_CLOSEOUTS, u32(closed_out));
  sum_add(SUM_UNDERWATER, u32(underwater));
  sum_add(SUM_OPEN_STEPS, end_step);
  let loss = fma(-terms.nominal_ratio, final_ratio, 1.0);
  let fixed_loss = fixed_point(clamp(loss, 0.0, 1.0));
  sum_add(SUM_LOSS, fixed_loss);
  square_add(SUM_CLOSED_STEP_SQUARES, slice.steps - end_step);
  sum_add(SUM_LOSSES, u32(loss > 0.0));
  square_add(SUM_LOSS_SQUARES, fixed_loss);
  lowest_take(lowest);
  if (trace) {
    record_set(RECORD_MINIMUM_RATIO, path, bitcast<u32>(market_ratio(lowest)));
    record_set(RECORD_FINAL_RATIO, path, bitcast<u32>(final_ratio));
    record_set(RECORD_END_STEP, path, end_step);
    let sold = select(0u, FLAG_LIQUIDATION, liquidated) | select(0u, FLAG_CLOSEOUT, closed_out);
    let fallen = select(0u, FLAG_MARGIN_CALL, called) | select(0u, FLAG_UNDERWATER, underwater);
    record_set(RECORD_FLAGS, path, sold | fallen);
  }
}
