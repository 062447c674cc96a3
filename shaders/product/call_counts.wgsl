// Counts of a loan's first call, of its ratios along the path and of its end, its ratios as of a loan of which nothing is ever sold.
// Provides: CountState, COUNT_STATE_WORDS, count_put_down, count_take_up, count_begun, count_values and count_ends. Expects: terms, slice,
// kernel/counts.wgsl, market_ratio. Twin: src/core/product/loan.ts.

struct CountState {
  // Step of the first margin call; 0 before one.
  call: u32,
  // The next time of the fan, and its step.
  time: u32,
  next: u32,
}

// Words of a path's counts when it is put down between two time slices; the fan follows from the step.
const COUNT_STATE_WORDS = 1u;

// A path with its first call at the step `call`; 0 before one.
fn count_begun(call: u32) -> CountState {
  let time = fan_time_after(slice.first_step);
  return CountState(call, time, fan_step(time));
}

fn count_put_down(count: ptr<function, CountState>, at: ptr<function, u32>) {
  state_put_next(at, (*count).call);
}

fn count_take_up(count: ptr<function, CountState>, at: ptr<function, u32>) {
  (*count).call = state_take_next(at);
}

// Counts the values after steps `step` + 1 .. `step` + `live`; `lowest` is that of the path so far, these among them.
fn count_values(count: ptr<function, CountState>, lowest: f32, values: vec4<f32>, step: u32, live: u32) {
  if ((*count).call == 0u && lowest < terms.margin_call) {
    var i = 0u;
    while (step_value(values, i) >= terms.margin_call) {
      i += 1u;
    }
    (*count).call = step + 1u + i;
  }
  while ((*count).next <= step + live) {
    let ratio = market_ratio(step_value(values, (*count).next - step - 1u));
    count_ratio(places.fan + RATIO_SLOTS * (*count).time, terms.nominal_ratio * ratio);
    (*count).time += 1u;
    (*count).next = fan_step((*count).time);
  }
}

// Counts the lowest and the last value of a path, and its events; `step` is that of its end, 0 where it did not end.
fn count_ends(count: ptr<function, CountState>, lowest: f32, value: f32, step: u32, closed_out: bool) {
  count_ratio(places.lowest, terms.nominal_ratio * market_ratio(lowest));
  count_ratio(places.final_value, terms.nominal_ratio * market_ratio(value));
  count_event(places.margin_call, (*count).call);
  count_event(places.liquidation, select(step, 0u, closed_out));
  count_event(places.closeout, select(0u, step, closed_out));
}
