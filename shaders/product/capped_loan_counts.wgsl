// Counts of a loan with limited sales. Its coverage is that of the whole claim, and constant after the end of the sale.
// Inputs: C/L, C and L after each step; terms.
// Outputs: ratios, event_days.
// Units: CCR: N C/L.
// Provides: CountState, count_*.
// Reference: src/core/product/capped-loan.ts.
// Expects:
//   kernel/bindings.wgsl: slice, state_restore_next, state_save_next
//   kernel/counts.wgsl: FanTime, count_ends, count_event, count_time, fan_time_after, places
//   lib/four_steps.wgsl: lowest_of, step_value
//   lib/limits.wgsl: VALUE_LIMIT
//   portfolio/market_loan.wgsl: MarketLoan
//   product/capped_loan.wgsl: LOAN_CLOSED, loan_quiet, loan_sold
//   product/loan_codes.wgsl: FLAG_*, START_CALLED, START_LIQUIDATED
//   one file of values: market_ratio
//   one product: ProductState, product_group, terms

struct CountState {
  // Step of the first event of each kind; 0 before it.
  call: u32,
  liquidation: u32,
  closeout: u32,
  // Coverage after the last step.
  coverage: f32,
  // The next time of the fan chart.
  fan: FanTime,
}

// Words of the saved counts of a path; the time of the fan chart follows from the step.
const COUNT_STATE_WORDS = 4u;

// The coverage of the whole claim at the start.
fn start_coverage() -> f32 {
  return terms.nominal_ratio * terms.start_collateral / terms.start_loan;
}

fn count_begin(path: u32) -> CountState {
  // An event at the start counts on the first day.
  let call = u32(terms.start_status >= START_CALLED);
  let liquidation = u32(terms.start_status == START_LIQUIDATED);
  return CountState(call, liquidation, 0u, start_coverage(), fan_time_after(slice.first_step, path));
}

fn count_save(count: ptr<function, CountState>, at: ptr<function, u32>) {
  state_save_next(at, (*count).call);
  state_save_next(at, (*count).liquidation);
  state_save_next(at, (*count).closeout);
  state_save_next(at, bitcast<u32>((*count).coverage));
}

fn count_restore(count: ptr<function, CountState>, at: ptr<function, u32>) {
  (*count).call = state_restore_next(at);
  (*count).liquidation = state_restore_next(at);
  (*count).closeout = state_restore_next(at);
  (*count).coverage = bitcast<f32>(state_restore_next(at));
}

// Counts the coverage after a step, if the step is a time of the fan chart.
fn count_fan(count: ptr<function, CountState>, step: u32) {
  if ((*count).fan.step == step) {
    (*count).fan = count_time((*count).fan, (*count).coverage);
  }
}

// One step of a path and its counts.
fn count_step(state: ptr<function, ProductState>, count: ptr<function, CountState>, path: MarketLoan, step: u32) {
  let before = (*state).flags;
  let over = (*state).phase >= LOAN_CLOSED;
  let sold = loan_sold(state) > 0.0;
  let collateral_left = (*state).collateral_left - (*state).collateral_since;
  let debt_left = (*state).debt_left - (*state).debt_since;
  product_group(state, path, step - 1u, 1u);
  if (!over) {
    let sale = terms.nominal_ratio * collateral_left * path.collateral.x / path.loan.x + (1.0 - debt_left);
    (*count).coverage = select(terms.nominal_ratio * market_ratio(path.value.x), sale, sold);
  }
  let entered = (*state).flags & ~before;
  (*count).call = select((*count).call, step, (entered & FLAG_MARGIN_CALL) != 0u);
  (*count).liquidation = select((*count).liquidation, step, (entered & FLAG_LIQUIDATION) != 0u);
  (*count).closeout = select((*count).closeout, step, (entered & FLAG_CLOSEOUT) != 0u);
  count_fan(count, step);
}

// product_group with the counts of the four steps.
fn count_group(state: ptr<function, ProductState>, count: ptr<function, CountState>, path: MarketLoan, step: u32, live: u32) {
  let v = path.value;
  if (loan_quiet(state, path, lowest_of(v), live)) {
    product_group(state, path, step, live);
    while ((*count).fan.step <= step + 4u) {
      (*count).coverage = terms.nominal_ratio * market_ratio(step_value(v, (*count).fan.step - step - 1u));
      count_fan(count, (*count).fan.step);
    }
    (*count).coverage = terms.nominal_ratio * market_ratio(v.w);
    return;
  }
  for (var i = 0u; i < live; i++) {
    let one = MarketLoan(
      vec4(step_value(v, i)),
      vec4(step_value(path.collateral, i)),
      vec4(step_value(path.loan, i)),
      vec4(step_value(path.secured, i)),
    );
    count_step(state, count, one, step + i + 1u);
  }
}

fn count_finish(state: ptr<function, ProductState>, count: ptr<function, CountState>) {
  var lowest = terms.nominal_ratio * market_ratio((*state).lowest);
  if ((*state).lowest_coverage < VALUE_LIMIT) {
    lowest = min(lowest, (*state).lowest_coverage);
  }
  count_ends((*count).fan, lowest, (*count).coverage);
  count_event(places.margin_call, (*count).call);
  count_event(places.liquidation, (*count).liquidation);
  count_event(places.closeout, (*count).closeout);
}
