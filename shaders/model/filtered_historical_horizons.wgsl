// Filtered historical simulation from horizon to horizon: whole days by their rows, a part of a day by its part of the bridge.
// Log prices are in base 2.
// Provides: ModelState and the functions model_*. Expects: market, asset_quads, horizon_steps, residual_rows.wgsl,
// state_put, state_take. Twin: FilteredHistoricalHorizons of src/core/reference/filtered-historical-paths.ts.

struct ModelState {
  // Per asset: log2 of the price at the start of the day relative to that of the path, variance of the day, and how far the
  // day's bridge has gone (natural logarithm); four assets to a quad.
  log_price: array<vec4<f32>, 8>,
  variance: array<vec4<f32>, 8>,
  gone: array<vec4<f32>, 8>,
  path: u32,
  // Day and fraction of it that the last horizon lies at, before the group and after it: every quad walks from one to the other.
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

// Words of a path's state when it is put down between two time slices.
fn model_state_words() -> u32 {
  return 12u * asset_quads + 4u;
}

fn model_put_down(state: ptr<function, ModelState>, local: u32) {
  quads_save(0u, local, &(*state).log_price);
  quads_save(4u * asset_quads, local, &(*state).variance);
  quads_save(8u * asset_quads, local, &(*state).gone);
  // As numbers: the bits of a small whole number are no normal float.
  state_put(12u * asset_quads, local, vec4(f32((*state).next_day), (*state).next_fraction, 0.0, 0.0));
}

fn model_take_up(state: ptr<function, ModelState>, local: u32) {
  quads_restore(0u, local, &(*state).log_price);
  quads_restore(4u * asset_quads, local, &(*state).variance);
  quads_restore(8u * asset_quads, local, &(*state).gone);
  let place = state_take(12u * asset_quads, local);
  (*state).next_day = u32(place.x);
  (*state).next_fraction = place.y;
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

// Moves a quad by four steps; returns log2 of the prices after each (columns are assets).
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
  var gone = (*state).gone[quad];
  var a = market.volatility_scale * sqrt(variance);
  var z = residuals(residual_row((*state).path, day), quad);
  var drift = -log_mean_exponential(quad, a);
  for (var k = 0u; k < 4u; k++) {
    // Whole days are exact in single precision.
    while (ends[k] >= f32(day + 1u)) {
      start += fma(a, z, drift) * LOG2_E;
      variance = next_variance(quad, variance, z);
      gone = vec4(0.0);
      fraction = 0.0;
      day += 1u;
      a = market.volatility_scale * sqrt(variance);
      z = residuals(residual_row((*state).path, day), quad);
      drift = -log_mean_exponential(quad, a);
    }
    let to = max(fraction, ends[k] - f32(day));
    if (to > fraction) {
      let part = (to - fraction) / (1.0 - fraction);
      let spread = a * sqrt((to - fraction) * (1.0 - part));
      gone += fma(vec4(part), a * z - gone, spread * noise[k]);
    }
    log_prices[k] = fma(gone + to * drift, vec4(LOG2_E), start);
    fraction = to;
  }
  (*state).log_price[quad] = start;
  (*state).variance[quad] = variance;
  (*state).gone[quad] = gone;
  (*state).next_day = day;
  (*state).next_fraction = fraction;
  return transpose(log_prices);
}
