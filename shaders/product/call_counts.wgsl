// Counts of a loan's first call, of its ratios along the path and of its end. Ratios are those of a loan without sales.
// Inputs: values of the path; terms.
// Outputs: ratios, event_days.
// Units: CCR: N C/L.
// Provides: CountState, count_*.
// Reference: src/core/product/loan.ts.
// Expects:
//   kernel/bindings.wgsl: slice, state_restore_next, state_save_next
//   kernel/counts.wgsl: FanTime, count_ends, count_event, count_time, fan_time_after, places
//   lib/four_steps.wgsl: step_value
//   one file of values: market_ratio
//   one product: terms

struct CountState {
  // Step of the first margin call; 0 before one.
  call: u32,
  // The next time of the fan chart.
  fan: FanTime,
}

// Words of the saved counts of a path; the time of the fan chart follows from the step.
const COUNT_STATE_WORDS = 1u;

// The counts at the start of a slice. @param call step of the first call; 0 before one
fn count_begin_at(path: u32, call: u32) -> CountState {
  return CountState(call, fan_time_after(slice.first_step, path));
}

fn count_save(count: ptr<function, CountState>, at: ptr<function, u32>) {
  state_save_next(at, (*count).call);
}

fn count_restore(count: ptr<function, CountState>, at: ptr<function, u32>) {
  (*count).call = state_restore_next(at);
}

// Counts the values after steps `step` + 1 .. `step` + `live`. @param lowest value of the path so far, these steps included
fn count_values(count: ptr<function, CountState>, lowest: f32, values: vec4<f32>, step: u32, live: u32) {
  if ((*count).call == 0u && lowest < terms.margin_call) {
    var i = 0u;
    while (i < 3u && step_value(values, i) >= terms.margin_call) {
      i += 1u;
    }
    (*count).call = step + 1u + i;
  }
  while ((*count).fan.step <= step + live) {
    let ratio = market_ratio(step_value(values, (*count).fan.step - step - 1u));
    (*count).fan = count_time((*count).fan, terms.nominal_ratio * ratio);
  }
}

// Counts the lowest and the last value of a path, and its events. @param step of the end; 0 if the loan did not end
fn count_end(count: ptr<function, CountState>, lowest: f32, value: f32, step: u32, closed_out: bool) {
  count_ends((*count).fan, terms.nominal_ratio * market_ratio(lowest), terms.nominal_ratio * market_ratio(value));
  count_event(places.margin_call, (*count).call);
  count_event(places.liquidation, select(step, 0u, closed_out));
  count_event(places.closeout, select(0u, step, closed_out));
}
