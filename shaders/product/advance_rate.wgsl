// Exposures of a lender: writes the value at which collateral is sold, the lowest of an exposure or that at its end, at a batch of
// horizons. An exposure begins at step 0, or at the first step whose value is at or below a trigger.
// Inputs: values of the path; terms, horizon_steps.
// Outputs: exposure_values; sums.
// Units: values: log2(C/L), C/L or C/L - 1; steps.
// Provides: Terms, SUM_COUNT, horizon_steps, ProductValues, ProductState, product_*.
// Reference: src/core/product/advance-rate.ts.
// Expects:
//   kernel/bindings.wgsl: slice, state_restore_next, state_save_next
//   kernel/sums.wgsl: sum_add
//   lib/four_steps.wgsl: step_value
//   lib/limits.wgsl: NO_STEP, VALUE_LIMIT
//   one product: terms

struct Terms {
  // Horizons of the batch.
  horizons: u32,
  // 1: collateral is sold at the lowest value of the exposure; 0: at its end.
  lowest: u32,
  // The last step that may begin an exposure; 0: every exposure begins at step 0.
  within_steps: u32,
  // Value at or below which an exposure begins.
  trigger: f32,
}

// Paths with an exposure.
const SUM_EXPOSURES = 0u;
const SUM_COUNT = 1u;

// Rising steps of the horizons of the batch.
@group(1) @binding(1) var<storage, read> horizon_steps: array<u32>;
// Value of horizon k of the batch on path run_path + p at k x paths + p, VALUE_LIMIT without an exposure; then the step at which the
// exposure of path p begins, 0 without one.
@group(1) @binding(2) var<storage, read_write> exposure_values: array<f32>;

alias ProductValues = vec4<f32>;

struct ProductState {
  // Path number of the run: not saved.
  place: u32,
  // Lowest value since the exposure began.
  lowest: f32,
  // Step at which it began; NO_STEP before.
  start: u32,
  // Next horizon of the batch.
  horizon: u32,
}

fn product_begin(path: u32) -> ProductState {
  return ProductState(path - slice.run_path, VALUE_LIMIT, select(NO_STEP, 0u, terms.within_steps == 0u), 0u);
}

fn product_values(values: vec4<f32>, step: u32) -> vec4<f32> {
  return values;
}

const PRODUCT_STATE_WORDS = 3u;

fn product_save(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  state_save_next(at, bitcast<u32>((*state).lowest));
  state_save_next(at, (*state).start);
  state_save_next(at, (*state).horizon);
}

fn product_restore(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  (*state).lowest = bitcast<f32>(state_restore_next(at));
  (*state).start = state_restore_next(at);
  (*state).horizon = state_restore_next(at);
}

// Evaluates the values after steps `step` + 1 .. `step` + 4, of which the first `live` belong to the term.
fn product_group(state: ptr<function, ProductState>, values: vec4<f32>, step: u32, live: u32) {
  for (var i = 0u; i < 4u; i++) {
    let now = step + i + 1u;
    let value = step_value(values, i);
    if ((*state).start == NO_STEP && now <= terms.within_steps && value <= terms.trigger) {
      (*state).start = now;
    }
    if (i < live && (*state).start != NO_STEP) {
      (*state).lowest = min((*state).lowest, value);
      if ((*state).horizon < terms.horizons && now == (*state).start + horizon_steps[(*state).horizon]) {
        let sold = select(value, (*state).lowest, terms.lowest == 1u);
        exposure_values[(*state).horizon * slice.paths + (*state).place] = sold;
        (*state).horizon += 1u;
      }
    }
  }
}

fn product_finish(state: ptr<function, ProductState>, path: u32) {
  let exposed = (*state).start != NO_STEP;
  sum_add(SUM_EXPOSURES, select(0u, 1u, exposed));
  for (var k = (*state).horizon; k < terms.horizons; k++) {
    exposure_values[k * slice.paths + (*state).place] = VALUE_LIMIT;
  }
  exposure_values[terms.horizons * slice.paths + (*state).place] = select(0.0, f32((*state).start), exposed);
}
