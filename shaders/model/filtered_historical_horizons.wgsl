// Filtered historical simulation from horizon to horizon: whole days by their rows, part of a day by one step of the bridge.
// filtered_historical.wgsl bridges hour by hour in base 2; here shocks are natural logarithms and rounded in another order, so that only
// rows and variances are shared.
// Inputs: the market parameters and tables; ends of the horizons in days; normals for the bridge.
// Outputs: log prices at each horizon.
// Units: log2 of prices relative to the start; shocks and variances of natural logarithms.
// Provides: ModelState, model_*.
// Reference: FilteredHistoricalHorizons of src/core/reference/filtered-historical-paths.ts.
// Expects:
//   kernel/bindings.wgsl: asset_quads, market, state_restore, state_save
//   kernel/horizon_values.wgsl: horizon_steps
//   lib/draw.wgsl: LOG2_E
//   model/asset_arrays.wgsl: quads_restore, quads_save
//   model/residual_rows.wgsl: log_mean_exponential, next_variance, residual_row, residuals
//   model/variance_parameters.wgsl: first_variances

struct ModelState {
  // Per asset: log2 of the price at the start of the day relative to that of the path, variance of the day, and the part of the
  // day's shock up to the last horizon (natural logarithm).
  log_price: array<vec4<f32>, 8>,
  variance: array<vec4<f32>, 8>,
  bridged: array<vec4<f32>, 8>,
  path: u32,
  // Day of the last horizon and fraction of that day, before the group and after it: every quad goes from one to the other.
  day: u32,
  fraction: f32,
  next_day: u32,
  next_fraction: f32,
}

fn model_begin() -> ModelState {
  var state = ModelState();
  state.variance = first_variances();
  return state;
}

// Words of the saved state of a path.
fn model_state_words() -> u32 {
  return 12u * asset_quads + 4u;
}

fn model_save(state: ptr<function, ModelState>, local: u32) {
  quads_save(0u, local, &(*state).log_price);
  quads_save(4u * asset_quads, local, &(*state).variance);
  quads_save(8u * asset_quads, local, &(*state).bridged);
  state_save(12u * asset_quads, local, vec4((*state).next_day, bitcast<u32>((*state).next_fraction), 0u, 0u));
}

fn model_restore(state: ptr<function, ModelState>, local: u32) {
  quads_restore(0u, local, &(*state).log_price);
  quads_restore(4u * asset_quads, local, &(*state).variance);
  quads_restore(8u * asset_quads, local, &(*state).bridged);
  let place = state_restore(12u * asset_quads, local);
  (*state).next_day = place.x;
  (*state).next_fraction = bitcast<f32>(place.y);
}

fn model_uses_normals() -> bool {
  return true;
}

// Prepares a group of four steps, for all assets.
fn model_group(state: ptr<function, ModelState>, path: u32, step: u32) {
  (*state).path = path;
  (*state).day = (*state).next_day;
  (*state).fraction = (*state).next_fraction;
}

// Advances a quad by four steps; returns log2 of the prices after each (columns are assets).
fn model_advance(
  state: ptr<function, ModelState>,
  quad: u32,
  shocks: mat4x4<f32>,
  step: u32,
) -> mat4x4<f32> {
  let ends = horizon_steps[step >> 2u].ends;
  let noise = transpose(shocks);
  var log_prices = mat4x4<f32>();
  var day = (*state).day;
  var fraction = (*state).fraction;
  var start = (*state).log_price[quad];
  var variance = (*state).variance[quad];
  var bridged = (*state).bridged[quad];
  var a = market.volatility_scale * sqrt(variance);
  var z = residuals(residual_row((*state).path, day), quad);
  var drift = -log_mean_exponential(quad, a);
  for (var k = 0u; k < 4u; k++) {
    // Whole numbers of days are exact in single precision.
    while (ends[k] >= f32(day + 1u)) {
      start += fma(a, z, drift) * LOG2_E;
      variance = next_variance(quad, variance, z);
      bridged = vec4(0.0);
      fraction = 0.0;
      day += 1u;
      a = market.volatility_scale * sqrt(variance);
      z = residuals(residual_row((*state).path, day), quad);
      drift = -log_mean_exponential(quad, a);
    }
    let to = max(fraction, ends[k] - f32(day));
    if (to > fraction) {
      let part = (to - fraction) / (1.0 - fraction);
      // The quotient may exceed 1 by rounding at a horizon just before the end of a day.
      let spread = a * sqrt((to - fraction) * max(0.0, 1.0 - part));
      bridged += fma(vec4(part), a * z - bridged, spread * noise[k]);
    }
    log_prices[k] = fma(bridged + to * drift, vec4(LOG2_E), start);
    fraction = to;
  }
  (*state).log_price[quad] = start;
  (*state).variance[quad] = variance;
  (*state).bridged[quad] = bridged;
  (*state).next_day = day;
  (*state).next_fraction = fraction;
  return transpose(log_prices);
}
