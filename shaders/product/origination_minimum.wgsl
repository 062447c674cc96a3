// An origination scan whose score depends on the lowest value of a path alone.
// Inputs: values of the path; terms, thresholds.
// Outputs: sums, differences, records.
// Units: values: log2(C/L), C/L or C/L - 1.
// Provides: Terms, ProductValues, ProductState, product_*.
// Reference: src/core/product/origination.ts.
// Expects:
//   kernel/bindings.wgsl: record_set, state_restore_next, state_save_next, trace
//   kernel/growth.wgsl: grown_values
//   kernel/sums.wgsl: lowest_update
//   lib/four_steps.wgsl: live_steps, lowest_of
//   lib/limits.wgsl: VALUE_LIMIT
//   product/origination_counts.wgsl: RECORD_MINIMUM_RATIO, candidates_count, threshold_above
//   one file of values: market_ratio
//   one product: terms

struct Terms {
  // Thresholds per list.
  candidates: u32,
  // log2 of the growth factor of the debt in a step.
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

fn product_save(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  state_save_next(at, bitcast<u32>((*state).lowest));
}

fn product_restore(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  (*state).lowest = bitcast<f32>(state_restore_next(at));
}

// Evaluates the values after steps `step` + 1 .. `step` + 4, of which the first `live` belong to the term.
fn product_group(state: ptr<function, ProductState>, values: vec4<f32>, step: u32, live: u32) {
  (*state).lowest = min((*state).lowest, lowest_of(live_steps(values, live, VALUE_LIMIT)));
}

fn product_finish(state: ptr<function, ProductState>, path: u32) {
  let lowest = (*state).lowest;
  let ended = threshold_above(0u, lowest, 0u);
  candidates_count(0u, ended);
  lowest_update(lowest);
  if (trace) {
    record_set(RECORD_MINIMUM_RATIO, path, bitcast<u32>(market_ratio(lowest)));
  }
}
