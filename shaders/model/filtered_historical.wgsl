// Filtered historical simulation (docs/methodology.md, FHS): a day's shock is a row of residuals times each asset's GARCH deviation,
// bridged over the hours. A time slice begins with a day: only what outlives a day is saved.
// Inputs: the market parameters and tables; normals for the bridge.
// Outputs: log prices after each step.
// Units: log2 of prices relative to the start; daily variances of natural logarithms; a step is an hour.
// Provides: ModelState, model_*.
// Reference: FilteredHistoricalPaths of src/core/reference/filtered-historical-paths.ts.
// Expects:
//   kernel/bindings.wgsl: DAY_STEPS, asset_quads, market
//   lib/draw.wgsl: LOG2_E
//   model/asset_arrays.wgsl: quads_restore, quads_save
//   model/day_bridge.wgsl: bridge_hours
//   model/residual_rows.wgsl: log_mean_exponential, next_variance, residual_row, residuals
//   model/variance_parameters.wgsl: first_variances

struct ModelState {
  // Per asset: log2 of the price relative to the start, variance of the day, the remaining part of the day's shock and the drift
  // of an hour in base 2.
  log_price: array<vec4<f32>, 8>,
  variance: array<vec4<f32>, 8>,
  remaining: array<vec4<f32>, 8>,
  drift: array<vec4<f32>, 8>,
  // Row of the day.
  row: u32,
}

fn model_begin() -> ModelState {
  var state = ModelState();
  state.variance = first_variances();
  return state;
}

// Words of the saved state of a path.
fn model_state_words() -> u32 {
  return 8u * asset_quads;
}

fn model_save(state: ptr<function, ModelState>, local: u32) {
  quads_save(0u, local, &(*state).log_price);
  quads_save(4u * asset_quads, local, &(*state).variance);
}

fn model_restore(state: ptr<function, ModelState>, local: u32) {
  quads_restore(0u, local, &(*state).log_price);
  quads_restore(4u * asset_quads, local, &(*state).variance);
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

// Advances a quad by four steps; returns log2 of the prices after each (columns are assets).
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
    (*state).remaining[quad] = a * residuals((*state).row, quad) * LOG2_E;
    (*state).drift[quad] = log_mean_exponential(quad, a) * (-LOG2_E / 24.0);
  }
  let hours = bridge_hours(
    (*state).log_price[quad],
    (*state).remaining[quad],
    a * LOG2_E,
    (*state).drift[quad],
    DAY_STEPS - hour,
    transpose(shocks),
  );
  (*state).log_price[quad] = hours.log_prices[3];
  (*state).remaining[quad] = hours.remaining;
  if (hour == DAY_STEPS - 4u) {
    let z = residuals((*state).row, quad);
    (*state).variance[quad] = next_variance(quad, variance, z);
  }
  return transpose(hours.log_prices);
}
