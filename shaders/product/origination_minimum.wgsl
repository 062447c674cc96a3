// An origination scan whose score depends on the lowest value of a path alone.
// Provides: Terms, ProductState, ProductValues and the functions product_*. Expects: origination_counts.wgsl, grown_values, trace,
// lowest_take, record_set, market_ratio. Twin: src/core/product/origination.ts.

struct Terms {
  // Thresholds per list.
  candidates: u32,
  // log2 of what the debt grows by in a step.
  growth: f32,
}

alias ProductValues = vec4<f32>;

struct ProductState {
  lowest: f32,
}

fn product_begin(path: u32) -> ProductState {
  return ProductState(VALUE_LIMIT);
}

fn product_values(values: vec4<f32>, step: u32) -> vec4<f32> {
  return grown_values(values, terms.growth, step);
}

const PRODUCT_STATE_WORDS = 1u;

fn product_put_down(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  state_put_next(at, bitcast<u32>((*state).lowest));
}

fn product_take_up(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  (*state).lowest = bitcast<f32>(state_take_next(at));
}

// Values after steps `step` + 1 .. `step` + 4, of which the first `live` belong to the term.
fn product_group(state: ptr<function, ProductState>, values: vec4<f32>, step: u32, live: u32) {
  (*state).lowest = min((*state).lowest, lowest_of(live_steps(values, live, VALUE_LIMIT)));
}

fn product_finish(state: ptr<function, ProductState>, path: u32) {
  let lowest = (*state).lowest;
  let ended = threshold_above(0u, lowest, 0u);
  counts_book(0u, ended);
  lowest_take(lowest);
  if (trace) {
    record_set(RECORD_MINIMUM_RATIO, path, bitcast<u32>(market_ratio(lowest)));
  }
}
