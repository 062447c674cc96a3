// An origination scan of liquidations or closeouts: the states of the loan for all candidates at once. R = N for every candidate, so that
// calls of all candidates are cured at the same steps. Since the last cure, candidates are liquidated whose liquidation threshold is above
// the lowest value, and closed out whose margin-call threshold is above the lowest value `delay` steps ago. Both are prefixes of the list.
// Inputs: values of the path and of its delayed earlier; terms, thresholds.
// Outputs: sums, differences, records.
// Units: values: log2(C/L), C/L or C/L - 1; steps.
// Provides: Terms, ProductValues, ProductState, product_*.
// Reference: src/core/product/origination.ts.
// Expects:
//   kernel/bindings.wgsl: record_set, slice, state_restore, state_restore_next, state_save, state_save_next, trace
//   kernel/growth.wgsl: grown_values
//   kernel/sums.wgsl: lowest_update
//   lib/limits.wgsl: VALUE_LIMIT
//   product/origination_counts.wgsl: RECORD_MINIMUM_RATIO, candidates_count, threshold_above, thresholds
//   one file of values: market_ratio
//   one market: market_state_words
//   one product: terms

struct Terms {
  // Thresholds per list.
  candidates: u32,
  // Steps between a margin call and its deadline: four times `delay_groups` and `delay_rest`.
  delay_groups: u32,
  delay_rest: u32,
  // Groups of four values that a path keeps: `delay_groups`, or 0 where the term ends before any of them is read.
  kept_groups: u32,
  // 1 to count liquidations, 0 to count closeouts.
  liquidations: u32,
  // The path's value at which every call is cured, C/L = 1.
  cure: f32,
  // log2 of the growth factor of the debt in a step.
  growth: f32,
}

alias ProductValues = vec4<f32>;

struct ProductState {
  // Number of the path in the dispatch.
  local: u32,
  lowest: f32,
  // Lowest value since the last cure, and the same of the delayed values.
  minimum: f32,
  called_minimum: f32,
  // The last step at which every call was cured, 0 at the start.
  cure_step: u32,
  // How many candidates have ended, always the first ones.
  ended: u32,
  // Thresholds of the first candidate that has not ended.
  next_liquidation: f32,
  next_margin_call: f32,
  // Values `delay_groups` groups before the previous group.
  delayed: vec4<f32>,
}

fn product_begin(path: u32) -> ProductState {
  var state = ProductState();
  state.local = path - slice.first_path;
  state.lowest = VALUE_LIMIT;
  state.minimum = VALUE_LIMIT;
  state.called_minimum = VALUE_LIMIT;
  state.delayed = vec4(VALUE_LIMIT);
  product_next(&state);
  return state;
}

fn product_values(values: vec4<f32>, step: u32) -> vec4<f32> {
  return grown_values(values, terms.growth, step);
}

const PRODUCT_STATE_WORDS = 9u;

fn product_save(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  state_save_next(at, bitcast<u32>((*state).lowest));
  state_save_next(at, bitcast<u32>((*state).minimum));
  state_save_next(at, bitcast<u32>((*state).called_minimum));
  state_save_next(at, (*state).cure_step);
  state_save_next(at, (*state).ended);
  state_save_next(at, bitcast<u32>((*state).delayed.x));
  state_save_next(at, bitcast<u32>((*state).delayed.y));
  state_save_next(at, bitcast<u32>((*state).delayed.z));
  state_save_next(at, bitcast<u32>((*state).delayed.w));
}

fn product_restore(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  (*state).lowest = bitcast<f32>(state_restore_next(at));
  (*state).minimum = bitcast<f32>(state_restore_next(at));
  (*state).called_minimum = bitcast<f32>(state_restore_next(at));
  (*state).cure_step = state_restore_next(at);
  (*state).ended = state_restore_next(at);
  (*state).delayed.x = bitcast<f32>(state_restore_next(at));
  (*state).delayed.y = bitcast<f32>(state_restore_next(at));
  (*state).delayed.z = bitcast<f32>(state_restore_next(at));
  (*state).delayed.w = bitcast<f32>(state_restore_next(at));
  product_next(state);
}

// Reads the thresholds of the first candidate that has not ended; -VALUE_LIMIT after the last.
fn product_next(state: ptr<function, ProductState>) {
  let ended = (*state).ended;
  (*state).next_liquidation = -VALUE_LIMIT;
  (*state).next_margin_call = -VALUE_LIMIT;
  if (ended < terms.candidates) {
    (*state).next_liquidation = thresholds[ended];
    (*state).next_margin_call = thresholds[terms.candidates + ended];
  }
}

// One step. @param value of the path after it @param delayed value `delay` steps earlier
fn product_step(state: ptr<function, ProductState>, value: f32, delayed: f32, step: u32) {
  (*state).lowest = min((*state).lowest, value);
  if (value >= terms.cure) {
    (*state).minimum = VALUE_LIMIT;
    (*state).called_minimum = VALUE_LIMIT;
    (*state).cure_step = step;
    return;
  }
  (*state).minimum = min((*state).minimum, value);
  // A delayed step counts only if it comes after the last cure.
  let delay = 4u * terms.delay_groups + terms.delay_rest;
  if (step > (*state).cure_step + delay) {
    (*state).called_minimum = min((*state).called_minimum, delayed);
  }
  if ((*state).minimum < (*state).next_liquidation || (*state).called_minimum < (*state).next_margin_call) {
    let ended = (*state).ended;
    let liquidated = threshold_above(0u, (*state).minimum, ended);
    let closed_out = threshold_above(terms.candidates, (*state).called_minimum, ended);
    // Liquidation is checked first: those of the newly ended that are below L are liquidated.
    if (terms.liquidations == 1u) {
      candidates_count(ended, liquidated);
    } else {
      candidates_count(max(ended, liquidated), closed_out);
    }
    (*state).ended = max(liquidated, closed_out);
    product_next(state);
  }
}

// The values of the group `delay_groups` groups before the one of `v`, VALUE_LIMIT before the first. Keeps `v` in their place.
fn product_earlier(state: ptr<function, ProductState>, v: vec4<f32>, step: u32) -> vec4<f32> {
  if (terms.delay_groups == 0u) {
    return v;
  }
  var earlier = vec4(VALUE_LIMIT);
  if (terms.kept_groups > 0u) {
    let word = market_state_words() + PRODUCT_STATE_WORDS + 4u * ((step / 4u) % terms.kept_groups);
    if (step >= 4u * terms.kept_groups) {
      earlier = bitcast<vec4<f32>>(state_restore(word, (*state).local));
    }
    state_save(word, (*state).local, bitcast<vec4<u32>>(v));
  }
  return earlier;
}

// Evaluates the values after steps `step` + 1 .. `step` + 4, of which the first `live` belong to the term.
fn product_group(state: ptr<function, ProductState>, v: vec4<f32>, step: u32, live: u32) {
  let earlier = product_earlier(state, v, step);
  let before = (*state).delayed;
  var delayed = earlier;
  switch terms.delay_rest {
    case 1u: { delayed = vec4(before.w, earlier.xyz); }
    case 2u: { delayed = vec4(before.zw, earlier.xy); }
    case 3u: { delayed = vec4(before.yzw, earlier.x); }
    default: {}
  }
  (*state).delayed = earlier;
  product_step(state, v.x, delayed.x, step + 1u);
  if (live > 1u) {
    product_step(state, v.y, delayed.y, step + 2u);
  }
  if (live > 2u) {
    product_step(state, v.z, delayed.z, step + 3u);
  }
  if (live > 3u) {
    product_step(state, v.w, delayed.w, step + 4u);
  }
}

fn product_finish(state: ptr<function, ProductState>, path: u32) {
  lowest_update((*state).lowest);
  if (trace) {
    record_set(RECORD_MINIMUM_RATIO, path, bitcast<u32>(market_ratio((*state).lowest)));
  }
}
