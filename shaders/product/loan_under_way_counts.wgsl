// Counts of a loan under way, its ratios as of a loan of which nothing is ever sold.
// Provides: CountState and the functions count_*. Expects: product/loan_under_way.wgsl, kernel/counts.wgsl, market_ratio.
// Twin: src/core/product/loan.ts.

struct CountState {
  // Step of the first margin call; 0 before one.
  call: u32,
  // The next time of the fan, and its step.
  time: u32,
  next: u32,
}

// Words of a path's counts when it is put down between two time slices; the fan follows from the step.
const COUNT_STATE_WORDS = 1u;

fn count_begin() -> CountState {
  let time = fan_time_after(slice.first_step);
  // A call that is open at the start counts on the first day.
  let call = select(0u, 1u, terms.start_status >= START_CALLED);
  return CountState(call, time, fan_step(time));
}

fn count_put_down(count: ptr<function, CountState>, at: ptr<function, u32>) {
  state_put_next(at, (*count).call);
}

fn count_take_up(count: ptr<function, CountState>, at: ptr<function, u32>) {
  (*count).call = state_take_next(at);
}

// Follows four steps as product_group does, and counts them.
fn count_group(state: ptr<function, ProductState>, count: ptr<function, CountState>, path: MarketLoan, step: u32, live: u32) {
  product_group(state, path, step, live);
  let values = path.value;
  if ((*count).call == 0u && (*state).lowest < terms.margin_call) {
    var i = 0u;
    while (lane(values, i) >= terms.margin_call) {
      i += 1u;
    }
    (*count).call = step + 1u + i;
  }
  while ((*count).next <= step + live) {
    let ratio = market_ratio(lane(values, (*count).next - step - 1u));
    count_ratio(places.fan + RATIO_SLOTS * (*count).time, terms.nominal_ratio * ratio);
    (*count).time += 1u;
    (*count).next = fan_step((*count).time);
  }
}

fn count_finish(state: ptr<function, ProductState>, count: ptr<function, CountState>) {
  count_ratio(places.lowest, terms.nominal_ratio * market_ratio((*state).lowest));
  count_ratio(places.final_value, terms.nominal_ratio * market_ratio((*state).value));
  let end = (*state).end;
  // A liquidation at the start counts on the first day, too.
  let step = select(max(1u, end >> 1u), 0u, end == LOAN_NEVER);
  let closed_out = (end & 1u) == 1u;
  count_event(places.margin_call, (*count).call);
  count_event(places.liquidation, select(step, 0u, closed_out));
  count_event(places.closeout, select(0u, step, closed_out));
}
