// Filtered historical simulation: a day's shock is a row of residuals, scaled by each asset's GARCH variance, and bridged over its hours
// (docs/methodology.md, FHS). Log prices are in base 2.
// Provides: ModelState and the functions model_*. Expects: market, asset_quads, bridge_hours, residual_rows.wgsl,
// state_put, state_take. Twin: FilteredHistoricalPaths of src/core/reference/filtered-historical-paths.ts.

struct ModelState {
  // Per asset: log2 of the price relative to the start, variance of the day, what is left of the day's shock and the drift of an
  // hour in base 2; four assets to a quad.
  log_price: array<vec4<f32>, 8>,
  variance: array<vec4<f32>, 8>,
  left: array<vec4<f32>, 8>,
  drift: array<vec4<f32>, 8>,
  // Row of the day.
  row: u32,
}

fn model_begin() -> ModelState {
  var state = ModelState();
  state.variance = first_variances();
  return state;
}

// Words of a path's state when it is put down between two time slices.
fn model_state_words() -> u32 {
  return 16u * asset_quads + 4u;
}

fn model_put_down(state: ptr<function, ModelState>, local: u32) {
  quads_save(0u, local, &(*state).log_price);
  quads_save(4u * asset_quads, local, &(*state).variance);
  // A copy that runs some steps behind (kernel/simulate_origination.wgsl) is put down in the middle of a day.
  quads_save(8u * asset_quads, local, &(*state).left);
  quads_save(12u * asset_quads, local, &(*state).drift);
  // As a number: the bits of a small whole number are no normal float.
  state_put(16u * asset_quads, local, vec4(f32((*state).row), 0.0, 0.0, 0.0));
}

fn model_take_up(state: ptr<function, ModelState>, local: u32) {
  quads_restore(0u, local, &(*state).log_price);
  quads_restore(4u * asset_quads, local, &(*state).variance);
  quads_restore(8u * asset_quads, local, &(*state).left);
  quads_restore(12u * asset_quads, local, &(*state).drift);
  (*state).row = u32(state_take(16u * asset_quads, local).x);
}

fn model_uses_normals() -> bool {
  return true;
}

// Prepares a group of four steps, for all assets.
fn model_group(state: ptr<function, ModelState>, path: u32, step: u32) {
  if (step % DAY_STEPS == 0u) {
    (*state).row = residual_row(path, step / DAY_STEPS);
  }
}

// Moves a quad by four steps; returns log2 of the prices after each (columns are assets).
fn model_advance(
  state: ptr<function, ModelState>,
  quad: u32,
  shocks: mat4x4<f32>,
  step: u32,
) -> mat4x4<f32> {
  let hour = step % DAY_STEPS;
  let variance = (*state).variance[quad];
  let a = market.volatility_scale * sqrt(variance);
  if (hour == 0u) {
    (*state).left[quad] = a * residuals((*state).row, quad) * LOG2_E;
    (*state).drift[quad] = log_mean_exponential(quad, a) * (-LOG2_E / 24.0);
  }
  let hours = bridge_hours(
    (*state).log_price[quad],
    (*state).left[quad],
    a * LOG2_E,
    (*state).drift[quad],
    DAY_STEPS - hour,
    transpose(shocks),
  );
  (*state).log_price[quad] = hours.log_prices[3];
  (*state).left[quad] = hours.left;
  if (hour == DAY_STEPS - 4u) {
    let z = residuals((*state).row, quad);
    (*state).variance[quad] = next_variance(quad, variance, z);
  }
  return transpose(hours.log_prices);
}
